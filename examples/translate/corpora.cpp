#include "corpora.hpp"

#include <algorithm>
#include <filesystem>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/toy_corpus.hpp>

namespace files = std::filesystem;
using gradual::SentencePair;

namespace {

template <class Pairs>
std::vector<SentencePair> plain(const Pairs& pairs) {
  return {pairs.begin(), pairs.end()};
}

}  // namespace

Corpora load_corpora(const TrainSettings& settings) {
  if (settings.tsv.empty() && settings.source_file.empty()) {
    const gradual::ToyCorpus toy = gradual::make_toy_corpus(settings.seed);
    return {plain(toy.train),
            {{"held-out", plain(toy.held_out)}, {"compositional", plain(toy.compositional)}},
            0};
  }
  std::vector<SentencePair> pairs = settings.tsv.empty()
                                        ? gradual::read_aligned(settings.source_file, settings.target_file)
                                        : gradual::read_tsv(settings.tsv);
  Corpora corpora;
  if (settings.max_words > 0) corpora.dropped = gradual::drop_long_pairs(pairs, settings.max_words);
  gradual::CorpusSplit split = gradual::split_by_source(pairs, settings.held_out, settings.seed);
  corpora.train = std::move(split.train);
  corpora.held_out = {{"held-out", std::move(split.held_out)}};
  return corpora;
}

void save_held_out(const std::string& folder, const std::vector<HeldOutSet>& sets) {
  for (const HeldOutSet& set : sets)
    gradual::write_tsv((files::path(folder) / (set.name + ".tsv")).string(), set.pairs);
}

std::vector<HeldOutSet> load_held_out(const std::string& folder) {
  std::vector<HeldOutSet> sets;
  std::error_code none;
  for (const auto& entry : files::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".tsv")
      sets.push_back({entry.path().stem().string(), gradual::read_tsv(entry.path().string())});
  }
  std::sort(sets.begin(), sets.end(),
            [](const HeldOutSet& a, const HeldOutSet& b) { return a.name > b.name; });
  if (sets.empty())
    throw gradual::FileError(folder, "no held-out sentences here (files NAME.tsv); name a file with --tsv");
  return sets;
}
