// Settings as text: lines `key = value`, empty lines, and comments after #.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace gradual {

/// A line of a config file; the value is not empty.
struct ConfigLine {
  std::string key, value;  // what stands before and after the sign of equality
};

/// The lines of a config file at `path`, or of one that is read from elsewhere. A value goes up to a comment,
/// or stands between quotation marks, where # is text and \ stands before a quotation mark or a \. `problem`
/// says what is wrong with a key, or nothing. Throws FileError, with the line.
std::vector<ConfigLine> read_config(std::istream& lines, const std::string& path,
                                    const std::function<std::string(const std::string& key)>& problem);

/// A line for a config file. Throws std::invalid_argument for an empty value, one with a line break, and a
/// key that would not be read back.
std::string config_line(const std::string& key, const std::string& value);
/// Lines that config_line() wrote, one by one, with the values as they are written.
std::vector<ConfigLine> lines_of(const std::string& written);

}  // namespace gradual
