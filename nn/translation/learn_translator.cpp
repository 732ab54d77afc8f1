#include <gradual/nn/translation/learn_translator.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gradual {
namespace {

// The sentences of one side of pairs, or of one side after the other.
class Sides final : public Stream<std::string> {
 public:
  Sides(PairStream& pairs, std::vector<std::string SentencePair::*> sides)
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
  PairStream& pairs_;
  std::vector<std::string SentencePair::*> sides_;
  std::size_t side_ = 0;
  SentencePair pair_;
};

}  // namespace

Translator learn_translator(const ModelConfig& model, PairStream& pairs, const LanguageOptions& options,
                            bool joint, Random random) {
  Sides sources(pairs, {&SentencePair::source}), targets(pairs, {&SentencePair::target});
  if (!joint) return {model, learn_language(sources, options), learn_language(targets, options), random};
  Sides all(pairs, {&SentencePair::source, &SentencePair::target});
  const Language both = learn_language(all, options);
  SpacingCensus target;
  targets.rewind();
  for (std::string sentence; targets.next(sentence);) target.add(sentence);
  return {model, both, {both.tokenizer.with_spacing(target.spacing()), both.vocabulary}, random};
}

}  // namespace gradual
