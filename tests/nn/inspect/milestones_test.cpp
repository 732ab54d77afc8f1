#include <gradual/nn/inspect/milestones.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gradual/nn/inspect/milestone_log.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

Milestone milestone(Index step, const std::string& cat, bool right, double quality) {
  const AttentionMap map{{"le", "chat"}, {"the", "cat"}, {0.5f, 0.5f, 0.25f, 0.75f}, "layer 1"};
  return {step,
          {{"the cat", "le chat", cat, right}, {"a dog", "un chien", "un <chien>", false}},
          {map},
          {{quality, quality / 2}, {{quality / 4, quality}, {0, 0}}}};
}

TransformerConfig eight_wide() {
  TransformerConfig config;
  config.width = config.feed_forward = 8;
  config.heads = 2;
  return config;
}

Translator small_translator(const std::vector<SentencePair>& pairs, const TransformerConfig& config) {
  ListStream<SentencePair> stream(pairs);
  return learn_translator(config, stream);
}

}  // namespace

TEST_CASE("milestones: for each step there are the translations of all sentences, and what they mean") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "chat chat", false, 0.1), milestone(20, "le chat", true, 0.8)},
                              {{10, 5.0, 1000, 1e-4, 3.0}, {20, 4.0, 1000, 1e-4, 0.0}}));
  const auto cells = document.all("td");
  REQUIRE(cells.size() == 12);
  CHECK(document.all("b").at(0).text == "the cat");
  CHECK(document.all("small").at(0).text == "le chat");
  CHECK(cells[2].text == "chat chat");
  CHECK(cells[5].text == "un <chien>");
  CHECK(cells[6].has_class("right"));
  CHECK(cells[8].text == "le chat");
  CHECK(document.all("p").at(1).text ==
        "After 10 steps it translates 0 of these 2 sentences right; of the right next word, in sentences it "
        "never saw, it is as sure as of one among 20; and for 10 of 100 words it looks most, before it "
        "writes them, at the very word of the text that they translate.");
  CHECK_THAT(document.all("p").at(3).text + "\n" + document.all("p").at(4).text,
             Contains("−ln of its probability") && Contains("\nThe embedded corpus records which word"));
  CHECK(document.all("p").at(5).text ==
        "After 20 steps it translates 1 of these 2 sentences right; of the right next word, in sentences it "
        "never saw, it is as sure as of one among 1; and for 80 of 100 words it looks most, before it "
        "writes them, at the very word of the text that they translate.");
}

TEST_CASE("milestones: a model that wrote nothing is said to have written nothing") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "", false, 0.1)}, {{10, 5.0, 1000, 1e-4}}));
  CHECK(document.all("td").at(2).text == "(nothing)");
}

TEST_CASE(
    "milestones: what a model writes without end is cut after a whole word, and what is a little long is "
    "not") {
  const auto written = [](const std::string& cat) {
    return read(milestones_content({milestone(10, cat, false, 0.1)}, {{10, 5.0, 1000, 1e-4}}))
        .all("td")
        .at(2)
        .text;
  };
  CHECK(written("le chat chat chat chat chat") ==
        "le chat chat chat chat chat");  // of le chat: at most 30 bytes
  CHECK(written("le chat chat chat chat chaton!") == "le chat chat chat chat chaton!");  // 30 bytes
  CHECK(written("le chat chat chat chat chatons!") == "le chat chat chat chat …");
  CHECK(written("le chat chat chat chat chat chat chat") == "le chat chat chat chat chat …");
  CHECK(written("é" + std::string(40, 'a')) == "é" + std::string(28, 'a') + " …");
  CHECK(written(std::string(29, 'a') + "éé") == std::string(29, 'a') + " …");
}

TEST_CASE(
    "milestones: of a run that was never measured on held-out text, nothing is said of how sure it is") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "le chat", true, 0.5)}, {{10, 5.0, 1000, 1e-4}}));
  CHECK(document.all("p").at(1).text ==
        "After 10 steps it translates 1 of these 2 sentences right; and for 50 of 100 words it looks most, "
        "before it writes them, at the very word of the text that they translate.");
}

