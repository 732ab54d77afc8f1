#include <gradual/nn/text/words.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/nn/text/utf8.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Spacing spacing_of(const std::vector<std::string>& sentences) {
  SpacingCensus census;
  for (const std::string& sentence : sentences) census.add(sentence);
  return census.spacing();
}

/// The words with spaces between them.
std::string spaced(const std::string& sentence) {
  std::string all;
  for (const std::string& word : split_words(sentence)) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string joined(const std::string& spaced_words, Spacing spacing) {
  std::istringstream in(spaced_words);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return join_words(words, spacing);
}

struct Example {
  std::string sentence, words;
};

const std::vector<Example> french = {
    {"Va !", "Va !"},
    {"L'ami de Marie a-t-il dit « oui » ?", "L' ami de Marie a -t -il dit « oui » ?"},
    {"Qu'est-ce qu'il y a aujourd'hui ?", "Qu' est -ce qu' il y a aujourd'hui ?"},
    {"J'ai peur jusqu'à l'arrivée, d'où qu'elle vienne.",
     "J' ai peur jusqu' à l' arrivée , d' où qu' elle vienne ."},
    {"Va-t'en, s'il te plaît !", "Va -t' en , s' il te plaît !"},
    {"Quelqu'un m'a vu : c'était elle ; n'est-ce pas ?",
     "Quelqu'un m' a vu : c' était elle ; n' est -ce pas ?"},
    {"Il a 20 % de 1 000,5 € (environ)...", "Il a 20 % de 1 000,5 € ( environ ) ..."},
    {"C'est-à-dire ?!", "C' est -à -dire ?!"},
    {"Il dit \"l'eau\", puis s'en va.", "Il dit \" l' eau \" , puis s' en va ."},
};

const std::vector<Example> english = {
    {"Go.", "Go ."},
    {"\"I don't know,\" he said.", "\" I do n't know , \" he said ."},
    {"I'd've said he's John's friend; we're not, they'll go!",
     "I 'd 've said he 's John 's friend ; we 're not , they 'll go !"},
    {"She CAN'T. I'm O'Brien, it's five o'clock.", "She CA N'T . I 'm O'Brien , it 's five o'clock ."},
    {"The boys' room (the big one) is 50% full: 10:30 a.m., $1,000.5?!",
     "The boys' room ( the big one ) is 50 % full : 10:30 a.m . , $ 1,000.5 ?!"},
    {"He said 'yes' and 'no'.", "He said ' yes ' and ' no ' ."},
    {"A well-known 3-4 win -- or 1/2 -- and/or more", "A well -known 3 -4 win -- or 1/2 -- and / or more"},
    {"Mail a.b@c.org about AT&T... “now” – please…", "Mail a.b@c.org about AT&T ... “ now ” – please …"},
    {"Er geht ein- und aus, „gern“ – sagt er.", "Er geht ein- und aus , „ gern “ – sagt er ."},
    {"¿Qué? Ein Mädchen, déjà-vu [naïve].", "¿ Qué ? Ein Mädchen , déjà -vu [ naïve ] ."},
};

}  // namespace

TEST_CASE("words: sentences are split as a person would") {
  for (const auto* examples : {&french, &english}) {
    for (const Example& example : *examples) CHECK(spaced(example.sentence) == example.words);
  }
}

TEST_CASE("words: joining the words of a sentence gives it back") {
  for (const Example& example : french) {
    CHECK(join_words(split_words(example.sentence), Spacing::french) == example.sentence);
  }
  for (const Example& example : english) {
    CHECK(join_words(split_words(example.sentence), Spacing::plain) == example.sentence);
  }
}

TEST_CASE("words: typographic apostrophes and all kinds of spaces are made plain") {
  CHECK(spaced("L\u2019ami\u00A0: d\u2019accord\u202F!") == "L' ami : d' accord !");
  CHECK(spaced("  a\t b\u2003c\n") == "a b c");
  CHECK(joined("L' ami : d' accord !", Spacing::french) == "L'ami : d'accord !");
}

TEST_CASE("words: nothing but spaces has no words") {
  CHECK(split_words("").empty());
  CHECK(split_words(" \u00A0\t").empty());
  CHECK(join_words({}, Spacing::plain).empty());
}

TEST_CASE("words: other scripts, accents of their own, joiners and emoji stay inside words") {
  CHECK(spaced("Привет, мир!") == "Привет , мир !");
  CHECK(spaced("cafe\u0301 sink\u00AD.") == "cafe\u0301 sink\u00AD .");
  CHECK(spaced("\U0001F469\u200D\U0001F680 ok\U0001F642") == "\U0001F469\u200D\U0001F680 ok\U0001F642");
  CHECK(spaced("漢字、かな。") == "漢字 、 かな 。");
}

TEST_CASE("words: marks alone and in odd places are words of their own") {
  CHECK(spaced("- -5 l' . 'tis ' @ a@ @b a/b 1, 2") == "- - 5 l' . ' tis ' @ a @ @ b a / b 1 , 2");
  CHECK(spaced("--'\"?!?...!") == "-- ' \" ?!? ... !");
}

TEST_CASE("words: text in lower case splits in the same way") {
  CHECK(spaced(lower_case("L'École N'EST-ELLE PAS BELLE ?")) == "l' école n' est -elle pas belle ?");
  CHECK(spaced("QU'IL JUSQU'À") == "QU' IL JUSQU' À");
}

TEST_CASE("words: joining sets marks as the language does") {
  CHECK(joined("Why ? 5 % : $ 3 ; yes !", Spacing::plain) == "Why? 5%: $3; yes!");
  CHECK(joined("Pourquoi ? 5 % : 3 $ ; oui !", Spacing::french) == "Pourquoi ? 5 % : 3 $ ; oui !");
  CHECK(joined("( a , b ) [ c ] ...", Spacing::french) == "(a, b) [c]...");
  CHECK(joined("\" a \" , ' b ' \" c \"", Spacing::plain) == "\"a\", 'b' \"c\"");
}

TEST_CASE("words: the spacing of a language is recognised from its sentences") {
  CHECK(spacing_of({"Va !", "Oui.", "Où ?"}) == Spacing::french);
  CHECK(spacing_of({"Go!", "Yes.", "Where?"}) == Spacing::plain);
  CHECK(spacing_of({"Oui."}) == Spacing::plain);
  CHECK(spacing_of({}) == Spacing::plain);
}

TEST_CASE("words: text that is not UTF-8 is refused") {
  CHECK_THROWS_AS(split_words("caf\xE9"), std::invalid_argument);
}

TEST_CASE("split: a capital that is two letters in lower case moves no cut") {
  CHECK(split_words("İstanbul's") == std::vector<std::string>{"İstanbul", "'s"});
  CHECK(split_words("İİİn't L'İzmir") == std::vector<std::string>{"İİİ", "n't", "L'", "İzmir"});
}
