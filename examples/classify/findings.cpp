#include "findings.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../mean_and_spread.hpp"
#include "verdict_weights.hpp"

using namespace gradual;

namespace {

struct LabelScore {
  std::string label;
  Index documents = 0;
  Accuracies right;  // in per cent
};

std::vector<LabelScore> by_label(const Trial& trial) {
  std::vector<LabelScore> scores;
  for (const std::string& label : labels_of(trial.documents.held_out)) {
    LabelScore score{label, 0, {}};
    for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
      if (trial.documents.held_out[i].label != label) continue;
      ++score.documents;
      score.right.attention += trial.by_attention[i] == label ? 1 : 0;
      score.right.ngrams += trial.by_ngrams[i] == label ? 1 : 0;
      score.right.both += trial.label(i) == label ? 1 : 0;
      if (!trial.without_places.empty())
        score.right.without_places += trial.without_places[i] == label ? 1 : 0;
    }
    Accuracies& all = score.right;
    for (double* right : {&all.attention, &all.ngrams, &all.both, &all.without_places})
      *right *= 100 / static_cast<double>(score.documents);
    scores.push_back(score);
  }
  return scores;
}

Documents with_label(const Documents& documents, const std::string& label) {
  Documents found;
  std::copy_if(documents.begin(), documents.end(), std::back_inserter(found),
               [&](const LabelledText& each) { return each.label == label; });
  return found;
}

// "1.0 points apart, where 4.3 may be chance"
std::string apart_text(double a, double b, double of) {
  return text(fixed_text(std::abs(a - b), 1), " points apart, where ", fixed_text(chance_apart(a, b, of), 1),
              " may be chance");
}

}  // namespace

bool is_mark(const std::string& word) { return word == "." || word == "," || word == "?" || word == "!"; }

bool stands_out(std::size_t i, const std::vector<double>& weights) {
  return weights[i] >= std::max(0.1, 3 / static_cast<double>(weights.size()));
}

std::size_t heaviest(const std::vector<double>& weights) {
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

WayToDecide way_to_decide(const LabelledText& document, const std::vector<double>& weights) {
  const std::size_t most = heaviest(weights);
  if (!stands_out(most, weights)) return WayToDecide::no_word;
  const bool negated = document.words[most] == "not" || (most > 0 && document.words[most - 1] == "not");
  return negated ? WayToDecide::negation : WayToDecide::plain_word;
}

const Sort only_attention{"Attention is right and n-grams are wrong",
                          [](bool attention, bool ngrams) { return attention && !ngrams; }, true};
const Sort attention_errs{"Attention is wrong", [](bool attention, bool) { return !attention; }, false};
const Sort both_right{"Attention and n-grams are both right",
                      [](bool attention, bool ngrams) { return attention && ngrams; }, false};

bool needs_places(const Trial& trial, std::size_t i) {
  return !trial.without_places.empty() && trial.by_attention[i] != trial.without_places[i];
}

std::vector<std::size_t> documents_of(const Trial& trial, const Sort& sort) {
  const Documents& held_out = trial.documents.held_out;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < held_out.size(); ++i)
    if (sort.holds(trial.by_attention[i] == held_out[i].label, trial.by_ngrams[i] == held_out[i].label))
      found.push_back(i);
  return found;
}

std::vector<std::size_t> first_of(std::vector<std::size_t> documents, std::size_t most, const Sort& sort,
                                  const Trial& trial) {
  std::stable_partition(documents.begin(), documents.end(),
                        [&](std::size_t i) { return needs_places(trial, i) == sort.needs_places; });
  const auto others = std::stable_partition(documents.begin(), documents.end(), [&](std::size_t i) {
    return way_to_decide(trial.documents.held_out[i], trial.verdicts[i].word_weights) ==
           WayToDecide::plain_word;
  });
  if (documents.size() <= most) return documents;
  // The last is of another way, where there is one.
  const auto last = documents.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  if (others > last && others != documents.end()) *last = *others;
  documents.resize(most);
  return documents;
}

std::vector<Opinion> opinions_of(const Trial& trial, std::size_t i) {
  std::vector<Opinion> opinions{
      {"attention", trial.by_attention[i], trial.attention_sure[i], &trial.verdicts[i].word_weights}};
  if (!trial.without_places.empty())
    opinions.push_back({"without places", trial.without_places[i], trial.without_places_sure[i],
                        &trial.without_places_weights[i]});
  opinions.push_back({"n-grams", trial.by_ngrams[i], trial.ngrams_sure[i], nullptr});
  return opinions;
}

