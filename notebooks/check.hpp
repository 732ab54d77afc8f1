// Checks functions that a reader wrote: check_softmax(yours) says that yours is right, or names the first
// case in which it is not, with what was expected and what came out. The expected numbers are written down
// here, as a hand would work them out.
#pragma once

#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using CheckedRow = std::vector<double>;
using CheckedRows = std::vector<CheckedRow>;

/// What goes in, in words, what came out of it, and what should have.
struct CheckedCase {
  std::string given;
  CheckedRow expected;
};

inline std::string checked_text(const CheckedRow& numbers) {
  std::ostringstream out;
  out.precision(4);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    out << (i ? ", " : "");
    if (std::isnan(numbers[i]))
      out << "not a number";
    else
      out << numbers[i];
  }
  return numbers.empty() ? "nothing" : out.str();
}

inline bool is_as_expected(const CheckedRow& got, const CheckedRow& expected) {
  if (got.size() != expected.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) return false;
  return true;
}

/// Runs `yours(i)` for case i; prints the verdict.
template <class Yours>
void check_cases(const std::string& name, const std::vector<CheckedCase>& cases, Yours yours) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::string got;
    try {
      const CheckedRow row = yours(i);
      if (is_as_expected(row, cases[i].expected)) continue;
      got = "got " + checked_text(row);
    } catch (const std::exception& error) {
      got = std::string("it threw: ") + error.what();
    }
    std::cout << name << ", " << cases[i].given << ": expected " << checked_text(cases[i].expected) << ", "
              << got << std::endl;
    return;
  }
  std::cout << name << ": right in all " << cases.size() << " cases" << std::endl;
}

/// Weights from importances (chapter 1): CheckedRow yours(CheckedRow).
template <class Yours>
void check_shares(Yours yours) {
  const CheckedRows given = {{6, 2, 1, 1}, {5}, {0, 3, 0, 1}, {0.02, 0.06}};
  check_cases("check_shares",
              {{"the party: 6, 2, 1, 1", {0.6, 0.2, 0.1, 0.1}},
               {"a single item of 5", {1}},
               {"two items of 0: 0, 3, 0, 1", {0, 0.75, 0, 0.25}},
               {"small importances: 0.02, 0.06", {0.25, 0.75}}},
              [&](std::size_t i) { return yours(given[i]); });
}

/// How many items weights are spread over (chapter 1): double yours(CheckedRow).
template <class Yours>
void check_effective_number(Yours yours) {
  const CheckedRows given = {{1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.25, 0.25}};
  check_cases("check_effective_number",
              {{"all on one of four: 1, 0, 0, 0", {1}},
               {"halves, and two that get nothing", {2}},
               {"quarters", {4}},
               {"0.5, 0.25, 0.25", {2 * std::sqrt(2.0)}}},
              [&](std::size_t i) { return CheckedRow{yours(given[i])}; });
}

/// Weights from scores (chapter 2): CheckedRow yours(CheckedRow).
template <class Yours>
void check_softmax(Yours yours) {
  const double ln2 = std::log(2.0), ln3 = std::log(3.0);
  const CheckedRows given = {{0, ln3},  {0, ln2, 0, 2 * ln2}, {7},
                             {-ln3, 0}, {1000, 1000 + ln3},   {-1000, -1000}};
  check_cases("check_softmax",
              {{"scores 0, ln 3", {0.25, 0.75}},
               {"scores 0, ln 2, 0, ln 4", {0.125, 0.25, 0.125, 0.5}},
               {"one score, 7", {1}},
               {"a negative score: -ln 3, 0", {0.25, 0.75}},
               {"large scores: 1000, 1000 + ln 3", {0.25, 0.75}},
               {"very negative scores: -1000, -1000", {0.5, 0.5}}},
              [&](std::size_t i) { return yours(given[i]); });
}

/// Attention by the dot product (chapter 3): CheckedRows yours(queries, keys, values).
template <class Yours>
void check_attention(Yours yours) {
  const double ln8 = std::log(8.0);
  const CheckedRows keys = {{1, 0}, {0, 1}, {0, 0}}, values = {{1, 5}, {-1, 20}, {0, 0}};
  const CheckedRows queries = {{ln8, 0}, {0, ln8}, {0, 0}};
  check_cases(
      "check_attention",
      {{"the query for the food", {0.7, 6}},
       {"the query for the service", {-0.7, 16.5}},
       {"a query of zeros", {0, 25.0 / 3}},
       {"one key alone", {-1, 20}},
       {"values of three numbers", {0.8, 0.1, 0.1}}},
      [&](std::size_t i) {
        if (i == 3)
          return CheckedRow(yours(CheckedRows{{9, 9}}, CheckedRows{{1, 2}}, CheckedRows{{-1, 20}})[0]);
        if (i == 4) return CheckedRow(yours(queries, keys, CheckedRows{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})[0]);
        return CheckedRow(yours(CheckedRows{queries[i]}, keys, values)[0]);
      });
}

