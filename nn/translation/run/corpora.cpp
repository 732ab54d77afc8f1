#include <gradual/nn/translation/run/corpora.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <utility>

#include <gradual/core/files/path.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {
namespace {

std::string file_of(const std::string& folder, const std::string& set) {
  return name_of(path_of(folder) / path_of(set + ".tsv"));
}

bool are_of_one_kind(const HeldOutSet& a, const HeldOutSet& b) {
  return (a.name == "test") == (b.name == "test");
}

}  // namespace

std::vector<std::string> CorpusOptions::files() const {
  std::vector<std::string> named;
  for (const std::string* file : {&tsv, &source_file, &target_file, &test_source_file, &test_target_file})
    if (!file->empty()) named.push_back(*file);
  return named;
}

Corpora load_corpora(const CorpusOptions& options) {
  Corpora corpora;
  std::unique_ptr<PairStream> pairs;
  SplitOptions split{0, 0, options.validation, options.seed};
  if (options.tsv.empty() && options.source_file.empty()) {
    const ToyCorpus toy = make_toy_corpus(options.seed);
    pairs = std::make_unique<ListStream<SentencePair>>(toy.train);
    corpora.held_out = {{"held-out", toy.held_out}, {"compositional", toy.compositional}};
    for (std::size_t i = 0; i < std::min<std::size_t>(toy.held_out.size(), 100); ++i)
      corpora.aligned.push_back({toy.held_out[i], toy.alignments.at(toy.held_out[i].source)});
  } else {
    pairs =
        options.tsv.empty() ? open_aligned(options.source_file, options.target_file) : open_tsv(options.tsv);
    split.max_words = options.max_words;
    if (options.test_source_file.empty()) {
      split.held_out = options.held_out > 0 ? options.held_out : 1000;
      if (options.held_out == 0) split.largest_share = 0.1;
    } else {
      corpora.held_out = {{"test", read_aligned(options.test_source_file, options.test_target_file)}};
    }
  }
  split.both_ways = options.both_ways;
  split.lower_case = options.language.lower_case;
  corpora.text = std::make_unique<SplitText>(std::move(pairs), split);
  if (corpora.held_out.empty()) corpora.held_out = {{"held-out", corpora.text->held_out()}};
  return corpora;
}

const std::vector<std::string>& held_out_names() {
  static const std::vector<std::string> names = {"held-out", "compositional", "test"};
  return names;
}

void save_held_out(const std::string& folder, const std::vector<HeldOutSet>& sets) {
  for (const HeldOutSet& set : sets) write_tsv(file_of(folder, set.name), set.pairs);
}

std::vector<HeldOutSet> load_held_out(const std::string& folder) {
  std::vector<HeldOutSet> sets;
  for (const std::string& name : held_out_names()) {
    const std::string file = file_of(folder, name);
    if (std::filesystem::exists(path_of(file))) sets.push_back({name, read_tsv(file)});
  }
  return sets;
}

std::vector<HeldOutSet> turned_round(std::vector<HeldOutSet> sets) {
  for (HeldOutSet& set : sets)
    for (SentencePair& pair : set.pairs) std::swap(pair.source, pair.target);
  return sets;
}

bool has_kind_of(const HeldOutSet& set, const std::vector<HeldOutSet>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const HeldOutSet& other) { return are_of_one_kind(set, other); });
}

std::vector<HeldOutSet> kept_back_by_all(std::vector<HeldOutSet> sets,
                                         const std::vector<std::vector<HeldOutSet>>& others) {
  for (HeldOutSet& set : sets)
    for (const std::vector<HeldOutSet>& other : others) {
      if (!has_kind_of(set, other)) continue;
      std::set<std::string> kept;
      for (const HeldOutSet& each : other)
        if (are_of_one_kind(set, each))
          for (const SentencePair& pair : each.pairs) kept.insert(pair.source);
      const auto is_missing = [&](const SentencePair& pair) { return kept.count(pair.source) == 0; };
      set.pairs.erase(std::remove_if(set.pairs.begin(), set.pairs.end(), is_missing), set.pairs.end());
    }
  return sets;
}

Index trained_on(PairStream& text, const std::vector<std::string>& sentences, bool lower_case) {
  std::unordered_map<std::string, Index> left;  // how often each is among them
  for (const std::string& sentence : sentences) ++left[as_it_is_read(sentence, lower_case)];
  Index found = 0;
  text.rewind();
  for (SentencePair pair; text.next(pair);)
    if (const auto place = left.find(as_it_is_read(pair.source, lower_case)); place != left.end())
      found += std::exchange(place->second, 0);
  return found;
}

std::vector<std::string> sentences_to_try(const std::vector<HeldOutSet>& sets, std::size_t most) {
  constexpr std::size_t longest = 60;  // bytes
  std::vector<std::string> found;
  std::size_t last = 0;
  for (const HeldOutSet& set : sets) last = std::max(last, set.pairs.size());
  for (std::size_t i = 0; i < last; ++i) {
    for (const HeldOutSet& set : sets) {
      if (i >= set.pairs.size() || found.size() >= most) continue;
      const std::string& sentence = set.pairs[i].source;
      if (sentence.size() <= longest && readable_text(sentence) == sentence &&
          std::find(found.begin(), found.end(), sentence) == found.end())
        found.push_back(sentence);
    }
  }
  return found;
}

const SentencePair* pair_for_a_line(const std::vector<HeldOutSet>& sets) {
  constexpr std::size_t shortest = 20, longest = 40;  // bytes
  for (const HeldOutSet& set : sets)
    for (const SentencePair& pair : set.pairs)
      if (pair.source.size() >= shortest && pair.source.size() <= longest) return &pair;
  return nullptr;
}

}  // namespace gradual
