#include <gradual/nn/drawing/page/page.hpp>

#include <stdexcept>

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

std::size_t count(const std::string& text, const std::string& wanted) {
  std::size_t times = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) ++times;
  return times;
}

std::string map_svg() { return draw_attention_map({{"q"}, {"k"}, {1}, ""}); }

}  // namespace

TEST_CASE("html: in a paragraph no line ends between a number and its unit") {
  CHECK(Html().paragraph("66.2 % of 100 % at 40 °C").str() ==
        "<p>66.2\xC2\xA0% of 100\xC2\xA0% at 40\xC2\xA0°C</p>\n");
  CHECK(Html().paragraph("a % sign, % and 5 of 6").str() == "<p>a % sign, % and 5 of 6</p>\n");
  // What stands in front of the words does not count.
  CHECK(Html().paragraph(std::string_view("5 % each").substr(1)).str() == "<p> % each</p>\n");
}

TEST_CASE("html: headings and paragraphs are escaped") {
  const XmlDocument document = read(Html().heading(2, "a < b").paragraph("\"x\" & y"));
  CHECK(document.all("h2").at(0).text == "a < b");
  CHECK(document.all("p").at(0).text == "\"x\" & y");
}

TEST_CASE("html: names and values come in pairs") {
  const XmlDocument document = read(Html()
                                        .key_values({{"layers", "2"}, {"width", "64"}})
                                        .figures({{"BLEU", "41.0"}})
                                        .terms({{"head", "a way to look"}}));
  CHECK(document.all("dl", "settings").size() == 1);
  CHECK(document.all("dl", "figures").size() == 1);
  CHECK(document.all("dl", "terms").size() == 1);
  CHECK(document.all("dt").size() == 4);
  CHECK(document.all("dd").at(2).text == "41.0");
  CHECK(document.all("dd").at(3).text == "a way to look");
}

TEST_CASE("html: a table has its columns' names on each cell, for phones, and a mark for right and wrong") {
  const XmlDocument document =
      read(Html().table({"Source", "Target"}, {{"a", "<b>"}, {"c", "d"}}, {true, false}));
  CHECK(document.all("tr").size() == 3);
  const auto cells = document.all("td");
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].has_class("right"));
  CHECK(cells[2].text == "<b>");
  CHECK(cells[2]["data-column"] == "Target");
  CHECK(cells[3].has_class("wrong"));
}

TEST_CASE("html: a table without marks has no column for them") {
  CHECK(read(Html().table({"a", "b"}, {{"1", "2"}})).all("td").size() == 2);
}

TEST_CASE("html: the best rows of a table stand out, and the last are set apart") {
  const auto rows =
      read(Html().table({"kind", "right"}, {{"a", "3"}, {"b", "2"}, {"guess", "1"}, {"other guess", "0"}}, {},
                        {1, 2}))
          .all("tr");
  REQUIRE(rows.size() == 5);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    CHECK(rows[r].has_class("best") == (r == 1));
    CHECK(rows[r].has_class("apart") == (r == 3));
  }
}

TEST_CASE("html: marks of right and wrong have their colours in headings, terms and labels") {
  const std::string right = "<span class=\"right\">✓</span>", wrong = "<span class=\"wrong\">✗</span>";
  CHECK_THAT(Html().heading(3, "6 ✓").str(), Contains("<h3>6 " + right + "</h3>"));
  CHECK_THAT(Html().terms({{"a", "✗ non"}}).str(), Contains("<dd>" + wrong + " non</dd>"));
  CHECK_THAT(Html().weighted_words("said ✗", {"a"}, {1}).str(), Contains("said " + wrong + "</p>"));
}

