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
  int id = -1, name = -1, first = -1, last = -1, email = -1;
};

Columns columns_of(const CsvRow& heading, const std::string& path) {
  Columns columns;
  const std::map<std::string, int Columns::*> known = {{"id", &Columns::id},
                                                       {"student", &Columns::id},
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
  if (columns.id < 0) columns.id = columns.email;
  if (columns.id < 0)
    throw FileError::at_line(
        path, 1,
        "the first line must name the columns, and one of them must be id or email: got " +
            joined(heading.fields, ", "));
  return columns;
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

// How many letters of the words of a path are this person's: an id or name counts where its words follow each
// other, or stand joined, as lovelaceada.
std::size_t letters_named(const std::vector<std::string>& words, const std::string& what) {
  const std::vector<std::string> own = words_of(what);
  if (own.empty()) return 0;
  std::vector<std::vector<std::string>> ways = {own, {joined(own, "")}};
  if (own.size() > 1) {
    std::vector<std::string> last_first = own;
    std::rotate(last_first.begin(), last_first.end() - 1, last_first.end());
    ways.push_back(last_first);
    ways.push_back({joined(last_first, "")});
  }
  for (const auto& way : ways)
    if (std::search(words.begin(), words.end(), way.begin(), way.end()) != words.end())
      return joined(own, "").size();
  return 0;
}

std::size_t letters_named(const std::vector<std::string>& words, const Enrolled& person) {
  return std::max({letters_named(words, person.id), letters_named(words, person.name),
                   letters_named(words, person.email)});
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
  std::string text = read_text(path);
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);  // spreadsheets begin with it
  const std::string heading = text.substr(0, text.find('\n'));
  const auto count = [&](char c) { return std::count(heading.begin(), heading.end(), c); };
  const char separator = count('\t') > 0 ? '\t' : count(';') > count(',') ? ';' : ',';
  const std::vector<CsvRow> rows = read_csv(text, separator, path);
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

bool is_named_by(const Enrolled& person, const std::string& path) {
  return letters_named(words_of(path), person) > 0;
}

const Enrolled* person_named_by(const std::string& path, const std::vector<Enrolled>& roster) {
  const std::vector<std::string> words = words_of(path);
  const Enrolled* best = nullptr;
  std::size_t most = 0;
  bool is_alone = true;
  for (const Enrolled& person : roster) {
    const std::size_t letters = letters_named(words, person);
    if (letters == 0 || letters < most) continue;
    is_alone = letters > most;
    most = letters;
    best = &person;
  }
  return is_alone ? best : nullptr;
}
