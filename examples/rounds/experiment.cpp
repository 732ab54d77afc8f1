#include "experiment.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/training/accuracy.hpp>

#include "../terminal/reporter.hpp"
#include "hops.hpp"

using namespace gradual;

namespace {

constexpr Index curve_points = 20, test_batch = 250, drawn_pairs = 8;

LanguageModel new_model(const Size& size, const Budget& budget) {
  StackConfig config;
  config.vocabulary = budget.sizes.names + budget.sizes.values;
  config.width = size.width;
  config.heads = budget.heads;
  config.feed_forward = 2 * size.width;
  config.layers = size.rounds;
  config.dropout = 0;
  config.positions = budget.positions;
  config.max_length = 2 * budget.pairs;
  return LanguageModel(config, Random(budget.seed));
}

RecallBatch test_sequences(const Budget& budget) {
  if (budget.pairs < 2)
    throw std::invalid_argument(
        text("a name must be able to come again, so there must be at least 2 pairs: got ", budget.pairs));
  return pairs_in_two(test_batch, budget.pairs, budget.sizes, Random(budget.seed + 1000003));
}

// How much of its weight each head of a round gives to the places s with `holds(b, t, s)`.
template <class Holds>
std::vector<double> shares_on(const Tensor& weights, Holds holds) {
  const Index batch = weights.dim(0), T = weights.dim(2);
  Tensor wanted({batch, T, T});
  Real* to = wanted.unguarded_data();
  for (Index b = 0; b < batch; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < T; ++s) *to++ = s < t && holds(b, t, s) ? 1 : 0;
  return attention_on(weights, wanted);
}

Looks looks_of(const Tensor& weights, const RecallBatch& batch) {
  const Index T = batch.input.dim(1);
  const auto token = [&](Index b, Index t) { return batch.input[b * T + t]; };
  return {shares_on(weights, [](Index, Index t, Index s) { return t % 2 == 1 && s == t - 1; }),
          shares_on(weights, [&](Index b, Index t, Index s) {
            return batch.target[b * T + t] != RecallBatch::nothing && s % 2 == 1 &&
                   token(b, s - 1) == token(b, t);
          })};
}

double most_of(const std::vector<double>& shares) { return *std::max_element(shares.begin(), shares.end()); }

// The share of the questions that is answered right, in per cent; where each round looks is left in the
// result.
double tested(Result& result, const RecallBatch& test) {
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  const Tensor scores = result.model.logits(test.input).value();
  result.rounds.clear();
  for (const RecordedAttention& round : recorder.recorded())
    result.rounds.push_back(looks_of(round.weights, test));
  return 100 * accuracy(scores, test.target);
}

constexpr double mostly = 0.5;

// What a head does, as far as its figures say so.
std::string caption_of(const Looks& round, std::size_t head) {
  return round.to_name_before[head] > mostly ? ": reads name"
         : round.to_answer[head] > mostly    ? ": finds answer"
                                             : "";
}

// The question that a round puts, as far as the figures of its heads say so.
std::string label_of(std::size_t round, const Result& result, const std::string& asked) {
  const Looks& looks = result.rounds[round];
  const bool last = round + 1 == result.rounds.size();
  return text("round ", round + 1,
              last && looks.most_to_answer() > mostly         ? ": which value follows " + asked + "?"
              : !last && looks.most_to_name_before() > mostly ? ": whose value am I?"
                                                              : "");
}

// What comes after the last of the tokens [1, T], and how sure the model is of it.
std::pair<std::int32_t, double> said(const LanguageModel& model, const Indices& tokens) {
  const NoGrad no_grad;
  const Tensor scores = model.logits(tokens).value();
  const Real *const end = scores.data() + scores.size(), *const row = end - scores.dim(2),
                    *const best = std::max_element(row, end);
  double sum = 0;
  for (const Real* each = row; each != end; ++each) sum += std::exp(static_cast<double>(*each - *best));
  return {static_cast<std::int32_t>(best - row), 1 / sum};
}

// Whether the arcs of a model's last look lie more on the value that it says than on the right one.
bool looks_as_it_says(const Result& result, const Question& question) {
  const AttentionRecorder recorder;
  const std::int32_t value = said(result.model, question.tokens).first;
  double ahead = 0;
  const std::vector<std::vector<Hop>> hops = hops_of(recorder.recorded(), question.tokens.size() - 1);
  for (const Hop& hop : hops.front())
    ahead += question.tokens[hop.to] == value            ? hop.weight
             : question.tokens[hop.to] == question.right ? -hop.weight
                                                         : 0;
  return ahead > 0;
}

}  // namespace

std::string Size::name() const {
  return text(rounds, rounds == 1 ? " round" : " rounds", " of width ", width);
}

double Looks::most_to_name_before() const { return most_of(to_name_before); }
double Looks::most_to_answer() const { return most_of(to_answer); }

Looks even_looks(const Budget& budget) {
  const RecallBatch batch = test_sequences(budget);
  const Index B = batch.input.dim(0), T = batch.input.dim(1);
  AttentionMask causal;
  causal.causal = true;
  return looks_of(masked_softmax(Var(Tensor::zeros({B, T, T})), causal).value().with_shape({B, 1, T, T}),
                  batch);
}

void check(const Size& size, const Budget& budget) { new_model(size, budget); }

