// What goes into the parts of 07. Sentences of different lengths come with the later sizes.
#include <gradual/core/attention/additive.hpp>
#include <gradual/core/layers/recurrent.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

// Sentences, steps, which step it is, and the width of a state; with lengths some sentences end before it.
struct Sizes {
  Index B, T, step, H;
  bool has_lengths;
};
const Sizes of_steps[] = {{1, 1, 0, 1, false}, {1, 1, 0, 2, false}, {2, 3, 1, 2, false},
                          {2, 3, 2, 3, true},  {3, 4, 1, 2, true},  {4, 3, 2, 17, true}};

// The largest of them has some more sentences and a wider state: how much, the seed says.
Sizes drawn_sizes(Random& random, Index size) {
  Sizes s = of_steps[size];
  if (size < 5) return s;
  s.B += random.below(3);
  s.H += random.below(5);
  return s;
}

// A sentence that ends before the step, one that has just reached it, and others that go on.
Indices lengths_around(const Sizes& s) {
  std::vector<std::int32_t> lengths;
  for (Index b = 0; b < s.B; ++b)
    lengths.push_back(static_cast<std::int32_t>(b == 0 ? s.step : b == 1 ? s.step + 1 : s.T));
  return {Shape{s.B}, lengths};
}

Values with_step(Values values, const Sizes& s) {
  values.indices.emplace_back("step", Indices({1}, {static_cast<std::int32_t>(s.step)}));
  if (s.has_lengths) values.indices.emplace_back("lengths", lengths_around(s));
  return values;
}

Indices lengths_of(const Values& in) {
  for (const auto& [name, numbers] : in.indices)
    if (name == "lengths") return numbers;
  return {};
}

RecurrentStep step_of(const Values& in) { return {indices(in, "step")[0], lengths_of(in)}; }

Values step_inputs(Random random, Index size) {
  const Sizes s = drawn_sizes(random, size);
  return with_step({{{"inputs", draw(random.split(), {s.B, s.T, 3 * s.H}, -2, 2, 0.5)},
                     {"recurrent", draw(random.split(), {s.B, 3 * s.H}, -2, 2, 0.5)},
                     {"state", draw(random.split(), {s.B, s.H}, -0.9, 0.9, 0.1)}},
                    {},
                    {}},
                   s);
}

// The gates of sentences that ended are nobody's business.
Values step_call(const Values& in) {
  const RecurrentStep step = step_of(in);
  StepResult result = gru_step(step, tensor(in, "inputs"), tensor(in, "recurrent"), tensor(in, "state"));
  const Index width = result.gates.rank() == 2 ? result.gates.dim(1) : 0;
  for (Index b = 0; width > 0 && b < result.gates.dim(0); ++b)
    for (Index i = 0; i < width && !step.reaches(b); ++i) result.gates.mutable_data()[b * width + i] = 0;
  return {{{"state", result.state}, {"gates", result.gates}}, {}, {}};
}

Tensor with_gates(Random random, Index B, Index H) {
  Tensor gates = draw(random.split(), {B, 3 * H}, 0.1, 0.9, 0.1);
  const Tensor n = draw(random.split(), {B, H}, -0.9, 0.9, 0.2);
  for (Index b = 0; b < B; ++b)
    for (Index i = 0; i < H; ++i) gates.mutable_data()[(b * 3 + 2) * H + i] = n.data()[b * H + i];
  return gates;
}

Values slope_inputs(Random random, Index size) {
  const Sizes s = drawn_sizes(random, size);
  return with_step({{{"gates", with_gates(random.split(), s.B, s.H)},
                     {"recurrent", draw(random.split(), {s.B, 3 * s.H}, 0.5, 2, 0.5)},
                     {"state", draw(random.split(), {s.B, s.H}, -0.8, 0.8, 0.2)},
                     {"d_next", draw(random.split(), {s.B, s.H}, 1, 3, 1)},
                     {"d_inputs", draw(random.split(), {s.B, s.T, 3 * s.H}, 1, 2, 0.5)}},
                    {},
                    {}},
                   s);
}

