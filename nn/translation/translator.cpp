#include <gradual/nn/translation/translator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/fnv.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>
#include <gradual/nn/text/language_json.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/translation_models.hpp>

namespace gradual {
namespace {

// Beam search, or greedy search, which finds what a beam of 1 would and takes less time.
std::vector<std::vector<Hypothesis>> search_batch(const TranslationModel& model, const SourceBatch& source,
                                                  const BeamOptions& options) {
  options.check(source.ids.dim(0));
  if (options.beam_size > 1 || options.coverage_penalty > 0) return beam_search(model, source, options);
  std::vector<std::vector<Hypothesis>> found;
  for (Hypothesis& hypothesis : greedy(model, source, options)) {
    const Index length = static_cast<Index>(hypothesis.tokens.size()) + hypothesis.finished;
    hypothesis.score = hypothesis.log_probability / length_penalty(length, options.length_penalty);
    found.push_back({std::move(hypothesis)});
  }
  return found;
}

std::unique_ptr<TranslationModel> checked(std::unique_ptr<TranslationModel> model) {
  if (!model) throw std::invalid_argument("translator: there must be a model: got a null pointer");
  return model;
}

// Sentences of like length, in batches, whole ones on each thread: calls body(batch, its rows). A search
// keeps keys and values for each hypothesis: there are fewer sentences in a batch where a sentence has more
// of them than is usual.
template <class Body>
void for_each_batch(const std::vector<std::vector<std::int32_t>>& sources, Index hypotheses, Body body) {
  constexpr std::size_t sentences_in_batch = 64;
  constexpr Index usual_hypotheses = 5;
  const auto tokens_in_batch =
      static_cast<std::size_t>(16384 * usual_hypotheses / std::max(hypotheses, usual_hypotheses));
  std::vector<std::size_t> order(sources.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].size() < sources[b].size(); });
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t next = 0; next < order.size();) {
    std::vector<std::size_t> rows;
    do {
      rows.push_back(order[next++]);
    } while (next < order.size() && rows.size() < sentences_in_batch &&
             (rows.size() + 1) * sources[order[next]].size() <= tokens_in_batch);
    batches.push_back(std::move(rows));
  }
  parallel_tasks(static_cast<Index>(batches.size()), [&](Index task) {
    const std::vector<std::size_t>& rows = batches[static_cast<std::size_t>(task)];
    std::vector<std::vector<std::int32_t>> batch;
    for (const std::size_t row : rows) batch.push_back(sources[row]);
    const EvaluationScope evaluation;  // of this thread
    body(make_source_batch(batch), rows);
  });
}

// What search() gives. Where it leaves no word for a sentence, sentence_of(its row) names it: a number in a
// batch of others tells nobody which one it is.
template <class Search, class SentenceOf>
auto naming_sentences(Search search, SentenceOf sentence_of) {
  constexpr std::size_t longest = 60;  // bytes
  try {
    return search();
  } catch (const NoWordLeft& error) {
    const std::string sentence = sentence_of(error.sentence);
    const std::string_view beginning = whole_characters(sentence, longest);
    const char* cut = beginning.size() < sentence.size() ? "…" : "";
    throw NoWordLeft(error, text("\"", readable_text(beginning), cut, "\""));
  }
}

}  // namespace

Translator::Translator(const ModelConfig& config, Language source, Language target, Random random)
    : Translator(make_model(config, source.vocabulary.size(), target.vocabulary.size(), random), source,
                 target) {
  shapes_ = shapes_of(parameters(*model_));
}

Translator::Translator(std::unique_ptr<TranslationModel> model, Language source, Language target)
    : source_(std::move(source)),
      target_(std::move(target)),
      model_(checked(std::move(model))),
      parts_(chosen_parts(*model_)) {
  constexpr Index longest = 4096;
  const Index most = model_->max_length();
  longest_sentence_ = most > 0 ? std::min(longest, most - 1) : longest;  // and the end token
}

