// The experiment: a model with attention among the cells and one without learn what the arrow points at.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../page_program.hpp"
#include "model.hpp"

struct Settings : PageSettings {
  gradual::Index steps = 1500, batch = 64, width = 64, heads = 4, rounds = 2, tested = 2000;
  double learning_rate = 0.002, noise = 0.2;
};

/// So many pictures are looked at while it learns.
constexpr gradual::Index looked_at_count = 200;

/// What a model with attention did after some steps, in per cent.
struct Look {
  gradual::Index step;
  double commonest;  // answers that name the commonest shape of the picture
  double on_target;  // weight of the arrow's cell on what it points at, in the head that gives it most
};

struct Result {
  std::string name;
  gradual::Index parameters;
  gradual::LearningCurve curve;
  std::vector<Look> looks = {};
  double commonest_of_right = 0;  // right answers to the same pictures that name a commonest shape, per cent
  // What the arrow looks at, where it does, after some steps; the first of them where it looks there; and the
  // head in the last.
  std::vector<gradual::Html::Choice> pictures = {};
  std::size_t begins_to_work = 0;
  std::string head_shown = {};
  std::vector<std::string> answers = {};  // to the pictures that are looked at
  // How much of the arrow's weight lies on what it points at, in its best head, in per cent.
  gradual::ResultTable::Cell on_target = {};
};

/// Trains a model and tests it. `alone` has seen the same pictures and is done, where there is one. Throws
/// std::invalid_argument for bad sizes.
Result train(const std::string& name, Among among, const gradual::ArrowPictures& test,
             const Settings& settings, const Result* alone = nullptr);
