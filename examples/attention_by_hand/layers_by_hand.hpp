// The parts of a transformer's layers, calculated with a pencil.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gradual/core/tensor.hpp>

#include "sheet.hpp"

/// A pencil with a model's weights before it. Each function is a step; names of parameters are the library's.
class LayersByHand {
 public:
  LayersByHand(Sheet& sheet, std::map<std::string, gradual::Tensor> weights)
      : sheet_(sheet), weights_(std::move(weights)) {}

  /// √D times the rows of a table of embeddings, plus the vectors of the places.
  const Table& embedded(const std::string& symbol, const std::string& name,
                        const std::vector<std::string>& vocabulary, const std::vector<std::string>& words);
  /// Each row to the mean 0 and the deviation 1, then a gain and a bias. `symbol`: what it is called;
  /// nothing: LN of x.
  const Table& normed(const std::string& name, const Table& x, const std::string& symbol = "");
  struct Heads {
    const Table* output;
    std::vector<const Table*> weights;
  };
  Heads attention(const std::string& name, const Table& x, const Table& memory, bool causal);
  const Table& feed_forward(const std::string& name, const Table& x);
  const Table& added(const std::string& symbol, const Table& x, const Table& y);
  /// The scores of all words, and their softmax.
  const Table& logits(const std::string& name, const std::vector<std::string>& vocabulary, const Table& x);
  const Table& softmax(const std::string& name, const std::string& role, const Table& scores);

 private:
  using Names = std::vector<std::string>;
  /// A table of a parameter's numbers from the column `first` on; turned: its rows from there on, as columns.
  const Table& given(const std::string& title, const std::string& name, std::size_t first, const Names& rows,
                     const Names& columns, bool turned);
  /// The weights, the bias, and below them x·W + b, which is called `symbol`.
  const Table& linear(const std::string& symbol, const std::string& role, const Table& x,
                      const std::string& weight, const std::string& bias, std::size_t first,
                      const Names& columns, bool relu = false);

  Sheet& sheet_;
  std::map<std::string, gradual::Tensor> weights_;
};
