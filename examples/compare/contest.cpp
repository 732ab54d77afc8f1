#include "contest.hpp"

#include <algorithm>
#include <ctime>
#include <functional>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/translation/learn_translator.hpp>
#include <gradual/nn/translation/training_text.hpp>

#include "../terminal/reporter.hpp"

using namespace gradual;

namespace {

constexpr Index training_pairs = 20000;
constexpr std::size_t drawn_sentences = 6;

struct Contestant {
  std::string name;
  ModelConfig model;
};

std::vector<Contestant> contestants(const ContestSettings& settings) {
  TransformerConfig heads;
  heads.width = settings.width;
  heads.heads = settings.heads;
  heads.feed_forward = 2 * settings.width;
  heads.encoder_layers = heads.decoder_layers = settings.layers;
  heads.dropout = 0;
  TransformerConfig mean = heads, window = heads;
  mean.attention_layer = "mean";
  window.window = settings.window;
  const auto one_head = [&](const std::string& score) {
    TransformerConfig config = heads;
    config.attention_layer = "one_head";
    config.attention = score;
    return config;
  };
  const auto recurrent = [&](const std::string& attention) {
    RecurrentConfig config;
    config.embedding_width = config.hidden_width = settings.width;
    config.attention = attention;
    config.dropout = 0;
    return config;
  };
  return {{"equal weights", mean},
          {"recurrent", recurrent("none")},
          {"additive", one_head("additive")},
          {"dot", one_head("dot")},
          {"scaled dot", one_head("scaled_dot")},
          {"recurrent, additive", recurrent("additive")},
          {"multi-head", heads},
          {"local window", window}};
}

void translate(const Translator& translator, const Task& task, Outcome& outcome) {
  std::vector<SentencePair> pairs;
  for (const AlignedPair& each : task.test) pairs.push_back(each.pair);
  outcome.judged = judge(translator, pairs, usual_search());
  const auto right = std::count_if(outcome.judged.begin(), outcome.judged.end(),
                                   [](const Judged& each) { return each.right(); });
  outcome.exact = 100 * static_cast<double>(right) / static_cast<double>(pairs.size());
  outcome.bleu = bleu(outcome.judged, {}).score;
}

// Whether some words change their order: only then can a map show more than a diagonal.
bool crosses(const AlignedPair& pair) {
  for (const auto& [source, target] : pair.alignment) {
    for (const auto& [other_source, other_target] : pair.alignment)
      if (source < other_source && target > other_target) return true;
  }
  return false;
}

// The maps of all heads that look at the source, while the model is told the right translation: all
// contestants are asked the same.
std::vector<AttentionMap> source_maps(const Translator& translator, const SentencePair& pair) {
  const auto source = translator.source().tokenizer.split(pair.source);
  const auto target = translator.target().tokenizer.split(pair.target);
  std::vector<AttentionMap> maps;
  for (const Tensor& weights : attention_to_source(translator.model(), translator.encode(pair)))
    for (AttentionMap& head : attention_maps(weights, target, source)) maps.push_back(std::move(head));
  return maps;
}

// That of one of these heads with the ends of both sentences, so that its rows sum to 1.
AttentionMap whole_map(const Translator& translator, const SentencePair& pair, std::size_t head) {
  std::vector<AttentionMap> maps;
  for (const std::vector<AttentionMap>& layer : head_maps_to_source(translator, pair))
    maps.insert(maps.end(), layer.begin(), layer.end());
  return maps.at(head);
}

AttentionMap mean_of(const std::vector<AttentionMap>& maps) {
  AttentionMap mean = maps.front();
  for (std::size_t i = 0; i < mean.weights.size(); ++i) {
    mean.weights[i] = 0;
    for (const AttentionMap& map : maps) mean.weights[i] += map.weights[i] / static_cast<float>(maps.size());
  }
  return mean;
}

// Whether all words that it could look at count alike.
bool is_even(const AttentionMap& map) {
  return std::adjacent_find(map.weights.begin(), map.weights.end(), std::not_equal_to<>()) ==
         map.weights.end();
}

// How often the attention to the source is sure: the share of words, over all heads, that give more than 95 %
// of their weight to one word.
double share_sure(const Translator& translator, const Task& task) {
  constexpr float sure_from = 0.95F;
  double sure = 0, rows = 0;
  for (const AlignedPair& each : task.test) {
    for (const AttentionMap& map : source_maps(translator, each.pair)) {
      for (std::size_t row = 0; row < map.queries.size(); ++row) {
        const auto from = map.weights.begin() + static_cast<std::ptrdiff_t>(row * map.keys.size());
        const float largest = *std::max_element(from, from + static_cast<std::ptrdiff_t>(map.keys.size()));
        sure += largest > sure_from ? 1 : 0;
        ++rows;
      }
    }
  }
  return rows > 0 ? sure / rows : 0;
}

void train(const Translator& translator, const std::string& shown_as, const Task& task,
           const ContestSettings& settings, Outcome& outcome) {
  ListStream<SentencePair> pairs(task.train);
  TrainingText batches(translator, pairs, settings.batch_tokens, settings.seed + 17);
  Adam adam(parameters(translator.model()));
  Trainer trainer(
      translator.model(), adam,
      {Decay::cosine, settings.learning_rate, std::max<Index>(settings.steps / 10, 1), settings.steps});
  show_progress(trainer, settings.steps, shown_as, settings.quiet);
  outcome.sure_before = share_sure(translator, task);
  outcome.early = (settings.steps + 4) / 5;
  std::clock_t looking = 0;  // which is not training
  trainer.every(outcome.early, [&](const TrainingStep& now) {
    if (now.step != outcome.early) return;
    const std::clock_t begun = std::clock();
    outcome.sure_early = share_sure(translator, task);
    looking = std::clock() - begun;
  });
  // The time of the processors: other programs on the machine change it little.
  const std::clock_t start = std::clock();
  trainer.run([&](Index n) { return translator.model().loss(batches.batch(n), {}); });
  outcome.cpu_seconds = static_cast<double>(std::clock() - start - looking) / CLOCKS_PER_SEC;
}

void compare_with_alignment(const Translator& translator, const Task& task, Outcome& outcome) {
  std::vector<std::vector<AttentionMap>> maps;
  std::vector<AlignmentMatch> by_head;
  for (const AlignedPair& each : task.test) {
    maps.push_back(source_maps(translator, each.pair));
    if (maps.back().empty()) return;
    outcome.match += match_alignment(mean_of(maps.back()), each.alignment);
    by_head.resize(maps.back().size());
    for (std::size_t h = 0; h < by_head.size(); ++h) {
      by_head[h] += match_alignment(maps.back()[h], each.alignment);
      outcome.prefers = outcome.prefers || !is_even(maps.back()[h]);
    }
  }
  outcome.attends = true;
  const auto best = std::max_element(by_head.begin(), by_head.end(),
                                     [](const auto& a, const auto& b) { return a.weight < b.weight; });
  outcome.best = *best;
  for (std::size_t i = 0; i < std::min(drawn_sentences, maps.size()); ++i) {
    outcome.maps.push_back(
        whole_map(translator, task.test[i].pair, static_cast<std::size_t>(best - by_head.begin())));
    outcome.maps.back().title = outcome.name;
  }
}

}  // namespace

