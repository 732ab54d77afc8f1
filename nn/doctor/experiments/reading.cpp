// Experiments on what a model reads: that it can see is not enough.
#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

// A few steps, after which parts that start with zeros have a say.
void learn_a_little(const Case& of, TrainingFromHere& training) {
  const double rate = highest_rate(of);
  for (Index n = 0; n < 10; ++n) training.step(of.batch, rate);
}

// Whether one sentence of two batches, alone, has another loss in the second. To be asked where the batches
// have the same: their mean is a float, in which what a narrow model makes of one word of many may be lost.
bool differ_in_a_sentence(const Case& of, const TranslationBatch& a, const TranslationBatch& b,
                          bool (*alike)(double, double)) {
  const Index count = of.has_sources() ? a.source.ids.dim(0) : a.input.dim(0);
  const auto same = [](const Indices& x, const Indices& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  for (Index row = 0; count > 1 && row < count; ++row) {
    const TranslationBatch one = rows_of(a, {row}), other = rows_of(b, {row});
    const bool is_changed = !same(one.source.ids, other.source.ids) || !same(one.input, other.input);
    if (is_changed && one.words() > 0 && !alike(of.loss(one), of.loss(other))) return true;
  }
  return false;
}

bool are_equal(double a, double b) { return a == b; }

// Is the source read? After a few steps, the loss is another with the sources of other sentences.
std::optional<Answer> source_is_read(const Case& of) {
  if (!of.has_sources() || of.batch.source.ids.dim(0) < 2) return std::nullopt;
  const Index count = of.batch.source.ids.dim(0);
  std::vector<Index> next;
  for (Index b = 0; b < count; ++b) next.push_back((b + 1) % count);
  TranslationBatch shuffled = of.batch;
  shuffled.source = rows_of(of.batch, next).source;
  TrainingFromHere training(of);
  learn_a_little(of, training);
  const double before = of.loss(of.batch), after = of.loss(shuffled);
  Answer answer{text("the loss is ", before, ", and ", after, " with the sources of other sentences")};
  if (before != after) return answer;
  answer.cause = "The source is not read: any other gives the same loss.";
  answer.advice = "Look at what the attention to the source gets as keys and values: the encoder's output.";
  answer.chapter = "chapter 10";
  return answer;
}

// Is every word read? After a few steps, another word in one place, of the sources or of the inputs, gives
// another loss, wherever that place is.
std::optional<Answer> every_word_is_read(const Case& of) {
  TrainingFromHere training(of);
  learn_a_little(of, training);
  const double before = of.loss(of.batch);
  Index places = 0, unread = 0;
  std::string first;
  const auto look = [&](const TranslationBatch& changed, const char* side, Index place) {
    ++places;
    if (of.loss(changed) != before || differ_in_a_sentence(of, of.batch, changed, are_equal)) return;
    if (unread++ == 0) first = text("place ", place + 1, " of the ", side);
  };
  if (of.has_sources()) {
    const SourceBatch& source = of.batch.source;
    for (Index place = 0; place < source.ids.dim(1); ++place) {
      TranslationBatch changed = of.batch;
      bool words = false;
      changed.source.ids = ids_of(source.ids.shape(), [&](Index b, Index s) {
        const std::int32_t id = id_at(source.ids, b, s);
        if (s != place || s >= length_of(source, b)) return id;
        words = true;
        return (id + 1) % static_cast<std::int32_t>(of.patient.source_words);
      });
      if (words) look(changed, "sources", place);
    }
  }
  if (of.has_targets())
    for (Index place = 0; place < of.batch.input.dim(1); ++place) {
      bool words = false;
      for (Index b = 0; b < of.batch.output.dim(0); ++b)
        words = words || id_at(of.batch.output, b, place) != TranslationBatch::nothing;
      if (words) look(with_other_input(of, of.batch, place), "inputs", place);
    }
  Answer answer{text("another word makes a difference in ", places - unread, " of ", places, " places")};
  if (unread == 0) return answer;
  answer.cause = "Not every word is read: " + first + " makes no difference.";
  answer.advice =
      "Look for a sentence that is cut, for a mask that hides words, and for one token in the place of all.";
  answer.chapter = "chapter 5";
  return answer;
}

// Are places told apart on both sides? One word again and again is the same everywhere, but for its place.
// Attention to it sees one and the same value, however often it stands there. So without positions more of it
// changes nothing, and neither does the place at which it is: on both sides, or on neither.
std::optional<Answer> both_sides_have_places(const Case& of) {
  constexpr Index few = 4, more = 7, B = 2;
  if (!of.has_sources() || !of.has_targets()) return std::nullopt;
  if (of.patient.max_length > 0 && of.patient.max_length < more) return std::nullopt;
  const auto repeated = [&](Index words, Index side_words) {
    return ids_of({B, words}, [&](Index b, Index) { return (side_words / 2 + b) % side_words; });
  };
  const auto batch_of = [&](Index source_length, Index place) {
    TranslationBatch batch;
    batch.source = {repeated(source_length, of.patient.source_words),
                    Indices({B}, std::vector<std::int32_t>(B, static_cast<std::int32_t>(source_length)))};
    batch.input = repeated(more, of.patient.target_words);
    batch.output = batch.input;
    return with_one_place(batch, place);
  };
  TrainingFromHere training(of);
  learn_a_little(of, training);
  const double here = of.loss(batch_of(few, 2)), longer = of.loss(batch_of(more, 2)),
               later = of.loss(batch_of(few, 5));
  Answer answer{text("of one word again and again, a place costs ", here,
                     "; where the source has more of it, ", longer, "; a later place ", later)};
  const bool in_sources = !are_alike(here, longer), in_targets = !are_alike(here, later);
  if (in_sources == in_targets) return answer;
  answer.cause = text("Order is not seen on one side: there are no positions in what ",
                      in_targets ? "reads the source." : "writes the target.");
  answer.advice =
      "Add positions to the embeddings of both sides. (Where they are in the attention of one side, and "
      "added on the other, that is as it should be.)";
  answer.chapter = "chapter 9";
  return answer;
}

// Is order seen? After a few steps, the words of the sources in another order (without sources: of the words
// before the last) give another loss. What sees them as a heap gives the same one, but for rounding.
std::optional<Answer> order_is_seen(const Case& of) {
  Random random(1);
  TranslationBatch batch = of.batch, changed;
  const auto reordered = [&](const Indices& ids, auto length) {
    std::vector<std::vector<Index>> orders;
    for (Index b = 0; b < ids.dim(0); ++b)
      orders.push_back(random.permutation(std::max<Index>(0, length(b))));
    return ids_of(ids.shape(), [&](Index b, Index t) {
      const auto& order = orders[static_cast<std::size_t>(b)];
      return id_at(ids, b, t < static_cast<Index>(order.size()) ? order[static_cast<std::size_t>(t)] : t);
    });
  };
  if (of.has_sources()) {
    changed = batch;
    changed.source.ids = reordered(batch.source.ids, [&](Index b) { return length_of(batch.source, b) - 1; });
  } else {
    const Index last = batch.input.dim(1) - 1;
    changed = batch = with_one_place(batch, last);
    changed.input = reordered(batch.input, [&](Index) { return last; });
  }
  TrainingFromHere training(of);
  learn_a_little(of, training);
  const double before = of.loss(batch), after = of.loss(changed);
  Answer answer{text("the loss is ", before, ", and ", after, " with words in another order")};
  if (!are_alike(before, after) || differ_in_a_sentence(of, batch, changed, are_alike)) return answer;
  answer.cause = "Order is not seen: there are no positions.";
  answer.advice = "Add positions to the embeddings, or put them into the attention.";
  answer.chapter = "chapter 9";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_reading() {
  static const std::vector<Experiment> all{{"source is read", source_is_read},
                                           {"every word is read", every_word_is_read},
                                           {"both sides have places", both_sides_have_places},
                                           {"order is seen", order_is_seen}};
  return all;
}

}  // namespace gradual::experiments
