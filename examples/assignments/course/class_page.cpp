#include "class_page.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/page/html.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../csv.hpp"
#include "../library_text.hpp"

using namespace gradual;

namespace {

constexpr std::size_t most_names = 12;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_names, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > most_names ? text + gradual::text(" and ", names.size() - most_names, " more") : text;
}

std::string name_of(const Course& course, const std::string& id) {
  for (const Enrolled& person : course.roster)
    if (person.id == id) return person.name;
  return id;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return gradual::text(count, " ", count == 1 ? one : many);
}

// Who has each of the texts that `text_of` gives for a part's marks, "" left out; the most frequent first.
using Group = std::pair<std::string, std::vector<std::string>>;
template <class TextOf>
std::vector<Group> groups(const Course& course, const std::vector<Result>& results, const std::string& part,
                          TextOf text_of) {
  std::map<std::string, std::vector<std::string>> by_text;
  for (const Result& result : results)
    for (const Mark& mark : result.marks)
      if (mark.part == part && !text_of(mark).empty())
        by_text[text_of(mark)].push_back(name_of(course, result.student));
  std::vector<Group> all(by_text.begin(), by_text.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Group& a, const Group& b) { return a.second.size() > b.second.size(); });
  return all;
}

std::string misunderstanding(const Mark& mark) { return mark.diagnosis; }

void add_parts(Html& page, const Course& course, const Desk& desk, const std::vector<Result>& results) {
  page.heading(2, "Parts");
  for (const Assignment& assignment : desk.assignments) {
    std::vector<std::vector<std::string>> rows;
    for (const Part& part : assignment.parts) {
      std::map<std::string, int> states;
      int handed_in = 0;
      for (const Result& result : results)
        for (const Mark& mark : result.marks)
          if (mark.part == part.number()) ++handed_in, ++states[mark.state];
      if (handed_in == 0) continue;
      const int open = states["undone"] + states["missing"];
      const auto often = groups(course, results, part.number(), misunderstanding);
      rows.push_back({part.number() + " " + part.title, std::to_string(states["right"]),
                      std::to_string(handed_in - open - states["right"]), std::to_string(open),
                      often.empty() ? "–" : often.front().first});
    }
    if (rows.empty()) continue;
    page.heading(3, assignment.number + " " + assignment.title);
    page.table({"part", "right", "wrong", "not begun", "misunderstood most often"}, rows);
  }
}

void add_misunderstandings(Html& page, const Course& course, const Desk& desk,
                           const std::vector<Result>& results) {
  std::vector<std::pair<std::string, Group>> all;
  for (const Assignment& assignment : desk.assignments)
    for (const Part& part : assignment.parts)
      for (const Group& group : groups(course, results, part.number(), misunderstanding))
        all.emplace_back(part.number(), group);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second.second.size() > b.second.second.size();
  });
  page.heading(2, "What was misunderstood");
  if (all.empty()) {
    page.paragraph("Nothing that the grader knows by name.");
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [part, group] : all)
    rows.push_back({std::to_string(group.second.size()), part, group.first, listed(group.second)});
  page.table({"people", "part", "what", "who"}, rows);
}

void add_students(Html& page, const Course& course, const std::vector<Result>& results) {
  page.heading(2, "Students");
  std::vector<std::string> columns = {"name", "id"};
  columns.insert(columns.end(), course.assignments.begin(), course.assignments.end());
  columns.push_back("points");
  std::vector<std::vector<std::string>> rows;
  for (const Enrolled& person : course.roster) {
    std::vector<std::string> row = {person.name, person.id};
    int total = 0;
    for (const Result& result : results) {
      if (result.student != person.id) continue;
      total += points_of(result.marks);
      row.push_back(!result.is_handed_in ? "–"
                    : !result.is_graded
                        ? "not graded"
                        : gradual::text(points_of(result.marks), " / ", points_in_all(result.marks)));
    }
    row.push_back(std::to_string(total));
    rows.push_back(row);
  }
  page.table(columns, rows);
}

void add_likenesses(Html& page, const Course& course, const Desk& desk, const std::vector<Result>& results) {
  page.heading(2, "Like solutions");
  page.paragraph(
      "The same but for names, comments and line breaks. Short functions are often alike by chance; what is "
      "the "
      "library's own text seldom is.");
  std::vector<std::vector<std::string>> rows;
  for (const Assignment& assignment : desk.assignments) {
    for (const Part& part : assignment.parts) {
      if (part.bug || part.goal) continue;  // one line mended, or a few numbers: alike by their nature
      const std::string source = readable_source(desk.workshop, part);
      const std::string own = shape_of(definition_of(source, part.signature, part.readable()));
      const auto likenesses = groups(course, results, part.number(), [](const Mark& mark) {
        return mark.state == "undone" || mark.state == "missing" ? std::string() : mark.shape;
      });
      for (const Group& group : likenesses)
        if (group.second.size() > 1 || group.first == own)
          rows.push_back({part.number(), std::to_string(group.second.size()),
                          group.first == own ? "the library's own" : "", listed(group.second)});
    }
  }
  if (rows.empty())
    page.paragraph("There are none.");
  else
    page.table({"part", "people", "", "who"}, rows);
}

void add_refused(Html& page, const std::vector<Found>& found) {
  std::vector<std::vector<std::string>> rows;
  for (const Found& each : not_taken(found)) rows.push_back({each.place, each.problem});
  if (rows.empty()) return;
  page.heading(2, "Not taken");
  page.paragraph("Of what came in. Who handed it in should hear of it: nothing of it is in the points.");
  page.table({"file", "why"}, rows);
}

}  // namespace

std::string class_page(const Course& course, const Desk& desk, const std::vector<Result>& results,
                       const std::vector<Found>& found) {
  std::size_t handed_in = 0, parts = 0, right = 0;
  int points = 0, of = 0;
  for (const Result& result : results) {
    handed_in += result.is_handed_in ? 1 : 0;
    points += points_of(result.marks);
    of += points_in_all(result.marks);
    parts += result.marks.size();
    right += static_cast<std::size_t>(std::count_if(result.marks.begin(), result.marks.end(),
                                                    [](const Mark& mark) { return mark.is_right(); }));
  }
  Html page;
  page.figures(
      {{"students", std::to_string(course.roster.size())},
       {"handed in", gradual::text(handed_in, " of ", results.size())},
       {"parts that are right", gradual::text(right, " of ", parts)},
       {"points of what was handed in", of == 0 ? "–" : gradual::text((100 * points + of / 2) / of, " %")}});
  add_misunderstandings(page, course, desk, results);
  add_parts(page, course, desk, results);
  add_students(page, course, results);
  add_likenesses(page, course, desk, results);
  add_refused(page, found);
  return html_page(course.name, counted(course.assignments.size(), "assignment", "assignments"), page);
}

std::vector<Found> read_found(const Course& course) {
  const std::string path = course.folder + "/collected.csv";
  std::vector<Found> found;
  if (!std::filesystem::exists(path)) return found;
  // Somebody may have looked at it, and saved it, in a spreadsheet.
  const std::vector<CsvRow> rows = read_saved_csv(read_text(path), path);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& fields = rows[i].fields;
    if (fields.size() < 4)
      throw FileError::at_line(
          path, rows[i].line,
          gradual::text("must have the four columns that course collect writes: it has ", fields.size()));
    found.push_back({fields[0], fields[1], fields[2], fields[3]});
  }
  return found;
}
