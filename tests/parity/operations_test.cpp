// Every operation against PyTorch: the value and the gradient of each input.
#include <gradual/autograd/operations.hpp>

#include <algorithm>
#include <functional>

#include "support/catch.hpp"
#include "support/fixtures.hpp"

using namespace gradual;

namespace {

// A case of a fixture file: "softmax" with its inputs "softmax/x", and so on.
class Case {
 public:
  Case(const Fixture& fixture, std::string name) : fixture_(fixture), name_(std::move(name)) {}

  const Indices& ids(const std::string& input) const { return fixture_.indices(name_ + "/" + input); }

  // Calls operation(inputs...) with parameters and compares the value and all gradients.
  template <class Operation>
  void check(const std::vector<std::string>& inputs, Operation operation) const {
    std::vector<Var> x;
    for (const std::string& input : inputs) x.push_back(Var::parameter(fixture_.tensor(name_ + "/" + input)));
    const Var y = operation(x);
    INFO(name_);
    CHECK(difference(y.value(), fixture_.tensor(name_ + "/y")) == "");
    backward(y, fixture_.tensor(name_ + "/dy"));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      INFO("gradient of " << inputs[i]);
      CHECK(difference(x[i].grad(), fixture_.tensor(name_ + "/d_" + inputs[i])) == "");
    }
  }

 private:
  const Fixture& fixture_;
  std::string name_;
};

using Inputs = std::vector<Var>;

}  // namespace

TEST_CASE("parity: arithmetic with broadcasting agrees with PyTorch") {
  const Fixture fixture("arithmetic");
  for (const char* shapes : {"same", "row", "column", "both", "scalar", "left_row"}) {
    const std::string suffix = std::string("_") + shapes;
    Case(fixture, "add" + suffix).check({"a", "b"}, [](const Inputs& x) { return x[0] + x[1]; });
    Case(fixture, "sub" + suffix).check({"a", "b"}, [](const Inputs& x) { return x[0] - x[1]; });
    Case(fixture, "mul" + suffix).check({"a", "b"}, [](const Inputs& x) { return x[0] * x[1]; });
    Case(fixture, "div" + suffix).check({"a", "b"}, [](const Inputs& x) { return x[0] / x[1]; });
  }
}

TEST_CASE("parity: functions agree with PyTorch") {
  const Fixture fixture("functions");
  const auto check = [&](const char* name, Var (*function)(const Var&)) {
    Case(fixture, name).check({"x"}, [=](const Inputs& x) { return function(x[0]); });
  };
  check("exp", exp);
  check("log", log);
  check("sqrt", sqrt);
  check("square", [](const Var& x) { return pow(x, 2); });
  check("cube", [](const Var& x) { return pow(x, 3); });
  check("power", [](const Var& x) { return pow(x, Real(-1.5)); });
  check("tanh", tanh);
  check("sigmoid", sigmoid);
  check("relu", relu);
  check("gelu", gelu);

  const Case where_case(fixture, "where");
  const Indices& flags = where_case.ids("condition");
  const Tensor condition(flags.shape(), std::vector<Real>(flags.begin(), flags.end()));
  where_case.check({"a", "b"}, [&](const Inputs& x) { return where(condition, x[0], x[1]); });
}

TEST_CASE("parity: reductions agree with PyTorch") {
  const Fixture fixture("reductions");
  const auto check = [&](const char* name, std::function<Var(const Var&)> function) {
    Case(fixture, name).check({"x"}, [=](const Inputs& x) { return function(x[0]); });
  };
  check("sum_all", [](const Var& x) { return sum(x); });
  check("sum_first", [](const Var& x) { return sum(x, {0}); });
  check("sum_middle", [](const Var& x) { return sum(x, {1}, Axis::kept); });
  check("sum_ends", [](const Var& x) { return sum(x, {0, 2}); });
  check("mean_all", [](const Var& x) { return mean(x); });
  check("mean_last", [](const Var& x) { return mean(x, {-1}, Axis::kept); });
  check("max_all", [](const Var& x) { return max(x); });
  check("max_first_two", [](const Var& x) { return max(x, {0, 1}); });
  check("max_ties", [](const Var& x) { return max(x, {1}); });
}

