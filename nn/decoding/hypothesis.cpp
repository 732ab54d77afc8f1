#include <gradual/nn/decoding/hypothesis.hpp>

#include <gradual/core/error.hpp>

namespace gradual {

void DecodingOptions::check(const char* operation) const {
  if (max_length < 1)
    throw std::invalid_argument(text(operation, ": max_length must be positive: got ", max_length));
  if (begin < 0) throw std::invalid_argument(text(operation, ": begin must be a token: got ", begin));
}

std::invalid_argument no_word_left(const char* operation, Index sentence, Index step) {
  return std::invalid_argument(text(operation, ": some word must have a probability above 0: sentence ",
                                    sentence, ", step ", step, "; are the model's logits numbers?"));
}

}  // namespace gradual
