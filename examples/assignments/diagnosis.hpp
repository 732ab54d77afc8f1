// What was misunderstood: the mistake of the list that gives the student's numbers in every case, or in most;
// else what can be seen of the numbers alone; else nothing. It never guesses.
#pragma once

#include "judge.hpp"

/// Sets the verdict's diagnosis and evidence.
void diagnose(const Workshop& workshop, const Assignment& assignment, Verdict& verdict);

/// Makes what diagnose() would make at the first mistake of a part, where it can be made.
void prepare_diagnosis(const Workshop& workshop, const Assignment& assignment, const Part& part);

/// What each mistake of a part's list gives for the cases: [mistake][case].
std::vector<std::vector<std::optional<Values>>> outcomes_of_mistakes(const Workshop& workshop,
                                                                     const Assignment& assignment,
                                                                     const Part& part,
                                                                     const std::vector<Case>& cases);

/// The first mistake that gives the student's numbers in every case, or -1.
int matching_mistake(const std::vector<std::vector<std::optional<Values>>>& outcomes,
                     const std::vector<Case>& cases);

/// Else the one that gives them wherever the student is right, in the smallest case that fails, and in at
/// least half of those that fail and two of them, where it is alone in that; or -1.
int nearest_mistake(const std::vector<std::vector<std::optional<Values>>>& outcomes,
                    const std::vector<Case>& cases);

/// What the numbers of all failures have in common, as a sentence, or "".
std::string common_trait(const std::vector<Case>& cases);
