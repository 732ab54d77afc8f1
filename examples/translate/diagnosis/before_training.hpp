// Looking at a model before its first step: `translate train --check` and `--doctor`.
#pragma once

#include <gradual/nn/training/parallel/team.hpp>

#include "../settings.hpp"

/// Prints what the checks of the model and its first batch find; 1 where something is wrong, else 0.
int check_before_training(const TrainSettings& settings, const gradual::Corpora& corpora,
                          const gradual::Team& team);
/// Prints why the model would not learn, experiment by experiment; 1 where there is a cause, else 0.
int examine_before_training(const TrainSettings& settings, const gradual::Corpora& corpora,
                            const gradual::Team& team);
