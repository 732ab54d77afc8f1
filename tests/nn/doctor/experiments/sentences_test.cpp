#include "cases.hpp"

namespace gradual::experiments::sentences_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

Answer of_batch(const char* name, const std::vector<TranslationBatch>& batches, Index source_words = 10,
                Index target_words = 8) {
  Patient patient = patient_with(batches, source_words, target_words);
  patient.rate = [](Index) { return 0.1; };
  const auto& some = std::string(name) == "ids are words" || std::string(name) == "sentences differ"
                         ? of_sentences()
                         : of_batches();
  return asked(some, name, patient).value_or(Answer{"nothing is asked"});
}

Answer ids_of_batches(const std::vector<TranslationBatch>& batches, Index source_words = 10) {
  return of_batch("ids are words", batches, source_words);
}

// So many rows, of which the first are alike on this side.
TranslationBatch with_alike(std::size_t rows, std::size_t alike_sources, std::size_t alike_targets) {
  Rows source, input, output;
  for (std::size_t i = 0; i < rows; ++i) {
    source.push_back({i < alike_sources ? 0 : static_cast<std::int32_t>(i)});
    input.push_back({1});
    output.push_back({i < alike_targets ? 0 : static_cast<std::int32_t>(i)});
  }
  return batch_of(source, {}, input, output);
}

// Batches with a sentence on either side of so many words.
std::vector<TranslationBatch> of_lengths(const std::vector<std::int32_t>& sources,
                                         const std::vector<std::size_t>& targets) {
  std::vector<TranslationBatch> batches;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<std::int32_t> output(20, no_word);
    std::fill_n(output.begin(), targets[i], 3);
    batches.push_back(batch_of({std::vector<std::int32_t>(20, static_cast<std::int32_t>(i))}, {sources[i]},
                               {std::vector<std::int32_t>(20, 1)}, {output}));
  }
  return batches;
}

// Eight targets [bos, …] → […, eos], of which some were made otherwise.
TranslationBatch whole(std::size_t others, std::vector<std::int32_t> input, std::vector<std::int32_t> output,
                       std::size_t rows = 8) {
  Rows source(rows, {3}), inputs, outputs;
  for (std::size_t i = 0; i < rows; ++i) {
    inputs.push_back(i < others ? input : std::vector<std::int32_t>{1, 5, 6});
    outputs.push_back(i < others ? output : std::vector<std::int32_t>{5, 6, 2});
  }
  return batch_of(source, {}, inputs, outputs);
}

}  // namespace

TEST_CASE("sentences: ids are words up to the last of the vocabulary, on both sides") {
  const TranslationBatch sound = batch_of({{0, 9}}, {}, {{1, 7}}, {{7, 2}});
  CHECK(ids_of_batches({sound}).evidence ==
        "the highest id of the sources is 9, of 10 words; the highest id of the targets is 7, of 8 words");
  CHECK(ids_of_batches({sound}).cause.empty());
  const TranslationBatch source = batch_of({{10, 9}}, {}, {{1, 7}}, {{7, 2}});
  CHECK(ids_of_batches({source}).cause ==
        "The sources have words that their vocabulary does not have: id 10 of 10.");
  CHECK(ids_of_batches({batch_of({{0, 9}}, {}, {{1, 8}}, {{7, 2}})}).cause ==
        "The targets have words that their vocabulary does not have: id 8 of 8.");
  CHECK(ids_of_batches({batch_of({{0, 9}}, {}, {{1, 7}}, {{8, 2}})}).cause ==
        "The targets have words that their vocabulary does not have: id 8 of 8.");
  const Answer both = ids_of_batches({batch_of({{11, 0}}, {}, {{1, 7}}, {{9, 2}})});
  CHECK(both.cause == "The sources have words that their vocabulary does not have: id 11 of 10.");
  CHECK_THAT(both.evidence, Contains("the highest id of the targets is 9, of 8 words"));
  // Four batches are looked at; without sources there are none, and the lowest word is 0.
  CHECK_FALSE(ids_of_batches({sound, sound, sound, source}).cause.empty());
  CHECK(ids_of_batches({sound, sound, sound, sound, source}).cause.empty());
  CHECK(ids_of_batches({batch_of({}, {}, {{0}}, {{0}})}, 0).evidence ==
        "the highest id of the targets is 0, of 8 words");
  CHECK(ids_of_batches({batch_of({{9}}, {}, {}, {{no_word}})}).evidence ==
        "the highest id of the sources is 9, of 10 words");
}

