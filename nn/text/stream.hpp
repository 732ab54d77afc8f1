// Things that come one by one.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gradual {

/// Things that come one by one, as often as one likes, without all being in memory.
template <class T>
class Stream {
 public:
  virtual ~Stream() = default;
  /// Sets `value` to the next one and returns true; false after the last one.
  virtual bool next(T& value) = 0;
  /// Begins again with the first.
  virtual void rewind() = 0;
};

/// Those of a list.
template <class T>
class ListStream final : public Stream<T> {
 public:
  explicit ListStream(std::vector<T> list) : list_(std::move(list)) {}
  bool next(T& value) override {
    if (next_ == list_.size()) return false;
    value = list_[next_++];
    return true;
  }
  void rewind() override { next_ = 0; }

 private:
  std::vector<T> list_;
  std::size_t next_ = 0;
};

}  // namespace gradual
