#include <gradual/nn/inspect/explanation.hpp>

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

Explanation sample_explanation() {
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

/// Of so many words, each of which looks at its place.
Explanation long_sample(std::size_t words) {
  Explanation explanation;
  explanation.ranked = {{"long", -1, -1}};
  explanation.tree.nodes = {{1, -1, -1, 0, 0, BeamNode::Fate::kept}};
  explanation.tree_words = {"▷"};
  for (std::size_t i = 0; i < words; ++i) {
    const auto place = static_cast<Index>(i);
    explanation.source_words.push_back("w" + std::to_string(i));
    explanation.words.push_back({"v", 0.5, {}, std::vector<double>(words, 0)});
    explanation.words.back().attention[i] = 1;
    explanation.tree.nodes.push_back({4, place, place, 0, -1, BeamNode::Fate::kept});
    explanation.tree_words.push_back("v");
  }
  explanation.tree.results = {static_cast<Index>(words)};
  return explanation;
}

}  // namespace

TEST_CASE("explanation: each word can be chosen, and shows its rivals with their probabilities") {
  const XmlDocument document = read(explanation_content(sample_explanation()));
  const auto words = document.inside("words", "details");
  REQUIRE(words.size() == 2);
  CHECK(document.all("summary").at(0).text == "<chat> ");
  CHECK(document.all("small").at(0).text == "0.75");
  const auto shares = document.all("b");
  REQUIRE(shares.size() == 4);
  CHECK(shares[0].text == "0.75");
  CHECK(shares[1].text == "0.12");
  CHECK(shares[2].text == "0.062");
  CHECK(document.all("li").at(1)["style"] == "--share:0.1250");
}

TEST_CASE("explanation: rivals that no bar shows are left out, and it is said") {
  Explanation explanation = sample_explanation();
  const auto label = [&] { return read(explanation_content(explanation)).all("p", "label").at(0).text; };
  CHECK(label() == "Probability of this word and of its nearest rivals");
  explanation.words[0].rivals[1].second = 0.0009;
  CHECK(label() == "Probability of this word and of its nearest rivals, down to 0.001");
  explanation.words[0].rivals[0].second = 0.0009;
  CHECK(label() == "Probability of this word; each rival has less than 0.001");
  CHECK(read(explanation_content(explanation)).all("li").size() == 2);  // the words themselves
}

TEST_CASE("explanation: ▁ is explained where it is seen") {
  Explanation explanation = sample_explanation();
  CHECK(explanation_content(explanation).str().find("▁ begins a word") == std::string::npos);
  explanation.source_words[0] = "▁the";
  CHECK(explanation_content(explanation).str().find("▁ begins a word") != std::string::npos);
}

TEST_CASE("explanation: each word of the source is shaded by the attention that the word paid to it") {
  const XmlDocument document = read(explanation_content(sample_explanation()));
  const auto shaded = document.inside("weighted", "span");
  REQUIRE(shaded.size() == 6);
  CHECK(shaded[1].text == "cat");
  CHECK(shaded[1]["style"] == "--weight:0.500");
  CHECK(shaded[5]["style"] == "--weight:1.000");
}

TEST_CASE("explanation: spaces are visible in words, rivals and source") {
  Explanation explanation = sample_explanation();
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
  Explanation explanation = sample_explanation();
  for (ExplainedWord& word : explanation.words) word.attention.clear();
  const XmlDocument document = read(explanation_content(explanation));
  CHECK(document.inside("weighted", "span").empty());
  CHECK(document.all("svg", "map").empty());
}

TEST_CASE("explanation: the score is calculated with its numbers, and the width of the search is told") {
  Explanation explanation = sample_explanation();
  const auto says = [&](const char* words) {
    return explanation_content(explanation).str().find(words) != std::string::npos;
  };
  CHECK(says("lest the shortest win: here −0.693 / 1.386 = −0.500. The highest wins."));
  CHECK(says("Ask for a beam of 3 to see rivals that are kept"));
  CHECK(!says("Framed: kept."));
  CHECK(says("Greedy search: in each step the likeliest word goes on alone."));
  explanation.also_scored = {"how little was overlooked", "the way back"};
  CHECK(says(
      "lest the shortest win, and has in it how little was overlooked and the way back, too. The highest"));
  explanation.scored_by_length = false;
  CHECK(says("together. The score has in it how little was overlooked and the way back, too. The highest"));
  explanation.also_scored.clear();
  explanation.ranked[0].score = explanation.ranked[0].log_probability;
  CHECK(says("together. It is the score. The highest wins."));
  explanation.ranked.resize(1);
  CHECK(says("together. It is the score. ⏎"));
  explanation.tree.nodes.push_back({5, 0, 0, 1, -1.5, BeamNode::Fate::kept});
  explanation.tree_words.push_back("chien");
  CHECK(says("Beam search: in each step the likeliest 2 beginnings go on."));
  CHECK(says("Framed: kept."));
}

