// Large files, line by line, in a way that outlives a kill.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// How a large file becomes another.
struct RewriteOptions {
  Index lines_together = 2048;  ///< that are in memory, and that a kill costs at most
  /// All that the result depends on beside the input, such as a model and its settings: what was begun in
  /// another way is not gone on with.
  std::string how;
  /// Told how many lines are done, first of all those of an earlier run, and then after each block.
  std::function<void(Index lines)> progress;
};

/// Writes to `output` what `rewrite` makes of the lines of `input`, block by block, in order, in constant
/// memory. The blocks are collected in `output`.part, and `output`.done says, after each of them, how far
/// they are; at the end the first takes the name `output` and the second goes. Called again after a kill, it
/// goes on behind the last block, and ends with the same bytes, if those of a block depend on its lines
/// alone.
///
/// Throws FileError for a file that cannot be read or written, for an earlier run by another `how` or on
/// lines that have changed, and for one that lacks what it says is there. What `rewrite` throws passes
/// through, and can be gone on from.
void rewrite_lines(const std::string& input, const std::string& output, const RewriteOptions& options,
                   const std::function<std::string(const std::vector<std::string>& lines)>& rewrite);

}  // namespace gradual
