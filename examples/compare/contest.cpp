#include "contest.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <memory>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/text/words.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "mixing.hpp"

using namespace gradual;

namespace {

constexpr Index training_pairs = 20000;
constexpr std::size_t drawn_sentences = 6;

using Words = std::vector<std::string>;

struct Contestant {
  std::string name, description;
};

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all{
      {"none: mean", "no scores: every visible word counts alike"},
      {"none: recurrent", "a GRU reads, another writes; all it knows of the source is one vector"},
      {"recurrent, additive", "the same, and it looks back at the source with additive attention"},
      {"additive", "one head, vᵀ·tanh(W_q·q + W_k·k)"},
      {"dot", "one head, qᵀk"},
      {"scaled dot", "one head, qᵀk/√d"},
      {"multi-head", "several heads, each with its own scaled dot"},
      {"local window", "several heads; inside a sentence each word sees only its neighbours"}};
  return all;
}

std::unique_ptr<TranslationModel> make_model(const std::string& name, const Task& task,
                                             const ContestSettings& settings) {
  const Random random(settings.seed);
  if (name == "none: recurrent" || name == "recurrent, additive") {
    RecurrentConfig config;
    config.source_vocabulary = task.source.size();
    config.target_vocabulary = task.target.size();
    config.embedding_width = config.hidden_width = settings.width;
    config.attention = name == "none: recurrent" ? "none" : "additive";
    config.dropout = 0;
    return std::make_unique<RecurrentTranslator>(config, random);
  }
  TransformerConfig config;
  config.source_vocabulary = task.source.size();
  config.target_vocabulary = task.target.size();
  config.width = settings.width;
  config.heads = settings.heads;
  config.feed_forward = 2 * settings.width;
  config.encoder_layers = config.decoder_layers = settings.layers;
  config.dropout = 0;
  config.max_length = 64;
  if (name == "none: mean") config.attention_layer = "mean";
  if (name == "local window") config.window = settings.window;
  static const std::map<std::string, std::string> scores{
      {"additive", "additive"}, {"dot", "dot"}, {"scaled dot", "scaled_dot"}};
  if (const auto score = scores.find(name); score != scores.end()) {
    config.attention_layer = "one_head";
    config.attention = score->second;
  }
  return std::make_unique<Transformer>(config, random);
}

// The time of the processors: other programs on the machine change it little.
double cpu_seconds_to_train(TranslationModel& model, const Task& task, const ContestSettings& settings) {
  Adam adam(parameters(model));
  Trainer trainer(
      model, adam,
      {Decay::cosine, settings.learning_rate, std::max<Index>(settings.steps / 10, 1), settings.steps});
  Random order(settings.seed + 17);
  const std::clock_t start = std::clock();
  std::vector<std::vector<Index>> batches;
  trainer.run([&](Index) {
    if (batches.empty()) batches = batches_of_like_length(task.train, settings.batch_tokens, order.split());
    const TranslationBatch batch = make_batch(task.train, batches.back());
    batches.pop_back();
    return model.loss(batch, {});
  });
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string joined(const Words& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : " ") + word;
  return result;
}

void translate(const TranslationModel& model, const Task& task, Outcome& outcome) {
  std::vector<std::vector<std::int32_t>> sources;
  for (const TestPair& pair : task.test) sources.push_back(pair.ids.source);
  DecodingOptions options;
  options.max_length = 30;
  const std::vector<Hypothesis> written = greedy(model, make_source_batch(sources), options);
  std::vector<std::string> translations;
  std::vector<std::vector<std::string>> references;
  double right = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    translations.push_back(joined(task.target.decode(written[i].tokens)));
    references.push_back({joined(task.test[i].target)});
    if (translations.back() == references.back()[0]) ++right;
  }
  outcome.exact = 100 * right / static_cast<double>(written.size());
  outcome.bleu = bleu(translations, references).score;
}

// Whether some words change their order: only then can a map show more than a diagonal.
bool crosses(const TestPair& pair) {
  for (const auto& [source, target] : pair.alignment) {
    for (const auto& [other_source, other_target] : pair.alignment)
      if (source < other_source && target > other_target) return true;
  }
  return false;
}

