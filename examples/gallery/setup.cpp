#include "setup.hpp"

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/translation/learn_translator.hpp>
#include <gradual/nn/translation/training_text.hpp>

#include "bugs.hpp"

using namespace gradual;

namespace gallery {

Setup::Setup() {
  config.width = 32;
  config.heads = 2;
  config.feed_forward = 64;
  config.encoder_layers = config.decoder_layers = 2;
  config.dropout = 0.05;
  config.norm = NormPlace::after;
  schedule.peak = 0.01;
  schedule.warmup = 60;
  schedule.total = 1000;
  attention = [](const AttentionLayerSettings& settings, Random random) {
    return OpenAttention(settings, random);
  };
  feed_forward = [](const FeedForwardSizes& sizes, Random random) {
    return FeedForward(sizes.width, sizes.inner_width, Activation::relu, sizes.dropout, random);
  };
  model = [](const TransformerConfig& sizes, Random random) {
    return std::make_unique<Transformer>(sizes, random);
  };
  batch = [](TranslationBatch unchanged) { return unchanged; };
  step = [](const std::vector<NamedParameter>& parameters, Optimizer& optimizer,
            const std::function<Var()>& loss, double rate) {
    zero_gradients(parameters);
    backward(loss());
    optimizer.step(rate, clipping_scale(gradient_norm(parameters), 1));
  };
}

namespace {

// The setup's parts in the places of the library's.
std::unique_ptr<Transformer> make_model(const Setup& setup, const TransformerConfig& config, Random random) {
  std::unique_ptr<Transformer> model = setup.model(config, random.split());
  AttentionLayerSettings settings;
  settings.width = config.width;
  settings.heads = config.heads;
  const auto attention = [&](const std::string& name) {
    settings.name = name;
    return setup.attention(settings, random.split());
  };
  const FeedForwardSizes sizes{config.width, config.feed_forward, config.dropout};
  for (std::size_t i = 0; i < model->encoder.size(); ++i) {
    auto& layer = model->encoder[i].as<EncoderLayer>();
    layer.self_attention = attention("encoder." + std::to_string(i) + ".self_attention");
    layer.feed_forward = setup.feed_forward(sizes, random.split());
  }
  for (std::size_t i = 0; i < model->decoder.size(); ++i) {
    auto& layer = model->decoder[i].as<DecoderLayer>();
    layer.self_attention = attention("decoder." + std::to_string(i) + ".self_attention");
    layer.cross_attention = attention("decoder." + std::to_string(i) + ".cross_attention");
    layer.feed_forward = setup.feed_forward(sizes, random.split());
  }
  return model;
}

}  // namespace

Training::Training(const Setup& setup, std::uint64_t seed, Index pairs) : setup_(setup) {
  ToyCorpus corpus = make_toy_corpus(seed, pairs, 100, 0);
  held_out_ = std::move(corpus.held_out);
  ListStream<SentencePair> stream(corpus.train);
  const Translator text = learn_translator(setup.config, stream);
  TransformerConfig config = setup.config;
  config.source_vocabulary = text.source().vocabulary.size();
  config.target_vocabulary = text.target().vocabulary.size();
  translator_ =
      std::make_unique<Translator>(make_model(setup, config, Random(seed)), text.source(), text.target());
  for (const SentencePair& pair : corpus.train) pairs_.push_back(text.encode(pair));
  parameters_ = parameters(translator_->model());
  adam_ = std::make_unique<Adam>(parameters_);
}

Transformer& Training::model() const { return dynamic_cast<Transformer&>(translator_->model()); }

TranslationBatch Training::batch(Index n) const {
  constexpr Index size = 24;
  std::vector<Index> rows;
  for (Index i = 0; i < size; ++i) rows.push_back((n * size + i) % static_cast<Index>(pairs_.size()));
  return setup_.batch(make_batch(pairs_, rows));
}

std::vector<double> Training::train(Index steps) {
  std::vector<double> losses;
  set_training(translator_->model(), true);
  for (; steps_ < steps; ++steps_)
    setup_.step(
        parameters_, *adam_,
        [&] {
          const Var loss = translator_->model().loss(batch(steps_), {});
          losses.push_back(loss.value().item());
          return loss;
        },
        setup_.schedule(steps_ + 1));
  set_training(translator_->model(), false);
  return losses;
}

double Training::held_out_loss() const {
  return ValidationText(*translator_, held_out_, 1000).mean_loss(translator_->model());
}

Patient Training::patient() {
  Patient patient = translation_patient(translator_->model(), translator_->source().vocabulary.size(),
                                        translator_->target().vocabulary.size());
  patient.batch = [this](Index n) { return batch(n); };
  patient.begin = [this] {
    const auto adam = std::make_shared<Adam>(parameters_);
    return [this, adam](const std::function<Var()>& loss, double rate) {
      setup_.step(parameters_, *adam, loss, rate);
    };
  };
  patient.rate = setup_.schedule;
  return patient;
}

}  // namespace gallery