TEST_CASE("milestones: each step is marked on the curves of loss and alignment") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "", false, 0.1), milestone(20, "le chat", true, 0.8)},
                              {{10, 3.0, 1000, 1e-4}, {20, 2.0, 1000, 1e-4}}));
  const auto charts = document.inside("wide", "svg");
  REQUIRE(charts.size() == 4);
  std::vector<std::string> hovers;
  for (const XmlElement& title : document.all("title")) hovers.push_back(title.text);
  CHECK(std::find(hovers.begin(), hovers.end(), "loss at step 10: 3") != hovers.end());
  const auto marks = document.all("line", "mark");  // of each chart, for desk and phone
  REQUIRE(marks.size() == 8);
  for (const XmlElement& mark : marks) CHECK(mark["x1"] == mark["x2"]);
  CHECK(marks[0].number("x1") + 100 < marks[4].number("x1"));
  CHECK(std::abs(marks[0].number("x1") - marks[2].number("x1")) < 20);  // both have one axis of steps
  // Steps are on logarithmic axes: from 10 to 40 the same factor is the same way.
  const XmlDocument three = read(milestones_content(
      {milestone(10, "", false, 0.1), milestone(20, "", false, 0.2), milestone(40, "le chat", true, 0.8)},
      {}));
  const auto places = three.all("line", "mark");
  REQUIRE(places.size() == 6);  // of one chart, for desk and phone
  CHECK(places[2].number("x1") - places[0].number("x1") ==
        Approx(places[4].number("x1") - places[2].number("x1")).margin(0.2));
}

TEST_CASE("milestones: the loss begins with the first of them, and is the mean of stretches that grow") {
  const std::vector<TrainingPoint> training{{5, 9, 1, 1},   {10, 7, 1, 1},  {100, 4, 1, 1},
                                            {101, 3, 1, 1}, {109, 2, 1, 1}, {111, 1, 1, 1}};
  const XmlDocument document = read(milestones_content({milestone(10, "", false, 0.1)}, training));
  std::vector<std::string> hovers;
  for (const XmlElement& title : document.all("title"))
    if (title.text.rfind("loss", 0) == 0) hovers.push_back(title.text);
  hovers.resize(hovers.size() / 2);  // of the wide chart
  CHECK(hovers ==
        std::vector<std::string>{"loss at step 10: 8", "loss at step 100: 4", "loss at step 111: 2"});
}

TEST_CASE("milestones: what is told to the model stands beside where it looks") {
  Milestone known = milestone(10, "", false, 0.1);
  known.told = {"the cat", "le chat"};
  CHECK(read(milestones_content({known})).all("p", "label").at(0).text ==
        "Where it looks in “the cat” before each word of “le chat”: these right words are told "
        "to it one by one, whatever it would write itself.");
  CHECK(read(milestones_content({milestone(10, "", false, 0.1)})).all("p", "label").at(0).text ==
        "Where it looks before each word while the right words are told to it.");
}

TEST_CASE("milestones: a slider begins where some sentences are right and some wrong, else at the first") {
  const auto first_seen = [](const std::vector<Milestone>& milestones) {
    const auto steps = read(milestones_content(milestones)).inside("slider", "details");
    const auto open = std::find_if(steps.begin(), steps.end(),
                                   [](const XmlElement& each) { return each.attributes.count("open") > 0; });
    return open - steps.begin();
  };
  const Milestone none = milestone(10, "", false, 0.1), some = milestone(20, "le chat", true, 0.8);
  Milestone all = some;
  for (TranslatedSentence& each : all.translations) each.right = true;
  CHECK(first_seen({none, some, all}) == 1);
  CHECK(first_seen({none, none, some, some}) == 2);
  CHECK(first_seen({none, all}) == 0);
  CHECK(first_seen({all, all}) == 0);
  CHECK(first_seen({none, none}) == 0);
  const auto said = [](const std::vector<Milestone>& milestones) {
    return read(milestones_content(milestones)).all("p").at(0).text;
  };
  CHECK(said({none, some, all}) ==
        "What the model could do after so many steps: move the slider, or let it play from the first look "
        "on. It "
        "is opened at step 20, the first look at which some sentences come out right and others wrong.");
  CHECK(said({none, all}).find("opened") == std::string::npos);
}

TEST_CASE("milestones: a slider goes through the maps") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "", false, 0.1), milestone(20, "le chat", true, 0.8)}));
  const auto sliders = document.all("div", "slider");
  REQUIRE(sliders.size() == 1);
  CHECK(sliders[0]["data-label"] == "Step");
  CHECK(document.all("svg", "map").size() == 2);
  CHECK(document.all("svg", "links").size() == 2);
}

TEST_CASE("milestones: with each step come its heads, and the gradients and weights of its layers") {
  Milestone full = milestone(20, "le chat", true, 0.8);
  full.heads = {{full.attention[0], full.attention[0]}};
  full.layers = {{"encoder.0", 0.5, -1, 2, {0.25, 0.75}}, {"output", std::nan(""), 0, 0, {0, 0}}};
  const XmlDocument document = read(milestones_content({milestone(10, "", false, 0.1), full}));
  CHECK(document.all("svg", "map").size() == 4);
  std::vector<std::string> cells;
  for (const XmlElement& cell : document.all("td")) cells.push_back(cell.text);
  const std::vector<std::string> layers{"encoder, layer 1", "0.500", "−1.00", "2.00", "",
                                        "output",           "",      "0",     "0",    ""};
  CHECK(std::search(cells.begin(), cells.end(), layers.begin(), layers.end()) != cells.end());
  CHECK(document.all("svg", "histogram").size() == 2);
  CHECK(document.all("th").back().text ==
        "How many weights there are from −1.00 to 2.00, at every step; lines at 0 and 1");
  std::vector<std::string> names;
  for (const XmlElement& each : document.all("summary")) names.push_back(each.text);
  CHECK(std::count(names.begin(), names.end(), "layer 1, head 2") == 1);
}