TEST_CASE("html: tables whose sizes do not fit are errors") {
  CHECK_THROWS_WITH(
      Html().table({"a", "b"}, {{"1", "2"}, {"1"}}),
      "table: each row must have a cell for each column: row 2 has 1 cells, there are 2 columns");
  CHECK_THROWS_WITH(Html().table({"a"}, {{"1"}, {"2"}}, {true}),
                    "table: there must be a mark for each row, or none: 2 rows, 1 marks");
  CHECK_THROWS_WITH(Html().table({"a", "b"}, {{"1"}, {"2"}}, {}, {0, 0, {"<svg/>"}}),
                    "table: there must be a picture for each row, or none: 2 rows, 1 pictures");
}

TEST_CASE("html: pictures of a table's rows stand in its last column") {
  const XmlDocument document =
      read(Html().table({"a", "b"}, {{"1"}, {"2"}}, {}, {0, 0, {map_svg(), map_svg()}}));
  CHECK(document.all("th").back().text == "b");
  CHECK(document.all("td").at(1)["data-column"] == "b");
  CHECK(document.all("svg").size() == 2);
  CHECK(document.all("style").empty());
}

TEST_CASE("html: a picture scrolls in its own box and leaves its style to the page") {
  const XmlDocument document = read(Html().picture(map_svg(), "A caption"));
  CHECK(document.inside("scroll", "svg").size() == 1);
  CHECK(document.all("figcaption").at(0).text == "A caption");
  CHECK(document.all("style").empty());
  CHECK(count(std::string(page_style()), "8px calc(100% - 20px)") == 2);  // no shade in the round corners
  CHECK(read(Html().pictures({map_svg(), map_svg()})).inside("scroll", "svg").size() == 2);
}

TEST_CASE("html: on a phone a picture that is a little wider becomes smaller, one much wider scrolls") {
  const auto box = [](const std::string& width) {
    const std::string svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"9\"/>";
    return read(Html().picture(svg)).all("div").at(0);
  };
  CHECK(box("400").has_class("fits"));
  CHECK(box("400").has_class("scroll"));
  CHECK_FALSE(box("900").has_class("fits"));
}

TEST_CASE("html: a picture beside its words comes after them, in its own box") {
  const XmlDocument document = read(Html().beside(Html().paragraph("what is said of it"), map_svg()));
  CHECK(document.all("div", "aside").size() == 1);
  CHECK(document.all("p").at(0).text == "what is said of it");
  CHECK(document.inside("scroll", "svg").size() == 1);
  const std::string html = Html().beside(Html().paragraph("words"), map_svg()).str();
  CHECK(html.find("<p>words") < html.find("<svg"));
}

TEST_CASE("html: a chart is there for desktop and for phone") {
  const LineChart chart{"Loss", "step", {{"loss", {1, 2}, {3, 4}}}};
  const XmlDocument document = read(Html().charts({chart}));
  CHECK(document.inside("wide", "svg").at(0).number("width") > 1000);
  CHECK(document.inside("narrow", "svg").at(0).number("width") < 360);
  CHECK(read(Html().charts({chart, chart})).all("svg").size() == 4);
}

TEST_CASE("html: choices can be opened without scripts, the first is open") {
  const XmlDocument document =
      read(Html().choices("Kind", {{"one", Html().paragraph("1")}, {"t<w>o", Html().paragraph("2")}}));
  CHECK(document.all("div", "choices").at(0)["data-label"] == "Kind");
  const auto details = document.all("details");
  REQUIRE(details.size() == 2);
  CHECK(details[0].attributes.count("open") == 1);
  CHECK(details[1].attributes.count("open") == 0);
  CHECK(document.all("summary").at(1).text == "t<w>o");
  CHECK(document.all("p").at(1).text == "2");
}

TEST_CASE("html: bars and shaded words show their numbers") {
  const XmlDocument document = read(Html()
                                        .bars("Rivals", {{"<a>", 0.5}, {"b", 0.0123}, {"c", 0.0004}})
                                        .weighted_words("Looked at", {"c", "d"}, {0.25, 0.004}));
  CHECK(document.all("p", "label").at(0).text == "Rivals");
  CHECK(document.all("b").at(1).text == "0.012");
  CHECK(document.all("b").at(2).text == "< 0.001");
  CHECK(read(Html().bars("Right", {{"a", 0.7967}}, true)).all("b").at(0).text == "79.7 %");
  CHECK(document.inside("weighted", "small").empty());  // it stands inside its word
  CHECK(document.all("small").at(0).text == "0.25");
  CHECK(document.all("small").size() == 1);  // nothing is said about a word that was not looked at
  CHECK(read(Html().weighted_words("", {"c"}, {1})).all("p", "label").empty());
}

