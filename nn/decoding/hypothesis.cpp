#include <gradual/nn/decoding/hypothesis.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {

Index DecodingOptions::longest(Index sentence) const {
  return max_lengths.empty() ? max_length
                             : std::min(max_length, max_lengths[static_cast<std::size_t>(sentence)]);
}

void DecodingOptions::check(const char* operation, Index sentences) const {
  Index least = max_length;
  for (const Index length : max_lengths) least = std::min(least, length);
  if (least < 1) throw std::invalid_argument(text(operation, ": max_length must be positive: got ", least));
  if (!max_lengths.empty() && static_cast<Index>(max_lengths.size()) != sentences)
    throw std::invalid_argument(text(operation, ": each sentence must have its length: max_lengths are ",
                                     max_lengths.size(), ", sentences are ", sentences));
  if (begin < 0) throw std::invalid_argument(text(operation, ": begin must be a token: got ", begin));
}

NoWordLeft::NoWordLeft(const char* by, Index row, Index at, const std::string& words)
    : std::invalid_argument(
          text(by, ": some word must have a probability above 0: sentence ",
               words.empty() ? std::to_string(row) : "\"" + words + "\"", ", step ", at,
               "; are the model's logits numbers, and is the end token in its shortlist, if there is one?")),
      operation(by),
      sentence(row),
      step(at) {}

}  // namespace gradual