TEST_CASE("explanation: what is odd about a sentence stands first on its page, and in its JSON") {
  Explanation explanation = sample_explanation();
  CHECK(explanation_json(explanation, false).find("note") == std::string::npos);
  explanation.note = "of 2 sentences it wrote 1";
  CHECK(read(explanation_content(explanation)).all("p").at(0).text == "Note: of 2 sentences it wrote 1.");
  CHECK(nlohmann::json::parse(explanation_json(explanation, false))["note"] == explanation.note);
}

TEST_CASE("explanation: of a word that is written again, it is said which of them is meant") {
  Explanation explanation = sample_explanation();
  const ExplainedWord chat = explanation.words[0], end = explanation.words[1];
  ExplainedWord narrow = chat;
  narrow.attention = {0, 1, 0};
  explanation.words = {chat, narrow, end};
  const auto says = [&](const char* words) {
    return explanation_content(explanation).str().find(words) != std::string::npos;
  };
  CHECK(says("Before the second “&lt;chat&gt;” it looks at one word"));
  CHECK(says("Before the first “&lt;chat&gt;” it divides its look"));
  explanation.words = {chat, chat, chat, narrow, end};
  CHECK(says("Before the fourth “&lt;chat&gt;” it looks at one word"));
  for (const auto& [place, ordinal] : std::vector<std::pair<std::size_t, std::string>>{{10, "tenth"},
                                                                                       {11, "11th"},
                                                                                       {12, "12th"},
                                                                                       {21, "21st"},
                                                                                       {22, "22nd"},
                                                                                       {23, "23rd"},
                                                                                       {24, "24th"}}) {
    explanation.words.assign(place, chat);
    explanation.words.back() = narrow;
    explanation.words.push_back(end);
    CHECK(says(("Before the " + ordinal + " “&lt;chat&gt;” it looks at one word").c_str()));
  }
  explanation.words = {chat, narrow, end};
  explanation.words[0].word = explanation.words[1].word = ".";
  CHECK(says("Before the second full stop it looks at one word"));
}

TEST_CASE("explanation: the ranked translations stand in a table, and the tree is drawn") {
  const XmlDocument document = read(explanation_content(sample_explanation()));
  const auto cells = document.all("td");
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].text == "<chat>");
  CHECK(cells[1].text == "−0.500");
  CHECK(cells[5].text == "−2.250");
  CHECK(document.all("svg", "tree").size() == 1);
  CHECK(document.all("svg", "links").size() == 1);
}

TEST_CASE(
    "explanation: it says of this sentence where attention is narrow, where it is wide, and what was "
    "unsure") {
  Explanation explanation = sample_explanation();
  CHECK(explanation_content(explanation).str().find("Before “") == std::string::npos);  // of one word
  explanation.words.insert(explanation.words.begin() + 1,
                           {"noir", 0.5, {{"blanc", 0.375}}, {0.125, 0, 0.875}});
  explanation.words.insert(explanation.words.begin() + 2, {"dort", 0.625, {}, {0.4, 0.3, 0.3}});
  const std::string page = explanation_content(explanation).str();
  CHECK(
      page.find("Before “noir” it looks most narrowly: it gives 0.88 to “⏎”. Before “dort” it looks around: "
                "the most, 0.40 to “the”. It was least sure of “noir”, with probability 0.50; in its place "
                "“blanc” had 0.38.") != std::string::npos);
  const auto chosen = read(explanation_content(explanation)).inside("words", "details");
  CHECK(chosen.at(0).attributes.count("open") == 0);
  CHECK(chosen.at(1).attributes.count("open") == 1);  // noir, of which is told first
  explanation.words[2].attention = {0.3, 0.3, 0.4};
  CHECK(
      explanation_content(explanation)
          .str()
          .find("the most, 0.40 to “⏎”, where attention often rests when a word needs nothing more from the "
                "sentence. It") != std::string::npos);
  explanation.words[2].word = explanation.source_words[2] = ".";
  CHECK(explanation_content(explanation)
            .str()
            .find("Before the full stop it looks around: the most, 0.40 to the "
                  "full stop. It") != std::string::npos);
  explanation.words[1].rivals.clear();
  CHECK(explanation_content(explanation).str().find("with probability 0.50.<") != std::string::npos);
}

