#include "translation.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/line_text.hpp>

#include "pencil.hpp"
#include "sheet_page.hpp"
#include "translator_by_hand.hpp"

using namespace gradual;

namespace {

// What the library calculates of the same words, row after row.
struct ByLibrary {
  Tensor memory, logits;
  std::vector<RecordedAttention> attention;
};

ByLibrary pass_of(const FrozenTranslator& frozen, const TranslationByHand& by_hand) {
  const auto ids = [](const Table& table, const std::vector<std::string>& known) {
    const std::vector<std::int32_t> found = ids_of(table.row_names, known);
    return Indices({1, static_cast<Index>(found.size())}, found);
  };
  const Indices source = ids(*by_hand.memory, frozen.source_words);
  const AttentionRecorder recorder;
  const Var memory = frozen.model.encode({source, Indices({1}, {static_cast<std::int32_t>(source.size())})});
  const Var decoded = frozen.model.decode(ids(*by_hand.logits, frozen.target_words), memory, {});
  return {memory.value(), frozen.model.logits(decoded).value(), recorder.recorded()};
}

double difference(const Table& table, const Real* numbers) {
  double largest = 0;
  for (const std::vector<Worked>& row : table.cells)
    for (const Worked& cell : row)
      largest = std::max(largest, std::abs(cell.value - static_cast<double>(*numbers++)));
  return largest;
}

// The largest difference of any of the memory, the attention weights and the words' scores.
double difference(const TranslationByHand& by_hand, const ByLibrary& library) {
  double largest = std::max(difference(*by_hand.memory, library.memory.begin()),
                            difference(*by_hand.logits, library.logits.begin()));
  std::size_t at = 0;
  for (const RecordedAttention& layer : library.attention) {
    const Index heads = layer.weights.dim(1), size = layer.weights.size() / heads;
    for (Index head = 0; head < heads; ++head)
      largest =
          std::max(largest, difference(*by_hand.attention.at(at++), layer.weights.begin() + head * size));
  }
  if (at != by_hand.attention.size()) throw std::logic_error("each map of attention has one by hand");
  return largest;
}

Matrix matrix_of(const Table& table) {
  Matrix matrix{table.symbol().size() > 9 ? "" : table.symbol(), table.row_names, table.column_names, {}};
  for (const std::vector<Worked>& row : table.cells) {
    Row& numbers = matrix.rows.emplace_back();
    for (const Worked& cell : row) numbers.push_back(cell.value);
  }
  return matrix;
}

}  // namespace

void show_translation(const FrozenTranslator& frozen, const std::string& sentence, const std::string& out) {
  std::vector<std::string> words;
  std::istringstream stream(sentence);
  for (std::string word; stream >> word;) words.push_back(word);
  const TranslationByHand by_hand = translate_by_hand(frozen, words, 3);
  const ByLibrary library = pass_of(frozen, by_hand);

  Pencil pencil(std::cout, 3);
  std::cout << "A transformer of width 4 reads \"" << sentence << "\".\n\n";
  std::cout << "What each word is after the encoder:\n\n";
  pencil.table(matrix_of(*by_hand.memory));
  const std::vector<std::string> places = {"Encoder, head 1",
                                           "Encoder, head 2",
                                           "Decoder to itself, head 1",
                                           "Decoder to itself, head 2",
                                           "Decoder to the source, head 1",
                                           "Decoder to the source, head 2"};
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::cout << places[i] << ": who looks (rows) at whom (columns):\n\n";
    pencil.table(matrix_of(*by_hand.attention[i]));
  }
  std::cout << "The probability of each word to come next:\n\n";
  for (const auto& [first, last] : {std::pair(0, 4), std::pair(4, 8)}) {  // 80 columns
    Matrix part = matrix_of(*by_hand.probabilities);
    part.name = "after";
    part.column_names = {part.column_names.begin() + first, part.column_names.begin() + last};
    for (Row& row : part.rows) row = Row(row.begin() + first, row.begin() + last);
    pencil.table(part);
  }
  std::cout << sentence << " → " << list_text(by_hand.written) << "\n\n";

  const TranslationByHand exact = translate_by_hand(frozen, words, 15);
  const ByLibrary of_exact = exact.written == by_hand.written ? library : pass_of(frozen, exact);
  // Where the numbers of a row are nearly equal, its norm enlarges what a float loses.
  const double apart = difference(exact, of_exact);
  if (!(apart <= 1e-4))
    throw std::runtime_error("check: the library must give what the pencil gave: it does not");
  if (exact.written != by_hand.written)
    std::cout << "Three decimals do not suffice for this sentence: without rounding the words are\n"
              << list_text(exact.written) << ".\n";
  std::cout << "The library gives the same: without rounding, the memory, all weights and all\n"
               "scores of words agree to "
            << (apart <= 1e-5 ? "0.00001" : "0.0001") << ".\n";
  if (out.empty()) return;
  make_folder(out);
  write_file_atomically(out + "/translator.html", sheet_page("A translator, with a pencil",
                                                             sentence + " → " + list_text(by_hand.written) +
                                                                 ", and every number on the way",
                                                             by_hand.sheet));
  std::cerr << "page  " << out << "/translator.html\n";
}
