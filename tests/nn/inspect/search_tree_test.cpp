#include <gradual/nn/inspect/search_tree.hpp>

#include <algorithm>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

using Fate = BeamNode::Fate;

/// A beam of 2 that finds "le chat" before "un chat", and drops "les".
BeamTree two_translations() {
  BeamTree tree;
  tree.nodes = {{1, -1, -1, 0, 0, Fate::kept},      {4, 0, 0, 0, -0.5, Fate::kept},
                {5, 0, 0, 1, -1, Fate::kept},       {6, 0, 0, 2, -3, Fate::pruned},
                {7, 1, 1, 0, -0.75, Fate::kept},    {7, 2, 1, 1, -1.5, Fate::kept},
                {2, 4, 2, 0, -0.8125, Fate::ended}, {2, 5, 2, 1, -1.625, Fate::ended}};
  tree.results = {6, 7};
  return tree;
}

const std::vector<std::string> words = {"▷", "le", "un", "les", "chat", "chat", "⏎", "⏎"};

std::vector<XmlElement> boxes(const XmlDocument& document, const std::string& kind) {
  return document.inside(kind, "rect");
}

}  // namespace

TEST_CASE("search tree: each node is a box in the column of its step and the row of its rank") {
  const XmlDocument document(draw_search_tree(two_translations(), words));
  CHECK(boxes(document, "won").size() == 4);
  CHECK(boxes(document, "kept").size() == 2);
  CHECK(boxes(document, "ended").size() == 1);
  const auto won = boxes(document, "won");
  for (std::size_t i = 1; i < won.size(); ++i) {
    CHECK(won[i].number("x") > won[i - 1].number("x") + won[i - 1].number("width"));
    CHECK(won[i].number("y") == won[0].number("y"));
  }
  const XmlElement dropped = boxes(document, "dropped").at(0);
  CHECK(dropped.number("x") == won[1].number("x"));
  CHECK(dropped.number("y") > boxes(document, "kept").at(0).number("y"));
}

TEST_CASE(
    "search tree: resting on a box shows the words up to it, how likely they are, and what became of it") {
  const XmlDocument document(draw_search_tree(two_translations(), words));
  std::vector<std::string> hovers;
  for (const XmlElement& title : document.all("title")) hovers.push_back(title.text);
  REQUIRE(hovers.size() == 8);
  CHECK(hovers[0] == "the beginning");
  CHECK(hovers[3] == "les\nlog P −3.00, P 0.05, candidate 3: dropped");
  CHECK(hovers[5] == "un chat\nlog P −1.50, P 0.22, candidate 2: kept");
  CHECK(hovers[6] == "le chat ⏎\nlog P −0.81, P 0.44, candidate 1: returned as translation 1");
}

TEST_CASE("search tree: boxes stand beside each other, none inside of another or where no pointer rests") {
  const XmlDocument document(draw_search_tree(two_translations(), words));
  std::vector<int> groups;
  for (const XmlElement& box : document.all("rect")) {
    if (box["rx"].empty()) continue;
    CHECK(box["pointer-events"].empty());
    groups.push_back(document.parent(box).parent);
    CHECK(document.elements[static_cast<std::size_t>(groups.back())]["pointer-events"].empty());
  }
  REQUIRE(groups.size() == 8);
  CHECK(std::count(groups.begin(), groups.end(), groups.front()) == 8);
}

TEST_CASE("search tree: results have their rank beside them") {
  const XmlDocument document(draw_search_tree(two_translations(), words));
  std::vector<std::string> ranks;
  for (const XmlElement& rank : document.all("text", "rank")) ranks.push_back(rank.text);
  CHECK(ranks == std::vector<std::string>{"1", "2"});
}

TEST_CASE("search tree: the rank of a result stands inside of its box, where no line goes") {
  BeamTree tree = two_translations();
  tree.nodes.push_back({6, 5, 2, 2, -2.5, Fate::kept});  // ended by the greatest length
  tree.results.push_back(8);
  std::vector<std::string> names = words;
  names.push_back("anticonstitutionnellement");
  const XmlDocument document(draw_search_tree(tree, names));
  std::vector<XmlElement> all;
  for (const char* kind : {"won", "ended", "kept"})
    for (const XmlElement& box : boxes(document, kind)) all.push_back(box);
  const auto circles = document.all("circle");
  REQUIRE(circles.size() == 3);
  for (const XmlElement& circle : circles) {
    const double x = circle.number("cx"), y = circle.number("cy"), r = circle.number("r");
    CHECK(std::count_if(all.begin(), all.end(), [&](const XmlElement& box) {
            return box.number("x") + box.number("width") / 2 < x - r &&
                   box.number("x") + box.number("width") >= x + r && box.number("y") <= y - r &&
                   box.number("y") + box.number("height") >= y + r;
          }) == 1);
  }
}

TEST_CASE("search tree: what was kept when the search ended was not followed, and is faint") {
  BeamTree greedy;
  greedy.nodes = {{1, -1, -1, 0, 0, Fate::kept},
                  {4, 0, 0, 0, -0.5, Fate::kept},
                  {5, 0, 0, 1, -1, Fate::pruned},
                  {2, 1, 1, 0, -0.6, Fate::ended},
                  {6, 1, 1, 1, -8, Fate::kept}};
  greedy.results = {3};
  const XmlDocument document(draw_search_tree(greedy, {"▷", "le", "un", "⏎", "sont"}));
  CHECK(boxes(document, "kept").empty());
  CHECK(boxes(document, "dropped").size() == 2);
  CHECK(document.all("title").at(4).text ==
        "le sont\nlog P −8.00, P 0.00034, candidate 2: left when the search had ended");
}