std::pair<std::string, double> best_single_answer(const Documents& tested) {
  const std::vector<std::string> labels = labels_of(tested);
  const auto documents = [&](const std::string& label) {
    return std::count_if(tested.begin(), tested.end(),
                         [&](const LabelledText& each) { return each.label == label; });
  };
  const std::string commonest = *std::max_element(
      labels.begin(), labels.end(),
      [&](const std::string& a, const std::string& b) { return documents(a) < documents(b); });
  return {commonest, 100 * static_cast<double>(documents(commonest)) / static_cast<double>(tested.size())};
}

ResultTable table_of(const Trial& trial, bool of_reviews, bool with_costs) {
  const Documents& tested = trial.documents.held_out;
  const std::vector<LabelScore> scores = by_label(trial);
  std::vector<ResultTable::Column> columns{
      {"classifier", "right", 0, "", 17},
      {"right", "all\nof " + grouped_text(static_cast<Index>(tested.size())), 1, " %"}};
  for (const LabelScore& each : scores)
    columns.push_back({each.label, each.label + "\nof " + grouped_text(each.documents), 1, " %"});
  if (with_costs)
    columns.insert(columns.end(), {{"parameters", "parameters"}, {"cpu_seconds", "CPU time", 1, " s"}});
  ResultTable table(columns);
  const auto add_row = [&](const std::string& name, double all, const auto& of_label, const Cost& cost) {
    std::vector<ResultTable::Cell> row{name, all};
    for (const LabelScore& each : scores) row.emplace_back(of_label(each));
    if (with_costs && cost.parameters > 0) row.insert(row.end(), {cost.parameters, cost.seconds});
    row.resize(columns.size());
    table.add(row);
  };
  const auto add = [&](const std::string& name, double Accuracies::*part, const Cost& cost) {
    add_row(
        name, trial.right.*part, [&](const LabelScore& each) { return each.right.*part; }, cost);
  };
  add("attention", &Accuracies::attention, trial.attention_cost);
  if (!trial.without_places.empty())
    add("without places", &Accuracies::without_places, trial.without_places_cost);
  add("n-grams", &Accuracies::ngrams, trial.ngram_cost);
  add("both together", &Accuracies::both, {});
  if (of_reviews)
    add_row("counting verdicts", right_by_majority(tested),
            [&](const LabelScore& each) { return right_by_majority(with_label(tested, each.label)); }, {});
  const std::pair<std::string, double> always = best_single_answer(tested);
  add_row("always " + always.first, always.second,
          [&](const LabelScore& each) { return each.label == always.first ? 100.0 : 0.0; }, {});
  return table;
}

std::string question_of(bool of_reviews) {
  return of_reviews ? "Which model notices that the last verdict counts?" : "What is this document?";
}

std::string task_of(bool of_reviews) {
  return of_reviews ? "The task: is a film review praise, complaint or neither? Its sentences are drawn at "
                      "random, and the last that praises or blames, the last verdict, counts"
                    : "The task: tell the label of a document";
}

NamesAndMeanings review_examples() {
  return {{"the story was moving. the cast was dull.", "→ complaint"},
          {"the cast was shown in three cities.", "→ neither"}};
}

std::string noun_of(bool of_reviews) { return of_reviews ? "review" : "document"; }

std::string counts_of(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  const auto grouped = [](std::size_t count) { return grouped_text(static_cast<Index>(count)); };
  return text("Trained on ", grouped(trial.documents.train.size()), " ", noun_of(of_reviews), "s, each seen ",
              options.epochs, options.epochs == 1 ? " time" : " times",
              options.models == 1 ? "" : text(" by each of ", options.models, " models that answer together"),
              " (seed ", options.seed, "), and tested on ", grouped(trial.documents.held_out.size()),
              " others");
}

NamesAndMeanings classifiers(bool of_reviews) {
  NamesAndMeanings all{{"attention", "adds up words (with neighbours), each times its weight"},
                       {"n-grams", "counts words and pairs of neighbours, wherever they stand"},
                       {"both together", "the mean of what attention and n-grams say"}};
  if (of_reviews)
    all.insert(all.begin() + 1,
               {"without places", "attention without places: no word is told where it stands"});
  return all;
}

NamesAndMeanings all_tried(bool of_reviews, const Documents& tested) {
  NamesAndMeanings all = classifiers(of_reviews);
  if (of_reviews)
    all.emplace_back("counting verdicts", "what most verdicts say, without learning; draws count half");
  all.emplace_back("always " + best_single_answer(tested).first,
                   "the commonest label for all, without learning");
  return all;
}

std::string how_words_are_weighed(bool of_reviews) {
  return text(
      "Each word is a list of numbers, plus numbers for its place. From all these attention learns to score "
      "each word",
      of_reviews ? ", so a later verdict can score higher" : "", "; softmax turns a ", noun_of(of_reviews),
      "'s scores into weights that sum to 1.");
}

