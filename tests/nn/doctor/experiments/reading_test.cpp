#include "planned.hpp"

namespace gradual::experiments::reading_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

const TranslationBatch pairs =
    batch_of({{3, 4, 5, 2}, {6, 2, 0, 0}}, {4, 2}, {{1, 7, 5}, {1, 4, 0}}, {{7, 5, 2}, {4, 2, no_word}});

using Loss = std::function<double(const TranslationBatch&)>;

std::optional<Answer> of_reading(const char* name, const Loss& loss, const TranslationBatch& batch = pairs,
                                 Index source_words = 9, Index max_length = 0) {
  Patient patient = patient_of_loss(batch, source_words, 8, loss);
  patient.max_length = max_length;
  patient.begin = []() -> Patient::Step { return [](const std::function<Var()>& of, double) { of(); }; };
  return asked(experiments::of_reading(), name, patient);
}

double sum_of(const Indices& ids) {
  double sum = 0;
  for (const std::int32_t id : ids) sum += id;
  return sum;
}
// Each place by its number, so that order counts.
double in_order(const Indices& ids) {
  double sum = 0;
  for (Index i = 0; i < ids.size(); ++i) sum += static_cast<double>(i + 1) * ids[i];
  return sum;
}

}  // namespace

TEST_CASE("reading: the source of another sentence makes another loss") {
  // 1·(3 + 4 + 5 + 2) of the first and 10·(6 + 2) of the second; exchanged, 8 and 140.
  const auto by_row = [](const TranslationBatch& batch) {
    double sum = 0;
    for (Index i = 0; i < 8; ++i) sum += (i < 4 ? 1 : 10) * batch.source.ids[i];
    return sum;
  };
  const Answer read = of_reading("source is read", by_row).value();
  CHECK(read.evidence == "the loss is 94, and 148 with the sources of other sentences");
  CHECK(read.cause.empty());
  CHECK(of_reading("source is read", [](const TranslationBatch& batch) { return sum_of(batch.input); })
            .value()
            .cause == "The source is not read: any other gives the same loss.");
  // Lengths go with their sources.
  CHECK(of_reading("source is read",
                   [](const TranslationBatch& batch) { return in_order(batch.source.lengths); })
            .value()
            .evidence == "the loss is 8, and 10 with the sources of other sentences");
  const TranslationBatch one = batch_of({{3, 2}}, {2}, {{1}}, {{2}});
  CHECK_FALSE(of_reading("source is read", by_row, one).has_value());
  CHECK_FALSE(of_reading("source is read", by_row, pairs, 0).has_value());
}

