// What `compare` says of its figures.
#include "../../../examples/compare/report.hpp"
#include "../../../examples/compare/way_picture.hpp"

#include "support/catch.hpp"

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A report of 300 sentences, of which each way got so many per cent right.
struct Reported {
  explicit Reported(const std::vector<std::pair<std::string, double>>& shares) {
    for (const auto& [name, exact] : shares) {
      Outcome way{name, 1};
      way.exact = exact;
      report.add(way);
    }
  }

  const Task task{{}, std::vector<gradual::AlignedPair>(300)};
  const ContestSettings contest;
  Report report{task, contest};
};

}  // namespace

TEST_CASE("compare: why ways without scores fall behind is said where they do, and only there") {
  const std::string both =
      Reported({{"equal weights", 20}, {"recurrent", 0}, {"recurrent, additive", 60}, {"multi-head", 80}})
          .report.scoreless_finding();
  CHECK(count(both, "with equal weights, each takes in a blur of all") == 1);
  CHECK(count(both, "that it may look at, and 20.0 % are right.") == 1);
  CHECK(count(both, "0.0 % are right after 400 steps. With it, 60.0 %.") == 1);
  CHECK(Reported({{"equal weights", 70}, {"recurrent", 75}, {"recurrent, additive", 80}, {"multi-head", 80}})
            .report.scoreless_finding()
            .empty());
  CHECK(Reported({}).report.scoreless_finding().empty());
}

// Two standard errors of the difference of 80 % and 77 % of 300 are 6.7 points, of 80 % and 60 % 7.3.
TEST_CASE("compare: one line tells which ways lead, once any gets one right") {
  CHECK(Reported({{"dot", 60}, {"recurrent, additive", 80}, {"additive", 77}}).report.summary() ==
        "In short: best is recurrent, additive (80.0 %), but 300 sentences do not tell it from additive "
        "(77.0 %). Each was trained once: another seed may order them anew.");
  CHECK(Reported({{"dot", 60}, {"multi-head", 80}}).report.summary() ==
        "In short: best is multi-head (80.0 %). Each was trained once: another seed may order them anew.");
  CHECK(count(Reported({{"scaled dot", 78}, {"multi-head", 80}, {"additive", 77}}).report.summary(),
              "do not tell it from scaled dot (78.0 %) and additive (77.0 %).") == 1);
  CHECK(Reported({{"dot", 0}, {"multi-head", 0}}).report.summary() ==
        "Nothing comes out exactly right yet: give it more --steps.");
  CHECK(Reported({}).report.summary().empty());
}

// Two standard errors of the difference of 60 % and 53 % of 300 are 8.1 points, of 60 % and 50 % also.
TEST_CASE("compare: that looking back and the division help is said where they do by more than chance") {
  CHECK(Reported({{"recurrent", 50}, {"recurrent, additive", 60}, {"dot", 50}, {"scaled dot", 60}})
            .report.summary() ==
        "In short: best is recurrent, additive (60.0 %), but 300 sentences do not tell it from scaled dot "
        "(60.0 %). Each was trained once: another seed may order them anew. Looking at the words helps: after 400 steps a recurrent network "
        "gets 50.0 % right "
        "without "
        "attention and 60.0 % with it. How words are scored matters, too: dot gets 50.0 %, and 60.0 % where "
        "it is "
        "divided by √64.");
  CHECK(count(Reported({{"equal weights", 20}, {"dot", 0}, {"scaled dot", 60}}).report.dividing_finding(),
              "dot gets 0.0 %, less than equal weights, and 60.0 % where") == 1);
  CHECK(count(Reported({{"equal weights", 20}, {"dot", 18}, {"scaled dot", 60}}).report.dividing_finding(),
              "dot gets 18.0 %, and 60.0 % where") == 1);
  CHECK(Reported({{"recurrent", 53}, {"recurrent, additive", 60}}).report.looking_finding().empty());
  CHECK(Reported({{"recurrent", 50}}).report.looking_finding().empty());
  CHECK(Reported({{"dot", 53}, {"scaled dot", 60}}).report.dividing_finding().empty());
  CHECK(Reported({{"scaled dot", 60}}).report.dividing_finding().empty());
}

// Two standard errors of the difference of 77 % and 69 % of 300 are 7.2 points.
TEST_CASE("compare: several heads are said to help where they do by more than chance") {
  CHECK(count(Reported({{"scaled dot", 69}, {"multi-head", 77}}).report.heads_finding(),
              "4 that share the width get 77.0 % right, one 69.0 %.") == 1);
  CHECK(Reported({{"scaled dot", 70}, {"multi-head", 77}}).report.heads_finding().empty());
  CHECK(Reported({{"scaled dot", 77}, {"multi-head", 60}}).report.heads_finding().empty());
  CHECK(Reported({{"multi-head", 77}}).report.heads_finding().empty());
}

TEST_CASE("compare: the card of dot says what its trouble is only where figures show it") {
  Reported tried({{"dot", 0}, {"scaled dot", 70}});
  CHECK(count(tried.report.page(), "Too sure: all weight on one word") == 0);
  tried.report.ways.front().sure_before = 0.35;
  CHECK(count(tried.report.page(), "Too sure: all weight on one word") == 1);
}

TEST_CASE("compare: what softmax makes of three scores is the same wherever it is said") {
  CHECK(softmax_of_0_1_2() == "0.09, 0.24 and 0.67");
  const Reported tried({{"dot", 0}, {"scaled dot", 70}});
  CHECK(count(tried.report.attending(), "of 0, 1 and 2 it makes 0.09, 0.24 and 0.67.") == 1);
  CHECK(count(tried.report.page(), "Above, scores of 0, 1 and 2 gave weights of 0.09, 0.24 and 0.67.") == 1);
}