TEST_CASE("explanation: how the word looks whose attention is widest is told by its strongest weight") {
  Explanation explanation = sample_explanation();
  explanation.words.insert(explanation.words.begin(), {"noir", 0.99, {}, {0, 1, 0}});
  const auto told = [&](const std::vector<double>& attention) {
    explanation.words[1].attention = attention;
    const std::string words = read(explanation_content(explanation)).all("p", "told").at(0).text;
    const std::size_t begin = words.find("“<chat>”");
    return words.substr(begin, words.find(". It", begin) - begin);
  };
  const std::string rests = ", where attention often rests when a word needs nothing more from the sentence";
  CHECK(told({0.49, 0.3, 0.21}) == "“<chat>” it looks around: the most, 0.49 to “the”");
  CHECK(told({0.3, 0.496, 0.204}) ==
        "“<chat>” it divides its look: the most, 0.50 to “cat”, the next, 0.30 to “the”");
  CHECK(told({0.1, 0.2, 0.7}) ==
        "“<chat>” it divides its look: the most, 0.70 to “⏎”, the next, 0.20 to “cat”; at “⏎”" +
            rests.substr(rests.find(" attention")));
  CHECK(told({0.1, 0.85, 0.05}) == "“<chat>” it looks least narrowly, and still gives 0.85 to “cat”");
  CHECK(told({0.3, 0.3, 0.4}) == "“<chat>” it looks around: the most, 0.40 to “⏎”" + rests);
  explanation.unknown = {"the"};  // what is written for it is a guess: nobody knows what that needs
  CHECK(told({0.3, 0.3, 0.4}) == "“<chat>” it looks around: the most, 0.40 to “⏎”");
}

TEST_CASE("explanation: attention to another number of words is an error") {
  Explanation explanation = sample_explanation();
  explanation.words[0].attention.pop_back();
  CHECK_THROWS_WITH(explanation_content(explanation),
                    "explanation: there must be a weight for each word of the source: 3 words, 2 weights");
}

TEST_CASE("explanation: what a page shows of a long sentence does not grow with its square, and it says so") {
  const std::string of_300 = explanation_content(long_sample(300)).str();
  const std::string of_600 = explanation_content(long_sample(600)).str();
  CHECK(of_300.size() < 1500000);
  CHECK(of_600.size() < of_300.size() * 1.05);
  CHECK(of_300.find(
            "The sentence is long. Shown are the first 120 of 300 words of the translation to choose "
            "from, the first 40 of 300 in the picture of what they looked at, the first 40 of 300 steps "
            "of the search. Of the 300 words and marks that it read, the 40 are shown that are looked at "
            "most; … stands for the others.") != std::string::npos);
  const XmlDocument document("<main>" + of_300 + "</main>");
  CHECK(document.inside("words", "details").size() == 120);
  // The strongest is among those that are shaded, wherever it stands: of the first 40 words with … behind
  // them, of the others with … before and behind.
  const auto shaded = document.inside("weighted", "span");
  const std::size_t of_w100 = 40 * 41 + 60 * 42;
  CHECK(shaded.at(of_w100 + 38).text == "w38");
  CHECK(shaded.at(of_w100 + 39).text == "…");
  CHECK(shaded.at(of_w100 + 40).text == "w100");
  CHECK(shaded.at(of_w100 + 41).text == "…");
  CHECK(explanation_content(sample_explanation()).str().find("The sentence is long") == std::string::npos);
}

