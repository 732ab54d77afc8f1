#include <gradual/nn/inspect/run_description.hpp>
#include <gradual/nn/inspect/run_page.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

/// The visible part of a page, read as XML.
XmlDocument body_of(const std::string& html) {
  const std::size_t begin = html.find("<main>");
  const std::string end = "</main>";
  return XmlDocument(html.substr(begin, html.find(end) + end.size() - begin));
}

AttentionMap map_of(float diagonal) {
  return {{"le", "<chat>"}, {"the", "cat"}, {diagonal, 1 - diagonal, 1 - diagonal, diagonal}, ""};
}

Run sample_run() {
  Run run;
  run.title = "A run";
  run.subtitle = "two steps";
  run.figures = {{"BLEU", "41.0"}};
  run.training = {{1, 3.0, 1000, 1e-4}, {2, 2.0, 1100, 2e-4, 2.5}};
  run.translations = {{"held-out",
                       "not seen",
                       {{"the cat", "le chat", "le chat", true}, {"a dog", "un chien", "un <chat>", false}}}};
  const AttentionKind encoder{"Encoder", {{map_of(0.9f), map_of(0.8f)}, {map_of(0.7f), map_of(0.6f)}}};
  const AttentionKind cross{"Cross", {{map_of(0.5f)}}};
  run.attention = {{"the cat", "le chat", {encoder, cross}}, {"a dog", "un chien", {encoder, cross}}};
  run.configuration = {{"layers", "2"}};
  return run;
}

std::vector<std::string> texts(const std::vector<XmlElement>& elements) {
  std::vector<std::string> result;
  for (const XmlElement& element : elements) result.push_back(element.text);
  return result;
}

}  // namespace

TEST_CASE("run page: it has a section for each part of the run") {
  Run run = sample_run();
  run.milestones = {{1, run.translations.front().sentences, {map_of(0.5f)}, {}}};
  Explanation search;
  search.ranked = {{"le chat", -1, -1}};
  search.tree.nodes = {{1, -1, -1, 0, 0, BeamNode::Fate::kept}};
  search.tree_words = {"▷"};
  run.searches = {search};
  const XmlDocument document = body_of(run_page(run));
  CHECK(texts(document.all("h1")) == std::vector<std::string>{"A run"});
  CHECK(texts(document.all("h2")) == std::vector<std::string>{"While it learnt", "Translations",
                                                              "Word by word", "Every head", "Training",
                                                              "Configuration"});
}

TEST_CASE("run page: links at its head lead to its sections") {
  const Run run = sample_run();
  const XmlDocument document = body_of(run_page(run));
  const auto links = document.all("a");
  const auto sections = document.all("h2");
  REQUIRE(links.size() == 4);
  REQUIRE(sections.size() == 4);
  for (std::size_t i = 0; i < links.size(); ++i) {
    CHECK(links[i].text == sections[i].text);
    CHECK(links[i].attributes.at("href") == "#" + sections[i].attributes.at("id"));
  }
  Run short_run = run;
  short_run.configuration.clear();
  CHECK(body_of(run_page(short_run)).all("a").empty());  // three sections need no way through
}

TEST_CASE("run page: of several texts the reader chooses one, with its note and its translations") {
  Run run = sample_run();
  run.translations.push_back({"compositional", "in new pairs", {{"a cat", "un chat", "un chien", false}}});
  const std::string html = run_page(run);
  const std::size_t first = html.find("<summary dir=\"auto\">held-out</summary>");
  const std::size_t second = html.find("<summary dir=\"auto\">compositional</summary>");
  REQUIRE(first < second);
  REQUIRE(second < html.size());
  CHECK(html.find("not seen") > first);
  CHECK(html.find("not seen") < second);
  CHECK(html.find("in new pairs") > second);
  CHECK(html.find("un chien", second) < html.size());
}

TEST_CASE("run page: the loss at the start and at the end is told as a guess among so many words") {
  CHECK(run_page(sample_run())
            .find("It began at 3, as sure as who guesses one among 20 words, and ended at 2, as who guesses "
                  "one among 7.4.") != std::string::npos);  // e³ and e²
}

TEST_CASE("run page: an empty part is left out") {
  Run run;
  run.title = "Nothing yet";
  const XmlDocument document = body_of(run_page(run));
  CHECK(document.all("h2").empty());
  CHECK(document.all("dl").empty());
}

