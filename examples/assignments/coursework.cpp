#include "coursework.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/folder.hpp>

#include "library_text.hpp"

using namespace gradual;
namespace fs = std::filesystem;

Coursework::Coursework(const Workshop& workshop, std::string path)
    : workshop_(workshop), path_(std::move(path)) {}

std::string Coursework::file_of(const Assignment& assignment, const Part& part) const {
  return path_ + "/" + fs::path(assignment.folder).filename().string() + "/" + part.file();
}

void Coursework::prepare(const Assignment& assignment) const {
  for (const Part& part : assignment.parts) {
    const std::string file = file_of(assignment, part);
    if (fs::exists(file)) continue;
    make_folder(fs::path(file).parent_path().string());
    write_file_atomically(file, starter(part, library_source(workshop_, part)));
  }
  std::string flags;
  for (const std::string& flag : workshop_.flags) flags += flag + "\n";
  flags += "-I" + workshop_.assignments + "/starter\n";
  const std::string path = path_ + "/compile_flags.txt";
  // Only where it says something else: to write waits for the disk, which others may keep busy for long.
  if (!fs::exists(path) || read_text(path) != flags) write_file_atomically(path, flags);
}

Student Coursework::student() const {
  const std::string path = path_ + "/student.conf";
  Student student;
  if (!fs::exists(path)) return student;
  std::istringstream lines(read_text(path));
  const auto problem = [](const std::string& key) -> std::string {
    const bool known = key == "course" || key == "student" || key == "name" || key.rfind("seed_", 0) == 0;
    return known ? "" : "a student's settings are course, student, name and seeds";
  };
  for (const auto& [key, value] : read_config(lines, path, problem)) {
    if (key == "course") student.course = value;
    if (key == "student") student.id = value;
    if (key.rfind("seed_", 0) != 0) continue;
    std::uint64_t seed = 0;
    const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), seed);
    if (error != std::errc() || rest != value.data() + value.size())
      throw FileError(path, "a seed is a whole number: " + key + " is " + value);
    student.seeds[key.substr(5)] = seed;
  }
  return student;
}

bool Coursework::has_passed(const Assignment& assignment, const Part& part) const {
  const std::string file = file_of(assignment, part);
  return fs::exists(file) && remembered("passed_" + part.number()) == fingerprint(read_text(file));
}

void Coursework::note_passed(const Part& part, const std::string& text) const {
  remember("passed_" + part.number(), fingerprint(text));
}

int Coursework::hints_given(const Part& part) const {
  const std::string given = remembered("hints_" + part.number());
  return given.size() == 1 && given[0] >= '0' && given[0] <= '3' ? given[0] - '0' : 0;
}

void Coursework::note_hint(const Part& part) const {
  remember("hints_" + part.number(), std::to_string(std::min(hints_given(part) + 1, 3)));
}

std::string Coursework::remembered(const std::string& key) const {
  const std::string path = path_ + "/progress.conf";
  if (!fs::exists(path)) return "";
  std::istringstream lines(read_text(path));
  std::string value;
  const auto anything = [](const std::string&) { return std::string(); };
  for (const ConfigLine& line : read_config(lines, path, anything))
    if (line.key == key) value = line.value;
  return value;
}

void Coursework::remember(const std::string& key, const std::string& value) const {
  if (remembered(key) == value) return;
  const std::string path = path_ + "/progress.conf";
  std::string text = "# What ./run learn and ./run hint remember; nothing is lost without it.\n";
  if (fs::exists(path)) {
    std::istringstream lines(read_text(path));
    for (std::string line; std::getline(lines, line);)
      if (line[0] != '#' && line.rfind(key + " =", 0) != 0) text += line + "\n";
  }
  write_file_atomically(path, text + key + " = " + value + "\n");
}