TEST_CASE("sentences: one that stands in more than six of ten rows is told") {
  const auto differ = [](const TranslationBatch& batch) { return of_batch("sentences differ", {batch}); };
  // Eight times ten rows.
  CHECK(differ(with_alike(10, 6, 6)).cause.empty());
  CHECK(differ(with_alike(10, 6, 6)).evidence == "of 80 sentences, 5 targets and 5 sources differ");
  CHECK(differ(with_alike(10, 7, 0)).cause == "Most sources are one and the same sentence: 56 of 80.");
  CHECK(differ(with_alike(10, 0, 7)).cause == "Most targets are one and the same sentence: 56 of 80.");
  CHECK(differ(with_alike(10, 8, 7)).cause == "Most sources are one and the same sentence: 64 of 80.");
  CHECK(differ(with_alike(1, 1, 1)).cause == "Most sources are one and the same sentence: 8 of 8.");
  TranslationBatch of_targets = with_alike(10, 10, 7);
  of_targets.source = {};
  const Answer targets = of_batch("sentences differ", {of_targets}, 0);
  CHECK(targets.evidence == "of 80 sentences, 4 targets differ");
  CHECK(targets.cause == "Most targets are one and the same sentence: 56 of 80.");
  CHECK(of_batch("sentences differ", {{of_targets.source, {}, labels({1})}}, 0).evidence ==
        "nothing is asked");
  // What stands behind a sentence is not of it: all of these are [4] and [5].
  const Answer padded =
      differ(batch_of({{4, 0}, {4, 1}}, {1, 1}, {{1, 1}, {1, 1}}, {{5, no_word}, {5, no_word}}));
  CHECK(padded.evidence == "of 16 sentences, 1 targets and 1 sources differ");
}

