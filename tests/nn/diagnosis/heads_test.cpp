#include <gradual/nn/diagnosis/heads.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/text/bleu.hpp>

#include "nn/diagnosis/tiny_models.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<std::string> head_names(const std::vector<ModelHead>& heads) {
  std::vector<std::string> result;
  for (const ModelHead& each : heads) result.push_back(each.name());
  return result;
}

}  // namespace

TEST_CASE("bootstrap: of a mean, the interval is that of its standard error") {
  std::vector<MeanCounts> before, after;
  Random random(3);
  for (int i = 0; i < 400; ++i) {
    const double common = 10 * random.normal();  // a paired comparison does not see it
    before.push_back({common, 1});
    after.push_back({common + 0.5 + random.normal(), 1});
  }
  const ScoreChange change = bootstrap_change(before, after, Random(1), 2000);
  // The difference has deviation 1: 1.96/√400 = 0.098 to either side.
  CHECK(change.change == Approx(0.5).margin(0.15));
  CHECK(change.high - change.low == Approx(2 * 0.098).epsilon(0.15));
  CHECK(change.low < change.change);
  CHECK(change.is_sure());
  CHECK_FALSE(bootstrap_change(before, before, Random(1)).is_sure());
  CHECK_THROWS_AS(bootstrap_change(before, std::vector<MeanCounts>(1), Random(1)), std::invalid_argument);
  CHECK_THROWS_AS(bootstrap_change(std::vector<MeanCounts>(), {}, Random(1)), std::invalid_argument);
}

TEST_CASE("bootstrap: counts of sentences add up to the BLEU of the corpus") {
  const std::vector<std::string> said{"the cat sat on the mat", "a dog", "on the way to the house"};
  const std::vector<std::vector<std::string>> right{
      {"the cat sat on a mat"}, {"a dog barks", "one dog"}, {"on my way to the house"}};
  BleuCounts all;
  for (const BleuCounts& each : bleu_counts(said, right)) all += each;
  CHECK(all.score() == bleu(said, right).score);
}

TEST_CASE("heads: without a head, its columns give nothing, and afterwards all is as before") {
  Transformer model(tiny::transformer(), Random(1));
  const std::vector<ModelHead> heads = attention_heads(model);
  CHECK(head_names(heads) ==
        std::vector<std::string>{"encoder.0.self_attention, head 1", "encoder.0.self_attention, head 2",
                                 "decoder.0.self_attention, head 1", "decoder.0.self_attention, head 2",
                                 "decoder.0.cross_attention, head 1", "decoder.0.cross_attention, head 2"});
  const EvaluationScope evaluation;
  const auto loss = [&] { return tiny::loss_of(model).value().item(); };
  const Real whole = loss();
  {
    const WithoutHead first(heads[4]), second(heads[5]);
    const Real none = loss();
    CHECK(none != whole);
    // Without all heads that look at it, the source makes no difference.
    TranslationBatch other = tiny::pairs();
    other.source.ids = Indices({2, 4}, {7, 8, 9, 2, 10, 2, 0, 0});
    CHECK(model.loss(other, {}).value().item() == none);
  }
  CHECK(loss() == whole);
  CHECK_THROWS_AS(WithoutHead({"x", 0, {{model.target_embedding.weight, 4, 9}}}), std::invalid_argument);
}

TEST_CASE("heads: the attention of a recurrent model is one, by all that reads its context") {
  RecurrentConfig config = tiny::recurrent();
  RecurrentTranslator model(config, Random(1));
  const std::vector<ModelHead> heads = attention_heads(model);
  REQUIRE(head_names(heads) == std::vector<std::string>{"decoder.cross_attention, head 1"});
  const EvaluationScope evaluation;
  const auto loss = [&] { return tiny::loss_of(model).value().item(); };
  const Real whole = loss();
  const WithoutHead without(heads[0]);
  const Real none = loss();
  CHECK(none != whole);
  // What attention weighs makes no difference now.
  for (NamedParameter& each : parameters(model))
    if (each.name.rfind("attention.", 0) == 0) each.variable.set_value(Tensor::ones(each.variable.shape()));
  CHECK(loss() == none);
  config.attention = "none";
  RecurrentTranslator blind(config, Random(1));
  CHECK(attention_heads(blind).empty());
}

