// The library's own text as the source of everything: what a student starts from, what is shown when a part
// is done, and what mistakes are changes of. So none of them can drift from the library, and the library
// carries no marks for them.
#pragma once

#include <string>
#include <vector>

#include "assignment.hpp"

/// A function's definition in a source, comments before it left out; throws std::invalid_argument unless its
/// signature, with any spaces and line breaks, begins exactly one definition, which a brace on a line of its
/// own ends.
std::string definition_of(const std::string& source, const std::string& signature, const std::string& path);

/// The words, numbers and marks of a program, without its comments.
std::vector<std::string> tokens_of(const std::string& text);

/// Those of the first function of this name and kind (`signature`) in a program, whatever its arguments are
/// called and its lines are; empty where there is none. What stands before the name is the signature's.
std::vector<std::string> tokens_of_function(const std::string& text, const std::string& signature,
                                            const std::string& name);

/// A sentence as the lines of a comment.
std::string comment(const std::string& text, const std::string& mark);

/// What stands between the braces of a definition.
std::string body_of(const std::string& definition);

/// The file that a student starts from: the library's headers and helpers, the signature, and undone(); or
/// the whole function, with the part's bug in it.
std::string starter(const Part& part, const std::string& library_source);
/// The library's way, from its readable text: its function, and those that it leaves the work to.
std::string solution(const Part& part, const std::string& readable_source);

/// The part's function with all its mistakes in it, of which the environment's GRADUAL_MISTAKE, counted from
/// 0, says the one to make. Throws std::invalid_argument for a change whose old text does not occur exactly
/// once.
std::string source_of_mistakes(const Part& part, const std::string& readable_source,
                               const std::vector<Mistake>& mistakes);

/// One text beside another, line by line: "  " what both have, "- " what only the first has, "+ " the second.
std::string difference(const std::string& yours, const std::string& other);

/// The longest run of the library's tokens, as a definition between its braces, that a text has too.
int longest_shared_run(const std::string& definition, const std::string& text);
