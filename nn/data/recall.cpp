#include <gradual/nn/data/recall.hpp>

#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

constexpr std::int32_t nothing = RecallBatch::nothing;

void check(const char* operation, Index batch, Index length, const RecallSizes& sizes) {
  if (batch < 1 || length < 1 || sizes.names < 1 || sizes.names > 26 || sizes.values < 1)
    throw std::invalid_argument(
        text(operation, ": all sizes must be positive, with at most 26 names: batch is ", batch,
             ", length is ", length, ", names are ", sizes.names, ", values are ", sizes.values));
}

std::string name_of(Index name) { return std::string(1, static_cast<char>('a' + name)); }

std::int32_t drawn(Index bound, Random& random) { return static_cast<std::int32_t>(random.below(bound)); }

// The sequences of a batch while they grow.
struct Sequences {
  std::vector<std::int32_t> input, target, evidence;

  void add(std::int32_t token) { add(token, nothing, nothing); }
  void add(std::int32_t token, std::int32_t answer, std::int32_t place) {
    input.push_back(token);
    target.push_back(answer);
    evidence.push_back(place);
  }
  RecallBatch batch(const Shape& shape) && {
    return {{shape, std::move(input)}, {shape, std::move(target)}, {shape, std::move(evidence)}};
  }
};

}  // namespace

RecallBatch pairs_in_two(Index batch, Index pairs, const RecallSizes& sizes, Random random) {
  check("pairs_in_two", batch, pairs, sizes);
  const auto names = static_cast<std::size_t>(sizes.names);
  Sequences sequences;
  for (Index b = 0; b < batch; ++b) {
    std::vector<std::int32_t> values(names), places(names, nothing);
    for (std::int32_t& value : values)
      value = static_cast<std::int32_t>(sizes.names) + drawn(sizes.values, random);
    for (Index i = 0; i < pairs; ++i) {
      const std::int32_t name = drawn(sizes.names, random);
      const std::int32_t value = values[static_cast<std::size_t>(name)];
      std::int32_t& place = places[static_cast<std::size_t>(name)];
      sequences.add(name, place == nothing ? nothing : value, place);
      sequences.add(value);
      place = static_cast<std::int32_t>(2 * i + 1);
    }
  }
  return std::move(sequences).batch({batch, 2 * pairs});
}

RecallBatch pairs_in_one(Index batch, Index length, const RecallSizes& sizes, Random random) {
  check("pairs_in_one", batch, length, sizes);
  const auto names = static_cast<std::size_t>(sizes.names);
  Sequences sequences;
  for (Index b = 0; b < batch; ++b) {
    std::vector<std::int32_t> answers(names), places(names, nothing);
    for (Index t = 0; t < length; ++t) {
      const std::int32_t name = drawn(sizes.names, random);
      const std::int32_t first = name * static_cast<std::int32_t>(sizes.values + 1);
      std::int32_t& answer = answers[static_cast<std::size_t>(name)];
      std::int32_t& place = places[static_cast<std::size_t>(name)];
      if (place != nothing && random.below(2) == 0) {
        sequences.add(first + static_cast<std::int32_t>(sizes.values), answer, place);
      } else {
        answer = first + drawn(sizes.values, random);
        place = static_cast<std::int32_t>(t);
        sequences.add(answer);
      }
    }
  }
  return std::move(sequences).batch({batch, length});
}

std::string token_of_pairs_in_two(std::int32_t token, const RecallSizes& sizes) {
  return token < sizes.names ? name_of(token) : std::to_string(token - sizes.names);
}

std::string token_of_pairs_in_one(std::int32_t token, const RecallSizes& sizes) {
  const Index value = token % (sizes.values + 1);
  return name_of(token / (sizes.values + 1)) + (value == sizes.values ? "?" : "=" + std::to_string(value));
}

}  // namespace gradual
