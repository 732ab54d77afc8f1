// Who takes a course: a table as learning platforms and spreadsheets write it.
#pragma once

#include <string>
#include <vector>

struct Enrolled {
  std::string id;     // names folders: letters, digits and . _ @ + -
  std::string name;   // as people write it
  std::string email;  // may be empty
};

/// Reads CSV (RFC 4180) with a line of headings, separated by commas, semicolons or tabs: a column `id` (or
/// `student`, `username`, `login`, `number`; else the email), a column `name` (or `first name` and `last
/// name`), a column `email`. Throws FileError, with the line, for a roster without people, columns that are
/// missing, rows of another width, text that is not UTF-8, ids that cannot name a folder, and people that
/// occur twice.
std::vector<Enrolled> read_roster(const std::string& path);

/// The roster as a table, which read_roster reads back.
std::string roster_csv(const std::vector<Enrolled>& roster);

/// The words of a text, in small letters, for names to be compared by: letters and digits of all scripts.
/// Throws nothing: what is not UTF-8 has no words.
std::vector<std::string> words_of(const std::string& text);

/// The only person whom a path names, as learning platforms name folders and files: by id, email or name, in
/// any order of first and last. Of several, the one of whom more is said; null where there is none, or two.
const Enrolled* person_named_by(const std::string& path, const std::vector<Enrolled>& roster);
/// Whether the path names this person at all.
bool is_named_by(const Enrolled& person, const std::string& path);