TEST_CASE("milestones: heads of many cells are drawn at the last step alone, which the others say") {
  AttentionMap map;
  map.queries.assign(20, "a");
  map.keys.assign(20, "b");
  map.weights.assign(400, 0.05F);
  const auto drawn = [&](std::size_t heads) {  // in two steps, each with one map of its layer
    Milestone first = milestone(10, "le chat", true, 0.8), last = milestone(20, "le chat", true, 0.8);
    first.heads = last.heads = {std::vector<AttentionMap>(heads, map)};
    const XmlDocument document = read(milestones_content({first, last}));
    std::size_t told = 0;
    for (const XmlElement& each : document.all("p"))
      if (each.text.find("drawn at the last step alone") != std::string::npos) ++told;
    return std::pair(document.all("svg", "map").size(), told);
  };
  CHECK(drawn(15) == std::pair<std::size_t, std::size_t>(2 + 2 * 15, 0));  // 12,000 cells
  CHECK(drawn(16) == std::pair<std::size_t, std::size_t>(2 + 16, 1));
}

TEST_CASE("milestones: layers are told by the numbers in the names of their parameters") {
  Var a = Var::parameter(Tensor({2}, {-1, 1})), b = Var::parameter(Tensor({2}, {3, 1})),
      c = Var::parameter(Tensor({1}, {std::numeric_limits<Real>::quiet_NaN()}));
  a.mutable_grad() = Tensor({2}, {3, 0});
  b.mutable_grad() = Tensor({2}, {0, 4});
  const auto layers = layer_numbers({{"encoder.0.norm.gain", a}, {"encoder.1.x", c}, {"encoder.0.w", b}}, 2);
  REQUIRE(layers.size() == 2);
  CHECK(layers[0].name == "encoder.0");
  CHECK(layers[0].gradient == 10);  // 2·√(3² + 4²)
  CHECK(layers[0].lowest == -1);
  CHECK(layers[0].highest == 3);
  CHECK(layers[0].histogram.front() == 0.25);
  CHECK(layers[0].histogram[12] == 0.5);
  CHECK(layers[0].histogram.back() == 0.25);
  CHECK(std::isnan(layers[1].gradient));
  CHECK(layers[1].histogram == std::vector<double>(24, 0));
}

TEST_CASE("milestones: alignment is a curve for each layer and one for the head that does best in the end") {
  const XmlDocument document =
      read(milestones_content({milestone(10, "", false, 0.1), milestone(20, "le chat", true, 0.8)}));
  const XmlElement chart = document.inside("wide", "svg").at(0);
  CHECK(chart["aria-label"] == "Attention on the right word (% of words)");
  std::vector<std::string> hovers;
  for (const XmlElement& title : document.all("title")) hovers.push_back(title.text);
  const std::string last = "layer 1 at step 20: 80\nlayer 2 at step 20: 40\nlayer 1, head 2 at step 20: 80";
  CHECK(std::find(hovers.begin(), hovers.end(), last) != hovers.end());
}

TEST_CASE("milestones: what was not looked at is left out") {
  CHECK(milestones_content({}).str().empty());
  Milestone bare = milestone(10, "", false, 0.1);
  bare.attention.clear();
  bare.alignment = {};
  const XmlDocument document = read(milestones_content({bare}));
  CHECK(document.all("table").size() == 1);
  CHECK(document.all("svg").empty());
}

TEST_CASE("milestones: sentences must stay the same") {
  Milestone shorter = milestone(20, "le chat", true, 0.8);
  shorter.translations.pop_back();
  CHECK_THROWS_WITH(milestones_content({milestone(10, "", false, 0.1), shorter}),
                    "milestones: each must have the same sentences: step 10 has 2, step 20 has 1");
}