Result run_experiment(const Size& size, const Budget& budget) {
  Result result{size, new_model(size, budget)};
  const LanguageModel& model = result.model;
  result.parameters = count(parameters(result.model));
  const RecallBatch test = test_sequences(budget);
  Adam adam(parameters(result.model));
  Trainer trainer(result.model, adam,
                  {Decay::cosine, budget.learning_rate, budget.steps / 10 + 1, budget.steps});
  show_progress(trainer, budget.steps, size.name(), budget.quiet);
  Random sequences(budget.seed + 17);
  result.curve.follow(
      trainer, curve_points, [&] { return tested(result, test); },
      [&](const LearningCurve::Point& now) {
        result.stages.push_back({now.step, now.figure, result.rounds.front().most_to_name_before(),
                                 result.rounds.back().most_to_answer()});
      });
  trainer.run([&](Index) {
    const RecallBatch batch = pairs_in_two(budget.batch, budget.pairs, budget.sizes, sequences);
    return model.loss(batch.input, batch.target);
  });
  return result;
}

Index Question::times(std::int32_t value) const { return std::count(tokens.begin(), tokens.end(), value); }

std::int32_t Question::commonest(Index names) const {
  std::int32_t best = right;
  for (const std::int32_t token : tokens)
    if (token >= names && times(token) > times(best)) best = token;
  return best;
}

Question telling_question(const std::vector<Result>& results, const Budget& budget) {
  constexpr Index drawn = 1000;
  const RecallBatch batch =
      pairs_in_two(drawn, std::min(drawn_pairs, budget.pairs), budget.sizes, Random(budget.seed + 7));
  const Index T = batch.input.dim(1) - 1;  // the answer is left out
  Question best;
  int most = -1;
  for (Index b = 0; b < drawn; ++b) {
    const std::int32_t right = batch.target[b * (T + 1) + T - 1];
    if (right == RecallBatch::nothing) continue;
    const std::int32_t* const first = batch.input.begin() + b * (T + 1);
    const Question question{Indices({1, T}, {first, first + T}), right};
    int score = 0;
    if (question.commonest(budget.sizes.names) != right) {
      score = 1;
      for (const Result& each : results)
        score += (said(each.model, question.tokens).first == right) ==
                 (each.size.rounds == results.front().size.rounds);
      score *= 2;
      if (score >= most && looks_as_it_says(results[1], question)) ++score;
    }
    if (score > most) most = score, best = question;
  }
  return best;
}

Answer answer_to(const Question& question, const Result& result, const Budget& budget, bool framed) {
  std::vector<std::string> tokens;
  for (const std::int32_t token : question.tokens)
    tokens.push_back(token_of_pairs_in_two(token, budget.sizes));
  const AttentionRecorder recorder;
  const auto [value, probability] = said(result.model, question.tokens);
  std::vector<std::string> looking = tokens;
  looking.back() += "?";
  Answer answer{value, probability, {}, {}, {}, {}};
  const std::vector<RecordedAttention> rounds = recorder.recorded();
  const Index asked = question.tokens.size() - 1;
  const std::vector<std::vector<Hop>> hops = hops_of(rounds, asked);
  for (const Hop& hop : hops.front())
    if (hop.weight > answer.strongest.weight) answer.strongest = hop;
  for (Index s = 0; s <= asked; ++s) {
    const auto weight =
        static_cast<double>(rounds.back().weights({Index(0), answer.strongest.head, asked, s}));
    if (question.tokens[s] == value) answer.on_value += weight;
    if (question.tokens[s] == question.tokens[answer.strongest.to]) answer.on_strongest += weight;
  }
  std::vector<std::string> labels;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    labels.push_back(label_of(r, result, tokens.back()));
    std::vector<AttentionMap> heads = attention_maps(rounds[r].weights, looking, tokens);
    if (const std::size_t back = rounds.size() - 1 - r; framed && back < hops.size())
      for (const Hop& hop : hops[back])
        for (std::size_t h = 0; h < heads.size(); ++h)
          if (hop.head == static_cast<Index>(h)) heads[h].framed.emplace_back(hop.from, hop.to);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const std::string caption = caption_of(result.rounds[r], h);
      answer.has_names_of_heads = answer.has_names_of_heads || !caption.empty();
      heads[h].title = text("round ", r + 1, ", ", heads[h].title, caption);
      heads[h].frame_colour = colour_of(r);
      answer.maps.push_back(draw_attention_map(heads[h]));
    }
  }
  answer.hops = draw_hops(rounds, labels, tokens, asked, 40);
  answer.narrow_hops = draw_hops(rounds, labels, tokens, asked, 20);
  return answer;
}

Guesses guess(const Budget& budget) {
  const RecallBatch test = test_sequences(budget);
  const Index T = test.input.dim(1);
  Guesses guesses;
  for (Index b = 0; b < test.input.dim(0); ++b) {
    std::map<std::int32_t, Index> seen;  // how often each value
    for (Index t = 0; t < T; ++t) {
      const std::int32_t answer = test.target[b * T + t];
      if (t % 2 == 1) ++seen[test.input[b * T + t]];
      if (answer == RecallBatch::nothing) continue;
      Index most = 0, equals = 0;
      for (const auto& [value, times] : seen) {
        if (times > most) equals = 0;
        most = std::max(most, times);
        equals += times == most ? 1 : 0;
      }
      guesses.alike += 1 / static_cast<double>(seen.size());
      guesses.commonest += seen.at(answer) == most ? 1 / static_cast<double>(equals) : 0;
      ++guesses.questions;
    }
  }
  guesses.alike *= 100 / guesses.questions;
  guesses.commonest *= 100 / guesses.questions;
  return guesses;
}