TEST_CASE("heads: of a language model by its loss, and of a classifier by its labels") {
  const auto counts = [](const Var& loss) { return std::vector<MeanCounts>{{loss.value().item(), 1}}; };
  LanguageModel language(tiny::stack(2), Random(1));
  const auto look = [&] { return tiny::loss_of(language); };
  const std::vector<ModelHead> heads = attention_heads(parameters(language), [&] { look(); });
  REQUIRE(heads.size() == 4);
  // A head whose values are 0 is no loss; the others are.
  auto& attention =
      dynamic_cast<MultiHeadAttention&>(*dynamic_cast<EncoderLayer&>(*language.layers[1]).self_attention);
  Tensor weight = attention.weight.value();
  std::fill(weight.mutable_data() + 2 * 8 * 8, weight.mutable_data() + 2 * 8 * 8 + 4 * 8, Real(0));
  attention.weight.set_value(weight);  // rows of the first head's values
  const auto effects = ablate_heads<MeanCounts>(heads, [&] { return counts(look()); });
  for (std::size_t i = 0; i < 4; ++i) CHECK((effects[i].change.change == 0) == (i == 2));
  CHECK_FALSE(effects[0].head.readers[0].weight.grad().defined());

  Classifier classifier(tiny::stack(2), 3, Pooling::attention, Random(1));
  const auto judge = [&] { return counts(tiny::loss_of(classifier)); };
  CHECK(attention_heads(parameters(classifier), [&] { judge(); }).size() == 4);
}

TEST_CASE("heads: one is columns of a matrix, from the first up to the last") {
  const Var matrix = Var::parameter(Tensor({2, 3}, {1, 2, 3, 4, 5, 6})),
            vector = Var::parameter(Tensor({3}, {1, 2, 3}));
  const auto without = [&](Index first, Index last) {
    const WithoutHead head({"a", 0, {{matrix, first, last}}});
    return matrix.value().to_vector();
  };
  CHECK(without(1, 2) == std::vector<Real>{1, 0, 3, 4, 0, 6});
  CHECK(without(0, 3) == std::vector<Real>(6, 0));
  CHECK(without(1, 1) == std::vector<Real>{1, 2, 3, 4, 5, 6});
  CHECK(without(2, 3) == std::vector<Real>{1, 2, 0, 4, 5, 0});
  CHECK_THROWS_WITH(without(-1, 2),
                    "head ablation: a head must be columns of a matrix: a, head 1 is -1 to 2 of [2, 3]");
  CHECK_THROWS_AS(without(2, 1), std::invalid_argument);
  CHECK_THROWS_AS(without(2, 4), std::invalid_argument);
  CHECK_THROWS_AS(WithoutHead({"a", 0, {{vector, 0, 1}}}), std::invalid_argument);
  CHECK(matrix.value().to_vector() == std::vector<Real>{1, 2, 3, 4, 5, 6});
}

TEST_CASE(
    "heads: each has its columns of what its layer is read out by, and a layer that runs twice has them "
    "once") {
  Transformer model(tiny::transformer(), Random(1));
  const auto all = attention_heads(parameters(model), [&] {
    tiny::loss_of(model);
    tiny::loss_of(model);
  });
  REQUIRE(all.size() == 6);  // two of width 4 in each of three layers
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(all[i].number == static_cast<Index>(i % 2));
    CHECK(all[i].readers[0].first == static_cast<Index>(4 * (i % 2)));
    CHECK(all[i].readers[0].last == static_cast<Index>(4 * (i % 2) + 4));
  }
  RecurrentTranslator recurrent(tiny::recurrent(), Random(1));
  const auto readers = attention_heads(recurrent).at(0).readers;
  REQUIRE(readers.size() == 2);
  CHECK((readers[0].first == 0 && readers[0].last == recurrent.context_gates.weight.dim(1)));
  CHECK(readers[1].last == recurrent.readout.weight.dim(1));
  CHECK(readers[1].last - readers[1].first == 8);  // the hidden width
}

TEST_CASE("heads: they share the columns of what reads them, and not its rows") {
  const auto heads_of = [](const Shape& shape) {
    const Var weight = Var::parameter(Tensor::ones(shape));
    return attention_heads({{"a.output.weight", weight}}, [] {
      AttentionRecorder::current()->add("a", Tensor::ones({1, 2, 3, 3}));
    });
  };
  const auto heads = heads_of({3, 4});
  REQUIRE(head_names(heads) == std::vector<std::string>{"a, head 1", "a, head 2"});
  CHECK((heads[1].readers[0].first == 2 && heads[1].readers[0].last == 4));
  CHECK(heads_of({4, 3}).empty());  // three columns are no two heads
}
