#include "report.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

using namespace gradual;

namespace {

template <class... Values>
std::string line(const char* format, Values... values) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

void add_contest(Html& html, const std::vector<Outcome>& contest) {
  std::vector<std::vector<std::string>> rows;
  for (const Outcome& each : contest)
    rows.push_back({each.name, each.description, fixed_text(each.exact, 1), fixed_text(each.bleu, 1),
                    fixed_text(each.cpu_seconds, 1), text(each.parameters),
                    each.attends ? fixed_text(100 * each.match.mean_weight(), 0) : "no map",
                    each.attends ? fixed_text(100 * each.match.strongest_share(), 0) : "no map"});
  html.heading(2, "Ways to attend");
  html.table({"Way", "What it does", "Exactly right (%)", "BLEU", "Training (CPU s)", "Parameters",
              "Weight on the right words (%)", "Strongest is right (%)"},
             rows);
  html.paragraph(
      "The corpus knows which words translate each other. The last two columns compare this with what the "
      "decoder looks at while it is told the right translation, for the mean of all heads: how much of the "
      "weight lies on the English words that a French word translates, and how often one of them gets the "
      "largest weight.");
}

void add_maps(Html& html, const Task& task, const std::vector<Outcome>& contest) {
  std::vector<Html::Choice> sentences;
  for (std::size_t i = 0; i < contest.back().maps.size(); ++i) {
    const TestPair& pair = task.test[i];
    std::vector<std::string> pictures{
        draw_attention_map(alignment_map(pair.target, pair.source, pair.alignment))};
    for (const Outcome& each : contest) {
      if (i < each.maps.size()) pictures.push_back(draw_attention_map(each.maps[i]));
    }
    std::string name;
    for (const std::string& word : pair.source) name += (name.empty() ? "" : " ") + word;
    sentences.push_back({name, Html().pictures(pictures)});
  }
  html.heading(3, "What they look at");
  html.paragraph(
      "Held-out sentences. Each row is a French word that is about to be said, each column an English word; "
      "of several heads, the one that is closest to the alignment.");
  html.choices("Sentence", sentences);
}

void add_lengths(Html& html, const std::vector<LengthOutcome>& lengths, const LengthSettings& settings) {
  std::vector<std::string> columns{"Positions", "Parameters", "Training (CPU s)"};
  for (const Index length : settings.lengths) columns.push_back(text("Length ", length, " (%)"));
  std::vector<std::vector<std::string>> rows, order;
  LineChart chart{"Answers that are right (%)", "length; trained on " + text(settings.trained_length), {}};
  chart.log_x = true;
  for (const LengthOutcome& each : lengths) {
    rows.push_back({each.positions, text(each.parameters), fixed_text(each.cpu_seconds, 1)});
    Series series{each.positions, {settings.lengths.begin(), settings.lengths.end()}, each.accuracies};
    for (const double accuracy : each.accuracies) rows.back().push_back(fixed_text(accuracy, 1));
    chart.series.push_back(series);
    order.push_back({each.positions, short_text(each.order_matters, 2)});
  }
  html.heading(2, "Positions, beyond the lengths of training");
  html.paragraph(
      "Another task, in which the place decides: \"c=7 a=3 c=1 c?\" is to be answered with c=1, the last "
      "thing that c was. One round of causal attention can do it if it knows which c came last. All kinds "
      "are trained on one length, and tested on shorter and longer sequences.");
  html.table(columns, rows).charts({chart});
  html.heading(3, "Without positions, attention does not know the order");
  html.paragraph(
      "The same trained attention, without the causal mask, looks at a sequence and at its shuffle. If it is "
      "permutation-equivariant, the results are the same but shuffled: ‖f(π(x)) − π(f(x))‖ / ‖f(x)‖ is 0 up "
      "to rounding.");
  html.table({"Positions", "What the order changes"}, order);
}

}  // namespace

