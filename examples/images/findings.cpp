// What the figures say, in sentences.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../mean_and_spread.hpp"
#include "report.hpp"

using namespace gradual;

std::string summary_of(const Results& results, Index tested) {
  const auto& [attention, alone, counting] = results;
  const double right = alone.curve.figure(),
               chance = chance_apart(right, counting, static_cast<double>(tested));
  return text(
      attention.curve.figure() < counting + 20
          ? "In short: where cells look at one another, they have not learnt where to look yet: give "
            "it more --steps."
          : text("In short: it helps where the answer lies in how two pieces stand to each other. With "
                 "attention ",
                 percent_text(attention.curve.figure() / 100), " are right."),
      right > counting + chance ? ""
      : right < counting - chance
          ? " The model whose cells are each alone does not even count yet."
          : text(" The model whose cells are each alone is no better than counting: ",
                 percent_text(right / 100), " against ", percent_text(counting / 100), ", and with ",
                 grouped_text(tested), " pictures chance alone can make a difference of ",
                 fixed_text(chance, 1), " points."));
}

std::string how_it_looks(const Result& attention) {
  const double* const share = std::get_if<double>(&attention.on_target);
  if (share == nullptr || *share < 50) return "";
  return "How it could be done: a query is what a cell looks for, a key what a cell offers; the better they "
         "match, the higher the weight. The arrow's cell could ask for the place above it where it "
         "points up, and the cell there offer it.";
}

std::optional<Moment> moment_of(const Results& results) {
  constexpr double near = 5, far = 20;  // points
  const double counting = results.counting, end = results.attention.curve.figure();
  const std::vector<Look>& looks = results.attention.looks;
  const auto last = std::find_if(looks.rbegin(), looks.rend(),
                                 [&](const Look& look) { return look.right < counting + near; });
  if (last == looks.rend() || end < counting + far) return {};
  const auto finds = std::find_if(last.base(), looks.end(),
                                  [&](const Look& look) { return look.right > (counting + end) / 2; });
  return Moment{static_cast<std::size_t>(last.base() - looks.begin() - 1),
                static_cast<std::size_t>(finds - looks.begin())};
}

std::string plateau_of(const Results& results) {
  const std::optional<Moment> moment = moment_of(results);
  if (!moment) return "";
  const Result& attention = results.attention;
  const Look &counts = attention.looks[moment->counts], &finds = attention.looks[moment->finds];
  const Index steps = attention.looks.back().step, found_in = finds.step - counts.step;
  return text(
      "For the first ", grouped_text(counts.step),
      " steps attention, too, is no better than counting, then it ", found_in * 5 <= steps ? "suddenly " : "",
      "finds out where to look. In ", percent_text(attention.commonest_of_right / 100, 0),
      " of the pictures the right shape is also a commonest one (often one of several, of which counting "
      "must pick one):");
}

std::optional<ResultTable> table_of_stages(const Results& results) {
  const std::optional<Moment> moment = moment_of(results);
  if (!moment) return {};
  const std::vector<Look>& looks = results.attention.looks;
  ResultTable table({{"step", "", 0, "", 21},
                     {"accuracy", "right", 1, " %"},
                     {"commonest", names_a_commonest, 0, " %"},
                     {"on_target", "weight there", 0, " %"}});
  std::vector<std::size_t> shown{moment->counts, moment->finds};
  if (moment->finds + 1 < looks.size()) shown.push_back(looks.size() - 1);
  for (const std::size_t i : shown)
    table.add({text("after ", grouped_text(looks[i].step), " steps"), looks[i].right, looks[i].commonest,
               looks[i].on_target});
  return table;
}

std::string about_stages(const Results& results, Index tested) {
  const std::optional<Moment> moment = moment_of(results);
  if (!moment) return "";
  const Look& finds = results.attention.looks[moment->finds];
  const std::string shared = work_of_heads(finds);
  return text("\"Right\" is of ", grouped_text(tested), " pictures, the rest of ", looked_at_count,
              " others, with the weight in the head that gives most on average.",
              shared.empty() ? "" : text(" After ", grouped_text(finds.step), " steps ", shared));
}
