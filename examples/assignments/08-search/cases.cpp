// What goes into the parts of 08. Words of a beam are numbers from 0 on; each part says which is the end.
#include <cmath>
#include <limits>

#include <gradual/nn/decoding/sentence_beam.hpp>

#include "../exercise.hpp"
#include "08-search/search.hpp"

using namespace gradual;

namespace {

Indices whole(std::initializer_list<Index> numbers) {
  std::vector<std::int32_t> list;
  for (const Index each : numbers) list.push_back(static_cast<std::int32_t>(each));
  const auto count = static_cast<Index>(list.size());
  return {Shape{count}, list};
}

template <class Numbers>
Tensor row_of(const Numbers& numbers) {
  Tensor row({static_cast<Index>(numbers.size())});
  Index place = 0;
  for (const auto each : numbers) row.mutable_data()[place++] = static_cast<Real>(each);
  return row;
}

Values penalty_inputs(Random random, Index size) {
  const Index lengths[] = {1, 2, 7, 20, 100};
  const double lowest[] = {1, 0.5, 0, 0.25, 1.5};
  const Index length = lengths[size] + (size < 2 ? 0 : random.below(5));
  return {{{"alpha", draw(random.split(), {1}, lowest[size], lowest[size] + 0.5, 0.25)}},
          {{"length", whole({length})}},
          {}};
}

Values penalty_call(const Values& in) {
  return {{{"lp", row_of(std::vector<double>{length_penalty(
                      indices(in, "length")[0], static_cast<double>(tensor(in, "alpha").data()[0]))})}},
          {},
          {}};
}

// Beginnings that live, words, the width of the beam; words below `never` are never written.
struct Step {
  Index live, V, beam;
  std::int32_t end;
  Index never;
};
const Step of_step[] = {{1, 3, 1, 0, 0}, {2, 3, 2, 0, 0}, {2, 4, 2, 1, 0},
                        {1, 4, 2, 2, 2}, {3, 5, 3, 2, 2}, {4, 9, 4, 2, 2}};

// The end is likely after the first beginning, and less so after each of the others.
Values step_inputs(Random random, Index size) {
  Step s = of_step[size];
  if (size == 5) s.V += random.below(4);  // how many words, the seed says
  Tensor log_p = draw(random.split(), {s.live, s.V}, -3.5, -0.5, 0.25);
  for (Index parent = 0; parent < s.live; ++parent) {
    Real* row = log_p.mutable_data() + parent * s.V;
    for (Index word = 0; word < s.never; ++word) row[word] = -std::numeric_limits<Real>::infinity();
    row[s.end] = static_cast<Real>(-0.25 - 0.75 * static_cast<double>(parent));
  }
  return {{{"so_far", draw(random.split(), {s.live}, -1, 0, 0.25)}, {"log_p", log_p}},
          {{"beam", whole({s.beam})}, {"end", whole({s.end})}},
          {}};
}

Values step_call(const Values& in) {
  const Tensor& before = tensor(in, "so_far");
  const std::vector<double> so_far(before.begin(), before.end());
  std::vector<double> parents, words, sums, fates;
  for (const Choice& choice :
       beam_step(so_far, tensor(in, "log_p"), indices(in, "beam")[0], indices(in, "end")[0])) {
    parents.push_back(static_cast<double>(choice.parent));
    words.push_back(choice.word);
    sums.push_back(choice.log_probability);
    fates.push_back(choice.fate == BeamNode::Fate::kept ? 1 : choice.fate == BeamNode::Fate::ended ? 2 : 0);
  }
  return {{{"parent", row_of(parents)},
           {"word", row_of(words)},
           {"log P", row_of(sums)},
           {"fate (0 pruned, 1 kept, 2 ended)", row_of(fates)}},
          {},
          {}};
}

// A beam, how many it is to find and how long, α, and how many steps there are from the first on in which the
// best live one is likely to end. With a tie, the first step writes the end and another word with one
// probability. Where it dies, no word can follow the first one.
struct Search {
  Index beam, n_best, max_length;
  double alpha;
  Index ends;
  bool ties = false, dies = false;
};
const Search of_search[] = {{1, 1, 2, 1, 1},
                            {1, 1, 3, 1, 0},
                            {2, 1, 9, 1, 1},
                            {2, 2, 6, 1, 2},
                            {2, 2, 9, 2, 2},
                            {4, 2, 8, 0.5, 2},
                            {4, 3, 8, 0, 3},
                            {6, 3, 9, 0.5, 4},
                            {3, 1, 12, 1.5, 1},
                            {2, 1, 4, 0, 1, true},
                            {4, 4, 4, 1, 1, false, true}};

Values search_inputs(Random random, Index size) {
  const Search s = of_search[size];
  constexpr Index V = 3;  // the end and two words
  Tensor log_p = draw(random.split(), {s.max_length, s.beam, V}, -2.19, -0.15, 0.17);
  const Tensor ends = draw(random.split(), {s.max_length, s.beam}, -0.7, 0, 0.1);
  for (Index i = 0; i < ends.size(); ++i)
    log_p.mutable_data()[i * V] =
        ends.data()[i] - (i % s.beam == 0 && i / s.beam < s.ends ? Real(0.25) : Real(12));
  if (s.ties) log_p.mutable_data()[1] = log_p.mutable_data()[0];
  for (Index i = s.beam * V; s.dies && i < log_p.size(); ++i)
    if (i % V != 0) log_p.mutable_data()[i] = -std::numeric_limits<Real>::infinity();
  return {{{"log_p of end, a, b for each step and live one", log_p},
           {"alpha", row_of(std::vector<double>{s.alpha})}},
          {{"beam_size, n_best, max_length", whole({s.beam, s.n_best, s.max_length})}},
          {}};
}

// A search goes on to its longest, so that done() is asked after each step.
Values search_call(const Values& in) {
  const Indices& sizes = in.indices.front().second;
  const Tensor& log_p = in.tensors.front().second;
  BeamOptions options;
  options.beam_size = sizes[0];
  options.n_best = sizes[1];
  options.max_length = sizes[2];
  options.length_penalty = static_cast<double>(tensor(in, "alpha").data()[0]);
  SentenceBeam beam(options, 0);
  std::vector<double> is_done;
  for (Index step = 0; step < log_p.dim(0); ++step) {
    const Index live = beam.live_count(), V = log_p.dim(2);
    TopClasses top{V, {}, {}};
    for (Index i = 0; i < live * V; ++i) {
      const Real each = log_p.data()[step * log_p.dim(1) * V + i];
      top.ids.push_back(std::isinf(each) ? -1 : static_cast<std::int32_t>(options.end + i % V));
      top.log_probabilities.push_back(each);
    }
    beam.advance(top, 0);
    is_done.push_back(beam.done() ? 1 : 0);
  }
  return {{{"done after each step", row_of(is_done)}}, {}, {}};
}

// Words that are said, those of the references, and how many words there are.
struct Said {
  Index length, words;
  std::vector<Index> references;
};
const std::vector<Said>& of_sentences() {
  static const std::vector<Said> all = {{2, 2, {2}},        {2, 2, {5}},    {4, 2, {3}},
                                        {6, 3, {3, 7}},     {5, 2, {6, 4}}, {5, 2, {4, 6}},
                                        {9, 3, {12, 8, 4}}, {3, 2, {9, 5}}, {12, 3, {14, 12, 4}}};
  return all;
}

Indices sentence(Random random, Index length, Index words) {
  std::vector<std::int32_t> numbers;
  for (Index i = 0; i < length; ++i) numbers.push_back(static_cast<std::int32_t>(1 + random.below(words)));
  return {Shape{length}, numbers};
}

Values ngram_inputs(Random random, Index size) {
  const Said& s = of_sentences()[static_cast<std::size_t>(size)];
  Values values;
  values.indices.emplace_back("hypothesis", sentence(random.split(), s.length, s.words));
  for (std::size_t i = 0; i < s.references.size(); ++i)
    values.indices.emplace_back("reference " + std::to_string(i),
                                sentence(random.split(), s.references[i], s.words));
  const Index before = size == 0 ? 0 : 1 + random.below(9);  // of earlier sentences
  values.indices.emplace_back("counts before", whole({before}));
  return values;
}

Values ngram_call(const Values& in) {
  const auto words_of = [](const Indices& numbers) { return Sentence(numbers.begin(), numbers.end()); };
  std::vector<Sentence> references;
  for (const auto& [name, numbers] : in.indices)
    if (name.rfind("reference", 0) == 0) references.push_back(words_of(numbers));
  const Index before = indices(in, "counts before")[0];
  NgramCounts counts{before, before, {before, before, before, before}, {before, before, before, before}};
  count_ngrams(words_of(indices(in, "hypothesis")), references, counts);
  return {{{"matched", row_of(counts.matched)},
           {"all", row_of(counts.all)},
           {"lengths", row_of(std::vector<Index>{counts.hypothesis_length, counts.reference_length})}},
          {},
          {}};
}

// Words and how many of them there are in the references, the sentences, and from which n on nothing matches.
struct Text {
  Index words, in_references, sentences, none_from;
};
const Text of_texts[] = {{4, 3, 1, 4},   {6, 7, 1, 5},   {7, 9, 1, 3},  {40, 37, 3, 5},
                         {30, 44, 2, 2}, {3, 5, 1, 5},   {1, 3, 1, 5},  {11, 8, 1, 1},
                         {0, 6, 1, 1},   {90, 93, 4, 5}, {25, 20, 1, 3}};

Values count_inputs(Random random, Index size) {
  const Text s = of_texts[size];
  std::vector<std::int32_t> matched, all;
  for (Index n = 1; n <= 4; ++n) {
    const Index count = std::max<Index>(0, s.words - s.sentences * (n - 1));
    const Index most = matched.empty() ? count : std::min<Index>(matched.back(), count);
    const Index some = most < 2 ? most : most - 1 - random.below((most + 3) / 4);
    all.push_back(static_cast<std::int32_t>(count));
    matched.push_back(static_cast<std::int32_t>(n < s.none_from ? std::max<Index>(some, count > 0) : 0));
  }
  return {{},
          {{"matched", Indices({4}, matched)},
           {"all", Indices({4}, all)},
           {"c and r", whole({s.words, s.in_references})}},
          {}};
}

Values bleu_call(const Values& in) {
  NgramCounts counts;
  counts.hypothesis_length = indices(in, "c and r")[0];
  counts.reference_length = indices(in, "c and r")[1];
  for (std::size_t n = 0; n < 4; ++n) {
    counts.matched[n] = indices(in, "matched")[static_cast<Index>(n)];
    counts.all[n] = indices(in, "all")[static_cast<Index>(n)];
  }
  const BleuScore score = bleu_of(counts);
  return {{{"score", row_of(std::vector<double>{score.score})},
           {"precisions", row_of(score.precisions)},
           {"brevity penalty", row_of(std::vector<double>{score.brevity_penalty})},
           {"lengths", row_of(std::vector<Index>{score.hypothesis_length, score.reference_length})}},
          {},
          {}};
}

const Exercise what_length_costs{"08.1", 5, penalty_inputs, penalty_call};
const Exercise a_step{"08.2", 6, step_inputs, step_call};
const Exercise when_to_stop{"08.3", 11, search_inputs, search_call};
const Exercise matches{"08.4", 9, ngram_inputs, ngram_call};
const Exercise bleu_score{"08.5", 11, count_inputs, bleu_call};

}  // namespace
