// Sixty sound runs, small ones: of models of every kind, with many settings, sizes, texts and seeds. The
// doctor must find nothing in any of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/language/characters.hpp>
#include <gradual/nn/language/windows.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

namespace gradual {

struct SoundRun {
  std::string name;
  std::function<Diagnosis()> diagnose;
};

namespace sound {

// Of a list, the i-th, again and again.
template <class Value>
Value one_of(std::initializer_list<Value> values, Index i) {
  return *(values.begin() + i % static_cast<Index>(values.size()));
}

struct Text {
  std::vector<EncodedPair> pairs;
  Index source_words, target_words;

  TranslationBatch batch(Index n, Index size) const {
    std::vector<Index> rows;
    for (Index i = 0; i < size; ++i) rows.push_back((n * size + i) % static_cast<Index>(pairs.size()));
    return make_batch(pairs, rows);
  }
};

inline Text toy_text(Index i) {
  const ToyCorpus corpus = make_toy_corpus(static_cast<std::uint64_t>(i + 1), 200 + 40 * (i % 5), 0, 0);
  ListStream<SentencePair> stream(corpus.train);
  TransformerConfig any;
  any.width = 8;
  const Translator translator = learn_translator(any, stream);
  Text text{{}, translator.source().vocabulary.size(), translator.target().vocabulary.size()};
  for (const SentencePair& pair : corpus.train) text.pairs.push_back(translator.encode(pair));
  return text;
}

inline Text reversal_text(Index i) {
  const ReversalTask task(8 + 3 * (i % 4), 6 + i % 3);
  Random random(static_cast<std::uint64_t>(i + 1));
  Text text{{}, task.vocabulary_size(), task.vocabulary_size()};
  for (Index n = 0; n < 256; ++n) text.pairs.push_back(task.draw(random.split()));
  return text;
}

inline void choose(LayerConfig& config, Index i) {
  config.width = one_of<Index>({16, 24, 32}, i);
  config.heads = one_of<Index>({2, 4, 1}, i);
  config.feed_forward = 2 * config.width;
  config.dropout = one_of({0.0, 0.1, 0.3}, i / 2);
  config.norm = one_of({NormPlace::before, NormPlace::after}, i / 3);
  config.norm_kind = one_of<const char*>({"layer_norm", "rms_norm"}, i / 2);
  config.activation = one_of<const char*>({"relu", "gelu", "swiglu"}, i / 2);
  config.positions = one_of<const char*>({"sinusoidal", "learned", "rotary", "relative", "alibi"}, i);
  config.attention =
      one_of<const char*>({"scaled_dot", "general", "additive", "dot", "scaled_dot", "cosine"}, i);
}

inline Schedule schedule(Index i) {
  Schedule schedule;
  schedule.decay = one_of({Decay::inverse_square_root, Decay::cosine, Decay::linear}, i);
  schedule.peak = one_of({0.003, 0.005, 0.002}, i);
  schedule.warmup = one_of<Index>({50, 200, 20}, i);
  schedule.total = 2000;
  return schedule;
}

template <class Model, class Config>
Diagnosis of_translation(Config config, const Text& text, Index i) {
  config.source_vocabulary = text.source_words;
  config.target_vocabulary = text.target_words;
  config.tied_output = i % 4 != 3;
  Model model(config, Random(static_cast<std::uint64_t>(i + 100)));
  Patient patient = translation_patient(model, text.source_words, text.target_words);
  patient.batch = [&](Index n) { return text.batch(n, 12 + i % 5); };
  patient.rate = schedule(i);
  return examine(patient);
}

inline Diagnosis transformer(const Text& text, Index i) {
  TransformerConfig config;
  choose(config, i);
  config.encoder_layers = 1 + i % 2;
  config.decoder_layers = 1 + i / 2 % 2;
  return of_translation<Transformer>(config, text, i);
}

inline Diagnosis recurrent(const Text& text, Index i) {
  RecurrentConfig config;
  config.embedding_width = one_of<Index>({16, 24}, i);
  config.hidden_width = one_of<Index>({24, 32}, i / 2);
  config.cell = one_of({CellKind::gru, CellKind::lstm}, i);
  config.attention = one_of<const char*>({"additive", "dot", "general", "none"}, i);
  return of_translation<RecurrentTranslator>(config, text, i);
}

inline Diagnosis language_model(Index i) {
  std::string lines;
  const ToyCorpus corpus = make_toy_corpus(static_cast<std::uint64_t>(i + 1), 200, 0, 0);
  for (const SentencePair& pair : corpus.train) lines += (i % 2 == 0 ? pair.source : pair.target) + "\n";
  const Characters letters = Characters::of(lines);
  const std::vector<std::int32_t> tokens = letters.encode(lines);
  StackConfig config;
  choose(config, i);
  config.vocabulary = letters.size();
  config.layers = 1 + i % 2;
  LanguageModel model(config, Random(static_cast<std::uint64_t>(i + 100)));
  Patient patient = language_patient(model);
  patient.batch = [&](Index n) {
    const TextWindows windows = random_windows(tokens, 12, 12 + i % 6, Random(static_cast<std::uint64_t>(n)));
    return TranslationBatch{{}, windows.input, windows.output};
  };
  patient.rate = schedule(i);
  return examine(patient);
}

// Which of four groups the first word of a sentence is in.
inline Diagnosis classifier(Index i) {
  const Text text = toy_text(i);
  StackConfig config;
  choose(config, i);
  config.vocabulary = text.source_words;
  config.layers = 1 + i % 2;
  Classifier model(config, 4, one_of({Pooling::mean, Pooling::attention}, i),
                   Random(static_cast<std::uint64_t>(i + 100)));
  Patient patient = classifier_patient(model, 4);
  patient.batch = [&](Index n) {
    const TranslationBatch pairs = text.batch(n, 16);
    std::vector<std::int32_t> labels;
    for (Index b = 0; b < 16; ++b) labels.push_back(pairs.source.ids[b * pairs.source.ids.dim(1)] % 4);
    return TranslationBatch{pairs.source, {}, Indices({16}, std::move(labels))};
  };
  patient.rate = schedule(i);
  return examine(patient);
}

}  // namespace sound

/// The first `count` of the sixty.
inline std::vector<SoundRun> sound_runs(Index count = 60) {
  std::vector<SoundRun> runs;
  for (Index n = 0; n < count; ++n) {
    const Index i = n / 5;
    const std::string number = " " + std::to_string(n + 1);
    switch (n % 5) {
      case 0:
        runs.push_back({"transformer" + number, [i] { return sound::transformer(sound::toy_text(i), i); }});
        break;
      case 1:
        runs.push_back({"recurrent" + number, [i] { return sound::recurrent(sound::toy_text(i), i); }});
        break;
      case 2:
        runs.push_back({"language model" + number, [i] { return sound::language_model(i); }});
        break;
      case 3:
        runs.push_back({"classifier" + number, [i] { return sound::classifier(i); }});
        break;
      default:
        runs.push_back(
            {"reversal" + number, [i] { return sound::transformer(sound::reversal_text(i), i + 1); }});
    }
  }
  return runs;
}

}  // namespace gradual