TEST_CASE("parity: rearrangements agree with PyTorch") {
  const Fixture fixture("arrangement");
  Case(fixture, "reshape").check({"x"}, [](const Inputs& x) { return reshape(x[0], {6, 10}); });
  Case(fixture, "transpose").check({"x"}, [](const Inputs& x) { return transpose(x[0]); });
  Case(fixture, "permute").check({"x"}, [](const Inputs& x) { return transpose(x[0], {2, 0, 1}); });
  Case(fixture, "concat").check({"a", "b", "c"}, [](const Inputs& x) { return concat(x, 1); });
  Case(fixture, "slice").check({"x"}, [](const Inputs& x) { return slice(x[0], 1, 1, 3); });
  const Case gathered(fixture, "gather"), embedded(fixture, "embedding");
  gathered.check({"x"}, [&](const Inputs& x) { return gather(x[0], 1, gathered.ids("index")); });
  embedded.check({"table"}, [&](const Inputs& x) { return embedding(embedded.ids("index"), x[0]); });
}

TEST_CASE("parity: matrix products agree with PyTorch, for all transposes and kinds of batches") {
  const Fixture fixture("products");
  const std::vector<std::pair<std::string, Transposes>> all{
      {"nn", {false, false}}, {"tn", {true, false}}, {"nt", {false, true}}, {"tt", {true, true}}};
  for (const auto& [suffix, transposes] : all) {
    for (const char* kind : {"matmul_", "matmul_batched_", "matmul_one_right_", "matmul_broadcast_"})
      Case(fixture, kind + suffix).check({"a", "b"}, [t = transposes](const Inputs& x) {
        return matmul(x[0], x[1], t);
      });
  }
  Case(fixture, "linear").check({"input", "weight", "bias"}, [](const Inputs& x) {
    return linear(x[0], x[1], x[2]);
  });
  Case(fixture, "linear_without_bias").check({"input", "weight"}, [](const Inputs& x) {
    return linear(x[0], x[1]);
  });
}

TEST_CASE("parity: softmax and layer norm agree with PyTorch") {
  const Fixture fixture("normalization");
  Case(fixture, "softmax").check({"x"}, [](const Inputs& x) { return softmax(x[0]); });
  Case(fixture, "log_softmax").check({"x"}, [](const Inputs& x) { return log_softmax(x[0]); });
  for (const char* name : {"masked_softmax", "masked_softmax_of_queries"}) {
    const Case masked(fixture, name);
    masked.check({"x"}, [&](const Inputs& x) { return masked_softmax(x[0], masked.ids("valid")); });
  }
  for (const char* name : {"layer_norm", "layer_norm_off_centre"})
    Case(fixture, name).check({"x", "gain", "bias"}, [](const Inputs& x) {
      return layer_norm(x[0], x[1], x[2]);
    });
}

TEST_CASE("parity: RMS norm agrees with PyTorch") {
  const Fixture fixture("rms_norm");
  for (const char* name : {"rms_norm", "rms_norm_batched"})
    Case(fixture, name).check({"x", "gain"}, [](const Inputs& x) { return rms_norm(x[0], x[1]); });
}

TEST_CASE("parity: functions with corners agree with PyTorch, at the corners too") {
  const Fixture fixture("vocabulary");
  const auto check = [&](const char* name, Var (*function)(const Var&)) {
    Case(fixture, name).check({"x"}, [=](const Inputs& x) { return function(x[0]); });
  };
  check("abs", abs);
  check("sin", sin);
  check("cos", cos);
  check("log1p", log1p);
  check("softplus", softplus);
  check("silu", silu);
  check("elu", elu);
  check("leaky_relu", [](const Var& x) { return leaky_relu(x, Real(0.125)); });
  check("clip", [](const Var& x) { return clip(x, -1, Real(0.5)); });
  check("clip_to_one_number", [](const Var& x) { return clip(x, 0, 0); });
}