TEST_CASE("reading: another word makes a difference in every place that has one") {
  const auto all = [](const TranslationBatch& batch) {
    return sum_of(batch.source.ids) + sum_of(batch.input);
  };
  CHECK(of_reading("every word is read", all).value().evidence ==
        "another word makes a difference in 7 of 7 places");
  CHECK(of_reading("every word is read", all).value().cause.empty());
  // The places of the first source and of the first input are read, but for one.
  const auto unread = [](Index of_source, Index of_input) {
    return of_reading("every word is read",
                      [=](const TranslationBatch& batch) {
                        double sum = 0;
                        for (Index i = 0; i < batch.source.ids.size(); ++i)
                          sum += i % 4 == of_source ? 0 : batch.source.ids[i];
                        for (Index i = 0; i < batch.input.size(); ++i)
                          sum += i % 3 == of_input ? 0 : batch.input[i];
                        return sum;
                      })
        .value();
  };
  CHECK(unread(0, 9).cause == "Not every word is read: place 1 of the sources makes no difference.");
  CHECK(unread(3, 9).cause == "Not every word is read: place 4 of the sources makes no difference.");
  CHECK(unread(9, 0).cause == "Not every word is read: place 1 of the inputs makes no difference.");
  CHECK(unread(9, 2).cause == "Not every word is read: place 3 of the inputs makes no difference.");
  CHECK(unread(1, 2).cause == "Not every word is read: place 2 of the sources makes no difference.");
  CHECK(unread(1, 2).evidence == "another word makes a difference in 5 of 7 places");
  // Places of padding alone are no places, on either side.
  const TranslationBatch padded = batch_of({{3, 2, 0}, {2, 0, 0}}, {2, 1}, {{1, 7, 0}, {1, 0, 0}},
                                           {{7, 2, no_word}, {2, no_word, no_word}});
  CHECK(of_reading("every word is read", all, padded).value().evidence ==
        "another word makes a difference in 4 of 4 places");
  CHECK(of_reading(
            "every word is read", [](const TranslationBatch& batch) { return sum_of(batch.input); }, pairs, 0)
            .value()
            .evidence == "another word makes a difference in 3 of 3 places");
  CHECK(of_reading("every word is read",
                   [](const TranslationBatch& batch) { return sum_of(batch.source.ids); },
                   {pairs.source, {}, labels({1, 2})})
            .value()
            .evidence == "another word makes a difference in 4 of 4 places");
  // Words that may not be seen are left as they are: of the second source the first two are changed.
  std::vector<double> losses;
  of_reading("every word is read", [&](const TranslationBatch& batch) {
    losses.push_back(in_order(batch.source.ids));
    return losses.back();
  });
  const double own = in_order(pairs.source.ids);
  const std::vector<double> changed(losses.begin() + 11,
                                    losses.begin() + 15);  // after ten steps, and the whole
  CHECK(changed == std::vector<double>{own + 1 + 5, own + 2 + 6, own + 3, own + 4});
}

TEST_CASE("reading: what the mean over a batch hides is looked for in each sentence alone") {
  // As a float would: only the loss of one sentence has room for what a word or its place does.
  const auto seen = [](const Loss& loss) {
    return
        [loss](const TranslationBatch& batch) { return batch.source.ids.dim(0) == 1 ? 1 + loss(batch) : 1; };
  };
  const auto words =
      seen([](const TranslationBatch& batch) { return sum_of(batch.source.ids) + sum_of(batch.input); });
  CHECK(of_reading("every word is read", words).value().evidence ==
        "another word makes a difference in 7 of 7 places");
  CHECK_THAT(of_reading("every word is read", seen([](const TranslationBatch&) { return 0; })).value().cause,
             Contains("place 1 of the sources"));
  const TranslationBatch longer = batch_of({{3, 4, 5, 6, 7, 8, 2}, {8, 3, 4, 7, 5, 6, 2}}, {7, 7},
                                           {{1, 7, 5}, {1, 4, 0}}, {{7, 5, 2}, {4, 2, no_word}});
  const auto order = seen([](const TranslationBatch& batch) { return in_order(batch.source.ids); });
  CHECK(of_reading("order is seen", order, longer).value().cause.empty());
  CHECK(of_reading("order is seen", words, longer).value().cause ==
        "Order is not seen: there are no positions.");
}

TEST_CASE("reading: the word after the last is the first") {
  std::vector<std::int32_t> met;
  const TranslationBatch last = batch_of({{8}}, {1}, {{7}}, {{2}});
  of_reading(
      "every word is read",
      [&](const TranslationBatch& batch) {
        met = {batch.source.ids[0], batch.input[0]};
        return 1 + batch.source.ids[0];
      },
      last);
  CHECK(met == std::vector<std::int32_t>{8, 0});
  CHECK_THAT(of_reading(
                 "every word is read",
                 [&](const TranslationBatch& batch) { return batch.source.ids[0] == 0 ? 2 : 1; }, last)
                 .value()
                 .cause,
             Contains("place 1 of the inputs"));
}