TEST_CASE("compare: dot is said to be sure before it knows anything only where it often is") {
  Reported tried({{"dot", 0}, {"scaled dot", 70}});
  CHECK(count(tried.report.division_finding(), "sure before it knows") == 0);
  tried.report.ways.front().sure_before = 0.35;
  CHECK(count(tried.report.division_finding(),
              "it is often sure before it knows anything: before any training, 35 % of the words") == 1);
  CHECK(count(tried.report.division_finding(), "What is sure hardly learns") == 1);
  CHECK(count(tried.report.division_finding(), "surer still") == 0);
  tried.report.ways.front().sure_early = 0.5;
  CHECK(count(tried.report.division_finding(), "surer still") == 1);
  tried.report.ways.front().exact = 66;
  CHECK(count(tried.report.division_finding(), "What is sure hardly learns") == 0);
}

// The mean is 70 %: dot stands below it, and multi-head above.
TEST_CASE("compare: translations are shown of the first sentence that agrees best with the table") {
  const gradual::Judged right{"", {"oui"}, "oui"}, wrong{"", {"oui"}, "non"};
  Reported tried({{"dot", 60}, {"additive", 70}, {"scaled dot", 70}, {"multi-head", 80}});
  std::vector<Outcome>& ways = tried.report.ways;
  CHECK(tried.report.telling_sentence() == 0);  // nobody translated anything
  ways[0].judged = {wrong, right, right, wrong, wrong};
  ways[1].judged = {wrong, right, right, right, right};
  ways[2].judged = {wrong, right, right, wrong, right};
  ways[3].judged = {wrong, right, wrong, right, right};
  CHECK(tried.report.telling_sentence() == 3);
  const std::string lines = tried.report.example_lines();
  CHECK(count(lines, "2 of 4 make what is right:") == 1);
  CHECK(count(lines, "  dot         ✗ non\n") == 1);
  CHECK(count(lines, "  scaled dot  ✗ non\n") == 1);
  CHECK(count(lines, "multi-head") == 0);
}

// 80 % of 31 blocks are 24.8, 20 % are 6.2.
TEST_CASE("compare: in a line of the table a bar is as long as the share that is right") {
  const std::string lines = Reported({{"equal weights", 20}, {"multi-head", 80}}).report.lines();
  CHECK(count(lines, " 80.0 %  ████████████████████████▊\n") == 1);
  CHECK(count(lines, " 20.0 %  ██████▎\n") == 1);
}

TEST_CASE("compare: of the best way the first mistake is shown, where it makes one") {
  const gradual::Judged right{"", {"oui"}, "oui"}, wrong{"yes", {"oui"}, "non"};
  Reported tried({{"dot", 60}, {"multi-head", 80}});
  CHECK(tried.report.mistake_lines().empty());
  tried.report.ways[0].judged = {wrong, wrong, wrong};
  tried.report.ways[1].judged = {right, wrong, right};
  CHECK(tried.report.mistake_lines() == "The best one errs, too, first on “yes”:\n\n  ✗ non\n  right: oui\n");
  CHECK(count(tried.report.page(), "<dt>it says</dt><dd><span class=\"wrong\">✗</span> non</dd>") == 1);
  tried.report.ways[1].judged = {right};
  CHECK(tried.report.first_mistake_of_best() == nullptr);
  CHECK(Reported({{"dot", 0}}).report.first_mistake_of_best() == nullptr);
}

// Two standard errors of the difference of 77 % and 71 % of 300 are 7.2 points.
TEST_CASE("compare: a window is said to lose nothing where it is not behind by more than chance") {
  CHECK(count(Reported({{"multi-head", 77}, {"local window", 82}}).report.window_finding(), "lose nothing") ==
        1);
  CHECK(count(Reported({{"multi-head", 77}, {"local window", 71}}).report.window_finding(), "lose nothing") ==
        1);
  CHECK(Reported({{"multi-head", 77}, {"local window", 60}}).report.window_finding().empty());
  CHECK(Reported({{"multi-head", 0}, {"local window", 0}}).report.window_finding().empty());
  CHECK(Reported({{"local window", 60}}).report.window_finding().empty());
}

TEST_CASE("compare: bars are in colour where they are within chance of the best, and the page says so") {
  const std::string page = Reported({{"dot", 60}, {"multi-head", 80}, {"additive", 77}}).report.page();
  CHECK(count(page, "<li class=\"best\"") == 2);
  CHECK(count(page, "in colour, the best and all that are within chance of it") == 1);
  const std::string one = Reported({{"dot", 60}, {"multi-head", 80}}).report.page();
  CHECK(count(one, "<li class=\"best\"") == 1);
  CHECK(count(one, "in colour, the best<") == 1);
  const std::string none = Reported({{"dot", 0}, {"multi-head", 0}}).report.page();
  CHECK(count(none, "<li class=\"best\"") == 0);
  CHECK(count(none, "; in colour") == 0);
}

TEST_CASE("compare: each way is drawn, with as many lines as it has weights, and no other") {
  const auto lines = [](const char* way) { return count(draw_way(way), "<line "); };
  CHECK(lines("dot") == 1);
  CHECK(lines("scaled dot") == 5);
  CHECK(lines("additive") == 5);
  CHECK(lines("multi-head") == 9);
  CHECK(lines("local window") == 9);
  CHECK(count(draw_way("local window"), "<path ") ==
        3);                        // of four other words two on each side, as far as there are any
  CHECK(lines("recurrent") == 5);  // four from word to word, and one down
  CHECK(lines("recurrent, additive") == 10);
  CHECK(lines("equal weights") == 5);
  CHECK(draw_way("another").empty());
  for (const auto& [name, meaning] : Reported({}).report.ways_in_words()) CHECK(lines(name.c_str()) > 0);
}
