// One chart of the losses of several runs, from what `translate train` logged: for docs/results.md.
//
//   learning_curves CHART.svg TITLE NAME=FOLDER…
//
// Each curve has a hundred points, the mean loss of a hundredth of the run each.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/nn/drawing/line_chart.hpp>

#include "../../examples/command_line.hpp"

using namespace gradual;

namespace {

Series curve(const std::string& name, const std::string& folder) {
  const std::string path = folder + "/log.jsonl";
  std::ifstream log(path);
  if (!log) throw FileError(path, "cannot be read");
  std::vector<double> losses;
  for (std::string line; std::getline(log, line);)
    losses.push_back(nlohmann::json::parse(line).at("loss").get<double>());
  Series series{name, {}, {}, false};
  const std::size_t window = std::max<std::size_t>(losses.size() / 100, 1);
  for (std::size_t first = 0; first + window <= losses.size(); first += window) {
    double sum = 0;
    for (std::size_t i = first; i < first + window; ++i) sum += losses[i];
    series.x.push_back(static_cast<double>(first + window));
    series.y.push_back(sum / static_cast<double>(window));
  }
  return series;
}

void draw(const std::string& file, const std::string& title, const std::vector<std::string>& runs) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "step";
  for (const std::string& run : runs) {
    const std::size_t equals = run.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument("a run must be NAME=FOLDER: got \"" + run + "\"");
    chart.series.push_back(curve(run.substr(0, equals), run.substr(equals + 1)));
  }
  write_file_atomically(file, draw_line_chart(chart));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Draws the losses of several runs of `translate train` in one chart."};
  std::string file, title;
  std::vector<std::string> runs;
  app.add_option("chart", file, "the SVG to write")->required();
  app.add_option("title", title, "what stands above it")->required();
  app.add_option("runs", runs, "NAME=FOLDER for each run")->required();
  return run_program("learning_curves", app, [&] {
    app.parse(argc, argv);
    draw(file, title, runs);
  });
}
