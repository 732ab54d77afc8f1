// How a product by packed panels is cut: its rows into blocks that meet a panel while it is in the cache, and
// those and the panels into chunks for the threads.
#pragma once

#include <algorithm>

#include <gradual/core/real.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

/// Rows in blocks of eight tiles or somewhat more or less, all but equally many in each: a few rows more make
/// no block of their own, for which all panels would be read once more. Without rows it is one empty block.
struct RowBlocks {
  Index rows, count;

  RowBlocks(Index all, Index tile_rows)
      : rows(all), count(std::max<Index>((all + 4 * tile_rows) / (8 * tile_rows), 1)) {}

  /// The first row of a block; of `count`, the number of rows.
  Index first(Index block) const { return rows * block / count; }
};

/// Calls body(first row, last row, first panel, last panel) for the chunks of a product, on all threads: some
/// panels for a block each.
template <class Body>
void parallel_panels(const RowBlocks& blocks, Index panels, Body body) {
  constexpr Index wanted_chunks = 16;
  const Index groups = std::clamp<Index>(wanted_chunks / blocks.count, 1, std::max<Index>(panels, 1));
  parallel_for(blocks.count * groups, [&](Index chunk) {
    const Index block = chunk / groups, group = chunk % groups;
    body(blocks.first(block), blocks.first(block + 1), panels * group / groups,
         panels * (group + 1) / groups);
  });
}

}  // namespace gradual
