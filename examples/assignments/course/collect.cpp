#include "collect.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <map>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>

#include "../csv.hpp"
#include "../submission.hpp"
#include "archive.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

constexpr int deepest = 3;                         // archives in archives
constexpr std::size_t most_of_inner = 16u << 20;   // bytes that one of those unpacks to
constexpr std::size_t most_in_inner = 2000;        // files that lie in one of those
constexpr std::size_t cost_of_file = 1 << 10;      // bytes that one is counted as where it has none, too
constexpr std::uintmax_t largest_file = 1u << 30;  // an inbox is a folder of small files

std::string time_text(std::time_t seconds) {
  std::ostringstream text;
  text << std::put_time(std::gmtime(&seconds), "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

bool is_time_text(const std::string& text) {
  const std::string form = "0000-00-00T00:00:00Z";
  return text.size() == form.size() && std::equal(form.begin(), form.end(), text.begin(), [](char f, char c) {
           return f == '0' ? c >= '0' && c <= '9' : c == f;
         });
}

// What is dated ahead would be the youngest for ever. Clocks may be a day off; times in this form sort as
// text.
bool is_ahead(const std::string& made) { return made > time_text(std::time(nullptr) + 24 * 60 * 60); }

void check_made(const std::string& made, const std::string& place) {
  if (!is_time_text(made))
    throw FileError(
        place, "must say when it was made in the form of " + time_text(0) + ": it says \"" + made + "\"");
  if (is_ahead(made))
    throw FileError(place, "must not be made later than it is collected: it says " + made +
                               ", and the clock here says " + time_text(std::time(nullptr)) +
                               "; set the clock that is wrong, and submit again");
}

std::string ids_of(const std::vector<const Enrolled*>& people, const std::string& between) {
  std::string ids;
  for (const Enrolled* person : people) ids += (ids.empty() ? "" : between) + person->id;
  return ids;
}

bool is_among(const Enrolled& person, const std::vector<const Enrolled*>& people) {
  return std::count(people.begin(), people.end(), &person) > 0;
}

class Collector {
 public:
  Collector(const Course& course, const Workshop& workshop, const std::vector<Assignment>& assignments)
      : course_(course), workshop_(workshop), assignments_(assignments) {}

  // All below it, in the order of their names.
  void take_folder(const fs::path& folder, const fs::path& inbox) {
    const auto place_of = [&](const fs::path& path) { return path.lexically_relative(inbox).string(); };
    std::error_code problem;
    std::vector<fs::path> entries;
    for (fs::directory_iterator i(folder, problem), end; !problem && i != end; i.increment(problem))
      entries.push_back(i->path());
    if (problem) refuse(place_of(folder), "cannot be read: " + problem.message());
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      const auto kind = fs::symlink_status(entry, problem).type();
      if (problem)
        refuse(place_of(entry), "cannot be read: " + problem.message());
      else if (kind == fs::file_type::directory)
        take_folder(entry, inbox);
      else if (kind == fs::file_type::symlink || kind == fs::file_type::regular)
        take_file(entry.string(), place_of(entry));
    }
  }

  void take_file(const std::string& path, const std::string& place) {
    try {
      if (fs::is_symlink(path)) return refuse(place, "is a link");
      if (fs::file_size(path) > largest_file) return refuse(place, "is too large for a submission");
      ArchiveLimits limits;
      if (is_archive(path))
        take_archive(read_text(path), place, limits, 1);
      else
        take(read_text(path), place);
    } catch (const std::exception& error) {
      refuse(place, reason(error, place));
    }
  }

  std::vector<Found> found;

 private:
  void refuse(const std::string& place, const std::string& problem) {
    found.push_back({place, "", "", problem});
  }

  // An error's message without the path, which stands beside it.
  static std::string reason(const std::exception& error, const std::string& place) {
    const std::string message = error.what();
    return message.rfind(place + ": ", 0) == 0 ? message.substr(place.size() + 2) : message;
  }

  void take_archive(const std::string& bytes, const std::string& place, ArchiveLimits& limits, int depth) {
    try {
      read_archive(bytes, place, limits, [&](const ArchivedFile& file) {
        const std::string inner = place + "/" + file.path;
        if (!file.problem.empty())
          refuse(inner, file.problem);
        else if (!is_archive(file.path))
          take_or_refuse(file.bytes, inner);
        else if (depth == deepest)
          refuse(inner, "is an archive in too many others");
        else
          take_inner_archive(file.bytes, inner, limits, depth + 1);
      });
    } catch (const std::exception& error) {
      refuse(place, reason(error, place));
    }
  }

  // One person's archive may not use up what is left for those of others: it has limits of its own, and costs
  // the outer one no files, and bytes within those.
  void take_inner_archive(const std::string& bytes, const std::string& place, ArchiveLimits& limits,
                          int depth) {
    ArchiveLimits own = limits;
    own.most_in_all = std::min(own.most_in_all, most_of_inner);
    own.most_files = most_in_inner;
    const ArchiveLimits before = own;
    take_archive(bytes, place, own, depth);
    const std::size_t cost =
        before.most_in_all - own.most_in_all + cost_of_file * (before.most_files - own.most_files);
    limits.most_in_all -= std::min(cost, limits.most_in_all);
  }

  void take_or_refuse(const std::string& bytes, const std::string& place) {
    try {
      take(bytes, place);
    } catch (const std::exception& error) {
      refuse(place, reason(error, place));
    }
  }

  void take(const std::string& bytes, const std::string& place) {
    if (fs::path(place).filename().string().rfind("._", 0) == 0 ||
        place.find("__MACOSX/") != std::string::npos)
      return;  // what macOS puts beside each file
    if (ending_of(place) != ".json")
      return refuse(place, "is no submission: ./run submit writes a file that ends in .submission.json");
    const Submission submission = parse_submission(bytes, place);
    Found one{place, "", submission.assignment, ""};
    const Enrolled& person = who(submission, place);
    one.student = person.id;
    if (!submission.course.empty() && submission.course != course_.name)
      throw FileError(place, "is for another course: " + submission.course);
    if (std::count(course_.assignments.begin(), course_.assignments.end(), submission.assignment) == 0)
      throw FileError(place, "is of assignment " + submission.assignment + ", which this course has not");
    check_version(submission, workshop_, assignments_, place);
    check_made(submission.made, place);
    const std::string path = collected_path(course_, person.id, submission.assignment);
    const std::string kept = fs::exists(path) ? parse_submission(read_text(path), path).made : "";
    if (kept > submission.made && !is_ahead(kept)) {
      one.problem = "is older than another one";
    } else {
      make_folder(fs::path(path).parent_path().string());
      write_file_atomically(path, bytes);
    }
    found.push_back(one);
  }

  // The names that a path is made of, from the platform's to what students chose, without that of the file
  // that ./run submit writes: "02" in it is an assignment, and may be somebody's id.
  static std::vector<std::string> names_in(const std::string& place, const Submission& submission) {
    std::vector<std::string> names;
    for (const fs::path& name : fs::path(place)) names.push_back(name.string());
    if (!names.empty())
      names.back().erase(
          std::min(names.back().rfind(submission.assignment + ".submission"), names.back().size()));
    return names;
  }

  // Whom the outermost name means that means anybody: what lies below is the student's, who could write
  // another's name there. An id that is also the assignment's number means somebody where no other name does:
  // folders are called "Assignment 02".
  Named owners_of(const std::vector<std::string>& names, const std::string& assignment) const {
    Named by_number;
    for (const std::string& name : names) {
      Named named = people_named_by(name, course_.roster);
      if (named.people.empty()) continue;
      if (named.people.front()->id != assignment) return named;
      if (by_number.people.empty()) by_number = std::move(named);
    }
    return by_number;
  }

  const Enrolled& who(const Submission& submission, const std::string& place) const {
    const std::vector<std::string> names = names_in(place, submission);
    const Named owners = owners_of(names, submission.assignment);
    if (submission.student.empty()) return the_only_one(owners, names, place);
    const auto said = std::find_if(course_.roster.begin(), course_.roster.end(),
                                   [&](const Enrolled& person) { return person.id == submission.student; });
    if (said == course_.roster.end())
      throw FileError(place, "is of \"" + submission.student + "\", who is not on the roster");
    if (!owners.people.empty() && !is_among(*said, owners.people))
      throw FileError(place, "says that it is of " + said->id + ", and lies where that of " +
                                 ids_of(owners.people, " or ") + " should");
    return *said;
  }

  // Of a file that names nobody. An id as short as "02" may stand in the name of a folder for all: where one
  // below it says as much of somebody else, it is for a person to decide.
  const Enrolled& the_only_one(const Named& owners, const std::vector<std::string>& names,
                               const std::string& place) const {
    std::vector<const Enrolled*> meant = owners.people;
    for (const std::string& name : names) {
      const Named named = people_named_by(name, course_.roster);
      for (const Enrolled* person : named.people)
        if (named.letters >= owners.letters && !is_among(*person, meant)) meant.push_back(person);
    }
    if (meant.size() == 1) return *meant.front();
    throw FileError(place, "names nobody, and its path does not name one person of the roster" +
                               (meant.empty() ? "" : ": " + ids_of(meant, ", ")));
  }

  const Course& course_;
  const Workshop& workshop_;
  const std::vector<Assignment>& assignments_;
};

}  // namespace

