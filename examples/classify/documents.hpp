// Which labels documents have, and which of them are kept from training.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/nn/data/labelled_texts.hpp>

using Documents = std::vector<gradual::LabelledText>;

/// The labels of documents and their finer labels, in byte order.
struct LabelNames {
  /// Throws std::invalid_argument where there are fewer than two labels.
  explicit LabelNames(const Documents& documents);

  std::int32_t label_number(const gradual::LabelledText& document) const;
  std::int32_t kind_number(const gradual::LabelledText& document) const;
  /// Whether the kinds say more than the labels.
  bool have_kinds() const { return kinds.size() > labels.size(); }

  std::vector<std::string> labels, kinds;
  std::vector<std::size_t> label_of_kind;
};

/// What is trained on, and what is kept to be tested on.
struct DocumentSplit {
  Documents train, held_out;
};

/// The part of each document, as split_into_parts says. Throws std::invalid_argument where a part would be
/// empty.
std::vector<gradual::Index> parts_of(const Documents& documents, gradual::Index parts, std::uint64_t seed);

/// Keeps the documents of one part.
DocumentSplit keep_part(const Documents& documents, const std::vector<gradual::Index>& parts,
                        gradual::Index part);