TEST_CASE("parity: choices and comparisons of equal and other numbers agree with PyTorch, broadcast") {
  const Fixture fixture("vocabulary");
  for (const std::string shapes : {"same", "row", "column", "both", "scalar", "left_row"}) {
    const Case chosen(fixture, "where_" + shapes);
    Case(fixture, "maximum_" + shapes).check({"a", "b"}, [](const Inputs& x) { return maximum(x[0], x[1]); });
    Case(fixture, "minimum_" + shapes).check({"a", "b"}, [](const Inputs& x) { return minimum(x[0], x[1]); });
    const Indices& flags = chosen.ids("condition");
    const Tensor condition(flags.shape(), std::vector<Real>(flags.begin(), flags.end()));
    chosen.check({"a", "b"}, [&](const Inputs& x) { return where(condition, x[0], x[1]); });
    const Tensor &a = fixture.tensor("where_" + shapes + "/a"), &b = fixture.tensor("where_" + shapes + "/b");
    const auto compare = [&](const char* name, const Tensor& ours) {
      INFO(name << " " << shapes);
      CHECK(difference(ours, fixture.tensor(std::string(name) + "_" + shapes + "/y"), 0) == "");
    };
    compare("lt", a < b);
    compare("le", a <= b);
    compare("gt", a > b);
    compare("ge", a >= b);
    compare("eq", is_equal(a, b));
  }
}

TEST_CASE(
    "parity: variance, extremes and running sums agree with PyTorch, over negative axes and among ties") {
  const Fixture fixture("vocabulary");
  const std::vector<std::pair<std::string, Axes>> all{
      {"all", {}}, {"first", {0}}, {"last", {-1}}, {"ends", {0, -1}}, {"before_last", {-2}}};
  for (const auto& [name, axes] : all) {
    const auto check = [&, over = axes](const std::string& reduction, auto function) {
      Case(fixture, reduction).check({"x"}, [&](const Inputs& x) { return function(x[0], over); });
    };
    check("variance_" + name, [](const Var& x, const Axes& over) { return variance(x, over); });
    check("variance_" + name + "_kept",
          [](const Var& x, const Axes& over) { return variance(x, over, Axis::kept); });
    check("min_" + name, [](const Var& x, const Axes& over) { return min(x, over); });
    check("max_" + name, [](const Var& x, const Axes& over) { return max(x, over, Axis::kept); });
  }
  for (const Index axis : {0, 1, -1}) {
    const std::string suffix = "_" + std::to_string(axis);
    Case(fixture, "cumsum" + suffix).check({"x"}, [=](const Inputs& x) { return cumsum(x[0], axis); });
    const Indices ours = argmax(fixture.tensor("argmax" + suffix + "/x"), axis);
    const Indices& places = fixture.indices("argmax" + suffix + "/y");
    INFO("argmax" << suffix);
    CHECK(ours.shape() == places.shape());
    CHECK(std::equal(ours.begin(), ours.end(), places.begin(), places.end()));
  }
}

TEST_CASE("parity: what is stacked, split and indexed agrees with PyTorch, along negative axes too") {
  const Fixture fixture("vocabulary");
  for (const Index axis : {0, 1, 2, -1, -3})
    Case(fixture, "stack_" + std::to_string(axis)).check({"a", "b"}, [=](const Inputs& x) {
      return stack({x[0], x[1], x[0]}, axis);
    });
  for (const Index axis : {1, -1})
    Case(fixture, "split_" + std::to_string(axis)).check({"x"}, [=](const Inputs& x) {
      const std::vector<Var> parts = split(x[0], {1, 0, 3}, axis);
      return concat({parts[0], parts[1] * 2, parts[2] * 3}, axis);
    });
  Case(fixture, "row").check({"x"}, [](const Inputs& x) { return x[0][1]; });
  Case(fixture, "row_from_the_end").check({"x"}, [](const Inputs& x) { return x[0][-1]; });
  Case(fixture, "element").check({"x"}, [](const Inputs& x) { return x[0][2][-4][0]; });
}

