#include "run_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "config_file.hpp"
#include "corpora.hpp"
#include "terminal/plot.hpp"

namespace files = std::filesystem;
using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

const std::string& made(const std::string& folder) {
  make_folder(folder);
  return folder;
}

// Whether a run makes a file of this name.
bool is_of_run(const std::string& name) {
  static const std::set<std::string> names = {
      "model.safetensors", "best.safetensors", "checkpoint.safetensors", "settings.conf",        "log.jsonl",
      "milestones.jsonl",  "page.html",        "source.vocabulary.txt",  "target.vocabulary.txt"};
  const std::vector<std::string>& held_out = held_out_names();
  const files::path path(name);
  const bool is_held_out = std::count(held_out.begin(), held_out.end(), path.stem().string()) > 0;
  return names.count(name) > 0 || (is_held_out && path.extension() == ".tsv") ||
         (name.rfind("snapshot-", 0) == 0 && path.extension() == ".safetensors");
}

std::vector<files::path> files_of_run(const std::string& folder) {
  std::vector<files::path> found;
  for (const auto& entry : files::directory_iterator(folder))
    if (is_of_run(entry.path().filename().string())) found.push_back(entry.path());
  return found;
}

// What write_file_atomically() leaves when it is killed: NAME.PROCESS-NUMBER.tmp.
bool is_unfinished(const files::path& file) {
  return file.extension() == ".tmp" && is_of_run(file.stem().stem().string());
}

// The settings of a file by their names, but for the name of the folder.
std::map<std::string, std::string> by_name(const std::string& settings) {
  std::map<std::string, std::string> values;
  for (const ConfigLine& line : lines_of(settings)) values[line.key] = line.value;
  values.erase("out");
  return values;
}

// What differs between two lists of settings: "steps is 200, was 100".
std::string difference(const std::string& before, const std::string& now) {
  auto was = by_name(before), is = by_name(now);
  std::map<std::string, std::string> both = was;
  both.insert(is.begin(), is.end());
  std::string differences;
  for (const auto& each : both) {
    std::string &old_value = was[each.first], &new_value = is[each.first];
    if (old_value == new_value) continue;
    for (std::string* value : {&old_value, &new_value})
      if (value->empty()) *value = "not set";
    differences += (differences.empty() ? "" : "; ") + each.first + " is " + new_value + ", was " + old_value;
  }
  return differences;
}

// The fingerprint of the text that a checkpoint was made on; nothing where it cannot be read.
std::string text_of(const std::string& checkpoint) {
  try {
    const Json note = Json::parse(checkpoint_note(checkpoint), nullptr, false);
    return note.is_object() ? note.value("text", "") : "";
  } catch (const FileError&) {
    return "";
  }
}

}  // namespace

RunFolder::RunFolder(const std::string& path)
    : path_(made(path)), lock_(file("lock"), "another run is writing to this folder") {
  for (const auto& entry : files::directory_iterator(path))
    if (is_unfinished(entry.path())) files::remove(entry.path());
}

std::string RunFolder::reason_to_keep(const std::string& settings, const std::string& text) const {
  std::ifstream file(this->settings());
  if (!file) return "it has no settings.conf";
  const std::string before(std::istreambuf_iterator<char>(file), {});
  if (const std::string changed = difference(before, settings); !changed.empty()) return changed;
  const bool goes_on = files::exists(checkpoint());
  if (goes_on) {
    const std::string text_before = text_of(checkpoint());
    if (text_before.empty()) return "its checkpoint cannot be read";
    if (text_before != text) return "the text has changed since";
  }
  if (files::exists(page()) || !files::exists(model())) return "";
  return goes_on ? "it was not finished; --resume would have gone on with it" : "it was not finished";
}