std::string collected_path(const Course& course, const std::string& student, const std::string& assignment) {
  return course.folder + "/collected/" + student + "/" + assignment + ".submission.json";
}

std::vector<Found> collect(const Course& course, const std::string& inbox, const Workshop& workshop,
                           const std::vector<Assignment>& assignments) {
  if (!fs::exists(inbox)) throw FileError(inbox, "there is no such folder or archive");
  Collector collector(course, workshop, assignments);
  if (fs::is_directory(inbox)) {
    collector.take_folder(inbox, inbox);
  } else {
    collector.take_file(inbox, fs::path(inbox).filename().string());
  }
  std::string lines = csv_line({"file", "student", "assignment", "problem"});
  for (const Found& each : collector.found)
    lines += csv_line({each.place, each.student, each.assignment, each.problem});
  write_file_atomically(course.folder + "/collected.csv", lines);
  return collector.found;
}

std::vector<Found> not_taken(const std::vector<Found>& found) {
  std::vector<std::pair<Found, std::size_t>> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> group_of;  // by folder and problem
  for (const Found& each : found) {
    if (each.problem.empty()) continue;
    const std::string folder = fs::path(each.place).parent_path().string();
    const bool is_submission =
        each.problem.rfind("is no submission", 0) != 0;  // somebody's, who is to be told
    const std::string key = is_submission ? each.place : folder;
    const auto [at, is_new] = group_of.emplace(std::pair(key, each.problem), groups.size());
    if (is_new)
      groups.emplace_back(each, 0);
    else
      ++groups[at->second].second;
  }
  std::vector<Found> all;
  for (auto& [first, more] : groups) {
    if (more > 0) first.place += gradual::text(" and ", more, " more beside it");
    all.push_back(first);
  }
  return all;
}
