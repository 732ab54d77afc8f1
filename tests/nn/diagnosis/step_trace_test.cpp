#include <gradual/nn/diagnosis/step_trace.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <gradual/nn/training/trainer.hpp>

#include "nn/diagnosis/tiny_models.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

// What two runs may have differently, from step 3 on where it is done on the way.
struct Plan {
  std::uint64_t seed = 1;
  double dropout = 0.1, clip = 1, epsilon = 1e-9, smoothing = 0.1, rate = 0.01;
  std::function<void(Index step, TranslationBatch& batch)> batch = [](Index, TranslationBatch&) {};
  std::function<void(Index step, Transformer& model)> before = [](Index, Transformer&) {};
};

std::vector<StepTrace> traces_of(const Plan& plan) {
  TransformerConfig config = tiny::transformer();
  config.dropout = plan.dropout;
  Transformer model(config, Random(plan.seed));
  Adam adam(parameters(model), {0.9, 0.98, plan.epsilon, 0});
  Schedule schedule;
  schedule.peak = plan.rate;
  schedule.warmup = 2;
  schedule.total = 5;
  Trainer trainer(model, adam, schedule, {plan.clip, 1, 0});
  std::vector<StepTrace> traces{StepTracer().finish(0, parameters(model))};
  for (Index step = 1; step <= 5; ++step) {
    plan.before(step, model);
    StepTracer tracer;
    trainer.step([&](Index) {
      TranslationBatch batch = tiny::pairs();
      plan.batch(step, batch);
      CrossEntropyOptions options;
      options.label_smoothing = plan.smoothing;
      return BatchLoss(model.loss(batch, options));
    });
    traces.push_back(tracer.finish(step, parameters(model)));
  }
  return traces;
}

TraceDifference found(const Plan& plan) {
  static const std::vector<StepTrace> sound = traces_of({});
  const auto difference = trace_difference(sound, traces_of(plan));
  return difference.value_or(TraceDifference{-1, "", ""});
}

}  // namespace

TEST_CASE("step trace: two runs of one plan are the same to the last bit") { CHECK(found({}).step == -1); }

TEST_CASE("step trace: the step and the tensor of ten planted differences") {
  const auto check = [](const Plan& plan, Index step, const std::string& tensor) {
    const TraceDifference difference = found(plan);
    INFO(difference.text);
    CHECK(difference.step == step);
    CHECK_THAT(difference.tensor, Contains(tensor));
  };
  Plan plan;
  SECTION("seed") {
    plan.seed = 2;
    check(plan, 0, "begin: source_embedding.weight");
  }
  SECTION("dropout") {
    plan.dropout = 0.2;
    check(plan, 1, "forward: dropout (operation 4");
  }
  SECTION("smoothing") {
    plan.smoothing = 0;
    check(plan, 1, "forward: linear_cross_entropy");
  }
  SECTION("clipping") {
    plan.clip = 0.01;
    check(plan, 1, "update: source_embedding.weight");
  }
  SECTION("the optimizer's epsilon") {
    plan.epsilon = 1e-6;
    check(plan, 1, "update: source_embedding.weight");
  }
  SECTION("learning rate") {
    plan.rate = 0.0100001;
    check(plan, 1, "update: source_embedding.weight");
  }
  SECTION("a word of the source") {
    plan.batch = [](Index step, TranslationBatch& batch) {
      if (step == 3) batch.source.ids = Indices({2, 4}, {3, 4, 5, 2, 7, 2, 0, 0});
    };
    check(plan, 3, "forward: embedding (operation 1");
  }
  SECTION("a word of the target") {
    plan.batch = [](Index step, TranslationBatch& batch) {
      if (step == 4) batch.output = Indices({2, 3}, {5, 6, 2, 7, 9, 2});
    };
    check(plan, 4, "forward: linear_cross_entropy");
  }
  SECTION("padding that is read") {
    plan.batch = [](Index step, TranslationBatch& batch) {
      if (step == 3) batch.source.lengths = Indices({2}, {4, 4});
    };
    check(plan, 3, "encoder.0.self_attention");
  }
  SECTION("one weight, by one bit") {
    plan.before = [](Index step, Transformer& model) {
      if (step != 4) return;
      Tensor weight = model.target_embedding.weight.value();
      Real& number = weight.mutable_data()[5 * 8];  // of a word that is in the batch
      number = std::nextafter(number, Real(9));
      model.target_embedding.weight.set_value(weight);
    };
    check(plan, 4, "in target_embedding");
  }
}

TEST_CASE("step trace: a line of a file is what it was, also with NaN and names of any letters") {
  const Var x = Var::parameter(Tensor({2}, {1, std::numeric_limits<Real>::quiet_NaN()}));
  const StepTrace trace = StepTracer().finish(7, {{"wörter \"x\"", x}});
  const StepTrace again = StepTrace::from_line(trace.line());
  CHECK(again.step == 7);
  REQUIRE(again.tensors.size() == 1);
  CHECK(again.tensors[0].name == "update: wörter \"x\"");
  CHECK(again.tensors[0].checksum == trace.tensors[0].checksum);
  CHECK_FALSE(trace_difference({trace}, {again}).has_value());
  CHECK_THROWS(StepTrace::from_line("{}"));
  CHECK(read_step_traces("no such file").empty());
  // −0 and 0 are not the same bits.
  const auto zero = [](Real value) {
    return StepTracer().finish(1, {{"x", Var::parameter(Tensor({1}, {value}))}});
  };
  CHECK(trace_difference({zero(0)}, {zero(-Real(0))}).has_value());
}

TEST_CASE("step trace: an operation that one run alone has is named") {
  const auto trace = [](bool more) {
    const Var x = Var::parameter(Tensor({2}, {1, 2})).named("x");
    StepTracer tracer;
    backward(sum(more ? x * 2 + 0 : x * 2));
    return tracer.finish(1, {});
  };
  const auto difference = trace_difference({trace(false)}, {trace(true)});
  REQUIRE(difference.has_value());
  CHECK_THAT(difference->text, Contains("sum") && Contains("in the first run") && Contains("add"));
}

TEST_CASE("step trace: the size of a tensor is the mean of its numbers without signs") {
  const auto size = [](const Tensor& x) {
    return StepTracer().finish(1, {{"x", Var::parameter(x)}}).tensors.at(0).size;
  };
  CHECK(size(Tensor({2}, {-3, 1})) == 2);
  CHECK(size(Tensor({1}, {-3})) == 3);
  CHECK(size(Tensor({0})) == 0);
}