std::vector<std::int32_t> Translator::encode(const Language& language, const std::string& sentence) const {
  std::vector<std::int32_t> ids = language.encode(sentence);
  if (static_cast<Index>(ids.size()) > longest_sentence())
    throw std::invalid_argument(text("translator: a sentence must have at most ", longest_sentence(),
                                     " tokens: one has ", ids.size()));
  return ids;
}

// A model that has learnt little repeats itself for ever: no translation is longer than that.
Index Translator::longest_translation(const std::vector<std::int32_t>& source, Index most_words) const {
  return std::min({most_words, 2 * static_cast<Index>(source.size()) + 10, longest_sentence()});
}

std::vector<std::vector<Hypothesis>> Translator::search(const std::vector<std::string>& sentences,
                                                        const BeamOptions& options) const {
  std::vector<std::vector<std::int32_t>> sources;
  for (const std::string& sentence : sentences) sources.push_back(encode(source_, sentence));
  std::vector<std::vector<Hypothesis>> result(sentences.size());
  const bool ordered = reverse_.weight > 0 && options.beam_size > 1;
  const auto search_rows = [&](const SourceBatch& batch, const std::vector<std::size_t>& rows) {
    BeamOptions own = options;
    if (ordered) own.n_best = std::max(own.n_best, own.beam_size);
    own.max_lengths.clear();
    for (const std::size_t row : rows)
      own.max_lengths.push_back(longest_translation(sources[row], options.max_length));
    SourceBatch listed = batch;
    if (shortlist_) {
      std::vector<std::vector<std::int32_t>> sentences_of_batch;
      for (const std::size_t row : rows) sentences_of_batch.push_back(sources[row]);
      listed.shortlist = shortlist_->words_for(sentences_of_batch);
    }
    std::vector<std::vector<Hypothesis>> found =
        naming_sentences([&] { return search_batch(*model_, listed, own); },
                         [&](Index row) { return sentences[rows[static_cast<std::size_t>(row)]]; });
    for (std::size_t i = 0; i < rows.size(); ++i) result[rows[i]] = std::move(found[i]);
  };
  for_each_batch(sources, options.beam_size, search_rows);
  if (ordered) order_by_both_ways(sentences, options, result);
  return result;
}

void Translator::set_reverse(Reverse reverse) {
  if (!(reverse.weight >= 0) || std::isinf(reverse.weight))
    throw std::invalid_argument(text(
        "translator: the weight of the way back must be a number of at least 0: it is ", reverse.weight));
  const Language joined{target_.tokenizer.with_spacing(source_.tokenizer.settings().spacing),
                        target_.vocabulary};
  if (reverse.weight > 0 && !reverse.translator && language_to_json(source_) != language_to_json(joined))
    throw std::invalid_argument(
        "translator: to lead back by itself it must have one vocabulary for both sides: it has two");
  reverse_ = std::move(reverse);
}

std::vector<std::vector<std::size_t>> Translator::order_by_both_ways(
    const std::vector<std::string>& sentences, const BeamOptions& options,
    std::vector<std::vector<Hypothesis>>& found) const {
  const Translator& back = reverse_.translator ? *reverse_.translator : *this;
  std::vector<SentencePair> pairs;
  std::vector<Hypothesis*> leading_back;  // the hypothesis of each pair
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (Hypothesis& each : found[i]) {
      if (options.before_word) options.before_word();  // unknown words are looked up
      SentencePair pair{text_of(sentences[i], each), sentences[i]};
      const EncodedPair ids = back.encode(pair);
      if (ids.source.empty() || !back.has_room_for(ids)) {
        each.score = -std::numeric_limits<double>::infinity();
        continue;
      }
      pairs.push_back(std::move(pair));
      leading_back.push_back(&each);
    }
  }
  ScoringOptions scoring;
  scoring.before_word = options.before_word;
  const std::vector<ScoredTranslation> scores = back.score_with(scoring, pairs);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Hypothesis& its = *leading_back[i];
    if (std::isnan(scores[i].log_probability))
      throw std::runtime_error(text("translator: the way back must give probabilities: it gives NaN for \"",
                                    pairs[i].source, "\""));
    const auto length = static_cast<Index>(scores[i].words.size());  // of the sentence, with its end
    its.score += reverse_.weight * scores[i].log_probability / length_penalty(length, options.length_penalty);
  }
  std::vector<std::vector<std::size_t>> orders;
  for (std::vector<Hypothesis>& each : found) {
    std::vector<std::size_t> order(each.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return each[a].finished != each[b].finished ? each[a].finished : each[a].score > each[b].score;
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(options.n_best)));
    std::vector<Hypothesis> best;
    for (const std::size_t place : order) best.push_back(std::move(each[place]));
    each = std::move(best);
    orders.push_back(std::move(order));
  }
  return orders;
}