double weight_on_last_verdict(const Trial& trial) {
  double with_verdict = 0, found = 0;
  for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
    const auto [begin, end] = last_verdict(trial.documents.held_out[i]);
    if (begin == end) continue;
    const std::size_t most = heaviest(trial.verdicts[i].word_weights);
    ++with_verdict;
    found += begin <= most && most < end ? 1 : 0;
  }
  return 100 * found / std::max(with_verdict, 1.0);
}

double right_by_majority(const Documents& reviews) {
  double right = 0;
  for (const LabelledText& review : reviews) {
    Index praise = 0, complaints = 0;
    for (const ReviewVerdict& each : verdicts(review)) ++(each.label == "praise" ? praise : complaints);
    const std::string more = praise > complaints ? "praise" : praise < complaints ? "complaint" : "neither";
    if (praise > 0 && praise == complaints)
      right += 0.5;
    else if (review.label == more)
      right += 1;
  }
  return 100 * right / static_cast<double>(reviews.size());
}

std::string percent(double value) { return fixed_text(value, 1) + " %"; }

namespace {

// What it is worth to count verdicts, and who does no better.
std::string about_counting(const Trial& trial) {
  const double counted = right_by_majority(trial.documents.held_out);
  const auto is_like_counting = [&](double share) {
    return may_be_chance(counted, share, static_cast<double>(trial.verdicts.size()));
  };
  const bool both = is_like_counting(trial.right.without_places) && is_like_counting(trial.right.ngrams);
  return text(both ? "N-grams and attention without places do about as well as counting verdicts ("
                   : "Counting verdicts is right in ",
              percent(counted), both ? ")" : "",
              ": two complaints outvote a later praise, one of each is a draw.");
}

// Whether attention and n-grams do better together.
std::string answer_of_documents(const Accuracies& right, double tested) {
  const double best = std::max(right.attention, right.ngrams);
  if (right.both == best) return "both together are as good as the better of the two.";
  const bool better = right.both > best;
  return text("both together are ", better ? "better" : "worse", " than the better of the two",
              may_be_chance(right.both, best, tested) ? " (" + apart_text(right.both, best, tested) + ")"
              : better                                ? ": each knows something that the other does not"
                                                      : ": the worse one spoils it",
              ".");
}

}  // namespace

std::string in_short(const Trial& trial, bool of_reviews) {
  constexpr double clearly = 5;
  const Accuracies& right = trial.right;
  if (!of_reviews)
    return "In short: " + answer_of_documents(right, static_cast<double>(trial.verdicts.size()));
  if (right.attention <= std::max(right.without_places, right.ngrams) + clearly)
    return "In short: attention does not know yet which verdict came last: give it more --epochs.";
  return text("In short: only attention with places notices which verdict came last (",
              percent(right.attention), "). ", about_counting(trial));
}

std::string about_average(const Trial& trial) {
  const Accuracies& right = trial.right;
  if (right.both >= right.attention) return "";
  const bool chance = may_be_chance(right.both, right.attention, static_cast<double>(trial.verdicts.size()));
  return text("Averaged with n-grams, attention ", chance ? "does no better" : "errs more", ": ",
              percent(right.both), " are right, not ", percent(right.attention), ".");
}

std::string about_last_verdict(const Trial& trial) {
  return text("In ", percent(weight_on_last_verdict(trial)),
              " of the reviews with a verdict, attention gives most weight to a word of the last one.");
}

std::string worth_of_parameters(const Trial& trial) {
  const Accuracies& right = trial.right;
  const Cost &attention = trial.attention_cost, &ngrams = trial.ngram_cost;
  const auto tested = static_cast<double>(trial.verdicts.size());
  const std::string sizes = text("Attention takes ", grouped_text(attention.parameters),
                                 " parameters, n-grams ", grouped_text(ngrams.parameters), ". ");
  if (may_be_chance(right.attention, right.ngrams, tested))
    return sizes + "What those of attention buy may be chance.";
  if (right.attention < right.ngrams) return sizes + "Those of attention buy nothing here.";
  const bool places_decide = !trial.without_places.empty() && right.without_places < right.attention &&
                             may_be_chance(right.without_places, right.ngrams, tested);
  return text(sizes, "Those of attention buy ", fixed_text(right.attention - right.ngrams, 1), " points more",
              places_decide
                  ? text(", and only because words are told their places: attention without places has ",
                         grouped_text(trial.without_places_cost.parameters),
                         " parameters and does about as well as n-grams")
                  : "",
              ".");
}
