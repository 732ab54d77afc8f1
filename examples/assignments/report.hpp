// What a person reads of verdicts.
#pragma once

#include <iosfwd>
#include <vector>

#include "judge.hpp"

/// A line for the assignment with its points, one for each part, and below those that are not right what was
/// misunderstood and the smallest case that fails.
void print_report(std::ostream& out, const Assignment& assignment, const std::vector<Verdict>& verdicts);

/// One part's verdict, in the same form.
void print_verdict(std::ostream& out, const Verdict& verdict);

/// "[1,2] = 0.25 0.75"; long ones are cut.
std::string shown(const gradual::Tensor& x);
