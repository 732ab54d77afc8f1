// Training a model of text, and what is left of it: a model file and a page.
#pragma once

#include "settings.hpp"

void run_training(const TrainSettings& settings);
