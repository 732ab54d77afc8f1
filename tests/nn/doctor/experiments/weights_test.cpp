#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "cases.hpp"

namespace gradual::experiments::weights_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

Patient with_parameters(const std::vector<Tensor>& values) {
  Patient patient = patient_with({batch_of({{3, 4, 2}}, {3}, {{1, 4}}, {{4, 2}})}, 5, 5);
  for (const Tensor& each : values)
    patient.parameters.push_back({"w" + std::to_string(patient.parameters.size()), Var::parameter(each)});
  return patient;
}

Tensor all(double value, const Shape& shape = {2, 2}) {
  return Tensor::ones(shape) * static_cast<Real>(value);
}
const Tensor drawn({2, 2}, {1, 2, 3, 4});

std::optional<Answer> differ(const std::vector<Tensor>& values) {
  return asked(of_weights(), "weights differ", with_parameters(values));
}

// A linear layer for each of these weights [2, n], whose inputs are ones.
std::optional<Answer> keep_size(const std::vector<Tensor>& weights) {
  Patient patient = with_parameters(weights);
  patient.loss = [&](const TranslationBatch&) {
    Var total;
    for (const NamedParameter& each : patient.parameters) {
      const Var y = sum(linear(Tensor::ones({1, each.variable.dim(1)}), each.variable, Var()));
      total = total.defined() ? total + y : y;
    }
    return total;
  };
  return asked(of_weights(), "layers keep size", patient);
}

// Words [1, 2, 4] all of one size, and what is added to them of another.
std::optional<Answer> heard(double words, double positions, bool learned = false, bool first = false) {
  Patient patient = with_parameters({all(1, {5, 4}), all(positions, {3, 4})});
  patient.loss = [&](const TranslationBatch& batch) {
    const Var x = embedding(batch.input, patient.parameters[0].variable) * static_cast<Real>(words);
    const Var places = learned ? slice(patient.parameters[1].variable, 0, 0, 2) : Var(all(positions, {2, 4}));
    return sum(first ? places + x : x + places);
  };
  return asked(of_embeddings(), "words and places are heard", patient);
}

std::optional<Answer> tables(bool shared, Index source_words, const std::vector<TranslationBatch>& batches) {
  Patient patient = patient_with(batches, source_words, 5);
  patient.parameters = {{"a", Var::parameter(all(1, {9, 2}))}, {"b", Var::parameter(all(1, {9, 2}))}};
  patient.loss = [&](const TranslationBatch& batch) {
    const Var x = embedding(batch.source.ids, patient.parameters[0].variable);
    const Var y = embedding(batch.input, patient.parameters[shared ? 0 : 1].variable);
    return sum(x) + sum(y);
  };
  return asked(of_embeddings(), "tables are own", patient);
}

}  // namespace

TEST_CASE("weights: at most half of all matrices begin with zeros, and none with one number") {
  CHECK_FALSE(differ({}).has_value());
  CHECK(differ({drawn, drawn}).value().evidence == "of 2 matrices, 0 begin with zeros alone");
  CHECK(differ({drawn, all(0)}).value().cause.empty());
  CHECK_THAT(differ({drawn, all(0), all(0)}).value().cause,
             Contains("Weights begin all alike: w1 is made of zeros"));
  const Answer equal = differ({drawn, all(0.5), all(1), drawn}).value();
  CHECK(equal.evidence == "of 4 matrices, 0 begin with zeros alone, and w1 with one number");
  CHECK_THAT(equal.cause, Contains("w1 is made of one and the same number"));
  CHECK_THAT(differ({all(0), all(0), all(1)}).value().cause,
             Contains("w2 is made of one and the same number"));
  // What has one row or one column, and vectors, may be anything.
  CHECK_FALSE(differ({all(1, {1, 2}), all(1, {2, 1}), all(1, {4})}).has_value());
  CHECK(differ({all(1, {2, 1, 2})}).value().evidence ==
        "of 1 matrices, 0 begin with zeros alone, and w0 with one number");
}

