#include <gradual/nn/inspect/head_effects.hpp>

#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

// A translator of words a … h into the same ones backwards, trained for a moment.
struct Backwards {
  static constexpr Index words = 8;
  Translator translator;
  std::vector<SentencePair> pairs;
  std::vector<AlignedPair> aligned;

  static Language language() {
    std::vector<std::string> letters;
    for (char letter = 'a'; letter < 'a' + words; ++letter) letters.emplace_back(1, letter);
    return {Tokenizer(), Vocabulary::build({letters})};
  }
  static TransformerConfig config() {
    TransformerConfig config;
    config.width = config.feed_forward = 32;
    config.heads = 4;
    config.encoder_layers = config.decoder_layers = 1;
    config.dropout = 0;
    return config;
  }
  Backwards() : translator(config(), language(), language(), Random(2)) {
    const ReversalTask task(words, 6);
    Random random(3);
    Adam adam(parameters(translator.model()), {0.9, 0.98, 1e-9, 0});
    Schedule schedule;
    schedule.peak = 0.01;
    schedule.warmup = 50;
    schedule.total = 500;
    Trainer trainer(translator.model(), adam, schedule, {1.0, 1, 0});
    trainer.run([&](Index) {
      std::vector<EncodedPair> drawn;
      std::vector<Index> rows;
      for (Index i = 0; i < 32; ++i) {
        drawn.push_back(task.draw(random));
        rows.push_back(i);
      }
      const TranslationBatch batch = make_batch(drawn, rows);
      return BatchLoss{translator.model().loss(batch, {}), batch.words()};
    });
    for (const EncodedPair& each : task.unseen(60, random)) {
      const auto sentence = [&](const std::vector<std::int32_t>& ids) {
        std::string joined;
        for (const std::string& word : translator.source().vocabulary.decode(ids))
          joined += (joined.empty() ? "" : " ") + word;
        return joined;
      };
      pairs.push_back({sentence(each.source), sentence(each.target)});
      Alignment alignment;
      const auto length = static_cast<Index>(each.source.size());
      for (Index i = 0; i < length; ++i) alignment.push_back({i, length - 1 - i});
      aligned.push_back({pairs.back(), alignment});
    }
  }
};

}  // namespace

TEST_CASE("head effects: the heads that follow the alignment are those that the translation needs",
          "[long]") {
  const Backwards backwards;
  const HeadReport report = examine_heads(backwards.translator, backwards.pairs, backwards.aligned);
  CHECK(report.bleu > 80);
  CHECK(report.sentences == 60);
  REQUIRE(report.rows.size() == 12);
  const HeadReport::Row* follower = nullptr;
  for (const HeadReport::Row& row : report.rows) {
    CHECK(row.alignment.has_value() == (row.layer == "decoder.0.cross_attention"));
    CHECK(row.bleu.low <= row.bleu.change);
    CHECK(row.bleu.change <= row.bleu.high);
    if (row.alignment && (!follower || *row.alignment > *follower->alignment)) follower = &row;
  }
  UNSCOPED_INFO(report.text());
  REQUIRE(follower);
  CHECK(*follower->alignment > 0.6);
  CHECK(follower->bleu.high < 0);  // surely worse without it
  CHECK_THAT(report.text(), Contains("on the right word") && Contains("BLEU "));
  const std::string picture = draw_heads(report);
  CHECK_THAT(picture, Contains("decoder.0.cross_attention, head 4") && Contains("<svg"));
  CHECK_THROWS_AS(examine_heads(backwards.translator, {}, {}), std::invalid_argument);
}

TEST_CASE("head effects: the picture puts each change on its axis, and each share of right words beside it") {
  HeadReport report;
  report.rows = {{"decoder.0.cross_attention", 0, {-8, -10, -5}, 0.5},
                 {"encoder.0.self_attention", 1, {-2, -4, 0}, {}}};
  const XmlDocument picture(draw_heads(report));
  std::vector<XmlElement> intervals, shares;
  for (const XmlElement& line : picture.all("line"))
    if (!line.has_class("grid")) intervals.push_back(line);
  for (const XmlElement& rectangle : picture.all("rect"))
    if (rectangle["fill"] == "var(--g-1)") shares.push_back(rectangle);
  const std::vector<XmlElement> changes = picture.all("circle");
  REQUIRE(changes.size() == 2);
  REQUIRE(intervals.size() == 2);
  REQUIRE(shares.size() == 1);
  // The axis goes from -10 at 232 to 0 at 480.
  CHECK(changes[0].number("cx") == Approx(281.6));
  CHECK(changes[1].number("cx") == Approx(430.4));
  CHECK(intervals[0].number("x1") == Approx(232));
  CHECK(intervals[0].number("x2") == Approx(356));
  CHECK(intervals[1].number("x2") == Approx(480));
  CHECK(shares[0].number("x") == Approx(510));
  CHECK(shares[0].number("width") == Approx(74));
  // Each row stands below the one before it, within the picture.
  const double high = std::stod(picture.all("svg").at(0)["viewBox"].substr(4 + 4));
  CHECK(changes[0].number("cy") < changes[1].number("cy"));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(changes[i].number("cy") == intervals[i].number("y1"));
    CHECK((changes[i].number("cy") > 44 && changes[i].number("cy") < high - 12));
  }
}
