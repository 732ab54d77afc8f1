#include <gradual/nn/recurrent/translator.hpp>

#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/seq2seq/config_checks.hpp>

namespace gradual {
namespace {

const RecurrentConfig& checked(const RecurrentConfig& config) {
  config.check();
  return config;
}

bool attends(const RecurrentConfig& config) { return config.attention != "none"; }

struct RecurrentState : TranslationModel::State {
  RecurrentTranslator::Memory memory;

  void select(const std::vector<Index>& rows) override {
    const auto chosen = [&](const Var& x) {
      std::vector<std::int32_t> ids(rows.begin(), rows.end());
      const Index batch = x.dim(0), count = static_cast<Index>(rows.size());
      Shape shape = x.shape();
      shape.set(0, count);
      const Tensor table = x.value().with_shape({batch, x.size() / batch});
      return Var(take_rows(table, Indices({count}, std::move(ids))).with_shape(shape));
    };
    memory.state = chosen(memory.state);
    if (!memory.keys.defined()) return;
    memory.keys = chosen(memory.keys);
    memory.values = chosen(memory.values);
    if (memory.mask.valid_lengths.size() == 0) return;  // all words are valid
    std::vector<std::int32_t> lengths;
    for (Index row : rows) lengths.push_back(memory.mask.valid_lengths[row]);
    memory.mask.valid_lengths = {Shape{static_cast<Index>(rows.size())}, lengths};
  }
};

}  // namespace

void RecurrentConfig::check() const {
  constexpr const char* model = "recurrent translator";
  check_size(model, "source_vocabulary", source_vocabulary);
  check_size(model, "target_vocabulary", target_vocabulary);
  check_size(model, "embedding_width", embedding_width);
  check_size(model, "hidden_width", hidden_width);
  check_size(model, "max_length", max_length, 1, largest_length);
  if (hidden_width % 2 != 0)
    throw std::invalid_argument(
        text("recurrent translator: hidden_width must be even, half for each direction of the encoder: got ",
             hidden_width));
  check_dropout(model, "dropout", dropout);
  check_dropout(model, "word_dropout", word_dropout);
  if (shared_embeddings && source_vocabulary != target_vocabulary)
    throw std::invalid_argument(
        text("recurrent translator: shared embeddings need one vocabulary: source_vocabulary is ",
             source_vocabulary, ", target_vocabulary is ", target_vocabulary));
}

RecurrentTranslator::RecurrentTranslator(const RecurrentConfig& c, Random random)
    : config_(checked(c)),
      source_embedding(c.source_vocabulary, c.embedding_width, random),
      target_embedding(c.shared_embeddings ? source_embedding
                                           : Embedding(c.target_vocabulary, c.embedding_width, random)),
      encoder(c.cell, c.embedding_width, c.hidden_width / 2, Direction::both, random),
      decoder(c.cell, c.embedding_width, c.hidden_width, random),
      bridge(decoder.state_width(), decoder.state_width(), random),
      context_gates(c.hidden_width, attends(c) ? decoder.input_bias.dim(0) : 0, random, Linear::Bias::no),
      readout(c.embedding_width + c.hidden_width * (attends(c) ? 2 : 1), c.embedding_width, random),
      output(c.embedding_width, c.tied_output ? 0 : c.target_vocabulary, random, Linear::Bias::no),
      dropout_(c.dropout, random),
      word_dropout_(c.word_dropout, random) {
  if (!attends(c)) return;
  const ScoreSizes sizes{c.hidden_width, c.hidden_width, c.hidden_width, c.max_length};
  attention.emplace(make_score(c.attention, sizes, random), 0, random);
}

void RecurrentTranslator::visit(Visitor& visitor) {
  visitor("source_embedding", source_embedding);
  visitor("target_embedding", target_embedding);
  visitor("encoder", encoder);
  visitor("bridge", bridge);
  visitor("decoder", decoder);
  if (attention) {
    visitor("attention", *attention);
    visitor("context_gates", context_gates);
  }
  visitor("readout", readout);
  if (!config_.tied_output) visitor("output", output);
  visitor("dropout", dropout_);
  visitor("word_dropout", word_dropout_);
}

// Embeddings have deviation 1/√E so that they can serve as output weights; √E brings them to 1.
Var RecurrentTranslator::embed(const Indices& ids, const Embedding& table) const {
  return dropout_(word_dropout_(table(ids) * std::sqrt(static_cast<Real>(config_.embedding_width))));
}

RecurrentTranslator::Memory RecurrentTranslator::encode(const SourceBatch& source) const {
  const RecurrentLayer::Output read = encoder(embed(source.ids, source_embedding), source.lengths);
  Memory memory;
  memory.state = tanh(bridge(read.last));
  if (attention) {
    memory.values = read.outputs;
    memory.keys = attention->prepare(read.outputs);
    memory.mask.valid_lengths = source.lengths;
  }
  return memory;
}

Var RecurrentTranslator::decode(const Indices& ids, Memory& memory) const {
  const Index batch = ids.dim(0), T = ids.dim(1), H = config_.hidden_width;
  const Var words = embed(ids, target_embedding);  // [B, T, E]
  const Var projected = decoder.project(words);
  std::vector<Var> states, contexts;
  std::vector<Tensor> recorded;
  for (Index t = 0; t < T; ++t) {
    if (attention) {
      const Var query = reshape(decoder.hidden(memory.state), {batch, 1, H});
      const Var weights = attention->weights(query, memory.keys, memory.mask);  // [B, 1, S]
      contexts.push_back(attention->average(weights, memory.values));           // [B, 1, H]
      recorded.push_back(weights.value());
      const Var inputs = slice(projected, 1, t, t + 1) + context_gates(contexts.back());
      memory.state = decoder({0, {}}, inputs, memory.state);
    } else {
      memory.state = decoder({t, {}}, projected, memory.state);
    }
    states.push_back(memory.state);
  }
  AttentionRecorder* recorder = AttentionRecorder::current();
  if (recorder && attention) {
    const Tensor weights = concat(recorded, 1);  // [B, T, S]
    recorder->add("decoder.cross_attention", weights.with_shape({batch, 1, T, weights.dim(2)}),
                  AttentionTo::source);
  }
  std::vector<Var> seen{stack_states(states, H, {}), words};
  if (attention) seen.push_back(concat(contexts, 1));
  return dropout_(tanh(readout(concat(seen, 2))));
}

Var RecurrentTranslator::loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const {
  Memory memory = encode(batch.source);
  return linear_cross_entropy(decode(batch.input, memory), output_weight(), batch.output, options);
}

Index RecurrentTranslator::max_length() const {
  const Index width = config_.hidden_width;
  const bool ends =
      attends(config_) &&
      make_score(config_.attention, {width, width, width, config_.max_length}, Random(0))->ends();
  return ends ? config_.max_length : 0;
}

std::unique_ptr<TranslationModel::State> RecurrentTranslator::start(const SourceBatch& source) const {
  const NoGrad no_grad;
  auto state = std::make_unique<RecurrentState>();
  state->memory = encode(source);
  return state;
}

Tensor RecurrentTranslator::next(const Indices& ids, State& state) const {
  const NoGrad no_grad;
  const Index batch = ids.size();
  Memory& memory = own_state<RecurrentState>(state).memory;
  const Var decoded = decode(Indices({batch, 1}, {ids.begin(), ids.end()}), memory);
  return logits(decoded).value().reshaped({batch, -1});
}

}  // namespace gradual