TEST_CASE("reading: both sides have places, or neither has") {
  const auto places = [](double of_source, double of_target) {
    return of_reading("both sides have places",
                      [=](const TranslationBatch& batch) {
                        double sum = 1 + of_source * static_cast<double>(batch.source.ids.dim(1) - 4);
                        for (Index t = 0; t < batch.output.dim(1); ++t)
                          if (batch.output[t] != no_word) sum += of_target * static_cast<double>(t - 2);
                        return sum;
                      })
        .value();
  };
  // Seven words of the source for four, and place 6 for place 3.
  CHECK(places(1, 1).evidence ==
        "of one word again and again, a place costs 1; where the source has more of it, 4; a later place 4");
  CHECK(places(1, 1).cause.empty());
  CHECK(places(0, 0).cause.empty());
  CHECK(places(0, 1).cause ==
        "Order is not seen on one side: there are no positions in what reads the source.");
  CHECK(places(1, 0).cause ==
        "Order is not seen on one side: there are no positions in what writes the target.");
  const auto is_asked = [](Index max_length, Index source_words = 9) {
    return of_reading(
               "both sides have places", [](const TranslationBatch&) { return 1; }, pairs, source_words,
               max_length)
        .has_value();
  };
  CHECK(is_asked(7));
  CHECK_FALSE(is_asked(6));
  CHECK(is_asked(0));
  CHECK_FALSE(is_asked(0, 0));
  // The word is one in the middle of those that there are, and another in the second sentence.
  std::vector<std::int32_t> words, lengths;
  of_reading("both sides have places", [&](const TranslationBatch& batch) {
    if (batch.input.dim(1) != 7) return 1;  // the first batch
    words = {batch.source.ids[0], batch.source.ids[batch.source.ids.dim(1)], batch.input[0], batch.input[7]};
    lengths = {batch.source.lengths[0], batch.source.lengths[1]};
    return 1;
  });
  CHECK(words == std::vector<std::int32_t>{4, 5, 4, 5});
  CHECK(lengths == std::vector<std::int32_t>{4, 4});
}

TEST_CASE("reading: words in another order make another loss, and the last stays where it is") {
  const auto sees = [](const Loss& loss, const TranslationBatch& batch = pairs, Index source_words = 9) {
    return of_reading("order is seen", loss, batch, source_words).value();
  };
  CHECK(sees([](const TranslationBatch& batch) { return sum_of(batch.source.ids); }).cause ==
        "Order is not seen: there are no positions.");
  const TranslationBatch longer = batch_of({{3, 4, 5, 6, 7, 8, 2}}, {7}, {{1, 7, 5}}, {{7, 5, 2}});
  CHECK(sees([](const TranslationBatch& batch) { return in_order(batch.source.ids); }, longer).cause.empty());
  // The ends, padding and inputs do not move.
  CHECK_FALSE(sees([](const TranslationBatch& batch) {
                return batch.source.ids[3] + 10 * batch.source.ids[4] + 100 * batch.source.ids[5] +
                       in_order(batch.input);
              }).cause.empty());
  const TranslationBatch texts = batch_of({}, {}, {{1, 3, 4, 5, 6, 7}}, {{3, 4, 5, 6, 7, 2}});
  CHECK_FALSE(
      sees([](const TranslationBatch& batch) { return sum_of(batch.input); }, texts, 0).cause.empty());
  CHECK(sees([](const TranslationBatch& batch) { return in_order(batch.input); }, texts, 0).cause.empty());
  CHECK_FALSE(sees([](const TranslationBatch& batch) { return batch.input[5]; }, texts, 0).cause.empty());
  // What is asked there is the last word alone.
  CHECK(sees([](const TranslationBatch& batch) { return static_cast<double>(batch.words()); }, texts, 0)
            .evidence == "the loss is 1, and 1 with words in another order");
  CHECK(sees([](const TranslationBatch& batch) { return batch.output[5]; }, texts, 0).evidence ==
        "the loss is 2, and 2 with words in another order");
}

TEST_CASE("reading: ten steps at the highest rate come before, with the first batch") {
  Index steps = 0;
  PlannedSteps planned({Tensor({1}, {1})}, [&](const std::function<Var()>&, double rate, Index) {
    CHECK(rate == 0.5);
    ++steps;
  });
  planned.asked(experiments::of_reading(), "every word is read");
  CHECK(steps == 10);
}

}  // namespace gradual::experiments::reading_test
