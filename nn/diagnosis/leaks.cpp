#include <gradual/nn/diagnosis/leaks.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/diagnosis/leak_batch.hpp>
#include <gradual/nn/diagnosis/trace.hpp>

namespace gradual {
namespace {

using Kind = Leak::Kind;
using namespace leak_batch;

// One pass through the model.
struct Pass {
  TracedOperations operations;
  Index last;  // the operation that gave the result, or -1

  Pass(const LeakSubject& subject, const Batch& batch) {
    const EvaluationScope evaluation;
    const NoGrad no_grad;
    Trace trace;
    const Var result = subject.compute(batch.source_batch(), batch.target_batch());
    operations = trace.operations();
    last = trace.maker(result);
  }
  const Tensor& value(Index number) const { return operations[number].result.value(); }
  // What can be compared: on each way that led to the result, the last operation that gave such.
  std::vector<Index> comparable(const Batch& batch) const {
    const Layout::Of wanted = batch.targets > 0 ? Layout::Of::target_places : Layout::Of::sentences;
    std::vector<Index> found;
    std::vector<bool> led(operations.size());
    if (last >= 0) led[static_cast<std::size_t>(last)] = true;
    for (Index i = last; i >= 0; --i) {
      if (!led[static_cast<std::size_t>(i)]) continue;
      const std::optional<Layout> layout = layout_of(operations[i].result.shape(), batch);
      if (layout && layout->of == wanted) {
        found.push_back(i);
        continue;
      }
      for (const auto& source : operations[i].sources)
        if (source.made_by >= 0) led[static_cast<std::size_t>(source.made_by)] = true;
    }
    return found;
  }
};

std::string sentence_of(Kind kind, const Change& change) {
  const std::string where = change.place >= 0
                                ? text("place ", change.place + 1, " of sentence ", change.sentence + 1)
                                : text("the result for sentence ", change.sentence + 1);
  switch (kind) {
    case Kind::chance:
      return text("chance: ", where, " changed between two passes over the same batch");
    case Kind::later_words:
      return text("later words: ", where, " changed with the words after it");
    case Kind::padding:
      return text("padding: ", where, " changed with the padding of sources");
    default:
      return text("other sentences: ", where, " changed with other sentences of the batch");
  }
}

class LeakSearch {
 public:
  // Sentences of at most `longest` tokens.
  LeakSearch(const LeakSubject& subject, Index longest, std::uint64_t seed)
      : subject_(subject),
        random_(seed),
        batch_(random_batch(subject, longest, random_)),
        before_(subject, batch_),
        results_(before_.comparable(batch_)) {}

  bool can_compare() const { return !results_.empty(); }

  std::vector<Leak> leaks() {
    look_at_other_words();
    if (batch_.sources > 0)
      look(Kind::padding, Pass(subject_, with_other_padding(batch_, subject_, random_)));
    if (found_.empty()) return {};
    // What changes by itself says nothing about causes.
    std::vector<Leak> leaks = std::exchange(found_, {});
    look(Kind::chance, Pass(subject_, batch_));
    return found_.empty() ? leaks : found_;
  }

 private:
  void look_at_other_words() {
    const Batch changed = with_other_words(batch_, subject_, random_);
    const Pass now(subject_, changed);
    const bool mixes = look(Kind::other_sentences, now);
    if (!mixes || alone_sees_later_words(changed)) look(Kind::later_words, now);
  }

  // Where sentences see each other, one by itself tells whether words see later ones.
  bool alone_sees_later_words(const Batch& changed) const {
    if (batch_.targets == 0) return false;
    const Index row = batch_.targets / 2;
    const Batch one = alone(batch_, row);
    const Pass before(subject_, one), now(subject_, alone(changed, row));
    return find_change(Kind::later_words, one, before, now, before.comparable(one)).has_value();
  }

  struct Found {
    Index result;
    Change change;
  };
  // The first of these results that changed.
  static std::optional<Found> find_change(Kind kind, const Batch& batch, const Pass& before, const Pass& now,
                                          const std::vector<Index>& results) {
    for (const Index result : results) {
      if (result >= now.operations.count()) continue;
      if (const auto found = change(kind, batch, before.value(result), now.value(result)))
        return Found{result, *found};
    }
    return std::nullopt;
  }

  // Whether there is a leak of this kind.
  bool look(Kind kind, const Pass& now) {
    const std::optional<Found> found = find_change(kind, batch_, before_, now, results_);
    if (!found) return false;
    const Index origin = where_it_came_in(kind, now, found->result);
    found_.push_back({kind, found->change.sentence, found->change.place, found->change.size,
                      before_.operations[origin].name, before_.operations[origin].result.shape(),
                      before_.operations.layer_of(origin),
                      text(sentence_of(kind, found->change), ", by up to ", found->change.size,
                           "; it comes in at ", before_.operations.description(origin))});
    return true;
  }

  // From the result back, as long as an input changed that must not.
  Index where_it_came_in(Kind kind, const Pass& now, Index result) const {
    Index at = result;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const auto& source : before_.operations[at].sources) {
        if (source.made_by < 0) continue;
        if (!change(kind, batch_, before_.value(source.made_by), now.value(source.made_by))) continue;
        at = source.made_by;
        goes_on = true;
        break;
      }
    }
    return at;
  }

  const LeakSubject& subject_;
  Random random_;
  Batch batch_;
  Pass before_;
  std::vector<Index> results_;
  std::vector<Leak> found_;
};

void check(const LeakSubject& subject) {
  const auto words = {subject.source_vocabulary, subject.target_vocabulary};
  if (std::max(words) == 0 ||
      std::any_of(words.begin(), words.end(), [](Index n) { return n < 0 || n == 1; }))
    throw std::invalid_argument(text("leak check: a vocabulary must have two words or more: there are ",
                                     subject.source_vocabulary, " and ", subject.target_vocabulary));
  if (subject.max_length != 0 && subject.max_length < 4)
    throw std::invalid_argument(
        text("leak check: the model must take sentences of 4 tokens: max_length is ", subject.max_length));
}

}  // namespace

std::vector<Leak> find_leaks(const LeakSubject& subject, std::uint64_t seed) {
  check(subject);
  // Lengths that happen to be the width of something hide which axis is which.
  for (const Index longest : {13, 12, 10, 7}) {
    LeakSearch search(subject, longest, seed);
    if (search.can_compare()) return search.leaks();
  }
  throw std::logic_error(
      text("leak check: the model must compute a result for each ",
           subject.target_vocabulary > 0 ? "place of its targets, [B, T, …]" : "sentence, [B, …]",
           ", by operations on variables: it has none"));
}

LeakSubject leak_subject(const TranslationModel& model, Index source_vocabulary, Index target_vocabulary) {
  return {source_vocabulary, target_vocabulary, model.max_length(),
          [&model](const SourceBatch& source, const Indices& target) {
            return model.loss({source, target, target}, {});
          }};
}

LeakSubject leak_subject(const LanguageModel& model) {
  return {0, model.config().vocabulary, model.config().max_length,
          [&model](const SourceBatch&, const Indices& target) { return model.logits(target); }};
}

LeakSubject leak_subject(const Classifier& model) {
  return {model.config().vocabulary, 0, model.config().max_length,
          [&model](const SourceBatch& source, const Indices&) {
            return model.logits(source.ids, source.lengths);
          }};
}

}  // namespace gradual
