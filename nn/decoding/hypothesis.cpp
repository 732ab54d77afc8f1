#include <gradual/nn/decoding/hypothesis.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {

namespace {

std::string what_is_wrong(const char* operation, const std::string& sentence, Index step) {
  return text(operation, ": some word must have a probability above 0: sentence ", sentence, ", step ", step,
              "; are the model's logits numbers?");
}

}  // namespace

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

NoWordLeft::NoWordLeft(const char* by, Index row, Index at)
    : std::invalid_argument(what_is_wrong(by, std::to_string(row), at)),
      operation(by),
      sentence(row),
      step(at) {}

NoWordLeft::NoWordLeft(const NoWordLeft& error, const std::string& words)
    : std::invalid_argument(what_is_wrong(error.operation, words, error.step)),
      operation(error.operation),
      sentence(error.sentence),
      step(error.step) {}

}  // namespace gradual