TEST_CASE("html: cards stand side by side, each with what it was given") {
  const XmlDocument document = read(Html().cards({Html().heading(3, "one"), Html().paragraph("<two>")}, 150));
  CHECK(document.all("div", "cards").at(0).attributes.at("style") == "--narrowest:150px");
  CHECK(document.inside("cards", "div").size() == 2);
  CHECK(document.all("h3").at(0).text == "one");
  CHECK(document.all("p").at(0).text == "<two>");
}

TEST_CASE("html: the first bar is in colour, and all that are said to be as good") {
  const auto coloured = [](const Html& html) { return read(html).all("li", "best").size(); };
  const std::vector<std::pair<std::string, double>> shares{{"a", 0.82}, {"b", 0.81}, {"c", 0.1}};
  CHECK(coloured(Html().bars("Right", shares)) == 1);
  CHECK(coloured(Html().bars("Right", shares, true, 2)) == 2);
  CHECK(count(std::string(page_style()), ".bars .best i{background:var(--accent);opacity:1}") == 1);
}

TEST_CASE("html: where nothing is measured, a column of numbers has a dash, on a phone as at a desk") {
  const std::string style(page_style());
  const std::size_t dash = style.find("td.number:empty::after{content:\"–\"");
  REQUIRE(dash != std::string::npos);
  CHECK(dash < style.find("@media(min-width"));  // no width is asked for
  CHECK(dash < style.find("@media(max-width"));
}

TEST_CASE("html: a table of few columns that are narrow but one stays a table on a phone") {
  const std::string words = "more than a few letters";
  const auto kind = [](const Html& html) { return read(html).all("table").at(0)["class"]; };
  CHECK(kind(Html().table({"Step", "Translation"}, {{"1", words}, {"2", ""}})) == "compact");
  CHECK(kind(Html().table({"Source", "Target"}, {{words, words}})) == "blocks");
  CHECK(kind(Html().table({"a", "b", "c", "d", "e"}, {{words, "2", "3", "4", "5"}})) == "compact");
}

TEST_CASE(
    "html: a phone scrolls a wide table of figures sideways behind its names; sentences become blocks") {
  const std::string words = "more than a few letters";
  const auto kind = [](const Html& html) { return read(html).all("table").at(0)["class"]; };
  const std::vector<std::string> six{"a", "b", "c", "d", "e", "f"};
  CHECK(kind(Html().table(six, {{words, "2", "3", "4", "5", "6"}})) == "sideways");
  CHECK(kind(Html().table(six, {{words, "2", "3", "31.2 ± 1.0 %", "", "6"}})) == "sideways");
  CHECK(kind(Html().table({"", "accuracy", "epochs", "time", "weight of advertisers"},
                          {{words, "48.0 %", "100", "13.1 s", "78.0 %"}})) == "sideways");
  CHECK(kind(Html().table(six, {{words, "2", "3", "4", "5", words}})) == "blocks");
  CHECK(kind(Html().table(six, {{words, "2", "3", "4", "5", "6"}}, {true})) == "blocks");
  const std::string style(page_style());
  CHECK(count(style, ".sideways :is(th,td):first-child{position:sticky;left:0;background:var(--card)}") == 1);
  CHECK(count(style, ".sideways td:not(:first-child){white-space:nowrap}") == 1);
}