TEST_CASE("weights: a layer makes numbers three times as large at most") {
  // All of four inputs by the same number s: s·√4.
  CHECK(keep_size({all(0.5, {2, 4})}).value().evidence ==
        "a layer makes numbers 1 times as large at most, by w0");
  CHECK(keep_size({all(1.49, {2, 4})}).value().cause.empty());
  CHECK_FALSE(keep_size({all(1.5, {2, 4})}).value().cause.empty());
  CHECK_THAT(keep_size({all(1, {2, 4}), all(2, {2, 4}), all(1, {2, 9})}).value().cause,
             Contains("Weights begin too large: w1 makes numbers 4 times as large"));
  CHECK_THAT(keep_size({all(1, {2, 4}), all(1, {2, 4})}).value().evidence, Contains("by w0"));
  CHECK_THAT(keep_size({Tensor({2, 2}, {1, 0, 1, 0})}).value().evidence, Contains("numbers 1 times"));
  CHECK_FALSE(keep_size({all(0, {2, 4})}).has_value());
  CHECK_FALSE(asked(of_weights(), "layers keep size", with_parameters({drawn})).has_value());
}

TEST_CASE("weights: positions are 2.5 times as large as words at most, and a quarter of them at least") {
  CHECK(heard(1, 1).value().evidence == "the words of w0 have the size 1, their positions 1");
  for (const bool first : {false, true}) {
    CHECK(heard(1, 2.5, false, first).value().cause.empty());
    CHECK(heard(1, 2.75, false, first).value().cause ==
          "Words are hardly heard beside their positions: those of w0 are 2.75 times as small.");
    CHECK(heard(4, 1, false, first).value().cause.empty());
    CHECK(heard(5, 1, false, first).value().cause ==
          "Positions are hardly heard beside the words: those of w0 are 5 times as large.");
  }
  CHECK(heard(1, 0).value().cause.empty());
  CHECK(heard(5, 1, true).value().cause.empty());  // which learn
  CHECK_FALSE(heard(1, 3, true).value().cause.empty());
  CHECK(heard(1, 1, true).value().evidence == "the words of w0 have the size 1, their positions 1");
  Patient none = with_parameters({all(1, {5, 4})});
  none.loss = [&](const TranslationBatch& batch) {
    const Var x = embedding(batch.input, none.parameters[0].variable);
    return sum(tanh(x) + Var(all(9, {2, 4}))) + sum(x + Var(all(9, {4}))) + sum(x + x);
  };
  CHECK_FALSE(asked(of_embeddings(), "words and places are heard", none).has_value());
}

TEST_CASE("weights: both sides share a table where they share a vocabulary") {
  const TranslationBatch apart = batch_of({{3, 4, 2}}, {3}, {{1, 4}}, {{4, 2}}),
                         alike = batch_of({{3, 4}}, {2}, {{1, 4}}, {{4, 2}});
  CHECK(tables(false, 9, {apart}).value().evidence == "sources are looked up in a, targets in b");
  CHECK(tables(false, 9, {apart}).value().cause.empty());
  CHECK(tables(true, 5, {apart}).value().cause.empty());
  CHECK(tables(true, 9, {apart}).value().cause ==
        "Both sides share a table, a, and not a vocabulary: each of its rows stands for two words.");
  // One of eight batches must tell the sides apart.
  std::vector<TranslationBatch> batches(10, alike);
  batches[7] = apart;
  CHECK(tables(true, 9, batches).has_value());
  batches[7] = alike;
  batches[1] = apart;
  CHECK(tables(true, 9, batches).has_value());
  batches[1] = alike;
  batches[8] = apart;
  CHECK_FALSE(tables(true, 9, batches).has_value());
  CHECK_FALSE(tables(true, 0, {apart}).has_value());
  CHECK_FALSE(tables(true, 9, {{apart.source, {}, labels({no_word + 1})}}).has_value());
}

}  // namespace gradual::experiments::weights_test
