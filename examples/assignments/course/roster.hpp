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
/// name`; beside an id, `student` is the name), a column `email`. Throws FileError, with the line, for a
/// roster without people, columns that are missing, rows of another width, text that is not UTF-8, ids that
/// cannot name a folder, and people that occur twice.
std::vector<Enrolled> read_roster(const std::string& path);

/// The roster as a table, which read_roster reads back.
std::string roster_csv(const std::vector<Enrolled>& roster);

/// The words of a text, in small letters, for names to be compared by: letters and digits of all scripts.
/// Throws nothing: what is not UTF-8 has no words.
std::vector<std::string> words_of(const std::string& text);

/// Whom the name of a folder or file means: one person, several who cannot be told apart, or nobody.
struct Named {
  std::vector<const Enrolled*> people;
  std::size_t letters = 0;  // how many it says of them
};

/// Looks in one name of a path, as learning platforms give them, for an id, an email or a name, in any order
/// of first and last. Who stands first counts: platforms put what a student chose behind whom it is of. Of
/// those who begin there, the one of whom more is said.
Named people_named_by(const std::string& name, const std::vector<Enrolled>& roster);
