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
  Index rows, tile_rows, count;

  RowBlocks(Index all, Index of_tile)
      : rows(all), tile_rows(of_tile), count(std::max<Index>((all + 4 * of_tile) / (8 * of_tile), 1)) {}

  /// The first row of a block; of `count`, the number of rows.
  Index first(Index block) const { return rows * block / count; }

  /// Calls body(first row, rows) for each tile of a block, with all but equally many rows in each.
  template <class Body>
  void each_tile(Index block, Body body) const {
    const Index begin = first(block), here = first(block + 1) - begin;
    const Index tiles = (here + tile_rows - 1) / tile_rows;
    for (Index t = 0; t < tiles; ++t)
      body(begin + here * t / tiles, here * (t + 1) / tiles - here * t / tiles);
  }
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