TEST_CASE("sentences: batches that are all the same, and ones that come sorted") {
  const auto differ = [](const std::vector<TranslationBatch>& batches) {
    return of_batch("batches differ", batches);
  };
  const std::vector<std::int32_t> sources{3, 5, 4, 3, 5, 4, 3, 5, 4, 3, 5, 4};
  const std::vector<std::size_t> targets{3, 5, 4, 3, 5, 4, 3, 5, 4, 3, 5, 4};
  const Answer sound = differ(of_lengths(sources, targets));
  CHECK(sound.cause.empty());
  CHECK(sound.evidence ==
        "of the 11 batches after the first, 0 are the same again, and neither side's sentences grow longer "
        "and longer");
  std::vector<TranslationBatch> same(12, of_lengths({3}, {3})[0]);
  CHECK(differ(same).cause == "Every batch is the same one, again and again.");
  CHECK_THAT(differ(same).evidence, Contains("11 are the same again, and neither"));
  same.back() = of_lengths({3, 3}, {3, 3})[1];  // other words of the source
  CHECK(differ(same).cause.empty());
  CHECK_THAT(differ(same).evidence, Contains("10 are the same again"));
  const auto other = [&](const TranslationBatch& last) {
    same.back() = last;
    return differ(same).evidence;
  };
  const TranslationBatch one = same.front();
  CHECK_THAT(other({one.source, ids({std::vector<std::int32_t>(20, 4)}), one.output}), Contains("10 are"));
  CHECK_THAT(other({one.source, one.input, ids({std::vector<std::int32_t>(20, 4)})}), Contains("10 are"));
  for (const TranslationBatch& first :
       {TranslationBatch{{ids({{9}}), one.source.lengths}, one.input, one.output},
        TranslationBatch{one.source, ids({{4}}), one.output},
        TranslationBatch{one.source, one.input, ids({{4}})}}) {
    std::vector<TranslationBatch> all(12, one);
    all.front() = first;
    CHECK_THAT(differ(all).evidence, Contains("0 are the same again"));
  }
  CHECK_THAT(other({{ids({{0}}), one.source.lengths}, one.input, one.output}), Contains("10 are"));

  std::vector<std::int32_t> rising{3, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12};
  std::vector<std::size_t> longer(rising.begin(), rising.end());
  const Answer by_sources = differ(of_lengths(rising, targets)),
               by_targets = differ(of_lengths(sources, longer));
  for (const Answer& each : {by_sources, by_targets}) {
    CHECK(each.cause == "Batches come sorted by length, the shortest first: the text is not shuffled.");
    CHECK_THAT(each.evidence, Contains("and their sentences grow longer and longer"));
  }
  std::reverse(rising.begin(), rising.end());
  std::reverse(longer.begin(), longer.end());
  for (const Answer& each : {differ(of_lengths(rising, targets)), differ(of_lengths(sources, longer))}) {
    CHECK(each.cause == "Batches come sorted by length, the longest first: the text is not shuffled.");
    CHECK_THAT(each.evidence, Contains("and their sentences grow shorter and shorter"));
  }
  const std::vector<std::int32_t> all_alike(12, 4);
  CHECK(differ(of_lengths(all_alike, targets)).cause.empty());
  // The last of twelve counts, and a thirteenth does not.
  std::vector<std::int32_t> almost{3, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 10};
  CHECK(differ(of_lengths(almost, targets)).cause.empty());
  almost = {4, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12};
  CHECK(differ(of_lengths(almost, targets)).cause.empty());
  // The length is that of a sentence: more sentences of one length are not longer.
  std::vector<TranslationBatch> more;
  for (std::size_t rows = 1; rows <= 12; ++rows)
    more.push_back(batch_of(Rows(rows, {4, 4}), std::vector<std::int32_t>(rows, 2), Rows(rows, {1, 4}),
                            Rows(rows, {4, 2})));
  CHECK(differ(more).cause.empty());

  Patient of_one_batch = patient_with({one}, 10, 8);
  of_one_batch.rate = [](Index) { return 0.1; };
  of_one_batch.batches = 1;
  CHECK(asked(of_batches(), "batches differ", of_one_batch)->cause.empty());
  CHECK(asked(of_batches(), "batches differ", of_one_batch)->evidence == "the text is one batch");
  of_one_batch.batches = 2;
  CHECK(asked(of_batches(), "batches differ", of_one_batch)->cause ==
        "Every batch is the same one, again and again.");

  Patient without_rate = patient_with(same, 10, 8);
  CHECK_FALSE(asked(of_batches(), "batches differ", without_rate).has_value());
}

TEST_CASE("sentences: all begin with one token and end with one, and say neither again") {
  const auto are_whole = [](const TranslationBatch& batch) {
    return of_batch("sentences are whole", {batch, whole(0, {}, {})});
  };
  const Answer sound = are_whole(whole(0, {}, {}));
  CHECK(sound.cause.empty());
  CHECK(sound.evidence ==
        "of 32 targets, all begin with one of 1 tokens and end with one of 1; 0 say the first again, 0 the "
        "last");
  CHECK(are_whole(whole(1, {4, 5, 6}, {5, 6, 2})).cause ==
        "Inputs do not begin with one and the same token: the begin token is missing.");
  CHECK(are_whole(whole(1, {1, 5, 6}, {5, 6, 7})).cause ==
        "Targets do not end with one and the same token: the end token is missing, or was cut off.");
  // One in each other batch of four.
  CHECK(are_whole(whole(1, {1, 1, 5}, {1, 5, 2})).cause ==
        "The begin token has to be said: it stands twice in 2 of 32 targets.");
  const auto begins = [](const std::vector<std::int32_t>& output) {
    std::vector<TranslationBatch> four(4, whole(0, {}, {}));
    four[3] = whole(1, {1, 5, 6}, output);
    return of_batch("sentences are whole", four).cause;
  };
  CHECK_THAT(begins({1, 5, 2}), Contains("it stands twice in 1 of 32 targets"));
  CHECK_THAT(begins({5, 1, 2}), Contains("it stands twice in 1 of 32 targets"));
  // Half of them may have an end within.
  const auto ends = [](std::size_t early) {
    return of_batch("sentences are whole", {whole(early, {1, 5, 2}, {5, 2, 2})});
  };
  CHECK(ends(4).cause.empty());
  CHECK_THAT(ends(4).evidence, Contains("0 say the first again, 16 the last"));
  CHECK(ends(5).cause ==
        "Sentences end twice: the end token stands before the end, too, in 20 of 32 targets.");
  // Eight sentences are enough; fewer, and empty ones, are not.
  CHECK_FALSE(of_batch("sentences are whole", {whole(0, {}, {}, 2)}).evidence == "nothing is asked");
  CHECK(of_batch("sentences are whole", {whole(0, {}, {}, 1)}).evidence == "nothing is asked");
  CHECK(of_batch("sentences are whole", {whole(7, {1, 0, 0}, {no_word, no_word, no_word})}).evidence ==
        "nothing is asked");
  // An end that begins is not said again, and a begin token as the last word was said once.
  CHECK(of_batch("sentences are whole", {whole(8, {2, 5, 6}, {5, 6, 2})}).cause.empty());
  CHECK(of_batch("sentences are whole", {whole(0, {}, {})}, 0).evidence == "nothing is asked");
}