TEST_CASE("parity: sums of products by a pattern agree with PyTorch") {
  const Fixture fixture("vocabulary");
  for (const std::string pattern : {"ij,jk->ik", "bqd,bkd->bqk", "bthd,bshd->bhts", "i,j->ij", "ij,ij->",
                                    "ijk,k->j", "ij,kl->ki", "bij,bj->bi"})
    Case(fixture, "einsum " + pattern).check({"a", "b"}, [&](const Inputs& x) {
      return einsum(pattern, x[0], x[1]);
    });
}

TEST_CASE("parity: attention agrees with PyTorch, for all masks, packings and lengths") {
  const Fixture fixture("attention");
  const auto check = [&](const char* name, Index heads, bool causal, bool padded) {
    const Case attended(fixture, name);
    AttentionOptions options;
    options.mask.causal = causal;
    if (padded) options.mask.valid_lengths = attended.ids("valid");
    attended.check({"q", "k", "v"}, [&](const Inputs& x) {
      return attention({x[0]}, {x[1]}, {x[2]}, heads, x[0].dim(2) / heads, x[2].dim(2) / heads, options);
    });
  };
  check("attention", 3, false, false);
  check("attention_padding", 2, false, true);
  check("attention_queries", 2, false, true);
  check("attention_causal", 2, true, false);
  check("attention_causal_late", 1, true, false);
  check("attention_causal_padding", 2, true, true);
  check("attention_long", 2, false, false);
  check("attention_long_masked", 2, true, true);

  AttentionOptions causal;
  causal.mask.causal = true;
  Case(fixture, "attention_packed").check({"qkv"}, [&](const Inputs& x) {
    return attention({x[0], 0}, {x[0], 8}, {x[0], 16}, 2, 4, 4, causal);
  });
  const Case cross(fixture, "attention_cross_packed");
  AttentionOptions padded;
  padded.mask.valid_lengths = cross.ids("valid");
  cross.check({"q", "kv"}, [&](const Inputs& x) {
    return attention({x[0]}, {x[1], 0}, {x[1], 8}, 4, 2, 2, padded);
  });
  Case(fixture, "attention_to_itself").check({"x"}, [](const Inputs& x) {
    return attention({x[0]}, {x[0]}, {x[0]}, 2, 4, 4);
  });
}

TEST_CASE("parity: cross-entropy with the consistency of two passes agrees with PyTorch") {
  const Fixture fixture("consistency");
  const Case loss(fixture, "linear_cross_entropy");
  const CrossEntropyOptions options{0, 0.1, 2.5};
  loss.check({"x", "weight"},
             [&](const Inputs& x) { return linear_cross_entropy(x[0], x[1], loss.ids("target"), options); });
  loss.check({"x", "weight"},
             [&](const Inputs& x) { return cross_entropy(linear(x[0], x[1]), loss.ids("target"), options); });
}

TEST_CASE("parity: cross-entropy agrees with PyTorch, with ignored targets and label smoothing") {
  const Fixture fixture("losses");
  for (const double smoothing : {0.0, 0.1}) {
    const std::string suffix = smoothing > 0 ? "_smoothed" : "";
    const auto check = [&](const std::string& name, std::int32_t ignored) {
      const Case loss(fixture, name + suffix);
      loss.check({"x"}, [&](const Inputs& x) {
        return cross_entropy(x[0], loss.ids("target"), {ignored, smoothing});
      });
    };
    check("cross_entropy", -1);
    check("cross_entropy_ignored", 0);
    check("cross_entropy_wide", -1);
    const Case fused(fixture, "linear_cross_entropy" + suffix);
    fused.check({"x", "weight"}, [&](const Inputs& x) {
      return linear_cross_entropy(x[0], x[1], fused.ids("target"), {0, smoothing});
    });
  }
}
