// The main job: train a translator, test it, and leave a model, a log and a page.
#pragma once

#include <gradual/nn/training/parallel/team.hpp>

#include "settings.hpp"

/// All processes of the team work on every batch together. Returns the exit code: 0, or 128 and the number of
/// the signal that ended it, such as 130 for Ctrl-C. Throws what goes wrong.
int run_training(const TrainSettings& settings, const gradual::Corpora& corpora, const gradual::Team& team);
