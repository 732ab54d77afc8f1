#include "layers_by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pencil.hpp"

namespace {

constexpr std::size_t width = 4, head_count = 2, head_width = 2;
const std::vector<std::string> numbers = {"1", "2", "3", "4", "5", "6", "7", "8"};
const std::vector<std::string> four(numbers.begin(), numbers.begin() + 4);
const std::vector<std::string> of_heads = {"1a", "1b", "2a", "2b"};  // head 1, head 2

template <class Term>
Worked sum_over(std::size_t count, Term term) {
  Worked total = term(0);
  for (std::size_t k = 1; k < count; ++k) total = total + term(k);
  return total;
}

}  // namespace

const Table& LayersByHand::given(const std::string& title, const std::string& name, std::size_t first,
                                 const Names& rows, const Names& columns, bool turned) {
  const gradual::Tensor& tensor = weights_.at(name);
  const auto length = static_cast<std::size_t>(tensor.dim(-1));
  return sheet_.table({"", title, "given", rows, columns, {}}, [&](std::size_t i, std::size_t j) {
    const std::size_t at = turned ? (first + j) * length + i : i * length + first + j;
    // A float of two decimals is not quite one; the number of two decimals is meant.
    const double value = std::round(static_cast<double>(tensor.data()[at]) * 100) / 100;
    return Worked{value, "", ""};
  });
}

const Table& LayersByHand::linear(const std::string& symbol, const std::string& role, const Table& x,
                                  const std::string& weight, const std::string& bias, std::size_t first,
                                  const Names& columns, bool relu) {
  sheet_.begin_column();
  const Table& w = given("W of " + symbol, weight, first, x.column_names, columns, true);
  const Table& b = given("bias of " + symbol, bias, first, {"b"}, columns, false);
  const std::string sum = x.symbol() + "·W + b";
  return sheet_.table(
      {"", symbol + " = " + (relu ? "max(0, " + sum + ")" : sum), role, x.row_names, columns, {}},
      [&](std::size_t i, std::size_t j) {
        const Worked total =
            sum_over(x.columns(), [&](std::size_t k) { return x(i, k) * w(k, j); }) + b(0, j);
        return relu ? not_below_zero(total) : total;
      });
}

const Table& LayersByHand::embedded(const std::string& symbol, const std::string& name,
                                    const Names& vocabulary, const Names& words) {
  sheet_.begin_row();
  const Table& table = given("the words' vectors, E", name, 0, vocabulary, four, false);
  sheet_.begin_column();
  const Table& places =
      sheet_.table({"", "the places, P", "", words, four, {}}, [](std::size_t i, std::size_t j) {
        const std::string angle = std::to_string(i) + (j < 2 ? "" : "/100");
        const double radians = static_cast<double>(i) / (j < 2 ? 1 : 100);
        return j % 2 == 0 ? Worked::named(std::sin(radians), "sin(" + angle + ")")
                          : Worked::named(std::cos(radians), "cos(" + angle + ")");
      });
  sheet_.begin_column();
  return sheet_.table({"", symbol + " = √4·E + P", "", words, four, {}}, [&](std::size_t i, std::size_t j) {
    const auto row = static_cast<std::size_t>(std::find(vocabulary.begin(), vocabulary.end(), words[i]) -
                                              vocabulary.begin());
    return Worked::number(2) * table(row, j) + places(i, j);
  });
}

const Table& LayersByHand::normed(const std::string& name, const Table& x, const std::string& symbol) {
  const std::string norm = "LN(" + x.symbol() + ")";
  sheet_.begin_row();
  const Table& means =
      sheet_.table({"", "mean", "", x.row_names, {"μ"}, {}}, [&](std::size_t i, std::size_t) {
        return sum_over(width, [&](std::size_t k) { return x(i, k); }) / Worked::number(width);
      });
  sheet_.begin_column();
  const Table& deviations =
      sheet_.table({"", "deviation", "", x.row_names, {"σ"}, {}}, [&](std::size_t i, std::size_t) {
        const auto squared = [&](std::size_t k) { return (x(i, k) - means(i, 0)) * (x(i, k) - means(i, 0)); };
        return square_root(sum_over(width, squared) / Worked::number(width) + Worked::number(0.00001));
      });
  sheet_.begin_column();
  const Table& gain = given("gain", name + ".gain", 0, {"g"}, four, false);
  const Table& bias = given("bias", name + ".bias", 0, {"b"}, four, false);
  return sheet_.table({"", symbol.empty() ? norm : symbol + " = " + norm, "", x.row_names, four, {}},
                      [&](std::size_t i, std::size_t j) {
                        return (x(i, j) - means(i, 0)) / deviations(i, 0) * gain(0, j) + bias(0, j);
                      });
}