TEST_CASE("sentences: padding stands behind the ends, and is no word") {
  const auto padding = [](const TranslationBatch& batch, Index source_words = 10) {
    return of_batch("padding is no word", {batch}, source_words);
  };
  const auto sources = [&](const Rows& rows, const std::vector<std::int32_t>& lengths) {
    return padding(batch_of(rows, lengths, Rows(rows.size(), {1, 5}), Rows(rows.size(), {5, 2})));
  };
  const Answer sound = sources({{3, 4, 2}, {4, 2, 0}}, {3, 2});
  CHECK(sound.cause.empty());
  CHECK(sound.evidence == "1 tokens stand behind the ends of 8 sources; 0 sentences have padding for words");
  CHECK(sources({{3, 2, 5}, {4, 2, 0}}, {2, 2}).cause ==
        "Words stand behind the ends of sources: their lengths are too small.");
  CHECK(sources({{3, 7, 2}, {4, 2, 7}}, {3, 2}).cause ==
        "Padding stands among the words of 4 sentences: it is on the wrong side, lengths are too large, or "
        "it counts as words.");
  CHECK(sources({{3, 2, 5, 0}}, {3}).cause.empty());
  std::vector<TranslationBatch> one_of_four(4, batch_of({{3, 2, 7}}, {2}, {{1}}, {{2}}));
  one_of_four[3] = batch_of({{3, 7, 2}}, {3}, {{1}}, {{2}});
  CHECK_THAT(of_batch("padding is no word", one_of_four).cause, Contains("among the words of 1 sentences"));

  // Runs of padding in one of four sentences may be, in more may not.
  const auto runs = [&](std::size_t count, const std::vector<std::int32_t>& row, std::size_t rows = 8) {
    Rows all(rows, {3, 4, 5, 2});
    std::fill_n(all.begin(), count, row);
    return sources(all, {}).cause;
  };
  CHECK(runs(2, {0, 0, 5, 2}).empty());
  CHECK_THAT(runs(3, {0, 0, 5, 2}), Contains("Padding stands among the words of 12 sentences"));
  CHECK_FALSE(runs(3, {5, 2, 0, 0}).empty());
  CHECK_FALSE(runs(3, {5, 0, 0, 2}).empty());  // but for the end
  CHECK_FALSE(runs(3, {0, 0, 0, 0}).empty());
  CHECK(padding(batch_of({{3}, {4}}, {}, {{1, 5}, {1, 5}}, {{no_word, no_word}, {5, 2}})).cause.empty());
  CHECK(runs(3, {0, 5, 3, 2}).empty());  // one is no run
  CHECK(runs(3, {3, 0, 5, 2}).empty());
  CHECK(runs(3, {0, 5, 0, 2}).empty());  // apart from each other
  CHECK(runs(3, {0, 0, 5, 0}).empty());
  CHECK_THAT(padding(batch_of({{3}}, {}, {{1, 0, 0}}, {{5, 0, 0}})).cause, Contains("words of 4 sentences"));
  CHECK(padding({{ids({{3}}), {}}, {}, labels({0})}).cause.empty());
  CHECK(padding(batch_of({}, {}, {{1, 0, 0}}, {{5, 0, 0}}), 0).evidence == "nothing is asked");
}

}  // namespace gradual::experiments::sentences_test
