// The translator of width 4 that the book and attention_by_hand calculate on paper.
#include <gradual/nn/transformer/frozen_translator.hpp>

#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const std::vector<std::string> all_words = {"il", "elle", "fait", "a", "froid", "chaud", "end"};

// A text of one number for each of the translator's, but for the parameter `changed`, whose line this is.
std::string text_of(const std::string& changed = "", const std::string& line = "") {
  std::string result = "source = il end\ntarget = begin it end\n";
  TransformerConfig config = frozen_translator_config();
  config.source_vocabulary = 2;
  config.target_vocabulary = 3;
  Transformer model(config, Random(1));
  for (const auto& [name, variable] : parameters(model)) {
    if (name == changed) {
      result += line + "\n";
      continue;
    }
    result += name + " =";
    for (Index i = 0; i < variable.value().size(); ++i) result += " 0.5";
    result += "\n";
  }
  return result;
}

}  // namespace

TEST_CASE("The frozen translator's scores for it is cold are those of a calculation in plain Python") {
  const FrozenTranslator frozen = frozen_translator();
  CHECK(frozen.source_words == all_words);
  const Indices read({1, 4}, ids_of({"il", "fait", "froid", "end"}, frozen.source_words));
  const Indices written({1, 4}, ids_of({"begin", "it", "is", "cold"}, frozen.target_words));
  const Var memory = frozen.model.encode({read, Indices({1}, {4})});
  // tests/examples/attention_by_hand/expected_translation.py nn/transformer/frozen_translator.conf
  const Tensor expected(
      {1, 4, 8},
      {Real(-0.51678), Real(4.34951),  Real(1.20005),  Real(-3.95584), Real(1.20619),  Real(1.24676),
       Real(-4.89045), Real(0.24457),  Real(-0.36684), Real(-0.35380), Real(-0.26894), Real(-0.32580),
       Real(3.70164),  Real(-0.32645), Real(-0.35134), Real(-2.24958), Real(-0.14448), Real(1.21737),
       Real(-3.03422), Real(-3.29977), Real(0.95759),  Real(4.59544),  Real(1.20218),  Real(0.87926),
       Real(-0.28839), Real(-0.12226), Real(-0.12296), Real(-0.23611), Real(-2.12605), Real(-0.20016),
       Real(-0.31190), Real(3.83725)});
  const Tensor logits = frozen.model.logits(frozen.model.decode(written, memory, {})).value();
  CHECK(difference(logits, expected, 2e-5) == "");
}

TEST_CASE("A frozen translator does not train: all of its parts are in evaluation") {
  FrozenTranslator frozen = frozen_translator();
  Visitor visitor;
  frozen.model.visit(visitor);
  CHECK_FALSE(visitor.modes().empty());
  for (const Mode* mode : visitor.modes()) CHECK_FALSE(mode->training);
}

TEST_CASE("A frozen translator is read from any text that has all of its weights") {
  FrozenTranslator read = read_frozen_translator(text_of());
  CHECK(read.target_words == std::vector<std::string>{"begin", "it", "end"});
  for (const auto& [name, variable] : parameters(read.model))
    for (const Real number : variable.value()) CHECK(number == Real(0.5));
}

TEST_CASE("A text that is no frozen translator is refused with the line that is wrong") {
  const auto refuses = [](const std::string& content, const std::string& message) {
    CHECK_THROWS_WITH(read_frozen_translator(content), message);
  };
  const std::string gain = "encoder_norm.gain";
  refuses(text_of(gain, gain + " = 1 2 3"),
          "frozen translator: encoder_norm.gain must have 4 numbers: it has 3");
  refuses(text_of(gain), "frozen translator: encoder_norm.gain must have 4 numbers: it has 0");
  refuses(text_of(gain, gain + " = 1 2 3 x4"), "frozen translator: a weight must be a number: got \"x4\"");
  refuses(text_of(gain, gain + " = 1 2 3 nan"), "frozen translator: a weight must be a number: got \"nan\"");
  refuses(text_of(gain, gain + " = 1 2 3 1e999"),
          "frozen translator: a weight must be a number: got \"1e999\"");
  refuses(text_of(gain, gain + " 1 2 3 4"),
          "frozen translator: a line must be \"name = …\": got \"encoder_norm.gain 1 2 3 4\"");
  refuses(text_of() + "encoder_norm.gian = 1\n",
          "frozen translator: each line must be of a parameter: got \"encoder_norm.gian\"");
  CHECK_THROWS_AS(read_frozen_translator(""), std::invalid_argument);
}

TEST_CASE("Words that a frozen translator does not know have no ids") {
  CHECK(ids_of({"froid", "il"}, all_words) == std::vector<std::int32_t>{4, 0});
  CHECK(ids_of({}, all_words).empty());
  CHECK_THROWS_WITH(ids_of({"il", "pleut"}, all_words),
                    "sentence: each word must be a known one: got \"pleut\"");
}