TEST_CASE("search tree: every box lies inside the picture, and each node but the root has a branch") {
  const XmlDocument document(draw_search_tree(two_translations(), words));
  const XmlElement svg = document.all("svg").at(0);
  std::size_t branches = 0;
  for (const XmlElement& path : document.all("path", "line")) {
    const std::string d = path["d"];
    branches += static_cast<std::size_t>(std::count(d.begin(), d.end(), 'M'));
  }
  CHECK(branches == 7);
  for (const char* kind : {"won", "kept", "ended", "dropped"}) {
    for (const XmlElement& box : boxes(document, kind)) {
      CHECK(box.number("x") + box.number("width") <= svg.number("width"));
      CHECK(box.number("y") + box.number("height") <= svg.number("height"));
    }
  }
}

TEST_CASE("search tree: a tree without a result is drawn") {
  BeamTree tree = two_translations();
  tree.results.clear();
  CHECK(boxes(XmlDocument(draw_search_tree(tree, words)), "won").empty());
}

TEST_CASE("search tree: of a long beginning the last words are shown") {
  BeamTree tree;
  std::vector<std::string> numbers;
  for (Index i = 0; i < 40; ++i) {
    tree.nodes.push_back({4, i - 1, i - 1, 0, 0, Fate::kept});
    numbers.push_back(std::to_string(i));
  }
  const std::vector<XmlElement> titles = XmlDocument(draw_search_tree(tree, numbers)).all("title");
  CHECK(titles.at(16).text.find("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n") == 0);
  CHECK(titles.at(39).text.find("… 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39\n") == 0);
}

TEST_CASE("search tree: log P has the minus sign of print") {
  BeamTree tree;
  tree.nodes = {{1, -1, -1, 0, 0, Fate::kept}, {4, 0, 0, 0, -0.5, Fate::kept}};
  const XmlDocument document(draw_search_tree(tree, {"▷", "le"}));
  CHECK(document.all("title").at(1).text.find("log P −0.50, P 0.61") != std::string::npos);
  const auto texts = document.all("text");
  CHECK(std::any_of(texts.begin(), texts.end(), [](const XmlElement& each) { return each.text == "−0.50"; }));
}

TEST_CASE("search tree: words are escaped and cut") {
  BeamTree tree;
  tree.nodes = {{1, -1, -1, 0, 0, Fate::kept}, {4, 0, 0, 0, -1, Fate::kept}};
  const XmlDocument document(draw_search_tree(tree, {"▷", "<script>&\"anticonstitutionnellement"}));
  CHECK(document.all("title").at(1).text.find("<script>&\"anti") == 0);
}

TEST_CASE("search tree: trees that are none are errors") {
  CHECK_THROWS_WITH(draw_search_tree({}, {}),
                    "draw_search_tree: there must be a node, and a word for each: 0 nodes, 0 words");
  CHECK_THROWS_WITH(draw_search_tree(two_translations(), {"▷"}),
                    "draw_search_tree: there must be a node, and a word for each: 8 nodes, 1 words");
  BeamTree tree = two_translations();
  tree.nodes[1].parent = 1;
  CHECK_THROWS_WITH(draw_search_tree(tree, words),
                    "draw_search_tree: parents must stand before their "
                    "children: node 1 has the parent 1");
  for (const Index result : {Index(8), Index(-1)}) {
    tree = two_translations();
    tree.results.push_back(result);
    CHECK_THROWS_WITH(draw_search_tree(tree, words),
                      text("draw_search_tree: what was returned must be a node: got ", result, " of 8"));
  }
}

TEST_CASE("search tree: of a long search the first steps are drawn") {
  const XmlDocument document(draw_search_tree(two_translations(), words, 2));
  CHECK(boxes(document, "won").size() == 3);  // the beginning, le, chat
  CHECK(boxes(document, "ended").empty());
  const XmlDocument whole(draw_search_tree(two_translations(), words));
  CHECK(document.all("svg").at(0).number("width") < whole.all("svg").at(0).number("width"));
  CHECK_THROWS_WITH(draw_search_tree(two_translations(), words, 0),
                    "draw_search_tree: there must be at least 1 step: most_steps is 0");
}

TEST_CASE(
    "search tree: with more steps than a page has room for, its columns are closer, and no box meets "
    "another") {
  const auto width_of_chain = [](Index steps) {
    BeamTree chain;
    std::vector<std::string> names = {"▷"};
    chain.nodes = {{1, -1, -1, 0, 0, Fate::kept}};
    for (Index i = 0; i < steps; ++i) {
      chain.nodes.push_back({4, i, i, 0, -1, Fate::kept});
      names.push_back("mot");
    }
    const XmlDocument document(draw_search_tree(chain, names));
    const auto drawn = boxes(document, "kept");
    for (std::size_t i = 1; i < drawn.size(); ++i)
      CHECK(std::stod(drawn[i]["x"]) >= std::stod(drawn[i - 1]["x"]) + std::stod(drawn[i - 1]["width"]) + 14);
    return std::stod(document.all("svg").at(0)["width"]);
  };
  CHECK(width_of_chain(11) - width_of_chain(10) == 94);
  // A page shrinks a tree to no less than 0.8 of its size, into the 1102 pixels of a figure.
  CHECK(width_of_chain(15) * 0.8 <= 1102);
}
