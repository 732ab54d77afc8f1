#include <gradual/nn/inspect/explanation.hpp>

#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

Explanation sample() {
  Explanation explanation;
  explanation.source = "the cat";
  explanation.source_words = {"the", "cat", "⏎"};
  explanation.ranked = {{"<chat>", -0.5, -0.6931471805599453}, {"chien", -2, -2.25}};
  explanation.words = {{"<chat>", 0.75, {{"chien", 0.125}, {"rat", 0.0625}}, {0.25, 0.5, 0.25}},
                       {"⏎", 1, {}, {0, 0, 1}}};
  explanation.tree.nodes = {{1, -1, -1, 0, 0, BeamNode::Fate::kept}, {4, 0, 0, 0, -1, BeamNode::Fate::kept}};
  explanation.tree_words = {"▷", "<chat>"};
  return explanation;
}

XmlDocument read(const Html& html) { return XmlDocument("<main>" + html.str() + "</main>"); }

}  // namespace

TEST_CASE("explanation: each word can be chosen, and shows its rivals with their probabilities") {
  const XmlDocument document = read(explanation_content(sample()));
  const auto words = document.inside("words", "details");
  REQUIRE(words.size() == 2);
  CHECK(document.all("summary").at(0).text == "<chat> ");
  CHECK(document.all("small").at(0).text == "0.75");
  const auto shares = document.all("b");
  REQUIRE(shares.size() == 4);
  CHECK(shares[0].text == "0.75");
  CHECK(shares[1].text == "0.12");
  CHECK(shares[2].text == "0.062");
  CHECK(document.all("i").at(1)["style"] == "--share:0.1250");
}

TEST_CASE("explanation: each word of the source is shaded by the attention that the word paid to it") {
  const XmlDocument document = read(explanation_content(sample()));
  const auto shaded = document.inside("weighted", "span");
  REQUIRE(shaded.size() == 6);
  CHECK(shaded[1].text == "cat");
  CHECK(shaded[1]["style"] == "--weight:0.500");
  CHECK(shaded[5]["style"] == "--weight:1.000");
}

TEST_CASE("explanation: spaces are visible in words, rivals and source") {
  Explanation explanation = sample();
  explanation.words[0].word = " ";
  explanation.words[0].rivals[0].first = "\n";
  explanation.source_words[1] = " ";
  const XmlDocument document = read(explanation_content(explanation));
  CHECK(document.all("summary").at(0).text == "␣ ");
  CHECK(document.all("span").at(0).text == "␣");
  CHECK(document.all("span").at(1).text == "↵");
  CHECK(document.inside("weighted", "span").at(1).text == "␣");
}

TEST_CASE("explanation: a model without attention has no shaded words") {
  Explanation explanation = sample();
  for (ExplainedWord& word : explanation.words) word.attention.clear();
  const XmlDocument document = read(explanation_content(explanation));
  CHECK(document.inside("weighted", "span").empty());
  CHECK(document.all("svg", "map").empty());
}

TEST_CASE("explanation: the ranked translations stand in a table, and the tree is drawn") {
  const XmlDocument document = read(explanation_content(sample()));
  const auto cells = document.all("td");
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].text == "<chat>");
  CHECK(cells[1].text == "-0.500");
  CHECK(cells[5].text == "-2.250");
  CHECK(document.all("svg", "tree").size() == 1);
  CHECK(document.all("svg", "map").size() == 1);
}

TEST_CASE("explanation: attention to another number of words is an error") {
  Explanation explanation = sample();
  explanation.words[0].attention.pop_back();
  CHECK_THROWS_WITH(explanation_content(explanation),
                    "weighted_words: there must be a weight for each word: 3 words, 2 weights");
}
