// The batches that the leak check computes, and what of their results must not change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>

namespace gradual::leak_batch {

/// Words by their numbers.
using Ids = std::vector<std::int32_t>;

/// What a row of the batch is for: it keeps the first words of its target and gets other ones behind them, or
/// keeps everything, or nothing.
enum class Role { prefix, kept, replaced };

/// What is in a row.
struct Row {
  Role role;
  Index prefix;  // words of the target that it keeps
  Index length;  // of the source
};

/// Sources [B, S] and targets [B, T], side by side.
struct Batch {
  Index sources, targets;
  std::vector<Row> rows;
  Ids source, target;

  Index size() const { return static_cast<Index>(rows.size()); }
  const Row& operator[](Index row) const { return rows[static_cast<std::size_t>(row)]; }
  SourceBatch source_batch() const {
    Ids lengths;
    for (const Row& row : rows) lengths.push_back(static_cast<std::int32_t>(row.length));
    return {Indices({size(), sources}, source), Indices({size()}, lengths)};
  }
  Indices target_batch() const { return Indices({size(), targets}, target); }
};

/// Random words; sentences of at most `longest` tokens.
Batch random_batch(const LeakSubject& subject, Index longest, Random random);
/// The same with every suffix and whole sentences replaced.
Batch with_other_words(Batch batch, const LeakSubject& subject, Random random);
/// The same with other words behind the ends of the sources.
Batch with_other_padding(Batch batch, const LeakSubject& subject, Random random);
/// One sentence by itself.
Batch alone(const Batch& batch, Index row);

/// How the numbers of a result belong to sentences and places.
struct Layout {
  enum class Of { sentences, target_places, source_places } of;
  Index places;       // of a sentence
  Index width;        // numbers of a place
  bool places_first;  // [T, B, …]
};

/// Nothing for a shape that is of neither sentences nor places.
std::optional<Layout> layout_of(const Shape& shape, const Batch& batch);

/// Where a result changed, and by how much.
struct Change {
  Index sentence, place;  // the first
  double size;            // the largest
};

/// What changed of a result although it must not.
std::optional<Change> change(Leak::Kind kind, const Batch& batch, const Tensor& before, const Tensor& now);

}  // namespace gradual::leak_batch