TEST_CASE("html: the keyboard reaches what scrolls of a table, which is called by its titles") {
  const auto box = [](const std::vector<std::string>& columns) {
    return read(Html().table(columns, {std::vector<std::string>(columns.size(), "1")})).all("div").at(0);
  };
  const auto named = box({"", "right", "a < b"});
  CHECK(named.has_class("scroll"));
  CHECK(named["tabindex"] == "0");
  CHECK(named["role"] == "region");
  CHECK(named["aria-label"] == "table: right, a < b");
  CHECK(box({""})["aria-label"] == "table");
}

TEST_CASE(
    "html: at a desk text stands in one column in the middle, and a table there, as wide as it asks but no "
    "narrower") {
  const std::string style(page_style());
  const std::size_t column = style.find("margin-inline:var(--inset)");
  REQUIRE(column != std::string::npos);
  CHECK(count(style, "--inset:max(0px,calc((100% - 45rem)/2))") == 1);
  const std::size_t begin = style.rfind('\n', column) + 1;
  const std::string in_column = style.substr(begin, column - begin);
  for (const char* each : {"header", "h2", ",p,", ".bars", ".terms"}) {
    CAPTURE(each);
    CHECK(in_column.find(each) != std::string::npos);
  }
  const std::size_t desk = style.find("@media(min-width:641px){");
  REQUIRE(desk != std::string::npos);
  CHECK(style.find(".table{width:fit-content;min-width:min(100%,45rem);margin-inline:auto}", desk) <
        style.find('\n', desk));
}

TEST_CASE("html: what a page comes to is framed, and nothing where there is nothing to say") {
  const auto framed = read(Html().answer("In short: 5 % < 6 %.")).all("p");
  REQUIRE(framed.size() == 1);
  CHECK(framed[0].has_class("answer"));
  CHECK(Html().answer("5 % < 6").str() == "<p class=\"answer\">5\xC2\xA0% &lt; 6</p>\n");
  CHECK(Html().answer("").str().empty());
}

TEST_CASE("html: numbers stand at the right of their column, with their title; words do not") {
  const XmlDocument document =
      read(Html().table({"model", "parameters", "time", "weight", "changes", "date", "words"},
                        {{"a", "1,234", "13.1 s", "-0.5", "2.4e-7", "1 2", "12 MiB a"},
                         {"b", "7", "", "303.50 MiB", "1", "3", "2"}}));
  std::vector<std::string> titles, cells;
  for (const auto& each : document.all("th")) titles.push_back(each["class"]);
  for (const auto& each : document.all("td")) cells.push_back(each["class"]);
  CHECK(titles == std::vector<std::string>{"", "number", "number", "number", "number", "", ""});
  std::vector<std::string> both_rows = titles;
  both_rows.insert(both_rows.end(), titles.begin(), titles.end());
  CHECK(cells == both_rows);
  CHECK(document.all("td").at(3).text == "−0.5");
  CHECK(document.all("td").at(5).text == "1 2");
  CHECK(count(std::string(page_style()), ".number{text-align:right") == 1);
  CHECK(
      read(Html().table({"a", "b"}, {{"", "x"}})).all("td").at(0)["class"].empty());  // nothing is no number
}

TEST_CASE(
    "html: what stands below the first line of a cell says more of it; of a row's first cell that line is "
    "the name") {
  const std::string table =
      Html().table({"way", "said"}, {{"dot\none <head>", "le chien\nright: le chat"}, {"mean", "x"}}).str();
  CHECK(table.find("<b>dot</b><small>one &lt;head&gt;</small>") != std::string::npos);
  CHECK(table.find(">le chien<small>right: le chat</small>") != std::string::npos);
  CHECK(table.find(">mean</td>") != std::string::npos);
}

TEST_CASE("html: what a reader wrote runs in its own direction") {
  const XmlDocument document = read(Html()
                                        .table({"Source"}, {{"שלום"}})
                                        .bars("Rivals", {{"שלום", 0.5}})
                                        .weighted_words("Looked at", {"שלום"}, {0.5})
                                        .choices("Word", {{"שלום", {}}}));
  CHECK(document.all("td").at(0)["dir"] == "auto");
  CHECK(document.all("span").at(0)["dir"] == "auto");
  CHECK(document.all("p", "weighted").at(0)["dir"] == "auto");
  CHECK(document.all("summary").at(0)["dir"] == "auto");
}