TEST_CASE("explanation: of a long sentence the picture and the words below it leave out the same, with …") {
  Explanation explanation = long_sample(42);
  explanation.words.resize(3);
  for (ExplainedWord& word : explanation.words) {  // all look least at w5 and w6
    word.attention.assign(42, 0.024);
    word.attention[5] = word.attention[6] = 0.01;
  }
  explanation.words[0].attention[0] = 0.001;  // so that it alone would leave out w0
  const XmlDocument document = read(explanation_content(explanation));
  std::vector<std::string> expected;
  for (int i = 0; i < 42; ++i)
    if (i != 6) expected.push_back(i == 5 ? "…" : "w" + std::to_string(i));
  std::vector<std::string> shaded, drawn;
  for (const XmlElement& each : document.inside("weighted", "span")) shaded.push_back(each.text);
  for (const XmlElement& each : document.all("text"))
    if (each["text-anchor"] == "start") drawn.push_back(each.text);
  REQUIRE(shaded.size() == 3 * 41);
  shaded.resize(41);
  CHECK(shaded == expected);
  CHECK(drawn == expected);
  CHECK(document.inside("weighted", "span").at(5)["style"] == "--weight:0.020");  // of both together
  const std::string page = explanation_content(explanation).str();
  CHECK(page.find("Of the 42 words and marks that it read, the 40 are shown") != std::string::npos);
  CHECK(page.find("words of the translation") == std::string::npos);
  CHECK(page.find("Looked at, with … for words that are left out") != std::string::npos);
}

TEST_CASE("explanation: letters in which the model knows the sentence are told, and stand in its JSON") {
  Explanation explanation = sample_explanation();
  CHECK(explanation_json(explanation, false).find("known_as") == std::string::npos);
  explanation.unknown = {"THE", "CAT"};
  explanation.known_as = "The cat";
  CHECK(read(explanation_content(explanation)).all("p", "note").at(1).text == "Try: The cat");
  CHECK(nlohmann::json::parse(explanation_json(explanation, false))["known_as"] == "The cat");
}

TEST_CASE("explanation: words that the model does not know are marked where they stand") {
  Explanation explanation = sample_explanation();
  CHECK(read(explanation_content(explanation)).all("mark").empty());
  explanation.unknown = {"cat"};
  const XmlDocument document = read(explanation_content(explanation));
  REQUIRE(document.all("mark").size() == 1);
  CHECK(document.all("mark").at(0).text == "cat");
  CHECK(document.all("p", "note").at(0).text ==
        "Note: the model does not know \"cat\", which stood nowhere in its training text, or too seldom: "
        "what it "
        "writes for that is a guess.");
}

TEST_CASE(
    "explanation: a search that is not drawn to its end says so below the tree, and where the rest is") {
  const auto caption = [](std::size_t words) {
    return read(explanation_content(long_sample(words))).all("figcaption").back().text;
  };
  CHECK(caption(40).find("The search went on") == std::string::npos);
  CHECK(caption(41).find("The search went on: drawn are the first 40 of 41 steps. The rest is in the JSON: "
                         "translate attention --json prints it") != std::string::npos);
}

TEST_CASE(
    "explanation: where even a sure word has less than 1, label smoothing is named, as far as it is known") {
  Explanation explanation = sample_explanation();
  const auto says = [&](const std::string& words) {
    return explanation_content(explanation).str().find(words) != std::string::npos;
  };
  CHECK_FALSE(says("label smoothing"));  // a word has 1
  explanation.words[1].probability = 0.97;
  CHECK(says(
      "Even a word that seems certain may stay below 1.00: many models are trained with label smoothing"));
  explanation.label_smoothing = 0.05;
  CHECK(
      says("training with label smoothing asked for about 0.95 for the right word and shared the other 0.05 "
           "among"));
  explanation.label_smoothing = 0;
  CHECK_FALSE(says("label smoothing"));
  explanation.label_smoothing = 0.05;
  explanation.words[1].probability = 0.5;  // none is sure
  CHECK_FALSE(says("label smoothing"));
}

TEST_CASE("explanation: as JSON it is whole") {
  const nlohmann::json json = nlohmann::json::parse(explanation_json(long_sample(300), true));
  CHECK(json["words"].size() == 300);
  CHECK(json["words"][299]["attention"][299] == 1);
  CHECK(json["tree"].size() == 301);
  CHECK(json["tree"][300]["parent"] == 299);
  CHECK(json["n_best"][0]["translation"] == "long");
  CHECK_FALSE(nlohmann::json::parse(explanation_json(sample_explanation(), false)).contains("tree"));
}
