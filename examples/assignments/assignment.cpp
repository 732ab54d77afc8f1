#include "assignment.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/nn/fnv.hpp>

using namespace gradual;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> part_keys = {"name",      "title",   "task", "points", "source", "plain",
                                            "signature", "helpers", "uses", "shows",  "bug",    "goal"};

// "gru, BLEU 40, 300000 tokens, 120000 parameters"
Goal goal_of(const std::string& value, const std::string& path) {
  Goal goal;
  std::string bleu, tokens, parameters;
  std::istringstream words(value);
  words >> goal.model >> bleu >> goal.bleu >> bleu >> goal.tokens >> tokens >> goal.parameters >> parameters;
  if (!words || goal.model.back() != ',' || parameters != "parameters")
    throw FileError(path, "a goal is as \"gru, BLEU 40, 300000 tokens, 120000 parameters\": got " + value);
  goal.model.pop_back();
  return goal;
}

int points_in(const std::string& value, const std::string& key, const std::string& path) {
  int points = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), points);
  if (error != std::errc() || rest != value.data() + value.size() || points < 1)
    throw FileError(path, "points are a whole number from 1 on: " + key + " is " + value);
  return points;
}

Assignment read_assignment(const fs::path& folder) {
  const std::string path = (folder / "parts.ini").string();
  std::istringstream lines(read_text(path));
  Assignment result;
  std::map<std::size_t, std::string> bugs;  // their names, by part
  result.folder = folder.string();
  result.number = folder.filename().string().substr(0, 2);
  const auto problem = [](const std::string& key) -> std::string {
    if (key == "title" || key == "milestone") return "";
    const bool known = key.size() > 2 && key[0] >= '1' && key[0] <= '9' && key[1] == '.' &&
                       std::count(part_keys.begin(), part_keys.end(), key.substr(2)) == 1;
    return known ? "" : "assignments have no such setting";
  };
  for (const auto& [key, value] : read_config(lines, path, problem)) {
    if (key == "title") result.title = value;
    if (key == "milestone") result.milestone = value;
    if (key.size() < 3 || key[1] != '.') continue;
    const std::size_t place = static_cast<std::size_t>(key[0] - '0');
    if (place > result.parts.size() + 1) throw FileError(path, "parts are numbered 1, 2, …: " + key);
    if (place == result.parts.size() + 1) {
      result.parts.emplace_back();
      result.parts.back().assignment = result.number;
      result.parts.back().place = static_cast<int>(place);
    }
    Part& part = result.parts[place - 1];
    const std::string what = key.substr(2);
    if (what == "name") part.name = value;
    if (what == "title") part.title = value;
    if (what == "task") part.task = value;
    if (what == "source") part.source = value;
    if (what == "plain") part.plain = value;
    if (what == "signature") part.signature = value;
    if (what == "helpers") part.helpers = list_of(value, ';');
    if (what == "uses") part.uses = list_of(value, ',');
    if (what == "goal") part.goal = goal_of(value, path);
    if (what == "bug") bugs[place - 1] = value;
    if (what == "shows") part.shows = list_of(value, ';');
    if (what == "points") part.points = points_in(value, key, path);
  }
  for (const Part& part : result.parts) {
    if (part.name.empty() || part.title.empty() || part.task.empty() || part.points < 1 ||
        (!part.goal && (part.source.empty() || part.signature.empty())))
      throw FileError(path, "part " + std::to_string(part.place) +
                                " needs name, title, task, points, and source and signature or a goal");
  }
  for (const auto& [place, name] : bugs) {
    for (const Mistake& mistake : read_mistakes(result, result.parts[place]))
      if (mistake.name == name) result.parts[place].bug = mistake;
    if (!result.parts[place].bug)
      throw FileError(path, "no mistake of the part has the name of its bug: " + name);
  }
  return result;
}

// The text below "## <place>" in a Markdown file, up to the next heading of that kind.
std::string section(const std::string& path, int place) {
  const std::string all = "\n" + read_text(path), heading = "\n## " + std::to_string(place);
  auto first = all.find(heading + "\n");
  if (first == std::string::npos) first = all.find(heading + " ");
  if (first == std::string::npos) throw FileError(path, "there is no heading ## " + std::to_string(place));
  first = all.find('\n', first + 1) + 1;
  const auto last = all.find("\n## ", first - 1);
  return all.substr(first, last == std::string::npos ? last : last + 1 - first);
}

std::string trimmed(const std::string& x) {
  const auto first = x.find_first_not_of(" \n");
  return first == std::string::npos ? "" : x.substr(first, x.find_last_not_of(" \n") + 1 - first);
}

}  // namespace