std::string contest_head(const Task& task, const ContestSettings& settings) {
  return text("English to French: ", task.train.size(), " sentence pairs, ", settings.steps, " steps of ",
              settings.batch_tokens, " tokens; ", task.test.size(), " held-out sentences\n\n") +
         line("%-21s%11s%9s%16s%7s   %s\n", "", "parameters", "CPU time", "exactly right", "BLEU",
              "weight on the right words, strongest is right");
}

std::string contest_line(const Outcome& each) {
  std::string result = line("%-21s%11lld%7.1f s%14.1f %%%7.1f", each.name.c_str(),
                            static_cast<long long>(each.parameters), each.cpu_seconds, each.exact, each.bleu);
  if (each.attends)
    result += line("%26.0f %%%18.0f %%", 100 * each.match.mean_weight(), 100 * each.match.strongest_share());
  return result + "\n";
}

std::string length_head(const LengthSettings& settings) {
  std::string head = text("\nThe last value of a name: ", settings.steps, " steps of ", settings.batch,
                          " sequences of length ", settings.trained_length, "; answers right by length\n\n") +
                     line("%-12s%11s%9s", "positions", "parameters", "CPU time");
  for (const Index length : settings.lengths) head += line("%8lld", static_cast<long long>(length));
  return head + "   what the order changes\n";
}

std::string length_line(const LengthOutcome& each) {
  std::string result = line("%-12s%11lld%7.1f s", each.positions.c_str(),
                            static_cast<long long>(each.parameters), each.cpu_seconds);
  for (const double accuracy : each.accuracies) result += line("%6.1f %%", accuracy);
  return result + line("   %.2g\n", each.order_matters);
}

nlohmann::ordered_json to_json(const std::vector<Outcome>& contest, const std::vector<LengthOutcome>& lengths,
                               const LengthSettings& settings) {
  using Json = nlohmann::ordered_json;
  Json json{{"mechanisms", Json::array()}, {"positions", Json::array()}};
  const auto match = [](const AlignmentMatch& each) {
    return Json{{"weight", each.mean_weight()}, {"strongest", each.strongest_share()}};
  };
  for (const Outcome& each : contest) {
    json["mechanisms"].push_back({{"name", each.name},
                                  {"parameters", each.parameters},
                                  {"cpu_seconds", each.cpu_seconds},
                                  {"exact", each.exact},
                                  {"bleu", each.bleu}});
    if (!each.attends) continue;
    json["mechanisms"].back()["alignment"] = match(each.match);
    json["mechanisms"].back()["alignment_of_best_head"] = match(each.best);
  }
  for (const LengthOutcome& each : lengths) {
    Json accuracy;
    for (std::size_t i = 0; i < settings.lengths.size(); ++i)
      accuracy[text(settings.lengths[i])] = each.accuracies[i];
    json["positions"].push_back({{"name", each.positions},
                                 {"parameters", each.parameters},
                                 {"cpu_seconds", each.cpu_seconds},
                                 {"accuracy_by_length", accuracy},
                                 {"what_the_order_changes", each.order_matters}});
  }
  return json;
}

std::string page(const Task& task, const std::vector<Outcome>& contest,
                 const ContestSettings& contest_settings, const std::vector<LengthOutcome>& lengths,
                 const LengthSettings& length_settings) {
  Html html;
  add_contest(html, contest);
  add_maps(html, task, contest);
  add_lengths(html, lengths, length_settings);
  const ContestSettings& s = contest_settings;
  html.heading(2, "Settings")
      .key_values({{"sentence pairs", text(task.train.size())},
                   {"held-out sentences", text(task.test.size())},
                   {"steps", text(s.steps)},
                   {"tokens in a batch", text(s.batch_tokens)},
                   {"width", text(s.width)},
                   {"heads", text(s.heads)},
                   {"layers", text(s.layers)},
                   {"window", text(s.window)},
                   {"learning rate", short_text(s.learning_rate, 3)},
                   {"positions: steps", text(length_settings.steps)},
                   {"positions: sequences in a batch", text(length_settings.batch)},
                   {"positions: width", text(length_settings.width)},
                   {"seed", text(s.seed)}});
  return html_page("Ways to attend, side by side",
                   "one task, one budget; every model starts from the same seed", html);
}
