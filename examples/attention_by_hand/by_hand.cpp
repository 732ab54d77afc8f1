#include "by_hand.hpp"

#include <cmath>
#include <limits>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using gradual::left_in, gradual::with_indices;

namespace {

using Rows = std::vector<Row>;

Row column(const Rows& rows, std::size_t index) {
  Row result;
  for (const Row& row : rows) result.push_back(row[index]);
  return result;
}

// One number of a result: "  cats    query₁ = 1·0 + …", the word only before its first number.
void begin_line(Pencil& pencil, const std::string& word, const std::string& name, std::size_t index) {
  pencil.text() << "  " << left_in(8, index == 0 ? word : "") << name
                << with_indices(std::to_string(index + 1)) << " = ";
}

// A row for each word: its numbers times each column of the weights.
Rows project(Pencil& pencil, const Matrix& sentence, const Matrix& weights, const std::string& name) {
  pencil.table(weights);
  Rows results;
  for (std::size_t word = 0; word < sentence.rows.size(); ++word) {
    Row result;
    for (std::size_t i = 0; i < weights.column_names.size(); ++i) {
      begin_line(pencil, sentence.row_names[word], name, i);
      result.push_back(pencil.dot(sentence.rows[word], column(weights.rows, i)));
      pencil.text() << "\n";
    }
    results.push_back(result);
  }
  pencil.text() << "\n";
  for (std::size_t word = 0; word < results.size(); ++word)
    pencil.text() << "  " << name << "(" << sentence.row_names[word] << ") = " << pencil.tuple(results[word])
                  << "\n";
  pencil.text() << "\n";
  return results;
}

Rows score(Pencil& pencil, const std::vector<std::string>& words, const Rows& queries, const Rows& keys) {
  const auto key_width = static_cast<double>(keys.front().size());
  const double root = pencil.rounded(std::sqrt(key_width));
  Rows scores;
  for (std::size_t q = 0; q < words.size(); ++q) {
    Row row;
    for (std::size_t k = 0; k < words.size(); ++k) {
      pencil.text() << "  " << left_in(7, words[q]) << "asks " << left_in(8, words[k]);
      const double product = pencil.dot(queries[q], keys[k]);
      row.push_back(pencil.rounded(product / root));
      pencil.text() << ";  " << pencil.written(product) << " / √" << pencil.written(key_width) << " = "
                    << pencil.written(product) << " / " << pencil.written(root) << " = "
                    << pencil.written(row.back()) << "\n";
    }
    scores.push_back(row);
  }
  pencil.text() << "\n";
  return scores;
}

// The weights of one row of scores.
Row softmax(Pencil& pencil, const std::string& word, const Row& scores) {
  std::ostream& out = pencil.text();
  Row powers, weights;
  double sum = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    powers.push_back(pencil.rounded(std::exp(scores[k])));
    sum += powers.back();
    out << (k == 0 ? "  " + left_in(8, word) : ",  ") << "e^" << pencil.factor(scores[k]) << " = "
        << pencil.written(powers.back());
  }
  out << "\n";
  if (sum == 0) {
    out << "  " << left_in(8, "") << "no key to look at, so all weights are 0\n";
    return powers;
  }
  sum = pencil.rounded(sum);
  out << "  " << left_in(8, "") << "sum = " << pencil.sum_of(powers) << " = " << pencil.written(sum) << "\n";
  for (std::size_t k = 0; k < powers.size(); ++k) {
    weights.push_back(pencil.rounded(powers[k] / sum));
    out << (k == 0 ? "  " + left_in(8, "") : ",  ") << pencil.written(powers[k]) << " / "
        << pencil.written(sum) << " = " << pencil.written(weights.back());
  }
  out << "\n";
  return weights;
}

}  // namespace

AttentionByHand attend_by_hand(const Matrix& sentence, const Visibility& visible, Pencil pencil) {
  const std::vector<std::string>& words = sentence.row_names;
  std::ostream& out = pencil.text();
  out << "A word is three numbers: is it an animal, is it an action, how large is it?\n\n";
  pencil.table(sentence);

  out << "1. Queries: what each word looks for. Its numbers times each column of W_Q.\n\n";
  const Rows queries = project(pencil, sentence, query_weights(), "query");
  out << "2. Keys: what each word offers to those that look.\n\n";
  const Rows keys = project(pencil, sentence, key_weights(), "key");
  out << "3. Values: what each word tells those that found it.\n\n";
  const Rows values = project(pencil, sentence, value_weights(), "value");

  out << "4. Scores: how well a key answers a query. Their dot product, divided by the square root of the\n"
         "   width of a key, √d_k. (Not by d_k: the products of wider keys spread as the root of the "
         "width.)\n\n";
  Matrix scores = {"scores", words, words, score(pencil, words, queries, keys)};
  pencil.table(scores);

  out << "5. Mask: " << (visible.causal ? "a word sees itself and those before it" : "a word sees all words");
  if (visible.valid_length < words.size())
    out << "; only the first " << visible.valid_length << " count, the rest is padding";
  out << ".\n   What is not seen gets the score -∞. A large negative number would not do: where nothing is "
         "seen\n"
         "   all scores would be equal again, and softmax would share the weight out among them.\n\n";
  for (std::size_t q = 0; q < words.size(); ++q) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (!visible(q, k)) scores.rows[q][k] = -std::numeric_limits<double>::infinity();
    }
  }
  pencil.table(scores);

  out << "6. Weights: softmax. e to the power of each score, divided by the sum of the row.\n\n";
  AttentionByHand result{{"weights", words, words, {}}, {"", words, value_weights().column_names, {}}};
  for (std::size_t q = 0; q < words.size(); ++q)
    result.weights.rows.push_back(softmax(pencil, words[q], scores.rows[q]));
  out << "\n";
  pencil.table(result.weights);

  out << "7. Weighted sum: the values, as much of each as its weight says.\n\n";
  for (std::size_t q = 0; q < words.size(); ++q) {
    Row average;
    for (std::size_t i = 0; i < value_weights().column_names.size(); ++i) {
      begin_line(pencil, words[q], "output", i);
      average.push_back(pencil.dot(result.weights.rows[q], column(values, i)));
      out << "\n";
    }
    result.averages.rows.push_back(average);
  }
  out << "\n";
  result.averages.name = "by hand";
  pencil.table(result.averages);
  return result;
}
