// local_window: what attention over long sequences costs, when every query sees every key and when it sees a
// window.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/layers/initialization.hpp>

#include "../in_code.hpp"
#include "../page_program.hpp"
#include "../terminal/console.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Index heads = 1, head_width = 64, window = 64, shortest = 64, longest = 8192;
  int repeats = 5;
};

// The ways to attend that are measured.
enum Kind { table, blocks, window, kinds };
constexpr const char* names[kinds] = {"full, table", "full, blocks", "window"};

struct Cost {
  double milliseconds;
  double mebibytes;  // besides the projections
};

struct Row {
  Index n;
  Cost costs[kinds];
};

// One pass forward and backward over N places.
Cost measure(Kind kind, Index n, const Settings& settings) {
  const Index width = settings.heads * settings.head_width;
  Var x = Var::parameter(normal_tensor({1, n, 3 * width}, 1, Random(1)));
  const Tensor seed = Tensor::ones({1, n, width});
  Tensor weights;
  AttentionOptions options;
  options.mask.window = kind == window ? settings.window : 0;
  options.weights = kind == table ? &weights : nullptr;  // asking for the table keeps it

  double best = 1e9;
  release_unused_memory();
  reset_peak_memory();
  const auto before = memory_statistics().bytes_in_use;
  for (int i = 0; i < settings.repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Var y = attention({x, 0}, {x, width}, {x, 2 * width}, settings.heads, settings.head_width,
                            settings.head_width, options);
    backward(y, seed);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    x.zero_grad();
    weights = Tensor();
  }
  return {1e3 * best, static_cast<double>(memory_statistics().peak_bytes - before) / (1 << 20)};
}

double ratio(const Row& row, Kind kind, double Cost::*what) {
  return row.costs[kind].*what / row.costs[window].*what;
}

// What the last two rows say: a cost that grows with N doubles, one that grows with N² becomes four times as
// large.
std::vector<std::string> findings(const std::vector<Row>& rows) {
  std::vector<std::string> lines;
  const Row& last = rows.back();
  for (const Kind kind : {table, blocks})
    lines.push_back(text("At N = ", grouped_text(last.n), " the window takes 1/",
                         fixed_text(ratio(last, kind, &Cost::milliseconds), 1), " of the time and 1/",
                         fixed_text(ratio(last, kind, &Cost::mebibytes), 1), " of the memory of \"",
                         names[kind], "\"."));
  if (rows.size() < 2) return lines;
  const Row& before = rows[rows.size() - 2];
  std::vector<std::string> growth;
  for (int kind = 0; kind < kinds; ++kind)
    growth.push_back(fixed_text(last.costs[kind].milliseconds / before.costs[kind].milliseconds, 1) +
                     "-fold (" + names[kind] + ")");
  lines.push_back(text("From N = ", grouped_text(before.n), " to ", grouped_text(last.n), " time grows ",
                       list_text(growth, ", "), "."));
  return lines;
}

// A dashed line as steep as N to the power of `power`, which ends at `last`.
Series slope(const std::string& name, const std::vector<Row>& rows, double power, double last) {
  Series series{name, {}, {}, true};
  for (const Row& row : rows) {
    const auto n = static_cast<double>(row.n);
    series.x.push_back(n);
    series.y.push_back(last * std::pow(n / static_cast<double>(rows.back().n), power));
  }
  return series;
}

LineChart chart(const std::string& title, const std::vector<Row>& rows, double Cost::*what) {
  LineChart chart{title, "N, places in the sequence", {}, true};
  chart.log_x = true;
  for (int kind = 0; kind < kinds; ++kind) {
    Series series{names[kind], {}, {}};
    for (const Row& row : rows) {
      series.x.push_back(static_cast<double>(row.n));
      series.y.push_back(row.costs[kind].*what);
    }
    chart.series.push_back(series);
  }
  chart.series.push_back(slope("like N", rows, 1, 0.5 * rows.back().costs[window].*what));
  chart.series.push_back(slope("like N²", rows, 2, 2 * rows.back().costs[table].*what));
  chart.x_ticks = chart.series.front().x;
  return chart;
}

// Which places see which, of a short sequence: all of them, or a band.
std::string visible(const std::string& title, Index window) {
  constexpr Index places = 20;
  AttentionMap map{{}, {}, {}, title};
  for (Index i = 0; i < places; ++i) {
    map.queries.push_back(text(i + 1));
    map.keys.push_back(text(i + 1));
    for (Index j = 0; j < places; ++j) map.weights.push_back(std::abs(i - j) <= window ? 1.0F : 0.0F);
  }
  return draw_attention_map(map);
}

