#include "corpora.hpp"

#include <algorithm>
#include <filesystem>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/toy_corpus.hpp>

namespace files = std::filesystem;
using gradual::SentencePair;

namespace {

template <class Pairs>
std::vector<SentencePair> plain(const Pairs& pairs) {
  return {pairs.begin(), pairs.end()};
}

// The sentences of one side of pairs, or of one side after the other.
class Sides final : public gradual::Stream<std::string> {
 public:
  Sides(gradual::PairStream& pairs, std::vector<std::string SentencePair::*> sides)
      : pairs_(pairs), sides_(std::move(sides)) {}
  bool next(std::string& sentence) override {
    while (!pairs_.next(pair_)) {
      if (side_ + 1 == sides_.size()) return false;
      ++side_;
      pairs_.rewind();
    }
    sentence = pair_.*sides_[side_];
    return true;
  }
  void rewind() override {
    pairs_.rewind();
    side_ = 0;
  }

 private:
  gradual::PairStream& pairs_;
  std::vector<std::string SentencePair::*> sides_;
  std::size_t side_ = 0;
  SentencePair pair_;
};

}  // namespace

Corpora load_corpora(const TrainSettings& settings) {
  Corpora corpora;
  std::unique_ptr<gradual::PairStream> pairs;
  gradual::SplitOptions split{0, 0, settings.validation, settings.seed};
  if (settings.tsv.empty() && settings.source_file.empty()) {
    const gradual::ToyCorpus toy = gradual::make_toy_corpus(settings.seed);
    pairs = std::make_unique<gradual::ListStream<SentencePair>>(plain(toy.train));
    corpora.held_out = {{"held-out", plain(toy.held_out)}, {"compositional", plain(toy.compositional)}};
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

gradual::Translator new_translator(const TrainSettings& settings, gradual::PairStream& pairs,
                                   gradual::Random random) {
  Sides sources(pairs, {&SentencePair::source}), targets(pairs, {&SentencePair::target});
  if (!settings.joint)
    return {settings.model, learn_language(sources, settings.language),
            learn_language(targets, settings.language), random};
  Sides all(pairs, {&SentencePair::source, &SentencePair::target});
  const gradual::Language both = learn_language(all, settings.language);
  gradual::SpacingCensus target;
  targets.rewind();
  for (std::string sentence; targets.next(sentence);) target.add(sentence);
  return {settings.model, both, {both.tokenizer.with_spacing(target.spacing()), both.vocabulary}, random};
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