std::string without_arguments(const std::string& name) {
  const std::string call = "operator()(";
  const auto at = name.find(call);
  return at == std::string::npos ? name.substr(0, name.find('(')) : name.substr(0, at + call.size() - 1);
}

int Assignment::points() const {
  int sum = 0;
  for (const Part& part : parts) sum += part.points;
  return sum;
}

std::vector<std::string> list_of(const std::string& value, char separator) {
  std::vector<std::string> items;
  std::istringstream rest(value);
  for (std::string item; std::getline(rest, item, separator);) {
    const auto first = item.find_first_not_of(' ');
    if (first != std::string::npos)
      items.push_back(item.substr(first, item.find_last_not_of(' ') + 1 - first));
  }
  return items;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file) throw FileError(path, "cannot be read");
  if (file.peek() == std::ifstream::traits_type::eof() && !file.bad())
    return "";  // an editor may be writing it
  if (!(bytes << file.rdbuf())) throw FileError(path, "cannot be read");
  return bytes.str();
}

std::string fingerprint(const std::string& text) {
  Fnv hash;
  for (const char c : text) hash.add(static_cast<unsigned char>(c));
  std::ostringstream digits;
  digits << std::hex << std::setw(16) << std::setfill('0') << hash.sum;
  return digits.str();
}

std::vector<Assignment> read_assignments(const std::string& folder) {
  std::vector<Assignment> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "parts.ini")) all.push_back(read_assignment(entry.path()));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return all;
}

std::vector<Part> find_parts(const std::vector<Assignment>& assignments, const std::string& name) {
  std::vector<Part> found;
  std::string known;
  for (const Assignment& assignment : assignments) {
    known += " " + assignment.number;
    for (const Part& part : assignment.parts)
      if (name.empty() || name == assignment.number || name == part.number()) found.push_back(part);
  }
  if (found.empty())
    throw std::invalid_argument("there is no such part: got " + name + ", and the assignments are" + known +
                                "; 02.3 is the third part of 02");
  return found;
}

const Assignment& assignment_of(const std::vector<Assignment>& assignments, const Part& part) {
  return *std::find_if(assignments.begin(), assignments.end(),
                       [&](const Assignment& a) { return a.number == part.assignment; });
}

std::vector<std::string> read_hints(const Assignment& assignment, const Part& part) {
  const std::string path = assignment.folder + "/hints.md", text = "\n" + section(path, part.place);
  std::vector<std::string> hints;
  for (int grade = 1; grade <= 3; ++grade) {
    const std::string mark = "\n" + std::to_string(grade) + ". ";
    const auto first = text.find(mark), last = text.find("\n" + std::to_string(grade + 1) + ". ");
    if (first != std::string::npos)
      hints.push_back(trimmed(text.substr(first + mark.size(), last - first - mark.size())));
  }
  if (hints.size() != 3)
    throw FileError(path, "part " + std::to_string(part.place) + " needs hints 1., 2. and 3.");
  return hints;
}

std::vector<Mistake> read_mistakes(const Assignment& assignment, const Part& part) {
  const std::string path = assignment.folder + "/mistakes.md";
  return mistakes_in(section(path, part.place), path);
}

std::vector<Mistake> mistakes_in(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  std::vector<Mistake> mistakes;
  bool in_change = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("### ", 0) == 0) {
      mistakes.emplace_back();
      mistakes.back().name = line.substr(4);
    } else if (mistakes.empty()) {
      continue;
    } else if (line == "```diff" || line == "```") {
      in_change = line != "```";
      if (in_change) mistakes.back().changes.emplace_back();
    } else if (!in_change) {
      std::string& sentence = mistakes.back().sentence;
      if (!line.empty()) sentence += (sentence.empty() ? "" : " ") + line;
    } else if (line[0] == '-' || line[0] == '+') {
      auto& changes = mistakes.back().changes;
      if (line[0] == '-' && !changes.back().second.empty()) changes.emplace_back();
      auto& [before, after] = changes.back();
      std::string& side = line[0] == '-' ? before : after;
      side += (side.empty() ? "" : "\n") + line.substr(1);
    } else {
      throw FileError(path, "a line of a change begins with - or +: " + line);
    }
  }
  return mistakes;
}

std::string with_mistake(std::string text, const Mistake& mistake) {
  for (const auto& [before, after] : mistake.changes) {
    const auto first = text.find(before);
    if (before.empty() || first == std::string::npos || text.find(before, first + 1) != std::string::npos)
      throw std::invalid_argument("the old text of a mistake must occur exactly once: mistake is \"" +
                                  mistake.name + "\", old text is\n" + before);
    text.replace(first, before.size(), after);
  }
  return text;
}