std::string page(const std::vector<Row>& rows, const ResultTable& costs, const Settings& settings) {
  Html html;
  const Row& last = rows.back();
  const auto times = [&](Kind kind, double Cost::*what) {
    return fixed_text(ratio(last, kind, what), 1) + " ×";
  };
  html.paragraph(text("What full attention takes at N = ", grouped_text(last.n), ", beside the window:"));
  html.figures({{"the time, with the full table", times(table, &Cost::milliseconds)},
                {"the memory, with the full table", times(table, &Cost::mebibytes)},
                {"the time, in blocks", times(blocks, &Cost::milliseconds)},
                {"the memory, in blocks", times(blocks, &Cost::mebibytes)}});
  html.heading(2, "The band");
  html.paragraph(
      "Twenty places. A cell is filled where the place of its row sees that of its column: all, or three to "
      "either side. The table grows with N², the band with N; what is outside the band is never computed.");
  html.pictures({visible("every place sees every place", 20), visible("a window of 3", 3)});
  html.heading(2, "How the cost grows");
  html.charts({chart("Time forward and backward (ms)", rows, &Cost::milliseconds)});
  html.charts({chart("Peak memory (MiB)", rows, &Cost::mebibytes)});
  html.paragraph(
      "Both axes are logarithmic, so a cost of c·Nᵖ is a straight line of slope p; the dashed lines grow "
      "like N and N², slopes 1 and 2. \"Table\" keeps all N × N weights for the backward pass; \"blocks\" "
      "makes them block by block and makes them again, which saves the memory but not the work; \"window\" "
      "never makes those that it does not need.");
  html.heading(2, "Figures").table(costs.titles(), costs.rows());
  add_places_in_code(html, "local_window",
                     {{"core/attention/attention.cpp", "attention by blocks, and with a window"},
                      {"examples/local_window/main.cpp", "what is measured"}});
  return html_page("A window makes long sequences cheap",
                   text(settings.heads, settings.heads == 1 ? " head of " : " heads of ", settings.head_width,
                        " numbers; each query sees the ", settings.window, " places to either side"),
                   html);
}

std::string to_json(const std::vector<Row>& rows, const ResultTable& costs, const Settings& settings) {
  return json_text(Json{{"window", settings.window},
                        {"heads", settings.heads},
                        {"head_width", settings.head_width},
                        {"threads", thread_count()},
                        {"rows", json_of(costs.json())},
                        {"table_to_window",
                         {{"time", ratio(rows.back(), table, &Cost::milliseconds)},
                          {"memory", ratio(rows.back(), table, &Cost::mebibytes)}}}});
}

void run(const Settings& settings) {
  if (settings.longest < settings.shortest)
    throw std::invalid_argument(text("lengths: the longest must not be below the shortest: got ",
                                     settings.longest, " and ", settings.shortest));
  make_folder(settings.out);
  std::vector<ResultTable::Column> columns{{"n", "N", 0, "", 5}};
  for (const std::string name : names) {
    const std::string head = name == names[window] ? name : "full,\n" + name.substr(name.find(' ') + 1);
    columns.push_back({name + ": milliseconds", head + ":\ntime", 2, " ms", 9});
    columns.push_back({name + ": mebibytes", head + ":\nmemory", 2, " MiB", 10});
  }
  ResultTable costs(columns);
  costs.within(static_cast<std::size_t>(output_columns()));
  const auto say = [&](const std::string& lines) {
    if (!settings.json) std::cout << lines << std::flush;
  };
  say_task(settings, text("What does attention cost as a sequence grows to N places? \"Full\" attention\n"
                          "looks from each place at all N, with a table of all weights or block by block;\n"
                          "a window looks at the ",
                          settings.window, " places to either side alone.\n"));
  say(costs.head());
  std::vector<Row> rows;
  for (Index n = settings.shortest; n <= settings.longest; n *= 2) {
    Row row{n, {}};
    std::vector<ResultTable::Cell> cells{n};
    for (int kind = 0; kind < kinds; ++kind) {
      row.costs[kind] = measure(static_cast<Kind>(kind), n, settings);
      cells.insert(cells.end(), {row.costs[kind].milliseconds, row.costs[kind].mebibytes});
    }
    costs.add(cells);
    say(costs.last_line());
    rows.push_back(row);
  }
  if (settings.json)
    std::cout << to_json(rows, costs, settings) << std::endl;
  else
    std::cout << wrapped_for_output(list_text(findings(rows), "\n") + "\n");
  leave_page(settings, page(rows, costs, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program(
      "local_window",
      "Times attention over sequences of growing length, full and within a window, and draws the curves.",
      settings);
  const Options& add = program.options;
  add.positive("heads", settings.heads, "attention heads");
  add.positive("head-width", settings.head_width, "width of each head");
  add.positive("window", settings.window, "places to either side that a query sees");
  add.positive("shortest", settings.shortest, "the first length; each next one is twice as long");
  add.positive("longest", settings.longest, "the last length");
  add.positive("repeats", settings.repeats, "passes of which the fastest counts");
  return program.run(argc, argv, "", [&] { run(settings); });
}
