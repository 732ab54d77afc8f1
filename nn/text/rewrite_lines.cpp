#include <gradual/nn/text/rewrite_lines.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/core/files/system_file.hpp>
#include <gradual/nn/fnv.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

// How far the output is.
struct Done {
  Index lines = 0, bytes = 0, failed = 0;
  Fnv hash;  // of the lines: enough to see that a file is another
};

// -1 where there is no such file.
Index size_of(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path_of(path), error);
  return error ? -1 : static_cast<Index>(bytes);
}

class Rewriting {
 public:
  Rewriting(const std::string& input, const std::string& output, const RewriteOptions& options)
      : input_(input),
        output_(replaced_file(output)),
        part_(output_ + ".part"),
        done_(output_ + ".done"),
        options_(options),
        lines_(open_lines(input)) {
    for (const std::string& written : {output_, part_, done_}) {
      std::error_code not_there;
      if (std::filesystem::equivalent(path_of(input), path_of(written), not_there))
        throw FileError(written, "cannot be written: it is the input, " + input);
    }
    lock_part();
    if (std::filesystem::exists(path_of(done_)))
      go_on();
    else if (size_of(part_) > 0)
      throw FileError(part_, "would be lost: it is not from here, as there is no " + done_ +
                                 "; move it away, or name another output");
    note_done();
    open_part();
    tell();
  }

  bool next(std::vector<std::string>& block) {
    constexpr std::size_t most_bytes = longest_line;  // in memory, of lines that are long
    block.clear();
    std::size_t bytes = 0;
    std::string line;
    while (static_cast<Index>(block.size()) < options_.lines_together && bytes < most_bytes &&
           next_line(line)) {
      bytes += line.size();
      block.push_back(line);
    }
    return !block.empty();
  }

  void add(const RewrittenLines& block) {
    file_ << block.bytes << std::flush;
    if (!file_) throw FileError(part_, "cannot be written: is the disk full?");
    try {
      on_disk_->flush();
    } catch (const std::system_error& error) {
      throw FileError(part_, "cannot be written: " + error.code().message());
    }
    so_far_.bytes += static_cast<Index>(block.bytes.size());
    so_far_.failed += block.failed;
    note_done();
    tell();
  }

  // The number of lines that failed.
  Index finish() {
    file_.close();
    on_disk_.reset();
    if (so_far_.bytes == 0 && !options_.if_empty.empty()) {
      for (const std::string& begun : {part_, done_}) std::filesystem::remove(path_of(begun));
      throw FileError(input_, options_.if_empty);
    }
    if (permissions_ != std::filesystem::perms::unknown)
      std::filesystem::permissions(path_of(part_), permissions_);
    std::filesystem::rename(path_of(part_), path_of(output_));
    std::filesystem::remove(path_of(done_));
    return so_far_.failed;
  }

 private:
  bool next_line(std::string& line) {
    if (!read_line(lines_, line, input_, so_far_.lines + 1)) {
      if (lines_.bad()) throw FileError(input_, "cannot be read");
      return false;
    }
    ++so_far_.lines;
    so_far_.hash.add_bytes(line);
    so_far_.hash.add('\n');
    return true;
  }

  // So far, for a run that goes on.
  void note_done() const {
    const Json json = {{"how", options_.how},
                       {"lines", so_far_.lines},
                       {"bytes", so_far_.bytes},
                       {"failed", so_far_.failed},
                       {"sum", so_far_.hash.sum}};
    write_file_atomically(done_, json_text(json) + "\n");
  }

  // Keeps other processes out of the part.
  void lock_part() {
    try {
      on_disk_ = std::make_unique<SystemFile>(path_of(part_));
      if (!on_disk_->lock()) throw FileError(part_, "is being written by another process");
    } catch (const std::system_error& error) {
      throw FileError(part_, "cannot be written: " + error.code().message());
    }
  }

  // Forgets what was written after the last block.
  void open_part() {
    std::error_code error;
    std::filesystem::resize_file(path_of(part_), static_cast<std::uintmax_t>(so_far_.bytes), error);
    if (error) throw FileError(part_, "cannot be written: " + error.message());
    if (const auto before = std::filesystem::status(path_of(output_)); std::filesystem::exists(before)) {
      permissions_ = before.permissions();
      std::filesystem::permissions(path_of(part_), permissions_ | std::filesystem::perms::owner_write);
    }
    file_.open(path_of(part_), std::ios::binary | std::ios::app);
    if (!file_) throw FileError(part_, "cannot be opened for writing");
  }

  // Reads over the lines that an earlier run has done.
  void go_on() {
    Done done;
    std::string how;
    try {
      std::ifstream file(path_of(done_), std::ios::binary);
      const nlohmann::json json = read_json({std::istreambuf_iterator<char>(file), {}});
      how = json.at("how").get<std::string>();
      done = {json.at("lines").get<Index>(),
              json.at("bytes").get<Index>(),
              json.value("failed", Index(0)),  // which version 0.1.0 did not count
              {json.at("sum").get<std::uint64_t>()}};
    } catch (const std::exception& error) {
      throw FileError(done_, std::string("does not say how far an earlier run is: ") + error.what() + anew());
    }
    if (done.lines == 0) return;
    if (how != options_.how)
      throw FileError(done_, "says that an earlier run was another: by " + how + "; this one is by " +
                                 options_.how + anew());
    // The earlier run ended after the part became the output, or while that was copied back. Streams, since
    // copy_file() of mingw's library does not replace a file that is there.
    if (size_of(part_) < done.bytes && size_of(output_) == done.bytes)
      std::ofstream(path_of(part_), std::ios::binary)
          << std::ifstream(path_of(output_), std::ios::binary).rdbuf();
    if (done.bytes < 0 || size_of(part_) < done.bytes)
      throw FileError(part_, text("lacks what an earlier run wrote, ", done.bytes, " bytes", anew()));
    std::string line;
    while (so_far_.lines < done.lines && next_line(line)) {
    }
    if (so_far_.lines != done.lines || so_far_.hash.sum != done.hash.sum)
      throw FileError(input_,
                      text("has changed in the ", done.lines, " lines that an earlier run has read", anew()));
    so_far_.bytes = done.bytes;
    so_far_.failed = done.failed;
  }
  std::string anew() const { return "; delete it and " + part_ + " to begin anew"; }

  void tell() const {
    if (options_.progress) options_.progress(so_far_.lines);
  }

  std::string input_, output_, part_, done_;
  RewriteOptions options_;
  std::ifstream lines_;
  std::unique_ptr<SystemFile> on_disk_;  // of the part, open for as long as it is ours
  std::ofstream file_;
  std::filesystem::perms permissions_ = std::filesystem::perms::unknown;  // of an output that was there
  Done so_far_;
};

}  // namespace

Index rewrite_lines(const std::string& input, const std::string& output, const RewriteOptions& options,
                    const std::function<RewrittenLines(const std::vector<std::string>& lines)>& rewrite) {
  if (options.lines_together <= 0)
    throw std::invalid_argument(
        text("rewrite_lines: lines_together must be positive: got ", options.lines_together));
  Rewriting rewriting(input, output, options);
  for (std::vector<std::string> block; rewriting.next(block);) rewriting.add(rewrite(block));
  return rewriting.finish();
}

}  // namespace gradual
