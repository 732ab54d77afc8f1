// A part in which one trains a translator: the settings are graded, by what they reach with a budget of
// tokens and parameters. Tokens and not seconds, so that any machine can grade them again.
#pragma once

#include <cstdint>

#include "judge.hpp"

/// Trains the translator with the settings in the text of a file, and judges it by the part's goal. The seed
/// decides the text, what of it is held out, and all that is drawn at random.
Verdict judge_training(const Workshop& workshop, const Part& part, const std::string& written,
                       std::uint64_t seed);

/// What a student starts from: the task, the settings that may be made, and those of a poor run.
std::string settings_starter(const Part& part);

/// What can be learnt from a run that falls short of its goal, as a sentence; empty where nothing stands out.
std::string lesson_of(const Goal& goal, const std::vector<double>& losses, gradual::Index tokens,
                      gradual::Index parameters);
