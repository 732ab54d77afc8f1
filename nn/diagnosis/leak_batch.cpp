#include <gradual/nn/diagnosis/leak_batch.hpp>

#include <algorithm>
#include <cmath>

namespace gradual::leak_batch {
namespace {

using Kind = Leak::Kind;

// Puts other words in the places first … last - 1 of a sentence of `length` places.
void replace(Ids& ids, Index row, Index length, Index first, Index last, Index vocabulary, Random random) {
  for (Index i = row * length + first; i < row * length + last; ++i) {
    std::int32_t& word = ids[static_cast<std::size_t>(i)];
    word = static_cast<std::int32_t>((word + 1 + random.below(vocabulary - 1)) % vocabulary);
  }
}

// Of numbers that are NaN in both there is none.
double largest_change(const Real* a, const Real* b, Index count) {
  double largest = 0;
  for (Index i = 0; i < count; ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double size = std::abs(double{a[i]} - double{b[i]});
    largest = std::isnan(size) ? HUGE_VAL : std::max(largest, size);
  }
  return largest;
}

// How many places of a row must not change.
Index kept_places(const Row& row, Kind kind, const Layout& layout) {
  const Index valid = layout.of == Layout::Of::source_places ? row.length : layout.places;
  if (kind == Kind::other_sentences) return row.role == Role::kept ? valid : 0;
  if (kind != Kind::later_words) return valid;
  if (row.role != Role::prefix || layout.of == Layout::Of::sentences) return 0;
  return layout.of == Layout::Of::target_places ? row.prefix : valid;
}

}  // namespace

Batch random_batch(const LeakSubject& subject, Index longest, Random random) {
  const Index most = subject.max_length > 0 ? std::min(subject.max_length, longest) : longest;
  Batch batch;
  batch.sources = subject.source_vocabulary > 0 ? most : 0;
  batch.targets = subject.target_vocabulary > 0 ? most - 1 : 0;
  for (Index t = 1; t < batch.targets; ++t) batch.rows.push_back({Role::prefix, t, 0});
  const Index others = batch.targets > 0 ? 2 : 4;
  for (Index i = 0; i < others; ++i) batch.rows.push_back({Role::replaced, 0, 0});
  for (Index i = 0; i < others; ++i) batch.rows.push_back({Role::kept, batch.targets, 0});
  for (Row& row : batch.rows) row.length = batch.sources / 2 + random.below(batch.sources / 3 + 1);
  batch.rows.front().length = batch.sources;  // one is as long as the batch
  const auto draw = [&](Ids& ids, Index count, Index vocabulary) {
    for (Index i = 0; i < count; ++i) ids.push_back(static_cast<std::int32_t>(random.below(vocabulary)));
  };
  draw(batch.source, batch.size() * batch.sources, subject.source_vocabulary);
  draw(batch.target, batch.size() * batch.targets, subject.target_vocabulary);
  return batch;
}

Batch with_other_words(Batch batch, const LeakSubject& subject, Random random) {
  for (Index b = 0; b < batch.size(); ++b) {
    replace(batch.target, b, batch.targets, batch[b].prefix, batch.targets, subject.target_vocabulary,
            random);
    if (batch[b].role == Role::replaced)
      replace(batch.source, b, batch.sources, 0, batch.sources, subject.source_vocabulary, random);
  }
  return batch;
}

Batch with_other_padding(Batch batch, const LeakSubject& subject, Random random) {
  for (Index b = 0; b < batch.size(); ++b)
    replace(batch.source, b, batch.sources, batch[b].length, batch.sources, subject.source_vocabulary,
            random);
  return batch;
}

Batch alone(const Batch& batch, Index row) {
  const auto part = [row](const Ids& all, Index length) {
    return Ids(all.begin() + row * length, all.begin() + (row + 1) * length);
  };
  return {batch.sources,
          batch.targets,
          {batch[row]},
          part(batch.source, batch.sources),
          part(batch.target, batch.targets)};
}

std::optional<Layout> layout_of(const Shape& shape, const Batch& batch) {
  const auto has_places = [&](Index first_axis) {
    for (Index axis = first_axis; axis < shape.rank(); ++axis)
      if (shape[axis] == batch.targets || shape[axis] == batch.sources) return true;
    return false;
  };
  const auto layout = [&](Layout::Of of, Index places) -> std::optional<Layout> {
    const Index all = batch.size() * places, rank = shape.rank();
    if (all == 0 || rank == 0) return std::nullopt;
    if (shape[0] == all && !has_places(1)) return Layout{of, places, shape.size() / all, false};
    if (rank < 2 || has_places(2)) return std::nullopt;  // such as scores, whose last axis is of words, too
    if (shape[0] == batch.size() && shape[1] == places) return Layout{of, places, shape.size() / all, false};
    if (shape[0] == places && shape[1] == batch.size()) return Layout{of, places, shape.size() / all, true};
    return std::nullopt;
  };
  if (const auto found = layout(Layout::Of::target_places, batch.targets)) return found;
  if (const auto found = layout(Layout::Of::source_places, batch.sources)) return found;
  if (shape.rank() > 0 && shape[0] == batch.size() && !has_places(1))
    return Layout{Layout::Of::sentences, 1, shape.size() / batch.size(), false};
  return std::nullopt;
}

std::optional<Change> change(Kind kind, const Batch& batch, const Tensor& before, const Tensor& now) {
  const std::optional<Layout> layout = layout_of(before.shape(), batch);
  if (!layout || now.shape() != before.shape()) return std::nullopt;
  std::optional<Change> found;
  for (Index b = 0; b < batch.size(); ++b) {
    const Index kept = kept_places(batch[b], kind, *layout);
    for (Index t = 0; t < kept; ++t) {
      const Index place = layout->places_first ? t * batch.size() + b : b * layout->places + t;
      const double size = largest_change(before.data() + place * layout->width,
                                         now.data() + place * layout->width, layout->width);
      if (size == 0) continue;
      if (!found) found = Change{b, layout->of == Layout::Of::sentences ? -1 : t, 0};
      found->size = std::max(found->size, size);
    }
  }
  return found;
}

}  // namespace gradual::leak_batch
