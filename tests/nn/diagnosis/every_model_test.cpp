// Each tool of docs/diagnosis.md on a model of each kind, and on one of one's own: what is sound, and one
// thing that is planted in its loss. tests/nn/diagnosis/rule_check_gradient_test.cpp has the rules, in
// double.
#include <algorithm>
#include <filesystem>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/nn/diagnosis/dead_paths.hpp>
#include <gradual/nn/diagnosis/gradient_terms.hpp>
#include <gradual/nn/diagnosis/heads.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/diagnosis/shapes.hpp>
#include <gradual/nn/diagnosis/step_trace.hpp>
#include <gradual/nn/diagnosis/trace.hpp>
#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/positions/vectors.hpp>
#include <gradual/nn/training/history.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "nn/diagnosis/tiny_models.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

// A language model by the running mean of what stands before, and where.
struct RunningMean {
  Embedding words{12, 8, Random(1)};
  Linear output{8, 12, Random(2)};
  void visit(Visitor& visitor) {
    visitor("words", words);
    visitor("output", output);
  }
  Var logits(const Indices& ids) const {
    const Var x = tanh(words(ids) + sinusoidal_positions(ids.dim(1), 8));
    Tensor counts({ids.dim(1), 1});
    for (Index t = 0; t < ids.dim(1); ++t) counts.mutable_data()[t] = static_cast<Real>(t + 1);
    return output(x + cumsum(x, 1) / counts);
  }
};

Var loss_of(const RunningMean& model) {
  return cross_entropy(model.logits(tiny::pairs().input), tiny::pairs().output);
}

// A model of some kind, as the tools see it.
struct Subject {
  std::string name;
  std::function<void(Visitor&)> visit;
  std::vector<NamedParameter> parameters;
  std::function<Var()> loss;
  LeakSubject leaks;
  std::vector<ModelHead> heads;
};

template <class Model>
Subject subject_of(const std::string& name, const std::shared_ptr<Model>& model, LeakSubject leaks) {
  using tiny::loss_of;
  Subject subject{name,
                  [model](Visitor& visitor) { model->visit(visitor); },
                  parameters(*model),
                  [model] { return loss_of(*model); },
                  std::move(leaks),
                  {}};
  subject.heads = attention_heads(subject.parameters, [&] { subject.loss(); });
  return subject;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const auto transformer = std::make_shared<Transformer>(tiny::transformer(), Random(1));
  all.push_back(subject_of("transformer", transformer, leak_subject(*transformer, 12, 12)));
  const auto recurrent = std::make_shared<RecurrentTranslator>(tiny::recurrent(), Random(1));
  all.push_back(subject_of("recurrent model", recurrent, leak_subject(*recurrent, 12, 12)));
  all.back().heads = attention_heads(*recurrent);
  const auto language = std::make_shared<LanguageModel>(tiny::stack(1), Random(1));
  all.push_back(subject_of("language model", language, leak_subject(*language)));
  const auto classifier = std::make_shared<Classifier>(tiny::stack(1), 3, Pooling::attention, Random(1));
  all.push_back(subject_of("classifier", classifier, leak_subject(*classifier)));
  const auto own = std::make_shared<RunningMean>();
  LeakSubject own_leaks;
  own_leaks.target_vocabulary = 12;
  own_leaks.compute = [own](const SourceBatch&, const Indices& ids) { return own->logits(ids); };
  all.push_back(subject_of("a model of one's own", own, own_leaks));
  all.back().heads.push_back({"words", 0, {{own->output.weight, 0, 4}}});
  return all;
}

// While it lives, the first result gets the mean of all sentences on top.
struct SentencesMixed : GraphObserver {
  Tensor instead_of(const Var& y) override {
    if (done || y.shape().rank() < 3) return {};
    done = true;
    const Tensor& x = y.value();
    return x + mean(x, {0}, Axis::kept);
  }
  bool done = false;
};

}  // namespace

TEST_CASE("every model: the observer hears what it computes and how gradients come back") {
  struct Counter : GraphObserver {
    void forward(const char*, const Var& y, const std::vector<Var>&) override {
      recorded += y.requires_grad();
    }
    void passed_back(const Node&) override { ++backwards; }
    int recorded = 0, backwards = 0;
  };
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    Counter counter;
    backward(subject.loss());
    CHECK(counter.backwards > 3);
    CHECK(counter.recorded >= counter.backwards);
  }
}

TEST_CASE("every model: nothing leaks, and sentences that are mixed are found") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    CHECK(find_leaks(subject.leaks).empty());
    LeakSubject mixed = subject.leaks;
    mixed.compute = [&](const SourceBatch& source, const Indices& target) {
      const SentencesMixed mix;
      return subject.leaks.compute(source, target);
    };
    const std::vector<Leak> leaks = find_leaks(mixed);
    REQUIRE_FALSE(leaks.empty());
    CHECK(leaks.front().kind == Leak::Kind::other_sentences);
  }
}

TEST_CASE("every model: all paths are alive, and a loss times 0 kills them all") {
  const EvaluationScope evaluation;
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    CHECK(find_dead_paths(subject.parameters, subject.loss).empty());
    const auto dead = find_dead_paths(subject.parameters, [&] { return subject.loss() * 0; });
    REQUIRE(dead.size() == subject.parameters.size());
    for (const DeadPath& each : dead) CHECK(each.operation.find("mul") != std::string::npos);
  }
}