TEST_CASE(
    "html: the long column of a table that stays one on a phone is marked, so that it can break anywhere") {
  const XmlDocument document = read(Html().table({"Step", "Translation"}, {{"1", "wordswithoutspaces"}}));
  CHECK(document.all("td").at(0)["class"] == "number");
  CHECK(document.all("td").at(1)["class"] == "long");
  CHECK(count(std::string(page_style()), ".compact .long{overflow-wrap:anywhere;min-width:7em}") == 1);
}

TEST_CASE("html: maps of attention have one scale of their tints for all, other pictures none") {
  const XmlDocument document = read(Html().pictures({map_svg(), map_svg()}));
  CHECK(document.all("div", "scale").size() == 1);
  CHECK(document.all("div", "maps").size() == 1);
  CHECK(read(Html().picture(map_svg())).all("div", "scale").size() == 1);
  CHECK(read(Html().beside(Html(), map_svg())).all("div", "scale").size() == 1);
  const std::string wide = draw_attention_map({{"q"}, {"k"}, {1}, "a title that is wider than the map"});
  const XmlDocument two = read(Html().pictures({map_svg(), wide}));  // boxes of the widest, cells of one size
  const auto boxes = two.all("div", "scroll"), maps = two.all("svg", "map");
  CHECK(two.all("div", "maps").at(0)["style"] == "--widest:" + maps.at(1)["width"]);
  for (std::size_t i = 0; i < 2; ++i) CHECK(boxes.at(i)["style"] == "--width:" + maps.at(i)["width"]);
  const std::string other = Svg(10, 10, "links", "").finish();
  CHECK(read(Html().pictures({other}).picture(other)).all("div", "scale").empty());
  CHECK(read(Html().pictures({other}, "Layer 1")).all("h4").at(0).text == "Layer 1");
  CHECK(read(Html().pictures({map_svg()}, "Layer 1")).all("div", "scale").size() == 1);
}

TEST_CASE(
    "html: words and sliders are choices of their own kind, with notes, and begin where they are told to") {
  const Html words = Html().choices("Word", {{"a", {}, "0.5"}, {"b", {}}}, Html::Chooser::words);
  CHECK(read(words).all("div", "words").size() == 1);
  CHECK(read(words).all("small").at(0).text == "0.5");
  const auto steps =
      read(Html().choices("Step", {{"1", {}}, {"2", {}}}, Html::Chooser::slider)).all("details");
  CHECK(steps.at(0).attributes.count("open") == 1);
  CHECK(steps.at(1).attributes.count("open") == 0);
  const auto later =
      read(Html().choices("Step", {{"1", {}}, {"2", {}}}, Html::Chooser::slider, 1)).all("details");
  CHECK(later.at(0).attributes.count("open") == 0);
  CHECK(later.at(1).attributes.count("open") == 1);
  CHECK_THROWS_WITH(Html().choices("Step", {{"1", {}}}, Html::Chooser::slider, 1),
                    "choices: the start must be one of them: got 1 of 1");
  CHECK_NOTHROW(Html().choices("Step", {}));
}

TEST_CASE("page: it is one document with its title, its style once, and nothing from elsewhere") {
  const std::string html = html_page("A <title>", "and more", Html().picture(map_svg()).picture(map_svg()));
  CHECK(html.compare(0, 15, "<!DOCTYPE html>") == 0);
  CHECK(count(html, "<title>A &lt;title&gt;</title>") == 1);
  CHECK(count(html, std::string(picture_style())) == 1);
  CHECK(count(html, "http") == count(html, "http://www.w3.org/2000/svg"));
  for (const char* outside : {" src=", "url(", "@import", "<link", "fetch("})
    CHECK(count(html, outside) == 0);
  CHECK(count(html, "width=device-width") == 1);
  CHECK(count(html, "prefers-color-scheme:dark") == 2);
}