const Table& LayersByHand::softmax(const std::string& name, const std::string& role, const Table& scores) {
  return sheet_.table({"", name, role, scores.row_names, scores.column_names, {}},
                      [&](std::size_t i, std::size_t j) {
                        const auto power = [&](std::size_t k) { return exponential(scores(i, k)); };
                        return power(j) / sum_over(scores.columns(), power);
                      });
}

LayersByHand::Heads LayersByHand::attention(const std::string& name, const Table& x, const Table& memory,
                                            bool causal) {
  const std::string weight = name + ".weight", bias = name + ".bias";
  sheet_.begin_row();
  const Table& queries = linear("Q", "query", x, weight, bias, 0, of_heads);
  const Table& keys = linear("K", "key", memory, weight, bias, width, of_heads);
  const Table& values = linear("V", "value", memory, weight, bias, 2 * width, of_heads);
  sheet_.section(
      "Who looks at whom",
      "Each head compares its two columns of Q with its two of K: the first 1a and 1b, the second 2a and "
      "2b. A row of weights, the softmax of a row of scores, sums to 1" +
          std::string(causal ? "; what is not written yet has the score -∞ and the weight 0." : "."));
  Heads heads{nullptr, {}};
  sheet_.begin_row();
  for (std::size_t head = 0; head < head_count; ++head) {
    const std::string title = ", head " + numbers[head];
    const std::size_t first = head * head_width;
    sheet_.begin_column();
    const Table& scores = sheet_.table(
        {"", "scores" + title, "", x.row_names, memory.row_names, {}}, [&](std::size_t i, std::size_t j) {
          if (causal && j > i) return Worked::named(-std::numeric_limits<double>::infinity(), "-∞");
          return sum_over(head_width,
                          [&](std::size_t k) { return queries(i, first + k) * keys(j, first + k); }) /
                 Worked::named(std::sqrt(double(head_width)), "√2");
        });
    heads.weights.push_back(&softmax("weights" + title, "weight", scores));
  }
  sheet_.section("What is heard", "The values, mixed by the weights, both heads side by side; then W of O.");
  sheet_.begin_row();
  const Table& heard =
      sheet_.table({"", "Z = weights·V", "", x.row_names, of_heads, {}}, [&](std::size_t i, std::size_t j) {
        const Table& weights = *heads.weights[j / head_width];
        return sum_over(memory.rows(), [&](std::size_t k) { return weights(i, k) * values(k, j); });
      });
  heads.output = &linear("O", "", heard, name + ".output.weight", name + ".output.bias", 0, four);
  return heads;
}

const Table& LayersByHand::feed_forward(const std::string& name, const Table& x) {
  sheet_.begin_row();
  const Table& inner = linear("H", "", x, name + ".inner.weight", name + ".inner.bias", 0, numbers, true);
  return linear("F", "", inner, name + ".outer.weight", name + ".outer.bias", 0, four);
}

const Table& LayersByHand::added(const std::string& symbol, const Table& x, const Table& y) {
  sheet_.begin_column();
  return sheet_.table({"", symbol + " = " + x.symbol() + " + " + y.symbol(), "", x.row_names, four, {}},
                      [&](std::size_t i, std::size_t j) { return x(i, j) + y(i, j); });
}

const Table& LayersByHand::logits(const std::string& name, const Names& vocabulary, const Table& x) {
  sheet_.begin_row();
  const Table& table = given("E again", name, 0, vocabulary, four, false);
  sheet_.begin_column();
  return sheet_.table({"", "scores of the words", "", x.row_names, vocabulary, {}},
                      [&](std::size_t i, std::size_t j) {
                        return sum_over(width, [&](std::size_t k) { return x(i, k) * table(j, k); });
                      });
}
