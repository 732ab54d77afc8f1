// What the figures say, in sentences.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../mean_and_spread.hpp"
#include "outcomes.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

// The others whose share, in per cent of all sentences, is within chance of the best one's.
template <class Share>
std::vector<std::string> within_chance(const std::vector<Outcome>& ways, const Outcome& best,
                                       std::size_t sentences, Share share, int decimals) {
  std::vector<std::string> near;
  for (const Outcome& each : ways) {
    if (&each != &best && may_be_chance(share(best), share(each), static_cast<double>(sentences)))
      near.push_back(text(each.name, " (", percent_text(share(each) / 100, decimals), ")"));
  }
  return near;
}

double share_exact(const Outcome& way) { return way.exact; }

}  // namespace

std::string Report::summary() const {
  const Outcome* const best = most_exact(ways);
  if (best == nullptr)
    return ways.empty() ? "" : "Nothing comes out exactly right yet: give it more --steps.";
  const std::vector<std::string> near = within_chance(ways, *best, task.test.size(), share_exact, 1);
  std::string said = text(
      "In short: best is ", best->name, " (", percent_text(best->exact / 100), ")",
      near.empty() ? "" : text(", but ", task.test.size(), " sentences do not tell it from ", and_text(near)),
      ". Each was trained once: another seed may order them anew.");
  for (const std::string& each : {looking_finding(), dividing_finding()})
    if (!each.empty()) said += " " + each;
  return said;
}

std::string Report::looking_finding() const {
  const Outcome *recurrent = find(ways, "recurrent"), *looking = find(ways, "recurrent, additive");
  if (recurrent == nullptr || looking == nullptr || !is_behind(*recurrent, *looking, task.test.size()))
    return "";
  return text("Looking at the words helps: after ", settings.steps, " steps a recurrent network gets ",
              percent_text(recurrent->exact / 100), " right without attention and ",
              percent_text(looking->exact / 100), " with it.");
}

std::string Report::dividing_finding() const {
  if (dots().empty() || !is_behind(*dots()[0], *dots()[1], task.test.size())) return "";
  const Outcome* const even = find(ways, "equal weights");
  return text(
      "How words are scored matters, too: dot gets ", percent_text(dots()[0]->exact / 100),
      even != nullptr && is_behind(*dots()[0], *even, task.test.size()) ? ", less than equal weights" : "",
      ", and ", percent_text(dots()[1]->exact / 100), " where it is divided by √", settings.width, ".");
}

std::string Report::scoreless_finding() const {
  const Outcome *best = most_exact(ways), *mean = find(ways, "equal weights"),
                *recurrent = find(ways, "recurrent"), *looking = find(ways, "recurrent, additive");
  constexpr double far_behind = 20;  // in points; with some hundred sentences this is no chance
  std::vector<std::string> reasons;
  if (recurrent != nullptr && looking != nullptr && recurrent->exact < looking->exact - far_behind)
    reasons.push_back(
        text("The recurrent network needs to look back. Without attention one list of numbers has to hold "
             "the whole sentence: ",
             percent_text(recurrent->exact / 100), " are right after ", settings.steps, " steps. With it, ",
             percent_text(looking->exact / 100), "."));
  if (best != nullptr && mean != nullptr && mean->exact < best->exact - far_behind)
    reasons.push_back(
        text("In the models that are not recurrent, a word hears of the others by attention alone: with "
             "equal weights, each takes in a blur of all that it may look at, and ",
             percent_text(mean->exact / 100), " are right."));
  return list_text(reasons);
}

std::string Report::heads_finding() const {
  const Outcome *several = find(ways, "multi-head"), *one = find(ways, "scaled dot");
  if (several == nullptr || one == nullptr || !is_behind(*one, *several, task.test.size())) return "";
  return text("Several heads seem to help scaled dot: ", settings.heads, " that share the width get ",
              percent_text(several->exact / 100), " right, one ", percent_text(one->exact / 100),
              ". Each has a softmax of its own, and so can look elsewhere.");
}

std::string Report::window_finding() const {
  const Outcome *window = find(ways, "local window"), *whole = find(ways, "multi-head");
  if (window == nullptr || whole == nullptr || window->exact == 0 ||
      is_behind(*window, *whole, task.test.size()))
    return "";
  return "The local window seems to lose nothing by seeing less: what matters to a word within its sentence "
         "stands near it here.";
}

std::vector<const Outcome*> Report::dots() const {
  const Outcome *dot = find(ways, "dot"), *scaled = find(ways, "scaled dot");
  if (most_exact(ways) == nullptr || dot == nullptr || scaled == nullptr) return {};
  return {dot, scaled};
}

bool Report::dot_is_sure_and_behind() const {
  return !dots().empty() && is_sure_early(*dots()[0]) && dots()[0]->exact < dots()[1]->exact;
}

std::string Report::division_finding() const {
  if (dots().empty()) return "";
  const Outcome &dot = *dots()[0], &scaled = *dots()[1];
  const bool sure = is_sure_early(dot), behind = is_behind(dot, scaled, task.test.size());
  return text("Without the division by √", settings.width, ", the scores of dot are ",
              short_text(std::sqrt(static_cast<double>(settings.width)), 2), " times as large",
              sure ? ", and it is often sure before it knows anything: before" : ". Before",
              " any training, ", percent_text(dot.sure_before, 0),
              " of the words give more than 95 % of their weight to one word of the source (scaled dot: ",
              percent_text(scaled.sure_before, 0), ").",
              sure && behind ? text(" What is sure hardly learns, for the softmax is flat there: to change a "
                                    "score a little changes almost nothing.",
                                    dot.sure_early > dot.sure_before
                                        ? " (That it gets surer still does not say that it is right.)"
                                        : "")
                             : "");
}

std::string Report::alignment_finding() const {
  const auto strongest = [](const Outcome& each) {  // in per cent
    return each.prefers ? 100 * each.match.strongest_share() : 0;
  };
  const auto best = std::max_element(
      ways.begin(), ways.end(), [&](const auto& a, const auto& b) { return strongest(a) < strongest(b); });
  if (best == ways.end() || !best->prefers) return "";
  const std::vector<std::string> near = within_chance(ways, *best, task.test.size(), strongest, 0);
  return text(
      "Most often with ", best->name, ": for ", fixed_text(strongest(*best), 0),
      " of 100 French words, the English word with the most weight is one that the French one translates. "
      "Nobody told it which words these are.",
      near.empty()
          ? ""
          : text(" As good, as far as ", task.test.size(), " sentences tell: ", and_text(near), "."));
}

std::size_t Report::telling_sentence() const {
  double mean = 0;
  for (const Outcome& way : ways) mean += way.exact / static_cast<double>(ways.size());
  const auto agreement = [&](std::size_t sentence) {
    double sum = 0;
    for (const Outcome& way : ways)
      if (sentence < way.judged.size())
        sum += way.judged[sentence].right() ? way.exact - mean : mean - way.exact;
    return sum;
  };
  std::size_t best = 0;
  double most = agreement(best);
  for (std::size_t i = 1; i < task.test.size(); ++i) {
    const double its = agreement(i);
    if (its > most) best = i;
    most = std::max(most, its);
  }
  return best;
}
