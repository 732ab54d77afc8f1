#include "words.hpp"

#include <algorithm>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>

namespace {

const std::vector<std::string> features = {"animal", "action", "size"};
const std::vector<std::string> questions = {"animal", "action", "large", "small"};

}  // namespace

const Matrix& known_words() {
  static const Matrix words = {"words",
                               {"cats", "dogs", "mice", "chase", "fear", "cheese"},
                               features,
                               {{1, 0, 1}, {1, 0, 2}, {1, 0, -1}, {0, 1, 0}, {0, 1, -1}, {0, 0, -1}}};
  return words;
}

const Matrix& query_weights() {
  static const Matrix weights = {"W_Q", features, questions, {{0, 2, 1, 0}, {2, 0, 0, -1}, {1, 0, 0, 1}}};
  return weights;
}

const Matrix& key_weights() {
  static const Matrix weights = {"W_K", features, questions, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -1}}};
  return weights;
}

const Matrix& value_weights() {
  static const Matrix weights = {"W_V", features, {"who", "deed"}, {{4, 0}, {0, 4}, {2, 1}}};
  return weights;
}

Matrix embed(const std::string& sentence) {
  const Matrix& known = known_words();
  Matrix result = {"", {}, known.column_names, {}};
  std::istringstream words(sentence);
  for (std::string word; words >> word;) {
    const auto found = std::find(known.row_names.begin(), known.row_names.end(), word);
    if (found == known.row_names.end())
      throw std::invalid_argument(gradual::text("--sentence: each word must be a known one: got \"", word,
                                                "\"; known are ", gradual::list_text(known.row_names, ", ")));
    result.row_names.push_back(word);
    result.rows.push_back(known.rows[static_cast<std::size_t>(found - known.row_names.begin())]);
  }
  if (result.rows.empty()) throw std::invalid_argument("--sentence: there must be a word: got none");
  return result;
}
