#include "roster.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../assignment.hpp"
#include "../csv.hpp"

using namespace gradual;

namespace {

// One way to write é: some systems keep names of files with the accent apart.
std::string composed(const std::string& text) {
  utf8proc_uint8_t* made = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &made,
                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(made, std::free);
  return length < 0 ? text
                    : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(length));
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// Where each of our columns is, or -1.
struct Columns {
  int id = -1, name = -1, first = -1, last = -1, email = -1, student = -1;
};

Columns columns_of(const CsvRow& heading, const std::string& path) {
  Columns columns;
  const std::map<std::string, int Columns::*> known = {{"id", &Columns::id},
                                                       {"student", &Columns::student},
                                                       {"student id", &Columns::id},
                                                       {"username", &Columns::id},
                                                       {"user name", &Columns::id},
                                                       {"login", &Columns::id},
                                                       {"login id", &Columns::id},
                                                       {"sis login id", &Columns::id},
                                                       {"number", &Columns::id},
                                                       {"id number", &Columns::id},
                                                       {"name", &Columns::name},
                                                       {"full name", &Columns::name},
                                                       {"student name", &Columns::name},
                                                       {"first name", &Columns::first},
                                                       {"last name", &Columns::last},
                                                       {"surname", &Columns::last},
                                                       {"email", &Columns::email},
                                                       {"e mail", &Columns::email},
                                                       {"email address", &Columns::email}};
  for (std::size_t i = 0; i < heading.fields.size(); ++i) {
    const auto found = known.find(joined(words_of(heading.fields[i]), " "));
    if (found != known.end() && columns.*found->second < 0) columns.*found->second = static_cast<int>(i);
  }
  // Canvas has the name below "Student", beside an ID; where there is no other, it is the id.
  if (columns.id < 0)
    columns.id = columns.student;
  else if (columns.name < 0 && columns.first < 0 && columns.last < 0)
    columns.name = columns.student;
  if (columns.id < 0) columns.id = columns.email;
  if (columns.id < 0)
    throw FileError::at_line(
        path, 1,
        "the first line must name the columns, and one of them must be id or email: got " +
            joined(heading.fields, ", "));
  return columns;
}

// Below its heading Canvas has rows of what can be reached, and spreadsheets leave rows of nothing.
bool is_nobody(const Enrolled& row) {
  return row.id.empty() && row.email.empty() && (row.name.empty() || row.name == "Points Possible");
}

void check_id(const std::string& id, const std::string& path, int line) {
  static const std::string marks = "._@+-";
  const bool fits =
      !id.empty() && id.size() <= 64 && id[0] != '.' && id[0] != '-' &&
      std::all_of(id.begin(), id.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c))) ||
               marks.find(c) != std::string::npos;
      });
  if (!fits)
    throw FileError::at_line(
        path, line,
        "an id names a folder: up to 64 letters a to z, digits and . _ @ + -, a letter or "
        "digit first: got \"" +
            id + "\"");
}

void check_text(const std::string& text, const std::string& path, int line) {
  try {
    for (const char32_t c : decode_utf8(text))
      if (c < 0x20 || c == 0x7F)
        throw FileError::at_line(path, line,
                                 "an id, a name or an address has no line breaks and control characters");
  } catch (const std::invalid_argument&) {
    throw FileError::at_line(path, line, "the roster must be UTF-8: save it as \"CSV UTF-8\"");
  }
}

// Where among the words of a file's name somebody's begin, and how many letters they have.
struct Mention {
  std::ptrdiff_t at = 0;
  std::size_t letters = 0;
};

// What stands first is the platform's; a student may have chosen what follows it.
bool counts_before(const Mention& a, const Mention& b) {
  if (a.letters == 0 || b.letters == 0) return a.letters > b.letters;
  return a.at != b.at ? a.at < b.at : a.letters > b.letters;
}

// An id or a name counts where its words follow each other, from any of them on, as García López Maria, or
// stand joined, as lovelaceada.
Mention mention_of(const std::string& what, const std::vector<std::string>& words) {
  std::vector<std::string> own = words_of(what);
  const std::size_t letters = joined(own, "").size();
  Mention best;
  for (std::size_t turn = 0; turn < own.size(); ++turn) {
    const std::vector<std::vector<std::string>> ways = {own, {joined(own, "")}};
    for (const auto& way : ways) {
      const auto found = std::search(words.begin(), words.end(), way.begin(), way.end());
      const Mention mention{found - words.begin(), found == words.end() ? 0 : letters};
      if (counts_before(mention, best)) best = mention;
    }
    std::rotate(own.begin(), own.begin() + 1, own.end());
  }
  return best;
}

Mention mention_of(const Enrolled& person, const std::vector<std::string>& words) {
  Mention best;
  for (const std::string& each : {person.id, person.name, person.email}) {
    const Mention mention = mention_of(each, words);
    if (counts_before(mention, best)) best = mention;
  }
  return best;
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  try {
    for (const char32_t c : decode_utf8(lower_case(composed(text)))) {
      const bool is_mark = c < 128 && std::isalnum(static_cast<int>(c)) == 0;
      if (is_mark || is_space(c))
        end_word();
      else
        word += encode_utf8(std::u32string(1, c));
    }
  } catch (const std::invalid_argument&) {
    return {};
  }
  end_word();
  return words;
}

std::vector<Enrolled> read_roster(const std::string& path) {
  const std::vector<CsvRow> rows = read_saved_csv(read_text(path), path);
  if (rows.empty()) throw FileError(path, "the roster is empty");
  const Columns columns = columns_of(rows[0], path);
  std::vector<Enrolled> roster;
  std::map<std::string, int> seen;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    if (row.fields.size() != rows[0].fields.size())
      throw FileError::at_line(path, row.line,
                               gradual::text("a row must have as many fields as the first line has: it has ",
                                             row.fields.size(), " of ", rows[0].fields.size()));
    const auto field = [&](int column) {
      return column < 0 ? "" : trimmed(row.fields[static_cast<std::size_t>(column)]);
    };
    Enrolled person{field(columns.id), field(columns.name), field(columns.email)};
    if (columns.name < 0) person.name = trimmed(field(columns.first) + " " + field(columns.last));
    if (is_nobody(person)) continue;
    check_text(person.id, path, row.line);
    check_id(person.id, path, row.line);
    if (person.name.empty()) person.name = person.id;
    check_text(person.name, path, row.line);
    check_text(person.email, path, row.line);
    // Folders of some systems do not tell A from a.
    const auto [before, is_new] = seen.emplace(lower_case(person.id), row.line);
    if (!is_new)
      throw FileError::at_line(
          path, row.line,
          gradual::text("an id must occur once: ", person.id, " is in line ", before->second, " too"));
    roster.push_back(person);
  }
  if (roster.empty()) throw FileError(path, "the roster names nobody");
  return roster;
}

std::string roster_csv(const std::vector<Enrolled>& roster) {
  std::string text = csv_line({"id", "name", "email"});
  for (const Enrolled& person : roster) text += csv_line({person.id, person.name, person.email});
  return text;
}

Named people_named_by(const std::string& name, const std::vector<Enrolled>& roster) {
  const std::vector<std::string> words = words_of(name);
  std::vector<const Enrolled*> people;
  Mention first;
  for (const Enrolled& person : roster) {
    const Mention mention = mention_of(person, words);
    if (mention.letters == 0 || counts_before(first, mention)) continue;
    if (counts_before(mention, first)) people.clear();
    people.push_back(&person);
    first = mention;
  }
  return {people, first.letters};
}
