// Where a class stands, on one page for who teaches it.
#pragma once

#include "collect.hpp"
#include "grading.hpp"

/// A page that needs no network: each part with how many have it and what was misunderstood most, the
/// misunderstandings by how many people have them, the points of each student, solutions that are the same
/// but for names and comments, so that one comment serves many, and what was not taken of what came in.
std::string class_page(const Course& course, const Desk& desk, const std::vector<Result>& results,
                       const std::vector<Found>& found);

/// The table that collect() wrote, or nothing where there is none.
std::vector<Found> read_found(const Course& course);
