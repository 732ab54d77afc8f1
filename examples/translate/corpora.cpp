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
  Corpora corpora;
  if (settings.tsv.empty() && settings.source_file.empty()) {
    const gradual::ToyCorpus toy = gradual::make_toy_corpus(settings.seed);
    corpora.train = plain(toy.train);
    corpora.held_out = {{"held-out", plain(toy.held_out)}, {"compositional", plain(toy.compositional)}};
    for (std::size_t i = 0; i < std::min<std::size_t>(toy.held_out.size(), 100); ++i)
      corpora.aligned.push_back({toy.held_out[i], toy.alignments.at(toy.held_out[i].source)});
  } else {
    std::vector<SentencePair> pairs = settings.tsv.empty()
                                          ? gradual::read_aligned(settings.source_file, settings.target_file)
                                          : gradual::read_tsv(settings.tsv);
    if (settings.max_words > 0) corpora.dropped = gradual::drop_long_pairs(pairs, settings.max_words);
    if (settings.test_source_file.empty()) {
      gradual::CorpusSplit split = gradual::split_by_source(pairs, settings.held_out, settings.seed);
      corpora.train = std::move(split.train);
      corpora.held_out = {{"held-out", std::move(split.held_out)}};
    } else {
      corpora.train = std::move(pairs);
      corpora.held_out = {
          {"test", gradual::read_aligned(settings.test_source_file, settings.test_target_file)}};
    }
  }
  if (settings.validation > 0) {
    gradual::CorpusSplit split =
        gradual::split_by_source(corpora.train, settings.validation, settings.seed + 1);
    corpora.train = std::move(split.train);
    corpora.validation = std::move(split.held_out);
  }
  return corpora;
}

Languages learn_languages(const TrainSettings& settings, const std::vector<SentencePair>& pairs) {
  std::vector<std::string> sources, targets;
  for (const SentencePair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  if (!settings.joint)
    return {learn_language(sources, settings.language), learn_language(targets, settings.language)};
  sources.insert(sources.end(), targets.begin(), targets.end());
  const gradual::Language both = learn_language(sources, settings.language);
  gradual::TokenizerSettings target = both.tokenizer.settings();
  target.spacing = gradual::spacing_of(targets);
  return {both, {gradual::Tokenizer(target), both.vocabulary}};
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