TEST_CASE("run page: the curves are loss with validation, and learning rate") {
  const XmlDocument document = body_of(run_page(sample_run()));
  const auto charts = document.inside("wide", "svg");
  REQUIRE(charts.size() == 2);
  CHECK(charts[0]["aria-label"] == "Loss (nats per token)");
  CHECK(charts[1]["aria-label"] == "Learning rate");
  CHECK(document.all("path", "s1").size() == 2);  // the validation loss, wide and narrow
}

TEST_CASE("run page: up to 400 steps are drawn one by one, more as the means of stretches") {
  const auto points_of = [](int steps) {
    Run run;
    for (int step = 1; step <= steps; ++step) run.training.push_back({step, 3, 1000, std::nan("")});
    const std::string path = body_of(run_page(run)).all("path", "s0").at(0)["d"];
    return 1 + std::count(path.begin(), path.end(), 'L');
  };
  CHECK(points_of(399) == 399);
  CHECK(points_of(400) == 400);
  CHECK(points_of(401) == 201);  // by two, and one that is left
}

TEST_CASE("run page: gradient norm and BLEU have curves where they were measured") {
  Run run;
  run.training = {{1, 3, 1000, 1e-4, 3.5, 0.5, 1, 10}, {2, 2, 1000, 1e-4, 3, 0.4, 2, 20}};
  std::vector<std::string> names;
  for (const XmlElement& chart : body_of(run_page(run)).inside("wide", "svg"))
    names.push_back(chart["aria-label"]);
  CHECK(names == std::vector<std::string>{"Loss (nats per token)", "Learning rate", "Gradient norm",
                                          "Validation BLEU"});
}

TEST_CASE("run page: what label smoothing leaves of the loss is the entropy of its targets, by hand") {
  CHECK(lowest_loss(0, 269) == 0);
  CHECK(lowest_loss(0.1, 1) == 0);  // one token is sure
  CHECK(lowest_loss(0.5, 2) == Approx(-0.75 * std::log(0.75) - 0.25 * std::log(0.25)));
  CHECK(lowest_loss(0.3, 3) == Approx(-0.8 * std::log(0.8) - 2 * 0.1 * std::log(0.1)));
}

TEST_CASE("run page: what label smoothing leaves of the loss is a line below its curve, and told") {
  Run run;
  run.training = {{1, 3, 1000, 1e-4}, {2, 2, 1000, 1e-4}};
  CHECK(run_page(run).find("smoothed labels") == std::string::npos);
  run.lowest_loss = 0.476;
  const std::string page = run_page(run);
  CHECK(page.find("the least that smoothed labels allow: 0.48 at step 1: 0.476") != std::string::npos);
  CHECK(page.find("the least that smoothed labels allow: 0.48 at step 2: 0.476") != std::string::npos);
}

TEST_CASE("run page: where two passes must agree, the loss is not called the probability of a word alone") {
  Run run;
  run.training = {{1, 3, 1000, 1e-4}, {2, 2, 1000, 1e-4}};
  CHECK_THAT(run_page(run), Contains("as sure as who guesses one among 20 words"));
  run.two_passes = true;
  CHECK_THAT(run_page(run), Contains("how far two passes with other dropout are apart. It began at 3") &&
                                !Contains("as sure as who guesses"));
  run.lowest_loss = 0.476;
  CHECK_THAT(run_page(run),
             Contains("no loss falls below 0.48") && Contains("how far two passes with other"));
}

TEST_CASE("run page: each kind of attention says who looks at what") {
  Run run = sample_run();
  run.attention.front().kinds.front().meaning = "Each word of the source looks at all of them.";
  CHECK(run_page(run).find("<p>Each word of the source looks at all of them.</p>") != std::string::npos);
}

TEST_CASE("run page: a validation loss that is measured now and then is one joined curve") {
  Run run;
  run.training = {{1, 3, 1000, 1e-4, 3.5}, {2, 2, 1000, 1e-4}, {3, 1, 1000, 1e-4, 1.5}};
  const std::string path = body_of(run_page(run)).all("path", "s1").at(0)["d"];
  CHECK(std::count(path.begin(), path.end(), 'M') == 1);
  CHECK(std::count(path.begin(), path.end(), 'L') == 1);
}

