// A world small enough for a sheet of paper: six words, and what attention makes queries, keys and values
// from.
#pragma once

#include <string>
#include <vector>

using Row = std::vector<double>;

/// Numbers in rows and columns, with names along both sides.
struct Matrix {
  std::string name;
  std::vector<std::string> row_names, column_names;
  std::vector<Row> rows;
};

/// What each word is, in three numbers: is it an animal, is it an action, how large is it.
const Matrix& known_words();
/// [3, 4]: what a word looks for.
const Matrix& query_weights();
/// [3, 4]: what it has to offer to those that look.
const Matrix& key_weights();
/// [3, 2]: what it tells those that found it.
const Matrix& value_weights();

/// The rows of a sentence's words. Throws std::invalid_argument for a word that is not known and for a
/// sentence without words.
Matrix embed(const std::string& sentence);
