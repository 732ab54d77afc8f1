// Puts parts of its own, one after the other, into the translator of an installed library: trains each on the
// toy corpus, saves it, loads it, translates and draws its attention.
//
//   open_models FOLDER             one line for each part; the models stay in FOLDER
//   open_models stranger FOLDER    reads them without knowing the parts, and says what happens
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/decoding/word_by_word.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/translation/translation_models.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "parts.hpp"

namespace {

void add_parts() {
  score_kinds().add("distance", [](const ScoreSizes&, Random) { return DistanceScore(); });
  PositionKind fading;
  fading.in_attention = [](Index heads, Index, Random) { return FadingPositions(heads); };
  position_kinds().add("fading", fading);
  norms().add("max", [](Index width, Random) { return MaxNorm(width); });
  feed_forwards().add("gate", [](const FeedForwardSizes& s, Random random) { return Gate(s.width, random); });
  attention_layers().add(
      "bare", [](const AttentionLayerSettings& s, Random random) { return BareAttention(s, random); });
  encoder_layers().add("neighbours", [](const LayerConfig& config, Random random, const std::string&) {
    return NeighbourLayer(config, random);
  });
  translation_models().add("sharpened",
                           [](const std::string& settings, Index source, Index target, Random random) {
                             TransformerConfig config = transformer_config_from_json(settings);
                             config.source_vocabulary = source;
                             config.target_vocabulary = target;
                             return std::make_unique<Sharpened>(config, random);
                           });
}

TransformerConfig small() {
  TransformerConfig config;
  config.width = 48;
  config.feed_forward = 96;
  config.encoder_layers = config.decoder_layers = 1;
  config.dropout = 0.05;
  return config;
}

void require(bool held, const std::string& what) {
  if (!held) throw std::runtime_error("open models: " + what);
}

class Trial {
 public:
  explicit Trial(std::string folder) : folder_(std::move(folder)), corpus_(make_toy_corpus(1, 4000, 20, 0)) {
    std::vector<std::string> sources, targets;
    for (const SentencePair& pair : corpus_.train) {
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    source_ = learn_language(sources, LanguageOptions());
    target_ = learn_language(targets, LanguageOptions());
  }

  using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(const std::vector<NamedParameter>&)>;

  // Trains a model of `config` for some hundred steps and takes it through a file.
  void run(
      const std::string& name, const ModelConfig& config, double rate = 0.005,
      const MakeOptimizer& make_optimizer = [](const auto& all) { return std::make_unique<Adam>(all); }) {
    const Translator translator(config, *source_, *target_, Random(1));
    std::vector<EncodedPair> pairs;
    for (const SentencePair& pair : corpus_.train) pairs.push_back(translator.encode(pair));
    const auto optimizer = make_optimizer(parameters(translator.model()));
    Trainer trainer(translator.model(), *optimizer, {Decay::cosine, rate, 20, steps});
    Random order(2);
    std::vector<std::vector<Index>> batches;
    double first = 0, last = 0;
    trainer.every(1, [&](const TrainingStep& step) { (step.step == 1 ? first : last) = step.loss; });
    trainer.run([&](Index) -> BatchLoss {
      if (batches.empty()) batches = batches_of_like_length(pairs, 400, order.split());
      const TranslationBatch batch = make_batch(pairs, batches.back());
      batches.pop_back();
      return translator.model().loss(batch, {});
    });
    require(last < 0.6 * first, name + " did not learn: the loss went from " + std::to_string(first) +
                                    " to " + std::to_string(last));

    for (const Leak& leak :
         find_leaks(leak_subject(translator.model(), source_->vocabulary.size(), target_->vocabulary.size())))
      require(false, name + " sees what it must not: " + leak.text);

    const std::string path = folder_ + "/" + name + ".safetensors";
    translator.save(path);
    const Translator loaded = Translator::load(path);
    require(loaded.translate(sentences()) == translator.translate(sentences()),
            name + " translates otherwise when it is loaded");
    require(loaded.score(corpus_.held_out)[0].log_probability ==
                translator.score(corpus_.held_out)[0].log_probability,
            name + " scores otherwise when it is loaded");
    BeamOptions beam;
    beam.beam_size = 3;
    beam.coverage_penalty = 0.2;  // which needs the attention to the source
    require(loaded.search(sentences(), beam).size() == sentences().size(), name + " cannot be searched");
    const std::vector<AttentionMap> maps = maps_to_source(loaded, corpus_.held_out[0]);
    require(maps.size() == 1 && draw_attention_map(maps[0]).find("<svg") == 0, name + " cannot be drawn");
    require(!attention_of(loaded, sentences()[0]).kinds.empty(), name + " has no attention to look at");
    std::cout << name << ": learnt, saved, loaded, translated, drawn" << std::endl;
  }

  // The search's choice of words: the likeliest one that has not been written yet.
  void choose_words() const {
    const Translator translator = Translator::load(folder_ + "/distance.safetensors");
    const std::vector<std::int32_t> sentence = translator.encode(corpus_.held_out[0]).source;
    std::vector<std::int32_t> written;
    const auto choose = [&](const Indices& words, TranslationModel::State& state, const std::vector<Index>&) {
      const TopClasses best = translator.model().next_best(words, state, 20, {0, 1});
      for (std::size_t i = 0; i < best.ids.size(); ++i) {
        if (std::find(written.begin(), written.end(), best.ids[i]) != written.end()) continue;
        written.push_back(best.ids[i]);
        return std::vector<ChosenWord>{{best.ids[i], static_cast<double>(best.log_probabilities[i])}};
      }
      return std::vector<ChosenWord>{{-1, 0}};
    };
    DecodingOptions options;
    options.max_length = 10;
    const EvaluationScope evaluation;
    const auto found = write_word_by_word("no word twice", translator.model(), make_source_batch({sentence}),
                                          options, choose);
    require(!found[0].tokens.empty(), "no words were chosen");
    std::cout << "words: chosen" << std::endl;
  }

  // A part that was put in by hand has no name, and a file could not say what it is.
  void put_in_by_hand() const {
    const Translator translator(small(), *source_, *target_, Random(1));
    auto& model = dynamic_cast<Transformer&>(translator.model());
    model.encoder[0].as<EncoderLayer>().feed_forward = Gate(small().width, Random(1));
    translator.translate(sentences());
    try {
      translator.save(folder_ + "/by_hand.safetensors");
    } catch (const std::logic_error& error) {
      std::cout << error.what() << std::endl;
      return;
    }
    throw std::runtime_error("open models: a model with a part without a name was saved");
  }

 private:
  static constexpr Index steps = 200;
  std::vector<std::string> sentences() const {
    return {corpus_.held_out[0].source, corpus_.held_out[1].source, corpus_.held_out[2].source};
  }

  std::string folder_;
  ToyCorpus corpus_;
  std::optional<Language> source_, target_;
};

void try_all(const std::string& folder) {
  add_parts();
  Trial trial(folder);
  TransformerConfig config = small();
  config.attention = "distance";
  trial.run("distance", config);
  config = small();
  config.positions = "fading";
  trial.run("fading", config);
  config = small();
  config.norm_kind = "max";
  trial.run("max", config);
  config = small();
  config.activation = "gate";
  trial.run("gate", config);
  config = small();
  config.attention_layer = "bare";
  trial.run("bare", config);
  config = small();
  config.encoder_layer = "neighbours";
  trial.run("neighbours", config);
  trial.run("sharpened", ModelConfig("sharpened", config_to_json(small())));
  trial.run("sign", small(), 0.001, [](const auto& all) { return std::make_unique<SignDescent>(all); });
  trial.choose_words();
  trial.put_in_by_hand();
}

void read_as_stranger(const std::string& folder) {
  for (const char* name : {"distance", "fading", "max", "gate", "bare", "neighbours", "sharpened"}) {
    try {
      Translator::load(folder + "/" + name + ".safetensors");
      std::cout << name << ": loaded" << std::endl;
    } catch (const FileError& error) {
      std::cout << name << ": " << error.what() << std::endl;
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count == 3 && std::string(arguments[1]) == "stranger")
      read_as_stranger(arguments[2]);
    else if (count == 2)
      try_all(arguments[1]);
    else
      throw std::invalid_argument("usage: open_models [stranger] FOLDER");
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
