// attention_by_hand: one head of attention with every multiplication written out, a whole translator on a
// page whose numbers open, and the library's answer beside both.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/text/read_text.hpp>

#include "../command_line.hpp"
#include "../page_program.hpp"
#include "by_hand.hpp"
#include "learn.hpp"
#include "paper_page.hpp"
#include "translation.hpp"

using namespace gradual;

namespace {

Tensor to_tensor(const std::vector<Row>& rows) {
  std::vector<Real> values;
  for (const Row& row : rows)
    for (double number : row) values.push_back(static_cast<Real>(number));
  return Tensor({static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size())}, values);
}

std::vector<Row> to_rows(const Tensor& tensor) {  // [..., N, M]
  std::vector<Row> rows;
  for (const Real* row = tensor.begin(); row != tensor.end(); row += tensor.dim(-1))
    rows.emplace_back(row, row + tensor.dim(-1));
  return rows;
}

// x·W without a bias; the library keeps the transpose of W.
Linear projection(const Matrix& matrix) {
  const Tensor weights = to_tensor(matrix.rows);
  Linear linear(weights.dim(0), weights.dim(1), Random(0), Linear::Bias::no);
  linear.weight.set_value(transpose(weights));
  return linear;
}

// The same by the library.
AttentionByHand attend_by_library(const Matrix& sentence, const Visibility& visible) {
  const AttentionHead head{projection(query_weights()), projection(key_weights()),
                           projection(value_weights()), DotProductAttention(0, Random(0))};
  AttentionMask mask;
  mask.causal = visible.causal;
  mask.valid_lengths = Indices({1}, {static_cast<std::int32_t>(visible.valid_length)});
  const Var words = reshape(to_tensor(sentence.rows), {1, static_cast<Index>(sentence.rows.size()), -1});
  const AttentionRecorder recorder;
  const Var averages = head.attention(head.queries(words), head.keys(words), head.values(words), mask);
  return {{"weights", sentence.row_names, sentence.row_names, to_rows(recorder.recorded().front().weights)},
          {"library", sentence.row_names, value_weights().column_names, to_rows(averages.value())}};
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    for (std::size_t j = 0; j < a.rows[i].size(); ++j)
      largest = std::max(largest, std::abs(a.rows[i][j] - b.rows[i][j]));
  }
  return largest;
}

double largest_difference(const AttentionByHand& a, const AttentionByHand& b) {
  return std::max(largest_difference(a.weights, b.weights), largest_difference(a.averages, b.averages));
}

void show(const Matrix& sentence, const Visibility& visible, const std::string& out) {
  constexpr int places = 4;
  std::ostringstream paper;
  const AttentionByHand by_hand = attend_by_hand(sentence, visible, Pencil(paper, places));
  const AttentionByHand by_library = attend_by_library(sentence, visible);
  paper << "8. The same by the library. Its AttentionHead (nn/attention/multi_head_naive.hpp) gives:\n\n";
  Pencil(paper, places).table(by_library.averages);
  std::cout << paper.str();

  // On paper each weight is off by up to half of the last place, and then multiplied, so that many words add
  // up to more; without rounding only the digits of a float are left.
  std::ostream nowhere(nullptr);
  const AttentionByHand without_rounding = attend_by_hand(sentence, visible, Pencil(nowhere, 15));
  if (!(largest_difference(without_rounding, by_library) < 1e-5))
    throw std::runtime_error("check: the library must give what the pencil gave: it does not");
  const std::string verdict = "The two are the same: rounding on paper moves the last place" +
                              std::string(largest_difference(by_hand, by_library) < 0.002 ? "" : "s") +
                              ", and without it all agree to\nfive places.\n";
  std::cout << verdict;
  if (out.empty()) return;
  make_folder(out);
  write_file_atomically(out + "/page.html", paper_page(paper.str() + verdict, by_hand.weights));
  std::cerr << "page  " << out << "/page.html\n";
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine app{"Calculates attention with every multiplication written out, and checks the library by it.",
                  "attention_by_hand"};
  std::string words = "cats chase mice", mask = "causal", out = "out/attention_by_hand";
  int valid_length = -1;
  const Options add(app);
  add("sentence", words, "some of the words cats, dogs, mice, chase, fear, cheese");
  add.choice("mask", mask, "causal: a word sees itself and those before it; none: it sees all",
             {"causal", "none"});
  app.add_option("--valid-length", valid_length, "only so many words are seen, the others are padding")
      ->check(not_empty());
  add.folder_or_none("out", out, "folder for a page with all of it; empty: none");
  app.require_subcommand(0, 1);
  CLI::App& translate = *app.add_subcommand(
      "translate", "calculate a whole translator by hand, every number of which opens on a page");
  std::string french = "il fait froid", weights;
  const Options add_to_translate(translate);
  add_to_translate("sentence", french, "some of the words il, elle, fait, a, froid, chaud");
  add_to_translate.file_or_none("weights", weights,
                                "file that `attention_by_hand train` filled; empty: those of the book");
  add_to_translate.folder_or_none("out", out, "folder for the page; empty: none");
  const CLI::App& train = *app.add_subcommand(
      "train", "train that translator and print its weights, as `translate --weights` reads them");
  return run_program(app.get_name(), app, [&] {
    app.parse(argc, argv);
    if (!out.empty()) require_no_run(out);
    if (translate.parsed())
      return show_translation(
          weights.empty() ? frozen_translator() : read_frozen_translator(read_text(weights)), french, out);
    if (train.parsed()) {
      std::cout << learn_frozen_translator();
      return;
    }
    const Matrix sentence = embed(words);
    const auto count = static_cast<int>(sentence.rows.size());
    if (app.count("--valid-length") == 0) valid_length = count;
    if (valid_length < 0 || valid_length > count)
      throw std::invalid_argument(
          text("--valid-length: it must lie in 0 … ", count, ", the number of words: got ", valid_length));
    show(sentence, {mask == "causal", static_cast<std::size_t>(valid_length)}, out);
  });
}
