#include "result.hpp"

#include <algorithm>
#include <numeric>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>

using namespace gradual;

namespace gallery {
namespace {

std::string word_of(const Language& language, std::int32_t id) {
  if (id == Vocabulary::bos) return "▷";
  if (id == Vocabulary::eos) return "⏎";
  if (id == Vocabulary::pad) return "□";
  return language.vocabulary.token(id);
}

std::vector<std::string> words_of(const Language& language, const std::vector<std::int32_t>& ids) {
  std::vector<std::string> words;
  for (const std::int32_t id : ids) words.push_back(word_of(language, id));
  return words;
}

// The example beside a longer sentence, so that it has padding, as it is when a batch is trained on.
std::vector<AttentionMap> maps_of(const Training& training) {
  const Translator& translator = training.translator();
  const auto longest =
      std::max_element(training.held_out().begin(), training.held_out().end(),
                       [](const auto& a, const auto& b) { return a.source.size() < b.source.size(); });
  const TranslationBatch batch =
      make_batch({translator.encode(example_of(training)), translator.encode(*longest)}, {0, 1});
  const auto row = [](const Indices& ids) {
    return std::vector<std::int32_t>(ids.begin(), ids.begin() + ids.dim(1));
  };
  const std::vector<std::string> source = words_of(translator.source(), row(batch.source.ids)),
                                 target = words_of(translator.target(), row(batch.input));
  const AttentionRecorder recorder;
  {
    const EvaluationScope evaluation;
    const NoGrad no_grad;
    translator.model().loss(batch, {});
  }
  std::vector<AttentionMap> maps;
  for (const RecordedAttention& each : recorder.recorded()) {
    const bool encoder = each.is_of_encoder();
    AttentionMap map = mean_attention_map(each.weights, encoder ? source : target,
                                          each.to == AttentionTo::source || encoder ? source : target);
    map.title = each.layer;
    for (float& weight : map.weights)
      weight = std::clamp(weight, 0.f, 1.f);  // a broken softmax may exceed it
    maps.push_back(map);
  }
  return maps;
}

}  // namespace

const SentencePair& example_of(const Training& training) {
  const auto& pairs = training.held_out();
  return *std::find_if(pairs.begin(), pairs.end(), [](const SentencePair& pair) {
    return std::count(pair.source.begin(), pair.source.end(), ' ') == 4;
  });
}

Result result_of(const std::string& title, const Setup& setup, Index steps, std::uint64_t seed) {
  Result result;
  result.title = title;
  Training training(setup, seed, pairs_to_learn);
  result.diagnosis = examine(training.patient());
  result.losses = training.train(steps);
  result.held_out_loss = training.held_out_loss();
  std::vector<std::string> sources;
  for (const SentencePair& pair : training.held_out()) sources.push_back(pair.source);
  const std::vector<std::string> written = training.translator().translate(sources);
  for (std::size_t i = 0; i < written.size(); ++i)
    result.right += (written[i] == training.held_out()[i].target) / static_cast<double>(written.size());
  result.translation = training.translator().translate({example_of(training).source}).front();
  result.maps = maps_of(training);
  return result;
}

double final_loss(const Result& result) {
  const std::size_t count = std::min<std::size_t>(20, result.losses.size());
  return std::accumulate(result.losses.end() - static_cast<std::ptrdiff_t>(count), result.losses.end(), 0.0) /
         static_cast<double>(count);
}

Series curve(const std::string& name, const std::vector<double>& losses) {
  constexpr std::size_t mean_of = 20;
  Series series{name, {}, {}};
  for (std::size_t first = 0; first + mean_of <= losses.size(); first += mean_of) {
    double sum = 0;
    for (std::size_t i = first; i < first + mean_of; ++i) sum += losses[i];
    series.x.push_back(static_cast<double>(first + mean_of));
    series.y.push_back(sum / mean_of);
  }
  return series;
}

}  // namespace gallery
