#include "documents.hpp"

#include <algorithm>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

std::int32_t place_of(const std::string& name, const std::vector<std::string>& names) {
  return static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

LabelNames::LabelNames(const Documents& documents)
    : labels(labels_of(documents)), kinds(kinds_of(documents)), label_of_kind(kinds.size()) {
  if (labels.size() < 2)
    throw std::invalid_argument("classify: there must be at least two labels to tell apart");
  for (const LabelledText& each : documents)
    label_of_kind[static_cast<std::size_t>(kind_number(each))] = static_cast<std::size_t>(label_number(each));
}

std::int32_t LabelNames::label_number(const LabelledText& document) const {
  return place_of(document.label, labels);
}

std::int32_t LabelNames::kind_number(const LabelledText& document) const {
  return place_of(document.kind, kinds);
}

std::vector<Index> parts_of(const Documents& documents, Index parts, std::uint64_t seed) {
  const std::vector<Index> result = split_into_parts(documents, parts, seed);
  const Index filled = 1 + *std::max_element(result.begin(), result.end());  // the first ones, one each
  if (filled < parts)
    throw std::invalid_argument(text("classify: each part must have a document: got ", filled,
                                     " different documents for ", parts, " parts"));
  return result;
}

DocumentSplit keep_part(const Documents& documents, const std::vector<Index>& parts, Index part) {
  DocumentSplit split;
  for (std::size_t i = 0; i < documents.size(); ++i)
    (parts[i] == part ? split.held_out : split.train).push_back(documents[i]);
  return split;
}