TEST_CASE("run page: each translation is a row that says whether it is right") {
  const XmlDocument document = body_of(run_page(sample_run()));
  const auto cells = document.all("td");
  REQUIRE(cells.size() == 8);
  CHECK(cells[0].has_class("right"));
  CHECK(cells[4].has_class("wrong"));
  CHECK(cells[7].text == "un <chat>");
}

TEST_CASE("run page: a map of every head in every layer, for each kind and sentence") {
  const XmlDocument document = body_of(run_page(sample_run()));
  CHECK(document.all("svg", "map").size() == 2 * (4 + 1));
  const auto groups = document.all("div", "choices");
  REQUIRE(groups.size() == 3);
  CHECK(groups[0]["data-label"] == "Sentence");
  CHECK(groups[1]["data-label"] == "Attention");
  CHECK(texts(document.all("summary")) == std::vector<std::string>{"the cat → le chat", "Encoder", "Cross",
                                                                   "a dog → un chien", "Encoder", "Cross"});
  CHECK(texts(document.all("h4")) ==
        std::vector<std::string>{"Layer 1", "Layer 2", "Layer 1", "Layer 1", "Layer 2", "Layer 1"});
  CHECK(document.all("text", "title").at(1).text == "Head 2");  // after the titles of the charts
}

TEST_CASE("run page: which head is most decided and which least is said where there are several") {
  const std::string page = run_page(sample_run());
  CHECK(
      page.find("The most decided is head 1 of layer 1, where a word gives 0.90 of its attention to a single "
                "word, on average; the least is head 2 of layer 2, with 0.60.") != std::string::npos);
  Run run = sample_run();
  for (SentenceAttention& sentence : run.attention) sentence.kinds.erase(sentence.kinds.begin());
  CHECK(run_page(run).find("most decided") == std::string::npos);
}

TEST_CASE("run page: of its settings there are those that are on and apply") {
  const std::string of_words =
      "held-out = 0\nunits = words\nsubwords = 8000\nmodel = transformer\nheads = 4\nattention-dropout = 0\n"
      "feed-forward-dropout = 0\nclip = 1\nvalidate-every = 500\naverage = 0\nsnapshot-every = 7\n"
      "seed = 0\nbeam = 1\nlength-penalty = 0.6\n";
  using Settings = std::vector<std::pair<std::string, std::string>>;
  CHECK(settings_in_effect(of_words) == Settings{{"units", "words"},
                                                 {"model", "transformer"},
                                                 {"heads", "4"},
                                                 {"feed-forward-dropout", "0"},
                                                 {"clip", "1"},
                                                 {"seed", "0"},
                                                 {"beam", "1"}});
  const std::string of_subwords =
      "validation = 9\nunits = subwords\nsubwords = 8000\nmax-vocabulary = 20000\nmodel = gru\nheads = 4\n"
      "feed-forward-dropout = 0\noptimizer = muon\nmuon-scale = 2\nvalidate-every = 500\naverage = 3\n"
      "snapshot-every = 7\nbeam = 2\nlength-penalty = 0.6\n";
  CHECK(settings_in_effect(of_subwords) == Settings{{"validation", "9"},
                                                    {"units", "subwords"},
                                                    {"subwords", "8000"},
                                                    {"model", "gru"},
                                                    {"optimizer", "muon"},
                                                    {"muon-scale", "2"},
                                                    {"validate-every", "500"},
                                                    {"average", "3"},
                                                    {"snapshot-every", "7"},
                                                    {"beam", "2"},
                                                    {"length-penalty", "0.6"}});
}

TEST_CASE("run page: settings that another makes idle are named with it") {
  const std::vector<IdleSetting> idle = idle_settings(
      "units = words\nsubwords = 8000\nmax-vocabulary = 9\nmodel = gru\nheads = 4\nvalidate-every = 5\n"
      "beam = 4\nlength-penalty = 1\n");
  std::vector<std::string> told;
  for (const auto& [key, why] : idle) told.push_back(key + ": " + why);
  CHECK(told == std::vector<std::string>{"subwords: units is not subwords", "heads: model is not transformer",
                                         "validate-every: validation is 0"});
  const std::string still = "model = transformer\ndropout = 0\nfeed-forward-dropout = -1\nr-drop = 2\n";
  REQUIRE(idle_settings(still).size() == 1);
  CHECK(idle_settings(still)[0].key + ": " + idle_settings(still)[0].why ==
        "r-drop: dropout is 0, and nothing else is left out");
  CHECK(idle_settings("model = transformer\ndropout = 0.1\nfeed-forward-dropout = 0\nr-drop = 2\n").empty());
  for (const char* other : {"attention-dropout", "feed-forward-dropout", "word-dropout"})
    CHECK(idle_settings(still + other + " = 0.1\n").empty());
  CHECK(idle_settings("model = gru\ndropout = 0\nattention-dropout = 0.1\nr-drop = 2\n").size() == 2);
  // It is noted with the model, and another beam counts it.
  CHECK(idle_settings("beam = 1\nlength-penalty = 1\n").empty());
}

