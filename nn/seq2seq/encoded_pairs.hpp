// Sentence pairs as numbers.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A sentence pair as token ids, without begin and end tokens.
struct EncodedPair {
  std::vector<std::int32_t> source, target;  // the words of both sentences, as numbers
};

/// Many of them in little room: four bytes a token and sixteen a pair.
class EncodedPairs {
 public:
  /// One more pair at the end.
  void add(const EncodedPair& pair) {
    places_.push_back({static_cast<Index>(ids_.size()), static_cast<std::int32_t>(pair.source.size()),
                       static_cast<std::int32_t>(pair.target.size())});
    ids_.insert(ids_.end(), pair.source.begin(), pair.source.end());
    ids_.insert(ids_.end(), pair.target.begin(), pair.target.end());
  }
  /// Whether there are none.
  bool empty() const { return places_.empty(); }
  /// How many pairs there are.
  Index size() const { return static_cast<Index>(places_.size()); }
  EncodedPair operator[](Index row) const {
    const Place& place = at(row);
    const auto source = ids_.begin() + place.first, target = source + place.source;
    return {{source, target}, {target, target + place.target}};
  }
  /// How many words the source of a pair has.
  Index source_length(Index row) const { return at(row).source; }
  /// How many words its target has.
  Index target_length(Index row) const { return at(row).target; }

 private:
  struct Place {
    Index first;  // among all ids: those of the source, then those of the target
    std::int32_t source, target;
  };
  const Place& at(Index row) const { return places_[static_cast<std::size_t>(row)]; }

  // A vector would hold everything twice whenever it outgrows its room.
  std::deque<std::int32_t> ids_;
  std::deque<Place> places_;
};

}  // namespace gradual
