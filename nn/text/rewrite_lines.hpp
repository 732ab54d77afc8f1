// Large files, line by line, in a way that outlives a kill.
#pragma once

#include <functional>
#include <string>
#include <utility>
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
  /// What a FileError says of an input that becomes nothing, before an earlier output is lost to that;
  /// without it, the output is empty.
  std::string if_empty;
};

/// What becomes of a block of lines.
struct RewrittenLines {
  RewrittenLines(std::string bytes_of_block, Index lines_that_failed = 0)
      : bytes(std::move(bytes_of_block)), failed(lines_that_failed) {}

  std::string bytes;
  Index failed;  ///< lines of which nothing could be made
};

/// Writes to `output` what `rewrite` makes of the lines of `input`, block by block, in order, in constant
/// memory, and returns how many lines failed. The blocks are collected in `output`.part, and `output`.done
/// says, before the first and after each of them, how far they are; at the end the first takes the name
/// `output`, and the permissions of an earlier one, and the second goes. Called again after a kill, it goes
/// on behind the last block, and ends with the same bytes and the same number, if those of a block depend on
/// its lines alone. An `output` that is a symbolic link is followed.
///
/// Throws FileError for a file that cannot be read or written, before any work for an output that is no
/// regular file or the input, for a part of which no `output`.done says that it is from here, for an earlier
/// run by another `how` or on lines that have changed, for one that lacks what it says is there, and for an
/// input that becomes nothing where `if_empty` says so. What `rewrite` throws passes through, and can be gone
/// on from.
Index rewrite_lines(const std::string& input, const std::string& output, const RewriteOptions& options,
                    const std::function<RewrittenLines(const std::vector<std::string>& lines)>& rewrite);

}  // namespace gradual
