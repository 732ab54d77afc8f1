#include <gradual/core/files/config_lines.hpp>

#include <cerrno>
#include <cstring>
#include <istream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>

namespace gradual {
namespace {

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool is_comment(const std::string& text) { return text.empty() || text.front() == '#'; }

// What stands behind the equals sign: up to a comment, or between quotation marks, where # is text and a
// backslash stands before a quotation mark or a backslash. Nothing where the marks do not enclose it.
std::optional<std::string> value_of(const std::string& text) {
  if (text.empty() || text.front() != '"') return trimmed(text.substr(0, text.find('#')));
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return is_comment(trimmed(text.substr(i + 1))) ? std::optional(value) : std::nullopt;
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (is_escape) ++i;
    value += text[i];
  }
  return std::nullopt;
}

}  // namespace

std::vector<ConfigLine> read_config(std::istream& lines, const std::string& path,
                                    const std::function<std::string(const std::string& key)>& problem) {
  std::vector<ConfigLine> result;
  std::string line;
  for (std::int64_t number = 1; read_line(lines, line, path, number); ++number) {
    const std::string byte_order_mark = "\uFEFF";
    if (number == 1 && line.rfind(byte_order_mark, 0) == 0) line.erase(0, byte_order_mark.size());
    const std::string content = trimmed(line);
    if (is_comment(content)) continue;
    const auto require = [&](bool holds, const std::string& rule) {
      if (!holds) throw FileError::at_line(path, number, rule);
    };
    const auto equals = content.find('=');
    require(equals != std::string::npos && equals < content.find('#'),
            "a line must be `key = value`: got \"" + content + "\"");
    const std::string key = trimmed(content.substr(0, equals));
    const std::optional<std::string> value = value_of(trimmed(content.substr(equals + 1)));
    const std::string wrong = problem(key);
    require(wrong.empty(), wrong);
    require(value.has_value(),
            "quotation marks must enclose a value, with \\\" for one inside: got \"" + content + "\"");
    require(!value->empty(), "\"" + key + "\" must have a value; leave the line out for none");
    result.push_back({key, *value});
  }
  if (lines.bad()) throw FileError(path, std::string("cannot be read: ") + std::strerror(errno));  // a folder
  return result;
}

std::string config_line(const std::string& key, const std::string& value) {
  if (key.empty() || key != trimmed(key) || key.find_first_of("=#\n") != std::string::npos)
    throw std::invalid_argument("config: a key must be a word without =, # and line breaks: got \"" + key +
                                "\"");
  if (value.empty())
    throw std::invalid_argument("config: a setting must have a value: --" + key + " has none; leave it out");
  if (value.find('\n') != std::string::npos)
    throw std::invalid_argument("config: a setting must be one line: --" + key + " has a line break: got \"" +
                                value + "\"");
  const bool plain =
      value == trimmed(value) && value.find('#') == std::string::npos && value.rfind('"', 0) != 0;
  if (plain) return key + " = " + value + "\n";
  std::string quoted;
  for (const char c : value) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return key + " = \"" + quoted + "\"\n";
}

std::vector<ConfigLine> lines_of(const std::string& used) {
  std::vector<ConfigLine> result;
  std::istringstream lines(used);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find(" = ");
    if (equals != std::string::npos) result.push_back({line.substr(0, equals), line.substr(equals + 3)});
  }
  return result;
}

}  // namespace gradual
