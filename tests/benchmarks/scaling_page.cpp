// The plots and tables of docs/performance.md, from what scaling.sh measured.
//
//   scaling_page FOLDER PAGE [--check]
//
// FOLDER has a file of step_bench's lines for each thing that grows, and gets the plots. In PAGE, what stands
// between `<!-- measured: NAME -->` and `<!-- end -->` is written anew. With --check nothing is written, and
// what would change is an error.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../../examples/command_line.hpp"

using namespace gradual;

namespace {

using Point = nlohmann::json;  // a line of step_bench
using Value = std::function<double(const Point&)>;

Value key(const char* name) {
  return [name](const Point& point) { return point.at(name).get<double>(); };
}

double mib(const Point& p, double numbers) { return numbers * key("bytes_per_number")(p) / 1048576; }

double logits_mib(const Point& p) {
  return mib(p, key("batch")(p) * key("length")(p) * key("vocabulary")(p));
}

double attention_mib(const Point& p) {
  return mib(p, key("batch")(p) * key("heads")(p) * key("length")(p) * key("length")(p));
}

// Weights, their gradients and the two averages of Adam: what training must keep.
double model_mib(const Point& p) { return mib(p, 4 * key("params")(p)); }

// Something that grows, and the table that grows most with it where it is made whole, if there is one.
struct Sweep {
  std::string name, column, x_label, table;
  Value table_mib;
};

const std::vector<Sweep> sweeps = {
    {"length", "tokens in a sequence", "tokens in a sequence; 8,192 tokens in a step",
     "attention weights of one layer", attention_mib},
    {"batch", "sentences", "sentences in a batch", "", {}},
    {"width", "width", "width", "", {}},
    {"vocabulary", "words", "words in the vocabulary", "table of logits", logits_mib},
};

std::string contents(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Measured {
  std::map<std::string, std::vector<Point>> points;  // of each sweep
  std::string step;                                  // the profile of one step
  double peak_gflops = 0, memory_gb = 0;             // the best that any process measured
};

Measured read(const std::string& folder) {
  Measured measured;
  measured.step = contents(folder + "/step.txt");
  for (const Sweep& sweep : sweeps) {
    std::ifstream in(folder + "/" + sweep.name + ".jsonl");
    if (!in) throw std::runtime_error("cannot read " + folder + "/" + sweep.name + ".jsonl");
    for (std::string line; std::getline(in, line);) {
      const Point& point = measured.points[sweep.name].emplace_back(Point::parse(line));
      measured.peak_gflops = std::max(measured.peak_gflops, key("gemm_peak_gflops")(point));
      measured.memory_gb = std::max(measured.memory_gb, key("memory_gb_per_s")(point));
    }
  }
  return measured;
}

double products_ms(const Point& p, const Measured& m) {
  return 1e3 * key("gflop_per_step")(p) / m.peak_gflops;
}
double memory_ms(const Point& p, const Measured& m) { return 1e3 * key("gb_per_step")(p) / m.memory_gb; }

double tokens(const Point& p) { return std::round(1e-3 * key("tokens_per_s")(p) * key("step_ms")(p)); }

// The fastest step, as the limits are the best that was measured.
double tokens_a_second(const Point& p) { return 1e3 * tokens(p) / key("min_ms")(p); }

// One curve over the points whose self-attention sees `window` places.
Series curve(const std::string& name, const std::vector<Point>& points, const Sweep& sweep, int window,
             const Value& y, bool dashed) {
  Series series{name, {}, {}, dashed};
  for (const Point& point : points) {
    if (point.at("window") != window) continue;
    series.x.push_back(key(sweep.name.c_str())(point));
    series.y.push_back(y(point));
  }
  return series;
}

LineChart chart(const std::string& title, const Sweep& sweep, const std::vector<Point>& points) {
  LineChart result{title, sweep.x_label, {}, true};
  result.log_x = true;
  double next = 0;
  for (const Point& point : points) {
    const double x = key(sweep.name.c_str())(point);
    if (x < next || point.at("window") != 0) continue;
    result.x_ticks.push_back(x);
    next = 2 * x;
  }
  return result;
}

std::string seen(int window) { return (window == 0 ? "all" : std::to_string(window)) + " before"; }

std::set<int> windows(const std::vector<Point>& points) {
  std::set<int> result;
  for (const Point& point : points) result.insert(point.at("window").get<int>());
  return result;
}

std::string draw_speed(const Sweep& sweep, const Measured& m) {
  const std::vector<Point>& points = m.points.at(sweep.name);
  LineChart result = chart("Tokens a second", sweep, points);
  const std::set<int> all = windows(points);
  const auto add = [&](const std::string& what, const Value& y, bool dashed) {
    for (const int window : all)
      result.series.push_back(
          curve(all.size() > 1 ? what + ", seeing " + seen(window) : what, points, sweep, window, y, dashed));
  };
  add("measured", tokens_a_second, false);
  add(
      "limit of products", [&](const Point& p) { return 1e3 * tokens(p) / products_ms(p, m); }, true);
  result.series.push_back(curve(
      "limit of memory", points, sweep, 0, [&](const Point& p) { return 1e3 * tokens(p) / memory_ms(p, m); },
      true));
  return draw_line_chart(result);
}

std::string draw_memory(const Sweep& sweep, const Measured& m) {
  const std::vector<Point>& points = m.points.at(sweep.name);
  LineChart result = chart("Peak memory (MiB)", sweep, points);
  result.series = {curve("measured", points, sweep, 0, key("peak_mib"), false),
                   curve("weights, gradients and Adam's averages", points, sweep, 0, model_mib, true)};
  if (sweep.table_mib) result.series.push_back(curve(sweep.table, points, sweep, 0, sweep.table_mib, true));
  return draw_line_chart(result);
}

// 12,345
std::string grouped(double value) {
  std::string digits = fixed_text(value, 0);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string table(const Sweep& sweep, const Measured& m) {
  const std::vector<Point>& points = m.points.at(sweep.name);
  const bool has_windows = windows(points).size() > 1;
  std::vector<std::string> head = {sweep.column};
  if (has_windows) head.push_back("seen");
  for (const char* name : {"a step", "tokens a second", "of products' limit", "of memory's limit", "memory"})
    head.push_back(name);
  head.push_back(sweep.table_mib ? sweep.table : "weights, gradients, Adam");
  std::string result = row(head) + row(std::vector<std::string>(head.size(), "---:"));
  for (const Point& p : points) {
    const double ms = key("min_ms")(p);
    std::vector<std::string> cells = {grouped(key(sweep.name.c_str())(p))};
    if (has_windows) cells.push_back(seen(p.at("window").get<int>()));
    cells.push_back((ms < 100 ? fixed_text(ms, 1) : grouped(ms)) + " ms");
    cells.push_back(grouped(tokens_a_second(p)));
    cells.push_back(fixed_text(products_ms(p, m) / ms, 2));
    cells.push_back(fixed_text(memory_ms(p, m) / ms, 2));
    cells.push_back(grouped(key("peak_mib")(p)) + " MiB");
    cells.push_back(grouped(sweep.table_mib ? sweep.table_mib(p) : model_mib(p)) + " MiB");
    result += row(cells);
  }
  return result;
}

std::string limits(const Measured& m) {
  return text("Products of two 1024 × 1024 matrices: ", grouped(m.peak_gflops),
              " GFLOP/s. Additions to an array that no cache holds: ", fixed_text(m.memory_gb, 1),
              " GB/s. Threads: ", m.points.at("batch").front().at("threads").get<int>(), ".\n");
}

std::string logits(const Measured& m) {
  for (const Point& p : m.points.at("vocabulary"))
    if (p.at("vocabulary") == 50000)
      return text("With 50,000 words the whole process takes ", grouped(key("peak_mib")(p)),
                  " MiB at its peak, ", grouped(model_mib(p)),
                  " MiB of it the model's. The table of logits alone would be ", grouped(logits_mib(p)),
                  " MiB, and its gradient as much again.\n");
  throw std::runtime_error("vocabulary.jsonl has no line for 50,000 words");
}

// Whether this line of a profile, whose first share is that of the time, is less than half a percent of it.
bool is_small(const std::string& line) {
  const std::size_t percent = line.find('%');
  return percent != std::string::npos && std::stod(line.substr(line.rfind(' ', percent))) < 0.5;
}

std::string step(const Measured& m) {
  std::istringstream in(m.step);
  std::string result;
  for (std::string line; std::getline(in, line);)
    if (!is_small(line)) result += line + "\n";
  return "```text\n" + result + "```\n";
}

// `page` with `content` between the marks of `name`.
std::string filled(const std::string& page, const std::string& name, const std::string& content) {
  const std::string begin = "<!-- measured: " + name + " -->\n", end = "<!-- end -->";
  const std::size_t first = page.find(begin);
  const std::size_t last = first == std::string::npos ? first : page.find(end, first);
  if (last == std::string::npos) throw std::runtime_error("the page has no marks for " + name);
  return page.substr(0, first + begin.size()) + "\n" + content + "\n" + page.substr(last);
}

void put(const std::string& path, const std::string& content, bool check) {
  if (check && contents(path) != content)
    throw std::runtime_error(path + " is not what the measurements make: run scaling_page without --check");
  if (!check && !(std::ofstream(path) << content)) throw std::runtime_error("cannot write " + path);
}

void make(const std::string& folder, const std::string& page, bool check) {
  const Measured measured = read(folder);
  std::string filled_page = filled(contents(page), "limits", limits(measured));
  for (const Sweep& sweep : sweeps) {
    put(folder + "/" + sweep.name + "-speed.svg", draw_speed(sweep, measured), check);
    put(folder + "/" + sweep.name + "-memory.svg", draw_memory(sweep, measured), check);
    const std::string before = sweep.name == "vocabulary" ? logits(measured) + "\n" : "";
    filled_page = filled(filled_page, sweep.name, before + table(sweep, measured));
  }
  put(page, filled(filled_page, "step", step(measured)), check);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Draws the plots and writes the tables of docs/performance.md from what scaling.sh measured."};
  std::string folder, page;
  bool check = false;
  app.add_option("folder", folder, "the measurements; gets the plots")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("page", page, "the page whose tables are written")->required()->check(CLI::ExistingFile);
  app.add_flag("--check", check, "write nothing, and fail if anything would change");
  return run_program("scaling_page", app, [&] {
    app.parse(argc, argv);
    make(folder, page, check);
  });
}
