// Tables as spreadsheets and learning platforms read and write them (RFC 4180).
#pragma once

#include <string>
#include <vector>

/// A row, and the line that it begins in, from 1.
struct CsvRow {
  int line = 0;
  std::vector<std::string> fields;
};

/// The rows of a table; empty lines are passed over. Throws FileError, with the line, for a quotation mark
/// that is never closed.
std::vector<CsvRow> read_csv(const std::string& text, char separator, const std::string& path);

/// The same of a table that a spreadsheet saved in its own way: with commas, semicolons or tabs, as its first
/// line has them, and perhaps the mark that UTF-8 may begin with.
std::vector<CsvRow> read_saved_csv(std::string text, const std::string& path);

/// A row with its line end; fields stand between quotation marks where that is needed.
std::string csv_line(const std::vector<std::string>& fields);

/// The same for tables that people open in a spreadsheet: what it would take for a formula gets an apostrophe
/// in front, which is not taken off again.
std::string spreadsheet_line(std::vector<std::string> fields);
