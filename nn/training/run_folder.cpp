#include <gradual/nn/training/run_folder.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/training/run_difference.hpp>

namespace gradual {
namespace {

namespace files = std::filesystem;

bool is_there(const std::string& file) { return files::exists(path_of(file)); }

void require_checkpoint(const std::string& path) {
  if (!is_there(path))
    throw FileError(path, "there is none yet, so that nothing can be resumed; start without --resume");
}

const std::string& made(const std::string& folder) {
  make_folder(folder);
  return folder;
}

// What differs between two lists of settings: "steps is 200, was 100".
std::string difference(const std::string& before, const std::string& now) {
  std::string differences;
  for (const SettingDifference& each : setting_differences(before, now))
    differences += (differences.empty() ? "" : "; ") + each.name + " is " + value_or_not_set(each.second) +
                   ", was " + value_or_not_set(each.first);
  return differences;
}

// What a note says, or nothing where it is none.
std::string in_note(const std::string& note, const char* name) {
  const Json found = json_of(note);
  return found.is_object() ? found.value(name, "") : "";
}

// Whether a run makes a file of this name.
bool is_of_run(const std::string& name, const std::vector<std::string>& test_sets) {
  static const std::set<std::string> names = {"model.safetensors",
                                              "best.safetensors",
                                              "checkpoint.safetensors",
                                              "settings.conf",
                                              "log.jsonl",
                                              "milestones.jsonl",
                                              "page.html",
                                              "source.vocabulary.txt",
                                              "target.vocabulary.txt",
                                              "trace.jsonl"};
  const files::path path = path_of(name);
  const bool is_test_set = std::count(test_sets.begin(), test_sets.end(), name_of(path.stem())) > 0;
  return names.count(name) > 0 || (is_test_set && path.extension() == ".tsv") ||
         ((name.rfind("snapshot-", 0) == 0 || name.rfind("history-", 0) == 0) &&
          path.extension() == ".safetensors");
}

}  // namespace

RunFolder::RunFolder(const std::string& path, std::vector<std::string> test_sets, std::string command)
    : test_sets_(std::move(test_sets)),
      command_(std::move(command)),
      path_(made(path)),
      lock_(file("lock"), "another run is writing to this folder") {
  for (const auto& entry : files::directory_iterator(path_of(path))) {
    // What write_file_atomically() leaves when it is killed: NAME.PROCESS-NUMBER.tmp.
    const files::path& name = entry.path();
    if (name.extension() == ".tmp" && is_of_run(name_of(name.stem().stem()), test_sets_)) files::remove(name);
  }
}

const std::string& RunFolder::with_checkpoint(const std::string& path) {
  require_checkpoint(checkpoint_in(path));
  return path;
}

std::vector<std::string> RunFolder::files_in(const std::string& folder,
                                             const std::vector<std::string>& test_sets) {
  std::vector<std::string> found;
  for (const auto& entry : files::directory_iterator(path_of(folder)))
    if (const std::string name = name_of(entry.path().filename()); is_of_run(name, test_sets))
      found.push_back(name);
  return found;
}

std::string RunFolder::reason_to_keep(const std::string& settings, const std::string& text) const {
  std::ifstream file(path_of(this->settings()));
  if (!file) return "it has no settings.conf";
  const std::string before(std::istreambuf_iterator<char>(file), {});
  if (const std::string changed = difference(before, settings); !changed.empty()) return changed;
  const bool goes_on = is_there(checkpoint());
  if (goes_on) {
    const std::string text_before = text_of(checkpoint());
    if (text_before.empty()) return "its checkpoint cannot be read";
    if (text_before != text) return "the text has changed since";
  }
  if (!is_there(model())) return "";
  if (is_there(page())) return goes_on ? "" : "its checkpoint is gone, which knew its text";
  return goes_on ? "it was not finished; --resume would have gone on with it" : "it was not finished";
}

std::string RunFolder::make_room(const std::string& settings, const std::string& text_now) const {
  const std::vector<std::string> before = files_in(path_, test_sets_);
  const std::string reason = reason_to_keep(settings, text_now);
  if (before.empty() || reason.empty()) return "";
  Index number = 1;
  while (is_there(this->file(text("earlier-", number)))) ++number;
  const std::string earlier = this->file(text("earlier-", number));
  make_folder(earlier);
  for (const std::string& each : before)
    files::rename(path_of(this->file(each)), path_of(earlier) / path_of(each));
  return "the run that was in " + path_ + " is now in " + earlier + ", because " + reason;
}

void RunFolder::require_elsewhere(const std::string& input) const {
  const files::path path = path_of(input);
  std::error_code none;
  if (!input.empty() && is_of_run(name_of(path.filename()), test_sets_) &&
      files::equivalent(path.parent_path().empty() ? "." : path.parent_path(), path_of(path_), none))
    throw std::invalid_argument("train: a run must not write over its own text: " + input +
                                " is in the folder --out and has the name of one of its files");
}

std::string RunFolder::how_to_go_on() const {
  if (!is_there(checkpoint())) return "there is no checkpoint to go on from";
  return "the checkpoint is " + checkpoint() + "\ngo on with:\n" + command_ + " --resume";
}

std::string RunFolder::note(const std::string& settings, const std::string& text) {
  return json_text(Json{{"settings", settings}, {"text", text}});
}

bool RunFolder::are_of_one_run(const std::string& note, const std::string& other) {
  return setting_differences(in_note(note, "settings"), in_note(other, "settings")).empty() &&
         in_note(note, "text") == in_note(other, "text");
}

std::string RunFolder::note_of(const std::string& checkpoint) {
  try {
    return checkpoint_note(checkpoint);
  } catch (const FileError&) {
    return "";
  }
}

std::string RunFolder::text_of(const std::string& checkpoint) { return in_note(note_of(checkpoint), "text"); }

void RunFolder::resume(Trainer& trainer, Random& random, const std::string& settings,
                       const std::string& text) const {
  const auto require = [&](bool holds, const std::string& rule) {
    if (!holds) throw std::invalid_argument("train --resume: " + rule);
  };
  trainer.load_checkpoint(checkpoint(), random, [&](const std::string& note) {
    const std::string changed = difference(in_note(note, "settings"), settings);
    require(changed.empty(), "the settings must be those of the checkpoint " + checkpoint() + ": " + changed +
                                 "\nwith other settings, also with more steps, train anew:\n" + command_ +
                                 " --steps N --out ELSEWHERE");
    require(in_note(note, "text") == text,
            "the text must be that of the checkpoint " + checkpoint() + ": it has changed since");
  });
}

}  // namespace gradual
