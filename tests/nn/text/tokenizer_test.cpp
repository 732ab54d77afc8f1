#include <gradual/nn/text/tokenizer.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

const std::vector<std::string> sentences = {"the cat sleeps", "the hat steps", "cats let the hats sleep"};

LanguageOptions units(TextUnits kind) {
  LanguageOptions options;
  options.units = kind;
  options.subwords.size = 16;
  return options;
}

}  // namespace

TEST_CASE("tokenizer: words, in lower case where asked, with no-break spaces as spaces") {
  TokenizerSettings settings;
  settings.lower_case = true;
  settings.spacing = Spacing::french;
  const Tokenizer tokenizer(settings);
  CHECK(tokenizer.split("Pourquoi\u00a0?") == std::vector<std::string>{"pourquoi", "?"});
  CHECK(tokenizer.join({"pourquoi", "?"}) == "pourquoi ?");
}

TEST_CASE("tokenizer: characters come back as they were") {
  const Language language = learn_language({"né à Łódź"}, units(TextUnits::characters));
  CHECK(language.tokenizer.split("à né") == std::vector<std::string>{"à", " ", "n", "é"});
  CHECK(language.tokenizer.join(language.tokenizer.split("à né")) == "à né");
  CHECK(language.encode("ż") == std::vector<std::int32_t>{Vocabulary::unknown});
}

TEST_CASE("tokenizer: subwords spell every sentence of known letters, and are the same each time") {
  if (!Subwords::available()) return;
  for (const SubwordKind kind : {SubwordKind::bpe, SubwordKind::unigram}) {
    LanguageOptions options = units(TextUnits::subwords);
    options.subwords.kind = kind;
    const Language language = learn_language(sentences, options);
    const std::string unseen = "these cats sat";
    const std::vector<std::string> pieces = language.tokenizer.split(unseen);
    CHECK(pieces.size() < unseen.size());
    CHECK(language.tokenizer.join(pieces) == unseen);
    CHECK(learn_language(sentences, options).vocabulary.tokens() == language.vocabulary.tokens());
    CHECK_THROWS_AS(language.tokenizer.split("the c\xFFt"), std::invalid_argument);
    Random random(1);
    CHECK_THROWS_AS(SentenceSampler(language, 0).encode("the c\xFFt", random), std::invalid_argument);
  }
}

TEST_CASE(
    "tokenizer: a word that would need a subword which the training text never shows is split into those "
    "that it does") {
  if (!Subwords::available()) return;
  LanguageOptions options = units(TextUnits::subwords);
  // Merging makes "bc" on the way to "bcd", and only "bcd" stays in this text.
  options.subwords.size = 9;  // <unk>, ▁a, bc, bcd, ▁, a, b, c, d
  const Language language = learn_language({"a b c d", "abcd abcd abcd abcd"}, options);
  const std::string unseen = "abc";
  CHECK(Subwords(language.tokenizer.settings().subword_model).split(unseen) ==
        std::vector<std::string>{"▁a", "bc"});
  CHECK(language.tokenizer.split(unseen) == std::vector<std::string>{"▁a", "b", "c"});
  const std::vector<std::int32_t> ids = language.encode(unseen);
  CHECK(std::count(ids.begin(), ids.end(), Vocabulary::unknown) == 0);
  CHECK(language.tokenizer.join(language.tokenizer.split(unseen)) == unseen);
}

TEST_CASE("tokenizer: what no subword spells is unknown, and stands in the tokens as it was") {
  if (!Subwords::available()) return;
  const Language language = learn_language(sentences, units(TextUnits::subwords));
  const std::vector<std::string> pieces = language.tokenizer.split("the ☂");
  CHECK(pieces.back() == "☂");
  CHECK(language.encode("the ☂").back() == Vocabulary::unknown);
}

TEST_CASE("subwords: pieces of another model begin words where theirs do") {
  if (!Subwords::available()) return;
  const Language language = learn_language(sentences, units(TextUnits::subwords));
  CHECK(language.tokenizer.join({"▁zwölf", "▁the", "▁Boxk", "ämpfer"}) == "zwölf the Boxkämpfer");
}

TEST_CASE("subwords: what no piece spells is spelled by its bytes where a model has pieces for them") {
  if (!Subwords::available()) return;
  const std::string model =
      content(std::string(GRADUAL_SOURCES) + "/tests/nn/interchange/fixtures/bytes/source.spm");
  const std::vector<std::string> bytes{"<0xE4>", "<0xBD>", "<0xA0>"};  // of 你
  const Subwords all(model), some(model, {"ba", bytes[0]}), again(some.model());
  for (const Subwords* subwords : {&all, &some, &again}) {
    std::vector<std::string> pieces = subwords->split("ba你");
    REQUIRE(pieces.size() > 3);
    CHECK(std::vector<std::string>(pieces.end() - 3, pieces.end()) == bytes);
    CHECK(subwords->join(pieces) == "ba你");
    pieces = subwords->split("<0xE4>");  // a text that only looks like one
    CHECK(std::count(pieces.begin(), pieces.end(), bytes[0]) == 0);
    CHECK(subwords->join(pieces) == "<0xE4>");
    CHECK_THROWS_WITH(subwords->kind(), Contains("must not fall back to bytes"));
  }
}