TEST_CASE("milestones: a model that cannot search has none, so that the next step can say what is wrong") {
  const std::vector<SentencePair> pairs{{"a b", "c d"}, {"b a", "d c"}};
  const Translator translator = small_translator(pairs, eight_wide());
  const TestFolder folder;
  const std::string path = folder / "milestones.jsonl";
  SentencePair told;
  std::vector<TranslatedSentence> translations;
  {
    MilestoneLog log(path, 0, 10, {{"held-out", pairs}}, {}, translator);
    log.add(1, translator);
    REQUIRE(log.milestones().size() == 1);
    told = log.milestones()[0].told;
    translations = log.milestones()[0].translations;
    for (NamedParameter each : parameters(translator.model()))
      each.variable.set_value(Tensor::full(each.variable.shape(), std::numeric_limits<Real>::quiet_NaN()));
    log.add(2, translator);
    CHECK(log.milestones().size() == 1);
  }  // Windows lets nobody write a file anew that is open
  const MilestoneLog again(path, 1, 10, {{"held-out", pairs}}, {}, translator);
  REQUIRE(again.milestones().size() == 1);
  CHECK(again.milestones()[0].told == told);
  REQUIRE(translations.size() == 2);
  REQUIRE(again.milestones()[0].translations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const TranslatedSentence& read = again.milestones()[0].translations[i];
    CHECK(read.source == pairs[i].source);
    CHECK(read.reference == pairs[i].target);
    CHECK(read.translation == translations[i].translation);
    CHECK(read.right == translations[i].right);
  }
  CHECK(std::find(pairs.begin(), pairs.end(), told) != pairs.end());
}

TEST_CASE("milestones: of a file, those of the sentences that are looked at now are kept") {
  const std::vector<SentencePair> pairs{{"a b", "c d"}, {"a b", "d c"}, {"b a", "d c"}};
  const Translator translator = small_translator(pairs, eight_wide());
  const TestFolder folder;
  const std::string path = folder / "milestones.jsonl";
  const auto kept_with = [&](const std::vector<SentencePair>& now) {
    {
      MilestoneLog log(path, 0, 10, {{"held-out", pairs}}, {}, translator);
      log.add(1, translator);
    }
    return MilestoneLog(path, 1, 10, {{"held-out", now}}, {}, translator).milestones().size();
  };
  CHECK(kept_with(pairs) == 1);
  CHECK(kept_with({pairs[0], pairs[2]}) == 1);  // of a source there is one translation
  CHECK(kept_with({pairs[2], pairs[0]}) == 0);
  CHECK(kept_with({pairs[0]}) == 0);
  CHECK(kept_with({pairs[0], pairs[2], {"b b", "d d"}}) == 0);
  CHECK(kept_with({{"a b", "c c"}, pairs[2]}) == 0);
  CHECK(kept_with({}) == 0);
}

TEST_CASE("milestones: it looks at the longest pair of at most 16 tokens, or else at the shortest one") {
  const auto words = [](int count) {
    std::string sentence = "a";
    while (--count > 0) sentence += " a";
    return sentence;
  };
  const auto told_of = [&](const std::vector<int>& lengths) {
    std::vector<SentencePair> pairs;
    for (const int each : lengths) pairs.push_back({words(each), words(each) + " b"});
    const Translator translator = small_translator(pairs, eight_wide());
    const TestFolder folder;
    MilestoneLog log(folder / "milestones.jsonl", 0, 10, {{"held-out", pairs}}, {}, translator);
    log.add(1, translator);
    const auto& told = log.milestones().at(0).told;
    return std::count(told.source.begin(), told.source.end(), 'a');
  };
  CHECK(told_of({3, 15, 9}) == 15);  // with b 16 tokens
  CHECK(told_of({3, 16, 9}) == 9);
  CHECK(told_of({20, 18, 19}) == 18);
}

TEST_CASE("milestones: of pairs that are as long as each other it looks at the first") {
  const std::vector<SentencePair> pairs{{"b", "d"}, {"a b", "c d"}, {"b a", "d c"}, {"b b", "d d"}};
  const Translator translator = small_translator(pairs, eight_wide());
  const TestFolder folder;
  MilestoneLog log(folder / "milestones.jsonl", 0, 10, {{"held-out", pairs}}, {}, translator);
  log.add(1, translator);
  CHECK(log.milestones().at(0).told == pairs[1]);
}

TEST_CASE("milestones: what each head looks at is kept where it is 4,000 cells or fewer") {
  const std::vector<SentencePair> pairs{{"a b c d e f g", "a b c d e f g"}};
  const auto heads_of = [&](Index layers) {
    TransformerConfig config = eight_wide();
    config.heads = 8;
    config.decoder_layers = layers;
    const Translator translator = small_translator(pairs, config);
    const TestFolder folder;
    MilestoneLog log(folder / "milestones.jsonl", 0, 10, {{"held-out", pairs}}, {}, translator);
    log.add(1, translator);
    return log.milestones().at(0).heads.size();
  };
  CHECK(heads_of(7) == 7);  // 7 layers of 8 heads of 8 × 8 cells: 3,584
  CHECK(heads_of(8) == 0);  // 4,096
}