TEST_CASE("every model: its numbers are finite, and the root of a loss below 0 is named") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    {
      const AnomalyDetection detection;
      CHECK_NOTHROW(backward(subject.loss()));
    }
    try {
      const AnomalyDetection detection;
      sqrt(subject.loss() - 100);
      FAIL("no anomaly");
    } catch (const AnomalyError& error) {
      CHECK(error.operation == "sqrt");
      CHECK(error.pass == AnomalyError::Pass::forward);
    }
  }
}

TEST_CASE("every model: its shapes are written layer by layer") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    Trace trace;
    subject.loss();
    const std::string shapes = shape_text(shape_trace(trace.operations(), {{"B", 2}, {"V", 12}}));
    CHECK_THAT(shapes, Contains("embedding") && Contains("[V, ") && Contains("cross_entropy"));
  }
}

TEST_CASE("every model: the terms of a gradient add up to it") {
  const EvaluationScope evaluation;
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    backward(subject.loss());
    const ParameterPlace largest = largest_gradient(subject.parameters);
    zero_gradients(subject.parameters);
    const GradientPath path = explain_gradient(subject.loss, largest.parameter.variable, largest.place);
    REQUIRE(path.steps.size() >= 2);
    for (std::size_t i = 0; i + 1 < path.steps.size(); ++i)
      CHECK(path.steps[i].sum() == Approx(path.steps[i].gradient).epsilon(1e-4).margin(1e-6));
    CHECK(path.steps.back().gradient == 1);  // of the loss
  }
}

TEST_CASE("every model: it is another without its first head, and afterwards what it was") {
  const EvaluationScope evaluation;
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    REQUIRE_FALSE(subject.heads.empty());
    const auto judge = [&] { return std::vector<MeanCounts>{{subject.loss().value().item(), 1}}; };
    const double before = judge()[0].score();
    const auto effects = ablate_heads<MeanCounts>(subject.heads, judge);
    CHECK(std::any_of(effects.begin(), effects.end(),
                      [](const HeadEffect& each) { return each.change.change != 0; }));
    CHECK(judge()[0].score() == before);
  }
}

TEST_CASE("every model: two steps are the same to the bit, and a factor is found where it comes in") {
  const EvaluationScope evaluation;
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    const auto traced = [&](Real factor) {
      zero_gradients(subject.parameters);
      StepTracer tracer;
      backward(subject.loss() * factor);
      return tracer.finish(1, subject.parameters);
    };
    const StepTrace first = traced(1);
    CHECK_FALSE(trace_difference({first}, {traced(1)}));
    const auto difference = trace_difference({first}, {traced(Real(1.0001))});
    REQUIRE(difference);
    CHECK_THAT(difference->tensor, Contains("forward: mul"));
  }
}

TEST_CASE("every model: any step of its training comes again with the same bits") {
  const EvaluationScope evaluation;
  const Index count = static_cast<Index>(subjects().size());
  for (Index i = 0; i < count; ++i) {
    const TestFolder folder;
    struct Run {
      Subject subject;
      Random random{7};
      Adam adam;
      Trainer trainer;
      explicit Run(const Subject& some)
          : subject(some), adam(subject.parameters), trainer(subject, adam, schedule()) {}
      static Schedule schedule() {
        Schedule schedule;
        schedule.peak = 0.01;
        schedule.warmup = 10;
        schedule.total = 120;
        return schedule;
      }
      BatchLoss loss() { return subject.loss() * static_cast<Real>(1 + random.uniform()); }
      std::vector<Real> numbers() const { return subject.parameters.back().variable.value().to_vector(); }
    };
    const auto made = [&] { return Run(subjects()[static_cast<std::size_t>(i)]); };
    Run run = made();
    INFO(run.subject.name);
    const std::string path = folder / "run";
    std::filesystem::create_directory(path);
    const TrainingHistory history(path, 120, 1e5, 1);
    REQUIRE(history.every() > 0);
    std::vector<std::vector<Real>> after;
    run.trainer.every(1, [&](const TrainingStep& now) {
      after.push_back(run.numbers());
      if (history.is_due(now.step)) run.trainer.save_checkpoint(history.path(now.step), run.random);
    });
    run.trainer.run([&](Index) { return run.loss(); });
    for (const Index step : {1, 49, 75, 120}) {
      Run again = made();
      make_again(again.trainer, again.random, path, step, [&](Index) { return again.loss(); });
      CHECK(again.numbers() == after[static_cast<std::size_t>(step - 1)]);
    }
  }
}

TEST_CASE("every model: the doctor finds nothing in a sound one of one's own") {
  RunningMean model;
  Patient patient = patient_of(model, [&](const TranslationBatch& batch) {
    return cross_entropy(model.logits(batch.input), batch.output);
  });
  patient.target_words = 12;
  patient.batch = [](Index n) {
    Random random(static_cast<std::uint64_t>(n + 1));
    std::vector<std::int32_t> input, output;
    for (int sentence = 0; sentence < 8; ++sentence) {
      auto word = static_cast<std::int32_t>(random.below(12));
      for (int place = 0; place < 5; ++place) {
        input.push_back(word);
        word = (5 * word + place) % 12;
        output.push_back(word);
      }
    }
    return TranslationBatch{{}, Indices({8, 5}, std::move(input)), Indices({8, 5}, std::move(output))};
  };
  const Diagnosis diagnosis = examine(patient);
  INFO(diagnosis.text());
  CHECK(diagnosis.is_sound());
}