/// Weights of the first `valid` scores (chapter 5): CheckedRow yours(CheckedRow scores, std::size_t valid).
template <class Yours>
void check_masked_softmax(Yours yours) {
  const double ln3 = std::log(3.0);
  const CheckedRows given = {{0, ln3, 7, 7}, {0, ln3}, {5, 7, 7}, {7, 7}, {-1e6, 5}};
  const std::vector<std::size_t> valid = {2, 2, 1, 0, 1};
  check_cases("check_masked_softmax",
              {{"two of four valid", {0.25, 0.75, 0, 0}},
               {"all valid", {0.25, 0.75}},
               {"one valid", {1, 0, 0}},
               {"none valid", {0, 0}},
               {"a very negative score that is valid", {1, 0}}},
              [&](std::size_t i) { return yours(given[i], valid[i]); });
}

/// One vector of the first `valid` items, by a query and the scaled dot product (chapter 6):
/// CheckedRow yours(CheckedRows items, CheckedRow query, std::size_t valid).
template <class Yours>
void check_global_attention(Yours yours) {
  const double ln2 = std::log(2.0), ln3 = std::log(3.0), ln6 = std::log(6.0), root = std::sqrt(2.0);
  const CheckedRows soup = {{0, 0}, {1, 0}, {0, 0}, {0, 1}}, wide = {{2, 0, 0, 0}, {0, 0, 0, 0}};
  const CheckedRows loud = {{1000.0, 1.0}, {1000.0, 3.0}};
  const std::vector<CheckedRows> items = {soup, soup, soup, wide, loud};
  const CheckedRow asks = {root * ln2, root * ln6};
  const CheckedRows queries = {asks, asks, asks, {ln3, 0, 0, 0}, {root, 0}};
  const std::vector<std::size_t> valid = {4, 3, 0, 2, 2};
  check_cases("check_global_attention",
              {{"the soup was superb", {0.2, 0.6}},
               {"three words valid, the soup was", {0.5, 0}},
               {"no word valid", {0, 0}},
               {"items of four numbers", {1.5, 0, 0, 0}},
               {"two scores of 1000", {1000, 2}}},
              [&](std::size_t i) { return yours(items[i], queries[i], valid[i]); });
}

/// Mean 0 and deviation 1, without gain and bias (chapter 11): CheckedRow yours(CheckedRow).
template <class Yours>
void check_layer_norm(Yours yours) {
  const CheckedRows given = {{1, 3}, {10, 30}, {2, 4, 4, 6}, {5, 5, 5}};
  const double root = std::sqrt(2.0);
  check_cases("check_layer_norm",
              {{"1, 3", {-1, 1}},
               {"10, 30", {-1, 1}},
               {"2, 4, 4, 6", {-root, 0, 0, root}},
               {"equal numbers", {0, 0, 0}}},
              [&](std::size_t i) { return yours(given[i]); });
}

/// The whole numbers of 8 bits that stand for a row (chapter 13c): CheckedRow yours(CheckedRow).
template <class Yours>
void check_whole_numbers(Yours yours) {
  const CheckedRows given = {{0.5, -1.27, 0.026}, {-2}, {12.7, 0.34, -6}, {1, -4}, {0, 0}};
  check_cases("check_whole_numbers",
              {{"0.5, -1.27, 0.026", {50, -127, 3}},
               {"a single number, -2", {-127}},
               {"12.7, 0.34, -6", {127, 3, -60}},
               {"1, -4", {32, -127}},
               {"a row of zeros", {0, 0}}},
              [&](std::size_t i) { return yours(given[i]); });
}

/// Weights of edges, each of which has a score and a target, of so many nodes (chapter 14):
/// CheckedRow yours(CheckedRow scores, std::vector<std::size_t> targets, std::size_t nodes).
template <class Yours>
void check_edge_softmax(Yours yours) {
  const double ln3 = std::log(3.0);
  const CheckedRows scores = {{ln3, 0, 0}, {0, ln3, 0, 0}, {0, 0, ln3, ln3}, {7, 0}};
  const std::vector<std::vector<std::size_t>> targets = {{0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {2, 0}};
  const std::vector<std::size_t> nodes = {1, 2, 2, 3};
  check_cases("check_edge_softmax",
              {{"the oxygen of ethanol: ln 3, 0, 0", {0.6, 0.2, 0.2}},
               {"two nodes, one after the other", {0.25, 0.75, 0.5, 0.5}},
               {"two nodes in turn", {0.25, 0.25, 0.75, 0.75}},
               {"a node without edges", {1, 1}}},
              [&](std::size_t i) { return yours(scores[i], targets[i], nodes[i]); });
}

/// The mean surprise of a model that knows the last letters of a text (chapter 15):
/// double yours(std::size_t letters, std::string text).
template <class Yours>
void check_mean_surprise(Yours yours) {
  const double ln2 = std::log(2.0);
  const std::vector<std::size_t> letters = {0, 1, 1, 2, 4};
  const std::vector<std::string> texts = {"abab", "abab", "banana bread", "banana bread", "banana bread"};
  check_cases("check_mean_surprise",
              {{"no letters of abab", {ln2}},
               {"one letter of abab", {0}},
               {"one letter of banana bread", {8 * ln2 / 11}},
               {"two letters of banana bread", {ln2 / 5}},
               {"four letters of banana bread", {0}}},
              [&](std::size_t i) { return CheckedRow{yours(letters[i], texts[i])}; });
}
