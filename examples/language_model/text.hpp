// The text that is learnt.
#pragma once

#include <cstdint>
#include <string>

/// Ten thousand sentences of the toy grammar (nn/data/toy_corpus.hpp), each on a line.
std::string generated_text(std::uint64_t seed);

/// The content of a file. Throws gradual::FileError when it cannot be read, is empty or not valid UTF-8.
std::string read_text(const std::string& path);
