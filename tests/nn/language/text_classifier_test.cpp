#include <gradual/nn/language/text_classifier.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

const Language words{Tokenizer(), Vocabulary::build({{"a", "good", "bad", "film", "very"}})};

StackConfig small() {
  StackConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  config.layers = 1;
  config.dropout = 0.3;
  return config;
}

TextClassifier reviews(Pooling pooling = Pooling::attention) {
  return TextClassifier(small(), words, {"praise", "complaint"}, Random(1), pooling);
}

const std::vector<std::string> texts = {"a good film", "a very bad film", "bad", ""};

}  // namespace

TEST_CASE("text classifier: it learns which word decides") {
  const TextClassifier classifier = reviews();
  Adam adam(parameters(classifier.model()));
  Trainer trainer(classifier.model(), adam, {Decay::constant, 0.01, 1, 100});
  trainer.run([&](Index) {
    return classifier.loss({"a good film", "a bad film", "very bad", "very good"}, {0, 1, 1, 0});
  });
  CHECK(classifier.classify({"a very good film", "a very bad film"}) ==
        std::vector<std::string>{"praise", "complaint"});
}

TEST_CASE("text classifier: probabilities sum to 1, drop nothing, and leave the model in training") {
  const TextClassifier classifier = reviews();
  const auto once = classifier.probabilities(texts);
  REQUIRE(once.size() == 4);
  for (const std::vector<double>& of_text : once) CHECK(of_text[0] + of_text[1] == Approx(1));
  CHECK(classifier.probabilities(texts) == once);
  CHECK(classifier.probabilities({texts[1]})[0][0] == Approx(once[1][0]));  // whatever stands beside it
  Visitor visitor;
  classifier.model().visit(visitor);
  CHECK(
      std::all_of(visitor.modes().begin(), visitor.modes().end(), [](const Mode* m) { return m->training; }));
  CHECK(classifier.probabilities({}).empty());
}

TEST_CASE("text classifier: what is saved is loaded whole, with its labels and its way to pool") {
  const TestFolder folder;
  for (const Pooling pooling : {Pooling::mean, Pooling::attention}) {
    const TextClassifier classifier = reviews(pooling);
    classifier.save(folder / "classifier");
    const TextClassifier loaded = TextClassifier::load(folder / "classifier");
    CHECK(loaded.probabilities(texts) == classifier.probabilities(texts));
    CHECK(loaded.labels() == classifier.labels());
    CHECK(loaded.language().vocabulary.tokens() == words.vocabulary.tokens());
  }
}

TEST_CASE("text classifier: a file that is none, or of a part that is not known, is refused by name") {
  const TestFolder folder;
  save_tensors(folder / "other", {});
  CHECK_THROWS_WITH(TextClassifier::load(folder / "other"), Contains("other: not a text classifier"));
  reviews().save(folder / "classifier");
  TensorFile file = load_tensors(folder / "classifier");
  const auto with = [&](const std::string& key, const std::string& value) {
    TensorFile changed = file;
    changed.metadata[key] = value;
    save_tensors(folder / "changed", changed);
    return folder / "changed";
  };
  CHECK_THROWS_WITH(TextClassifier::load(with("gradual_text_classifier", "2")),
                    Contains("written by another version of the program: format 2, this program reads 1"));
  CHECK_THROWS_WITH(TextClassifier::load(with("pooling", "most")),
                    Contains("cannot be used: ") && Contains("most"));
  CHECK_THROWS_WITH(TextClassifier::load(with("labels", "[\"praise\"]")),
                    Contains("cannot be used: classifier: there must be at least two classes: got 1"));
  CHECK_THROWS_WITH(TextClassifier::load(with("labels", "praise")), Contains("damaged: "));
  file.metadata.erase("language");
  CHECK_THROWS_WITH(TextClassifier::load(with("labels", "[]")),
                    Contains("damaged: there is no \"language\""));
}

TEST_CASE(
    "text classifier: labels that stand twice, numbers without a label and texts without one are refused") {
  CHECK_THROWS_WITH(TextClassifier(small(), words, {"a", "a"}, Random(1)),
                    "text classifier: each label must stand once: got \"a\" twice");
  CHECK_THROWS_WITH(TextClassifier(small(), words, {"a"}, Random(1)),
                    "classifier: there must be at least two classes: got 1");
  const TextClassifier classifier = reviews();
  CHECK_THROWS_WITH(
      classifier.loss({"a", "a"}, {0}),
      "text classifier: there must be texts, each with the number of one of 2 labels: texts are 2, "
      "numbers 1");
  CHECK_THROWS_AS(classifier.loss({"a"}, {2}), std::invalid_argument);
  CHECK_THROWS_AS(classifier.loss({"a"}, {-1}), std::invalid_argument);
  CHECK_THROWS_AS(classifier.loss({}, {}), std::invalid_argument);
  const TextClassifier plain = reviews();
  plain.model().output.bias = Var();
  CHECK_THROWS_WITH(plain.save("classifier"),
                    Contains("they make \"output.bias\" of shape [2] where it has none"));
  classifier.model().layers[0] = EncoderLayer(small(), Random(2), "mine");
  const TestFolder folder;
  CHECK_THROWS_AS(classifier.save(folder / "classifier"), std::logic_error);
}
