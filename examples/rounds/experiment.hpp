// One, two or more rounds of attention learn to answer from memory.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/recall.hpp>
#include <gradual/nn/training/learning_curve.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "hops.hpp"

/// What all models of a run have in common.
struct Budget {
  gradual::Index steps = 800, batch = 32, pairs = 16, heads = 2;
  double learning_rate = 0.005;
  std::uint64_t seed = 1;
  bool quiet = false;
  std::string positions = "rotary";
  gradual::RecallSizes sizes;
};

/// A model's size.
struct Size {
  gradual::Index rounds, width;

  std::string name() const;  // "2 rounds of width 32"
};

/// Where each head of a round looks: the share of their weight that the values give to the name before them,
/// and that the names give to the answers.
struct Looks {
  std::vector<double> to_name_before, to_answer;

  double most_to_name_before() const;
  double most_to_answer() const;
};
/// Those of a head that looks at all places alike that it may see.
Looks even_looks(const Budget& budget);

/// How well a model did the two steps after some of its training.
struct Stage {
  gradual::Index step;
  double right;         // of the questions, in per cent
  double reads, finds;  // most_to_name_before of its first round, most_to_answer of its last
};

/// What became of a model.
struct Result {
  Size size;
  gradual::LanguageModel model;
  gradual::Index parameters = 0;
  gradual::LearningCurve curve = {};  // of the questions answered right, in per cent
  std::vector<Looks> rounds = {};
  std::vector<Stage> stages = {};
};

/// Throws std::invalid_argument for bad sizes, before anything is trained.
void check(const Size& size, const Budget& budget);

/// Trains a model on ever new sequences and tests it on others. Throws std::invalid_argument for bad sizes.
Result run_experiment(const Size& size, const Budget& budget);

/// A sequence that no model was trained on. It ends with the name that is asked about.
struct Question {
  gradual::Indices tokens;  // [1, T]
  std::int32_t right = 0;   // what comes next

  gradual::Index times(std::int32_t value) const;  // how often it stands there
  std::int32_t commonest(gradual::Index names) const;
};

/// The first of a thousand whose answer is not the commonest value, so that counting does not do; of these
/// one that only the models with the most rounds answer right, or as near to that as there is.
Question telling_question(const std::vector<Result>& results, const Budget& budget);

/// What a model says to it, with pictures of its attention as SVG: every head of every round, and how
/// the answer is found (see draw_hops), for a wide page and for a phone.
struct Answer {
  std::int32_t value;
  double probability;
  std::vector<std::string> maps;  // what is asked stands behind the last name: "c?"
  std::string hops, narrow_hops;
  Hop strongest;  // what the last name looks at most in the last round
  double on_value = 0,
         on_strongest = 0;          // its weight, in that head, on all that is `value`, and as `strongest`
  bool has_names_of_heads = false;  // whether there is a head whose figures give it a name in its map
};
/// With `framed`, the cells of the way are framed in the maps.
Answer answer_to(const Question& question, const Result& result, const Budget& budget, bool framed);

/// What is right without knowing which value belongs to which name, in per cent of the test's questions.
struct Guesses {
  double alike = 0;      // any of the different values of the sequence so far
  double commonest = 0;  // the one that stands there most often
  double questions = 0;
};
Guesses guess(const Budget& budget);
