#include "submission.hpp"

#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/nn/json.hpp>

#include "library_text.hpp"

using namespace gradual;
using SortedJson = nlohmann::json;  // sorts its keys: one content, one text

namespace {

constexpr std::size_t most_bytes = 1 << 20;
constexpr int format = 1;

std::string seal(SortedJson content) {
  content.erase("fingerprint");
  return fingerprint(content.dump());
}

// Of a stranger's text that is none, or whose values lie too deep in one another, null.
SortedJson json_or_null(const std::string& text) {
  try {
    return read_json(text);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

std::string starter_print(const Workshop& workshop, const Part& part) {
  return fingerprint(starter(part, library_source(workshop, part)));
}

std::string submission_text(const Submission& s) {
  SortedJson parts = SortedJson::array();
  for (const Submission::Piece& piece : s.parts) {
    try {
      parts.push_back({{"part", piece.part}, {"starter", piece.starter}, {"text", piece.text}});
      static_cast<void>(parts.back().dump());
    } catch (const SortedJson::exception&) {
      throw std::invalid_argument("submit: a part must be text in UTF-8: part is " + piece.part);
    }
  }
  SortedJson content = {{"gradual_submission", format},
                        {"assignment", s.assignment},
                        {"course", s.course},
                        {"student", s.student},
                        {"made", s.made},
                        {"report", s.report},
                        {"parts", parts}};
  content["fingerprint"] = seal(content);
  const std::string text = content.dump(1) + "\n";
  if (text.size() > most_bytes)
    throw std::invalid_argument("submit: parts and report must fit into " + std::to_string(most_bytes) +
                                " bytes: they have " + std::to_string(text.size()));
  return text;
}

Submission parse_submission(const std::string& text, const std::string& path) {
  if (text.size() > most_bytes)
    throw FileError(path, "is too large for a submission: " + std::to_string(text.size()) +
                              " bytes, of at most " + std::to_string(most_bytes));
  const SortedJson content = json_or_null(text);
  if (!content.is_object() || !content.contains("gradual_submission"))
    throw FileError(path, "is no submission: ./run submit writes them");
  if (content["gradual_submission"] != format)
    throw FileError(path, "is a submission of another kind: it says " + content["gradual_submission"].dump() +
                              ", and this grader reads " + std::to_string(format));
  if (!content.contains("fingerprint") || content["fingerprint"] != seal(content))
    throw FileError(path,
                    "was changed after ./run submit wrote it: change the part's file, and submit again");
  Submission s;
  try {
    s.assignment = content.at("assignment");
    s.course = content.at("course");
    s.student = content.at("student");
    s.made = content.at("made");
    s.report = content.at("report");
    for (const SortedJson& piece : content.at("parts"))
      s.parts.push_back({piece.at("part"), piece.at("text"), piece.at("starter")});
  } catch (const SortedJson::exception&) {
    throw FileError(path, "is no submission: its fields are not those that ./run submit writes");
  }
  return s;
}

void check_version(const Submission& submission, const Workshop& workshop,
                   const std::vector<Assignment>& assignments, const std::string& path) {
  const auto found = std::find_if(assignments.begin(), assignments.end(),
                                  [&](const Assignment& a) { return a.number == submission.assignment; });
  if (found == assignments.end())
    throw FileError(path, "is of assignment " + submission.assignment + ", which there is not here");
  std::vector<std::string> seen;
  for (const Submission::Piece& piece : submission.parts) {
    const auto part = std::find_if(found->parts.begin(), found->parts.end(),
                                   [&](const Part& each) { return each.number() == piece.part; });
    if (part == found->parts.end())
      throw FileError(path, "has a part that assignment " + found->number + " has not: " + piece.part);
    if (std::count(seen.begin(), seen.end(), piece.part) != 0)
      throw FileError(path, "has a part twice: " + piece.part);
    seen.push_back(piece.part);
    const std::string here = starter_print(workshop, *part);
    if (piece.starter != here)
      throw FileError(path, "was made with another version of the assignment: the starter of " + piece.part +
                                " was " + piece.starter + " and is " + here +
                                " here; submit again with the version that is graded");
  }
}

void write_parts(const Submission& submission, const Assignment& assignment, const std::string& folder) {
  for (const Submission::Piece& piece : submission.parts)
    for (const Part& part : assignment.parts)
      if (part.number() == piece.part) write_file_atomically(folder + "/" + part.file(), piece.text);
}