std::uint64_t Translator::vocabularies() const {
  Fnv hash;
  for (const Language* language : {&source_, &target_}) {
    const std::string all = language_to_json(*language);
    hash.add_bytes(all);
    hash.add(all.size());
  }
  return std::max<std::uint64_t>(hash.sum, Shortlist::any + 1);
}

void Translator::set_shortlist(Shortlist shortlist) {
  if (!model_->takes_shortlists())
    throw std::invalid_argument(
        "translator: a shortlist needs one transformer without a bias of its words: this model is another");
  if (shortlist.vocabularies() != Shortlist::any && shortlist.vocabularies() != vocabularies())
    throw std::invalid_argument(
        "translator: a shortlist must be made for the vocabularies of the model: this one was made for "
        "others");
  if (shortlist.highest() >= target_.vocabulary.size())
    throw std::invalid_argument(text("translator: a shortlist must be of words of the model: it has word ",
                                     shortlist.highest(), ", the vocabulary ends before ",
                                     target_.vocabulary.size()));
  shortlist_ = std::move(shortlist);
}

std::vector<Hypothesis> Translator::search(const std::string& sentence, BeamOptions options,
                                           BeamTree& tree) const {
  const EvaluationScope evaluation;
  const std::vector<std::int32_t> source = encode(source_, sentence);
  options.max_length = longest_translation(source, options.max_length);
  options.max_lengths.clear();
  SourceBatch batch = make_source_batch({source});
  if (shortlist_) batch.shortlist = shortlist_->words_for({source});
  const bool ordered = reverse_.weight > 0 && options.beam_size > 1;
  BeamOptions all = options;
  if (ordered) all.n_best = std::max(all.n_best, all.beam_size);
  std::vector<BeamTree> trees;
  std::vector<std::vector<Hypothesis>> found = naming_sentences(
      [&] { return beam_search(*model_, batch, all, &trees); }, [&](Index) { return sentence; });
  tree = std::move(trees.front());
  if (!ordered) return found.front();
  const std::vector<std::size_t> order = std::move(order_by_both_ways({sentence}, options, found).front());
  const std::vector<Index> ends = std::move(tree.results);
  tree.results.clear();
  for (const std::size_t place : order) tree.results.push_back(ends[place]);
  return found.front();
}

std::vector<Hypothesis> Translator::draw(const std::vector<std::string>& sentences,
                                         const DecodingOptions& options, const SamplingOptions& sampling,
                                         Random random) const {
  sampling.check();
  const auto sampled = [&](const SourceBatch& source, const DecodingOptions& own, Random stream) {
    return sample(*model_, source, own, sampling, stream);
  };
  std::vector<Hypothesis> result;
  for (std::vector<Hypothesis>& each : draw_each(sentences, options, random, sampled))
    result.push_back(std::move(each.front()));
  return result;
}

std::vector<std::vector<Hypothesis>> Translator::draw(const std::vector<std::string>& sentences, Index count,
                                                      const DecodingOptions& options, double temperature,
                                                      Random random) const {
  if (count < 1 || count > most_drawn)
    throw std::invalid_argument(text("translator: so many translations cannot be drawn: must be from 1 to ",
                                     most_drawn, ": got ", count));
  const auto sampled = [&](const SourceBatch& source, const DecodingOptions& own, Random stream) {
    return ancestral_samples(*model_, source, own, temperature, stream, count);
  };
  return draw_each(sentences, options, random, sampled);
}

