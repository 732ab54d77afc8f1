#include "corpora.hpp"

#include <algorithm>
#include <filesystem>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/nn/data/toy_corpus.hpp>

#include "known_text.hpp"

namespace files = std::filesystem;
using gradual::HeldOutSet;
using gradual::SentencePair;

Corpora load_corpora(const TrainSettings& settings) {
  Corpora corpora;
  std::unique_ptr<gradual::PairStream> pairs;
  gradual::SplitOptions split{0, 0, settings.validation, settings.seed};
  if (settings.tsv.empty() && settings.source_file.empty()) {
    const gradual::ToyCorpus toy = gradual::make_toy_corpus(settings.seed);
    pairs = std::make_unique<gradual::ListStream<SentencePair>>(toy.train);
    corpora.held_out = {{"held-out", toy.held_out}, {"compositional", toy.compositional}};
    for (std::size_t i = 0; i < std::min<std::size_t>(toy.held_out.size(), 100); ++i)
      corpora.aligned.push_back({toy.held_out[i], toy.alignments.at(toy.held_out[i].source)});
  } else {
    pairs = settings.tsv.empty() ? gradual::open_aligned(settings.source_file, settings.target_file)
                                 : gradual::open_tsv(settings.tsv);
    split.max_words = settings.max_words;
    if (settings.test_source_file.empty()) {
      split.held_out = settings.held_out > 0 ? settings.held_out : 1000;
      if (settings.held_out == 0) split.largest_share = 0.1;
    } else {
      corpora.held_out = {
          {"test", gradual::read_aligned(settings.test_source_file, settings.test_target_file)}};
    }
  }
  corpora.text = std::make_unique<gradual::SplitText>(std::move(pairs), split);
  if (corpora.held_out.empty()) corpora.held_out = {{"held-out", corpora.text->held_out()}};
  return corpora;
}

const std::vector<std::string>& held_out_names() {
  static const std::vector<std::string> names = {"held-out", "compositional", "test"};
  return names;
}

void save_held_out(const std::string& folder, const std::vector<HeldOutSet>& sets) {
  for (const HeldOutSet& set : sets)
    gradual::write_tsv((files::path(folder) / (set.name + ".tsv")).string(), set.pairs);
}

std::vector<HeldOutSet> load_held_out(const std::string& folder) {
  std::vector<HeldOutSet> sets;
  for (const std::string& name : held_out_names()) {
    const files::path file = files::path(folder) / (name + ".tsv");
    if (files::exists(file)) sets.push_back({name, gradual::read_tsv(file.string())});
  }
  if (sets.empty())
    throw gradual::FileError(
        folder, "there are no held-out sentences (held-out.tsv or test.tsv) here; name a file with --tsv");
  return sets;
}

std::vector<HeldOutSet> test_sets(const std::string& model, const std::string& tsv) {
  if (!tsv.empty()) return {{tsv, gradual::read_tsv(tsv)}};
  return load_held_out(folder_of(model));
}

std::vector<gradual::AlignedPair> known_alignments(const gradual::Translator& translator,
                                                   const std::vector<SentencePair>& pairs) {
  if (translator.source().tokenizer.settings().units != gradual::TextUnits::words) return {};
  std::uint64_t seed = 1;
  for (const gradual::ConfigLine& line : gradual::lines_of(translator.notes())) {
    if (line.key == "seed") seed = std::stoull(line.value);
    if (line.key == "tsv" || line.key == "source") return {};
  }
  const auto alignments = gradual::make_toy_corpus(seed).alignments;
  std::vector<gradual::AlignedPair> aligned;
  for (const SentencePair& pair : pairs) {
    const auto found = alignments.find(pair.source);
    if (found != alignments.end()) aligned.push_back({pair, found->second});
  }
  return aligned;
}
