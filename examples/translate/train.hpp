// The main job: train a translator, test it, and leave a model, a log and a page.
#pragma once

#include "corpora.hpp"
#include "settings.hpp"
#include "team.hpp"

/// All processes of the team work on every batch together. Returns the exit code: 0, or 130 when training was
/// interrupted. Throws what goes wrong.
int run_training(const TrainSettings& settings, const Corpora& corpora, const Team& team);
