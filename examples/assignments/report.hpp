// What a person reads of verdicts.
#pragma once

#include <iosfwd>
#include <vector>

#include "judge.hpp"

/// A line for the assignment with its points, one for each part, and below those that are not right what was
/// misunderstood and the smallest case that fails. Lines are broken to fit into so many columns, if not 0.
void print_report(std::ostream& out, const Assignment& assignment, const std::vector<Verdict>& verdicts,
                  int columns = 0);

/// One part's verdict, in the same form.
void print_verdict(std::ostream& out, const Verdict& verdict, int columns = 0);

/// What a verdict says below that line: what is wrong and the smallest case that fails; empty where it is
/// right. No more than 20 kB of it, and visible().
std::string explanation_of(const Verdict& verdict);

/// A student's text as one that a terminal can show: controls as pictures of them but for ends of lines and
/// tabs, and what has none, or is no UTF-8, as a question mark.
std::string visible(const std::string& text);

/// "███░░", and a text with spaces after it up to a width in letters.
std::string bar(int points, int all);
std::string spaces_after(const std::string& text, std::size_t width);

/// How many letters a line has where a person reads it, else 0; and a paragraph, broken between words to fit.
int columns_to_fit();
std::string fitted(const std::string& paragraph, int columns = columns_to_fit());

/// "[1,2] = 0.25 0.75"; long ones are cut.
std::string shown(const gradual::Tensor& x);