std::string RunFolder::make_room(const std::string& settings, const std::string& text_now) const {
  const std::vector<files::path> before = files_of_run(path_);
  const std::string reason = reason_to_keep(settings, text_now);
  if (before.empty() || reason.empty()) return "";
  Index number = 1;
  while (files::exists(this->file(text("earlier-", number)))) ++number;
  const std::string earlier = this->file(text("earlier-", number));
  make_folder(earlier);
  for (const files::path& each : before) files::rename(each, files::path(earlier) / each.filename());
  return "the run that was in " + path_ + " is now in " + earlier + ", because " + reason;
}

void RunFolder::require_elsewhere(const std::string& input) const {
  const files::path path(input);
  std::error_code none;
  if (!input.empty() && is_of_run(path.filename().string()) &&
      files::equivalent(path.parent_path().empty() ? "." : path.parent_path(), path_, none))
    throw std::invalid_argument("train: a run must not write over its own text: " + input +
                                " is in the folder --out and has the name of one of its files");
}

std::string RunFolder::how_to_go_on() const {
  if (!files::exists(checkpoint())) return "there is no checkpoint to go on from";
  return "the checkpoint is " + checkpoint() + "\ngo on with: translate train --config " + settings() +
         " --resume";
}

std::string RunFolder::note(const std::string& settings, const std::string& text) {
  return Json{{"settings", settings}, {"text", text}}.dump();
}

void RunFolder::resume(Trainer& trainer, Random& random, const std::string& settings,
                       const std::string& text) const {
  if (!files::exists(checkpoint()))
    throw FileError(checkpoint(),
                    "there is none yet, so that nothing can be resumed; start without --resume");
  const auto require = [&](bool holds, const std::string& rule) {
    if (!holds) throw std::invalid_argument("train --resume: " + rule);
  };
  trainer.load_checkpoint(checkpoint(), random, [&](const std::string& note) {
    const Json found = Json::parse(note, nullptr, false);
    const std::string before = found.is_object() ? found.value("settings", "") : "";
    require(before == settings, "the settings must be those of the checkpoint " + checkpoint() + ": " +
                                    difference(before, settings));
    require(found.value("text", "") == text,
            "the text must be that of the checkpoint " + checkpoint() + ": it has changed since");
  });
}

std::string plot_of(const std::vector<TrainingPoint>& points) {
  const auto measured = [&](const char* name, double TrainingPoint::*number) {
    Series series{name, {}, {}};
    for (const TrainingPoint& point : points) {
      if (std::isnan(point.*number)) continue;
      series.x.push_back(static_cast<double>(point.step));
      series.y.push_back(point.*number);
    }
    return series;
  };
  std::string plots = terminal_plot(measured("loss", &TrainingPoint::loss), 80, 8) + "\n";
  for (const auto& [name, number] : {std::pair("validation loss  ", &TrainingPoint::validation_loss),
                                     std::pair("validation BLEU  ", &TrainingPoint::validation_bleu),
                                     std::pair("learning rate    ", &TrainingPoint::learning_rate),
                                     std::pair("gradient norm    ", &TrainingPoint::gradient_norm),
                                     std::pair("tokens a second  ", &TrainingPoint::tokens_per_second)}) {
    const std::vector<double> values = measured(name, number).y;
    if (values.empty()) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    plots += name + sparkline(values, 36) + "  " + short_text(*low, 3) + " to " + short_text(*high, 3) + "\n";
  }
  return plots;
}

Reporter::Reporter(Index total_steps, bool quiet)
    : total_(total_steps), quiet_(quiet), live_(isatty(STDERR_FILENO)) {}

void Reporter::say(const std::string& line) const {
  if (!quiet_) std::cout << line << std::endl;
}

void Reporter::show(const Progress& progress) {
  if (quiet_) return;
  const bool due = seconds_since(shown_) > (live_ ? 0.1 : 10.0) || progress.step == total_;
  if (!due) return;
  shown_ = std::chrono::steady_clock::now();
  std::cerr << (live_ ? "\r\033[K" : "") << progress_line(progress, columns()) << (live_ ? "" : "\n")
            << std::flush;
}

void Reporter::end_line() const {
  if (!quiet_ && live_) std::cerr << "\n";
}

Index Reporter::columns() const {
  winsize size{};
  return live_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}
