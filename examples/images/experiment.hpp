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

/// So many pictures are looked at while it learns, and so often.
constexpr gradual::Index looked_at_count = 200, looks_at_them = 10;

/// What a model with attention did after some steps, in per cent.
struct Look {
  gradual::Index step;
  double right;      // of the pictures to test on
  double commonest;  // answers to the pictures that are looked at that name a commonest shape
  double on_target;  // weight of the arrow's cell on what it points at, in the head that gives it most
  double in_any;     // the same in the head that gives it most in each picture
};

/// "heads share the work: …" where another head does it in other pictures, else "".
std::string work_of_heads(const Look& look);

/// What the arrow's cell of one picture looks at, in the head that gives most to what arrows point at. In the
/// picture counting fails (see is_telling), and the weight there is as near to the mean of all as there is.
struct ArrowLook {
  std::string head;                    // "layer 2, head 3"
  std::vector<gradual::Index> shapes;  // of the cells, -1 where there is none
  std::vector<double> weights;         // of the cells
  gradual::Index arrow, target, answer, said;
};

struct Result {
  std::string name;
  gradual::Index parameters;
  gradual::LearningCurve curve;
  std::vector<Look> looks = {};
  double commonest_of_right = 0;  // right answers to the same pictures that name a commonest shape, per cent
  // What arrows look at after the same steps, and one of them after the last.
  std::vector<gradual::Html::Choice> pictures = {};
  ArrowLook arrow_look = {};
  std::vector<std::string> answers = {};  // to the pictures that are looked at, where no cell sees another
  // How much of the arrow's weight lies on what it points at, in its best head, in per cent.
  gradual::ResultTable::Cell on_target = {};
};

/// Trains a model and tests it. `alone` has seen the same pictures and is done, where there is one. Throws
/// std::invalid_argument for bad sizes.
Result train(const std::string& name, Among among, const gradual::ArrowPictures& test,
             const Settings& settings, const Result* alone = nullptr);