TEST_CASE("run page: where sentences look is shown of the first ones, up to 18,000 weights") {
  const auto words = [](int count) {
    std::string sentence = "a";
    while (--count > 0) sentence += " a";
    return sentence;
  };
  TransformerConfig config;
  config.width = config.feed_forward = 6;
  config.heads = config.encoder_layers = config.decoder_layers = 3;
  ListStream<SentencePair> pairs(std::vector<SentencePair>{{words(40), words(40)}});
  const Translator translator = learn_translator(config, pairs);
  RunSettings settings;  // that have it write a single word, whatever its weights are
  settings.test.search.max_length = 1;
  settings.test.search.end = -1;
  settings.test.search.suppressed = {Vocabulary::pad, Vocabulary::bos, Vocabulary::eos};
  const auto shown = [&](const std::vector<int>& lengths) {
    RunResult result;
    result.evaluations.resize(1);
    for (const int each : lengths) result.evaluations[0].sentences.push_back({words(each), {"a"}, "a"});
    return describe(translator, settings, result).attention.size();
  };
  // Each of three heads of three layers has S² + 2·S + 2² = (S + 1)² + 3 weights, the end token among the S
  // words: 9·(37² + 3 + 25² + 3) = 18,000.
  CHECK(shown({35, 23}) == 2);
  CHECK(shown({35, 24}) == 1);
  CHECK(shown({45}) == 1);  // 19,908: the first is shown in any case
}

TEST_CASE("run page: of a test set that is a file of its own, that is told which was counted") {
  Evaluation held_out, test;
  held_out.name = "held-out";
  test.name = "test";
  test.sentences.resize(3);
  const std::string none = "None of these sentences was seen in training.";
  CHECK(seen_in_training({held_out}) == none);
  CHECK(seen_in_training({test}) != none);
  test.trained_on = 0;
  CHECK(seen_in_training({test}) == none);
  test.trained_on = 2;
  CHECK(seen_in_training({test}).find("2 of 3 sentences were trained on") == 0);
}

TEST_CASE("run page: notes say what its figures and its settings are") {
  Run run = sample_run();
  run.note_on_figures = "BLEU counts <words>.";
  run.note_on_configuration = "By the names of the options.";
  const XmlDocument document = body_of(run_page(run));
  CHECK(document.all("p", "label").at(0).text == "BLEU counts <words>.");
  CHECK(texts(document.all("p")).back() == "By the names of the options.");
}

TEST_CASE("run page: a bad map is an error") {
  Run run = sample_run();
  run.attention[0].kinds[0].layers[0][0].weights.pop_back();
  CHECK_THROWS_AS(run_page(run), std::invalid_argument);
}

TEST_CASE("run page: maps of a long sentence show its beginning, so that the page stays small") {
  const auto page_of = [](std::size_t words) {
    AttentionMap map{{}, {}, std::vector<float>(words * words, 0.5f), ""};
    for (std::size_t i = 0; i < words; ++i) {
      map.queries.push_back("q");
      map.keys.push_back("k");
    }
    Run run;
    run.attention = {{"long", "lang", {{"Encoder", {{map, map, map, map}, {map, map, map, map}}}}}};
    CHECK(words_in_maps(run.attention.front()) == 55);  // √(25000 / 8)
    return run_page(run);
  };
  const std::string page = page_of(200);
  CHECK(page.size() < 4000000);
  CHECK(page.find("The maps show the first 55 words of either side, so that a row sums to less than 1 where "
                  "it looks beyond them.") != std::string::npos);
  CHECK(page_of(55).find("The sentence is long") == std::string::npos);
}