// For each sentence the maps of all heads that look at the source, while the model is told the right
// translation: all contestants are asked the same.
std::vector<std::vector<AttentionMap>> source_maps(const TranslationModel& model,
                                                   const std::vector<TestPair>& test) {
  std::vector<EncodedPair> pairs;
  std::vector<Index> rows;
  for (const TestPair& pair : test) {
    rows.push_back(static_cast<Index>(pairs.size()));
    pairs.push_back(pair.ids);
  }
  const NoGrad no_grad;
  AttentionRecorder recorder;
  model.loss(make_batch(pairs, rows), {});
  std::vector<std::vector<AttentionMap>> maps(test.size());
  for (const Tensor& weights : recorder.to_source()) {
    for (std::size_t i = 0; i < test.size(); ++i) {
      const auto heads = attention_maps(weights, test[i].target, test[i].source, static_cast<Index>(i));
      maps[i].insert(maps[i].end(), heads.begin(), heads.end());
    }
  }
  return maps;
}

AttentionMap mean_of(const std::vector<AttentionMap>& maps) {
  AttentionMap mean = maps.front();
  for (std::size_t i = 0; i < mean.weights.size(); ++i) {
    mean.weights[i] = 0;
    for (const AttentionMap& map : maps) mean.weights[i] += map.weights[i] / static_cast<float>(maps.size());
  }
  return mean;
}

void compare_with_alignment(const TranslationModel& model, const Task& task, Outcome& outcome) {
  const auto maps = source_maps(model, task.test);
  const std::size_t heads = maps.front().size();
  outcome.attends = heads > 0;
  if (!outcome.attends) return;
  std::vector<AlignmentMatch> by_head(heads);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    outcome.match += match_alignment(mean_of(maps[i]), task.test[i].alignment);
    for (std::size_t h = 0; h < heads; ++h) by_head[h] += match_alignment(maps[i][h], task.test[i].alignment);
  }
  const auto best = std::max_element(by_head.begin(), by_head.end(),
                                     [](const auto& a, const auto& b) { return a.weight < b.weight; });
  outcome.best = *best;
  for (std::size_t i = 0; i < std::min(drawn_sentences, maps.size()); ++i) {
    outcome.maps.push_back(maps[i][static_cast<std::size_t>(best - by_head.begin())]);
    outcome.maps.back().title = outcome.name;
  }
}

}  // namespace

Task make_task(const ContestSettings& settings) {
  const ToyCorpus corpus = make_toy_corpus(settings.seed, training_pairs, settings.test_sentences, 0);
  std::vector<Words> sources, targets;
  for (const SentencePair& pair : corpus.train) {
    sources.push_back(split_words(pair.source));
    targets.push_back(split_words(pair.target));
  }
  Task task{Vocabulary::build(sources), Vocabulary::build(targets), {}, {}};
  for (std::size_t i = 0; i < sources.size(); ++i)
    task.train.push_back({task.source.encode(sources[i]), task.target.encode(targets[i])});
  for (const SentencePair& pair : corpus.held_out) {
    const Words source = split_words(pair.source), target = split_words(pair.target);
    task.test.push_back({source,
                         target,
                         {task.source.encode(source), task.target.encode(target)},
                         corpus.alignments.at(pair.source)});
  }
  std::stable_partition(task.test.begin(), task.test.end(), crosses);  // the first ones are drawn
  return task;
}

std::vector<Outcome> hold_contest(const Task& task, const ContestSettings& settings,
                                  const std::function<void(const Outcome&)>& done) {
  std::vector<std::unique_ptr<TranslationModel>>
      models;  // all at once: bad settings are found before any training
  for (const Contestant& contestant : contestants())
    models.push_back(make_model(contestant.name, task, settings));
  std::vector<Outcome> outcomes;
  for (const Contestant& contestant : contestants()) {
    const auto model = std::move(models[outcomes.size()]);
    Outcome outcome;
    outcome.name = contestant.name;
    outcome.description = contestant.description;
    outcome.parameters = count(parameters(*model));
    outcome.cpu_seconds = cpu_seconds_to_train(*model, task, settings);
    translate(*model, task, outcome);
    compare_with_alignment(*model, task, outcome);
    done(outcome);
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}