template <class Sample>
std::vector<std::vector<Hypothesis>> Translator::draw_each(const std::vector<std::string>& sentences,
                                                           const DecodingOptions& options, Random random,
                                                           Sample sampled) const {
  if (shortlist_)
    throw std::invalid_argument(
        "translator: a shortlist is for searches alone: what is drawn may be any word");
  std::vector<std::vector<std::int32_t>> sources;
  std::vector<Random> streams;
  for (const std::string& sentence : sentences) {
    sources.push_back(encode(source_, sentence));
    streams.push_back(random.split());
  }
  std::vector<std::vector<Hypothesis>> result(sentences.size());
  parallel_tasks(static_cast<Index>(sentences.size()), [&](Index task) {
    const auto place = static_cast<std::size_t>(task);
    const EvaluationScope evaluation;
    DecodingOptions own = options;
    own.max_length = longest_translation(sources[place], options.max_length);
    own.max_lengths.clear();
    result[place] =
        naming_sentences([&] { return sampled(make_source_batch({sources[place]}), own, streams[place]); },
                         [&](Index) { return sentences[place]; });
  });
  return result;
}

std::vector<ScoredTranslation> Translator::score(const std::vector<SentencePair>& pairs, Index rivals) const {
  ScoringOptions options;
  options.rivals = rivals;
  return score_with(options, pairs);
}

std::vector<ScoredTranslation> Translator::score_with(const ScoringOptions& options,
                                                      const std::vector<SentencePair>& pairs) const {
  std::vector<std::vector<std::int32_t>> sources, targets;
  for (const SentencePair& pair : pairs) {
    sources.push_back(encode(source_, pair.source));
    targets.push_back(encode(target_, pair.target));
  }
  std::vector<ScoredTranslation> result(pairs.size());
  for_each_batch(sources, 1, [&](const SourceBatch& batch, const std::vector<std::size_t>& rows) {
    std::vector<std::vector<std::int32_t>> translations;
    for (const std::size_t row : rows) translations.push_back(targets[row]);
    std::vector<ScoredTranslation> scored = gradual::score(*model_, batch, translations, options);
    for (std::size_t i = 0; i < rows.size(); ++i) result[rows[i]] = std::move(scored[i]);
  });
  return result;
}

std::string Translator::text_of(const std::string& sentence, const Hypothesis& hypothesis) const {
  const std::vector<std::int32_t> written = Vocabulary::written(hypothesis.tokens);
  std::vector<std::string> tokens = target_.vocabulary.decode(written);
  const auto is_unknown = [](std::int32_t id) { return id == Vocabulary::unknown; };
  if (std::any_of(written.begin(), written.end(), is_unknown)) {
    const std::vector<std::string> source = source_.tokenizer.split(sentence);
    const EncodedPair ids{source_.vocabulary.encode(source), written};
    const bool any = std::none_of(ids.source.begin(), ids.source.end(), is_unknown);
    each_look_at_source(*model_, ids, is_unknown, [&](std::size_t t, const Tensor& attention) {
      Real most = -1;
      for (std::size_t s = 0; s < source.size(); ++s) {
        const Real weight = attention.data()[s];
        if (weight <= most || (!any && !is_unknown(ids.source[s]))) continue;
        most = weight;
        tokens[t] = source[s];
      }
    });
  }
  return target_.tokenizer.join(tokens);
}

std::vector<std::string> Translator::translate(const std::vector<std::string>& sentences,
                                               const BeamOptions& options) const {
  std::vector<std::string> translations;
  for (const auto& hypotheses : search(sentences, options))
    translations.push_back(text_of(sentences[translations.size()], hypotheses.front()));
  return translations;
}

}  // namespace gradual
