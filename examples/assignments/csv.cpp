#include "csv.hpp"

#include <algorithm>

#include <gradual/core/error.hpp>

using gradual::FileError;

namespace {

std::string csv_field(std::string field) {
  if (field.find_first_of(",;\"\r\n\t ") == std::string::npos) return field;
  for (auto at = field.find('"'); at != std::string::npos; at = field.find('"', at + 2))
    field.insert(at, "\"");
  return "\"" + field + "\"";
}

}  // namespace

std::vector<CsvRow> read_csv(const std::string& text, char separator, const std::string& path) {
  std::vector<CsvRow> rows;
  CsvRow row{1, {""}};
  bool in_quotes = false, was_quoted = false;
  int line = 1;
  const auto end_row = [&] {
    if (row.fields.size() > 1 || !row.fields[0].empty()) rows.push_back(row);
    row = {line, {""}};
    was_quoted = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (in_quotes) {
      if (c != '"')
        row.fields.back() += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        row.fields.back() += text[i++];
      else
        in_quotes = false;
    } else if (c == '"' && row.fields.back().empty() && !was_quoted) {
      in_quotes = was_quoted = true;
    } else if (c == separator) {
      row.fields.emplace_back();
      was_quoted = false;
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      row.fields.back() += c;
    }
  }
  if (in_quotes) throw FileError::at_line(path, row.line, "a quotation mark is opened and never closed");
  end_row();
  return rows;
}

std::vector<CsvRow> read_saved_csv(std::string text, const std::string& path) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  const std::string heading = text.substr(0, text.find('\n'));
  const auto count = [&](char c) { return std::count(heading.begin(), heading.end(), c); };
  const char separator = count('\t') > 0 ? '\t' : count(';') > count(',') ? ';' : ',';
  return read_csv(text, separator, path);
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += csv_field(field) + ",";
  if (!line.empty()) line.pop_back();
  return line + "\r\n";
}

std::string spreadsheet_line(std::vector<std::string> fields) {
  for (std::string& field : fields)
    if (!field.empty() && std::string("=+-@\t\r").find(field[0]) != std::string::npos) field.insert(0, "'");
  return csv_line(fields);
}
