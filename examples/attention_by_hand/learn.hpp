// Where the frozen weights come from: a translator is trained on six sentences, and rounded.
#pragma once

#include <string>

/// Trains the translator and returns it as the text that gradual::read_frozen_translator reads.
std::string learn_frozen_translator();