TEST_CASE("subwords: they are learnt from a sentence of any length") {
  if (!Subwords::available()) return;
  std::string sentence;
  for (int i = 0; i < 1000; ++i) sentence += "ζωή ☂ ";
  const Language language = learn_language({sentence, "a b c"}, units(TextUnits::subwords));
  const std::vector<std::int32_t> ids = language.encode("☂ ζωή");
  CHECK(std::count(ids.begin(), ids.end(), Vocabulary::unknown) == 0);
}

TEST_CASE("subwords: a word of more bytes than can be counted is refused, wherever it stands") {
  if (!Subwords::available()) return;
  const std::string longest(16384, 'a'), longer(16385, 'a');
  CHECK_NOTHROW(train_subwords({"b " + longest + " b", "b c"}, {SubwordKind::bpe, 6}));
  for (const std::vector<std::string>& text : std::vector<std::vector<std::string>>{
           {"b " + longer, "b c"}, {"b c", longer + " b", "b"}, {"b", longer}})
    CHECK_THROWS_WITH(train_subwords(text, {SubwordKind::bpe, 6}),
                      "subwords: a word must have at most 16384 bytes: one has 16385");
}

TEST_CASE("subwords: too many for the text, or none to find in it, is an error that says so") {
  if (!Subwords::available()) {
    CHECK_THROWS_WITH(train_subwords(sentences), Contains("libsentencepiece-dev"));
    return;
  }
  CHECK_THROWS_WITH(train_subwords(sentences, {SubwordKind::bpe, 5000}),
                    Contains("subwords: 5000 pieces cannot be made"));
  CHECK_THROWS_AS(train_subwords({"  ", ""}, {SubwordKind::bpe, 50}), std::invalid_argument);
  // What SentencePiece says of it, without the place in its source, if it says more than that.
  const auto failure = [](const std::vector<std::string>& text, const SubwordOptions& options) {
    return message_of<std::invalid_argument>([&] { train_subwords(text, options); });
  };
  CHECK_THAT(failure(sentences, {SubwordKind::bpe, 5000}),
             !Contains("] ") && !Catch::Matchers::EndsWith(": "));
  CHECK_THAT(failure({"  ", ""}, {SubwordKind::bpe, 50}), !Catch::Matchers::EndsWith("of this text: "));
  // <unk>, ▁, a and b.
  CHECK(failure({"a ab b"}, {SubwordKind::bpe, 2}) ==
        "subwords: 2 pieces cannot be made of this text: with its single characters there are at least 4; "
        "--subwords 4 or more");
  for (const SubwordKind kind : {SubwordKind::bpe, SubwordKind::unigram}) {
    const std::string problem = failure(sentences, {kind, 5000}), advice = "; --subwords ";
    REQUIRE(problem.find("this text: it has enough for ") != std::string::npos);
    const Index most = std::stol(problem.substr(problem.find(advice) + advice.size()));
    CHECK_NOTHROW(train_subwords(sentences, {kind, most}));
    CHECK_THROWS_AS(train_subwords(sentences, {kind, most + 1}), std::invalid_argument);
  }
  CHECK_THROWS_WITH(Subwords("nonsense"), Contains("not a model"));
}

TEST_CASE("language: tokens that its vocabulary does not have are unknown, each once and in their order") {
  const Language language = learn_language({"the cat sleeps."}, {});
  CHECK(language.unknown_tokens("the dog sees the dog and and.") ==
        std::vector<std::string>{"dog", "sees", "and"});
  CHECK(language.unknown_tokens("the cat.").empty());
  CHECK(language.unknown_tokens("").empty());
}

TEST_CASE("language: where no token is seen often enough to be known, that is an error") {
  LanguageOptions options;
  options.min_count = 2;
  CHECK(learn_language({"the cat and the dog"}, options).vocabulary.contains("the"));
  options.min_count = 3;
  CHECK_THROWS_WITH(learn_language({"the cat and the dog"}, options),
                    Contains("none is seen 3 times, one 2 times"));
  CHECK(learn_language({""}, options).vocabulary.size() == 4);
}

TEST_CASE("language: words are joined with the spaces before marks that most of its sentences have") {
  const auto joined = [](const std::vector<std::string>& sentences) {
    const Language language = learn_language(sentences, {});
    return language.tokenizer.join(language.tokenizer.split("Quoi ?"));
  };
  CHECK(joined({"Quoi ?", "Oui !", "No?"}) == "Quoi ?");
  CHECK(joined({"What?", "Yes!", "Quoi ?"}) == "Quoi?");
}