Values slope_call(const Values& in) {
  Tensor d_inputs = tensor(in, "d_inputs");
  const StepGradients slopes = gru_step_backward(step_of(in), tensor(in, "gates"), tensor(in, "recurrent"),
                                                 tensor(in, "state"), tensor(in, "d_next"), d_inputs);
  return {{{"by a", d_inputs}, {"by u", slopes.recurrent}, {"by h", slopes.state}}, {}, {}};
}

// Sentences, steps, the width of a state and how much of it is handed on.
struct Stack {
  Index B, T, W, width;
  bool has_lengths;
};
const Stack of_stacks[] = {
    {1, 2, 1, 1, false}, {2, 2, 2, 2, true}, {2, 3, 4, 2, true}, {3, 2, 3, 1, false}, {4, 5, 34, 17, true}};

Values stack_inputs(Random random, Index size) {
  Stack s = of_stacks[size];
  if (size == 4) s.T += random.below(4);
  Values values;
  for (Index t = 0; t < s.T; ++t)
    values.tensors.emplace_back("state " + std::to_string(t), draw(random.split(), {s.B, s.W}, 0.5, 9, 0.5));
  values.indices.emplace_back("width", Indices({1}, {static_cast<std::int32_t>(s.width)}));
  if (!s.has_lengths) return values;
  std::vector<std::int32_t> lengths;
  for (Index b = 0; b < s.B; ++b)  // the first is short, the second whole
    lengths.push_back(static_cast<std::int32_t>(b == 0 ? 1 : b == 1 ? s.T : random.below(s.T + 1)));
  values.indices.emplace_back("lengths", Indices({s.B}, lengths));
  return values;
}

Values stack_call(const Values& in) {
  std::vector<Tensor> states;
  for (const auto& [name, numbers] : in.tensors) states.push_back(numbers);
  return {{{"all", stack_states(states, indices(in, "width")[0], lengths_of(in))}}, {}, {}};
}

// Sentences, queries, keys and the width of both.
struct Scored {
  Index B, T, S, H;
};
const Scored of_scores[] = {{1, 1, 1, 1}, {1, 1, 2, 2}, {1, 2, 3, 2}, {2, 2, 3, 3}, {3, 4, 2, 17}};

Values score_inputs(Random random, Index size) {
  Scored s = of_scores[size];
  if (size == 4) {
    s.T += random.below(4);
    s.S += random.below(4);
  }
  return {{{"q", draw(random.split(), {s.B, s.T, s.H}, -1.25, 1.25, 0.5)},
           {"k", draw(random.split(), {s.B, s.S, s.H}, -1, 1, 0.5)},
           {"v", draw(random.split(), {s.H}, 0.5, 2.5, 0.5)}},
          {},
          {}};
}

Values score_slope_inputs(Random random, Index size) {
  Values values = score_inputs(random.split(), size);
  const Tensor &q = tensor(values, "q"), &k = tensor(values, "k");
  values.tensors.emplace_back("dy", draw(random.split(), {q.dim(0), q.dim(1), k.dim(1)}, 1, 4, 1));
  return values;
}

const Exercise a_step{"07.1", 6, step_inputs, step_call};
const Exercise its_slopes{"07.2", 6, slope_inputs, slope_call};
const Exercise all_states{"07.3", 5, stack_inputs, stack_call};
const Exercise scores{
    "07.4", 5, score_inputs, [](const Values& in) {
      return Values{{{"y", additive_scores(tensor(in, "q"), tensor(in, "k"), tensor(in, "v"))}}, {}, {}};
    }};
const Exercise their_slopes{"07.5", 5, score_slope_inputs, [](const Values& in) {
                              const AdditiveGradients slopes = additive_scores_backward(
                                  tensor(in, "q"), tensor(in, "k"), tensor(in, "v"), tensor(in, "dy"));
                              return Values{{{"dq", slopes.q}, {"dk", slopes.k}, {"dv", slopes.v}}, {}, {}};
                            }};

}  // namespace