Task make_task(const ContestSettings& settings) {
  ToyCorpus corpus = make_toy_corpus(settings.seed, training_pairs, settings.test_sentences, 0);
  Task task{std::move(corpus.train), {}};
  for (const SentencePair& pair : corpus.held_out)
    task.test.push_back({pair, corpus.alignments.at(pair.source)});
  std::stable_partition(task.test.begin(), task.test.end(), crosses);  // the first ones are drawn
  return task;
}

std::size_t number_of_ways(const ContestSettings& settings) { return contestants(settings).size(); }

void hold_contest(const Task& task, const ContestSettings& settings, const std::function<void()>& begin,
                  const std::function<void(const Outcome&)>& done) {
  const std::vector<Contestant> all = contestants(settings);
  std::vector<Translator> translators;  // all at once: bad settings are found before any training
  ListStream<SentencePair> pairs(task.train);
  for (const Contestant& each : all)
    translators.push_back(learn_translator(each.model, pairs, {}, false, Random(settings.seed)));
  begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Translator& translator = translators[i];
    Outcome outcome{all[i].name, count(parameters(translator.model()))};
    train(translator, text(outcome.name, ", ", i + 1, " of ", all.size()), task, settings, outcome);
    translate(translator, task, outcome);
    compare_with_alignment(translator, task, outcome);
    done(outcome);
  }
}
