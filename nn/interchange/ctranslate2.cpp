#include <gradual/nn/interchange/ctranslate2.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/interchange/expressible.hpp>
#include <gradual/nn/interchange/file_bytes.hpp>
#include <gradual/nn/interchange/transformer_of.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

constexpr const char* engine = "ctranslate2";

// What its Activation counts. The gate of SwiGLU is SiLU.
const std::map<std::string, Index>& activation_numbers() {
  static const std::map<std::string, Index> numbers{
      {"relu", 0}, {"gelu_tanh", 1}, {"silu", 2}, {"swiglu", 2}, {"gelu", 3}};
  return numbers;
}

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string bytes_of_name(const std::string& name) {
  return bytes_of(static_cast<std::uint16_t>(name.size() + 1)) + name + '\0';
}

// The variables of a model, and how they are written.
class Variables {
 public:
  void add(const std::string& name, const Tensor& tensor) {
    std::vector<float> numbers(tensor.begin(), tensor.end());
    std::string head(1, static_cast<char>(tensor.rank()));
    for (const Index size : tensor.shape()) head += bytes_of(static_cast<std::uint32_t>(size));
    const std::size_t bytes = numbers.size() * sizeof(float);
    put(name, head + '\0', {reinterpret_cast<const char*>(numbers.data()), bytes});
  }
  void add_int8(const std::string& name, Index number) {
    put(name, std::string("\0\1", 2), bytes_of(static_cast<std::int8_t>(number)));
  }
  void add_int16(const std::string& name, Index number) {
    put(name, std::string("\0\2", 2), bytes_of(static_cast<std::int16_t>(number)));
  }
  void add_int32(const std::string& name, Index number) {
    put(name, std::string("\0\3", 2), bytes_of(static_cast<std::int32_t>(number)));
  }
  void alias(const std::string& name, const std::string& other) { aliases_[name] = other; }

  void write(const std::string& path) const {
    constexpr std::uint32_t version = 6, revision = 7;
    write_file_atomically(path, [&](const ByteSink& sink) {
      sink(bytes_of(version) + bytes_of_name("TransformerSpec") + bytes_of(revision));
      sink(bytes_of(static_cast<std::uint32_t>(variables_.size())));
      for (const auto& [name, value] : variables_) {
        sink(bytes_of_name(name) + value.head + bytes_of(static_cast<std::uint32_t>(value.numbers.size())));
        sink(value.numbers);
      }
      sink(bytes_of(static_cast<std::uint32_t>(aliases_.size())));
      for (const auto& [name, other] : aliases_) sink(bytes_of_name(name) + bytes_of_name(other));
    });
  }

 private:
  struct Value {
    std::string head, numbers;  // rank, sizes and type; what there is
  };
  void put(const std::string& name, std::string head, std::string numbers) {
    const std::uint64_t bytes = numbers.size();  // written as 32 bits, as is each size, which is no larger
    if (bytes > UINT32_MAX)
      throw std::invalid_argument(
          text(engine, ": \"", name, "\" must have at most ", UINT32_MAX, " bytes: it has ", bytes));
    variables_[name] = {std::move(head), std::move(numbers)};
  }
  std::map<std::string, Value> variables_;
  std::map<std::string, std::string> aliases_;
};

class Writer {
 public:
  // Sentences and their ends take at most so many places.
  Writer(Transformer& model, Index most_places) : config_(model.config()) {
    for (const NamedParameter& each : parameters(model)) values_[each.name] = each.variable.value();
    const Tensor places = places_of(model, most_places);
    for (const std::string side : {"encoder", "decoder"}) {
      const bool reads = side == "encoder";
      side_settings(side);
      if (places.defined()) variables_.add(side + "/position_encodings/encodings", places);
      const std::string embeddings = side + (reads ? "/embeddings_0/weight" : "/embeddings/weight");
      if (!reads && config_.shared_embeddings)
        variables_.alias(embeddings, "encoder/embeddings_0/weight");
      else
        copy(embeddings, reads ? "source_embedding.weight" : "target_embedding.weight");
      const Index layers = reads ? config_.encoder_layers : config_.decoder_layers;
      for (Index i = 0; i < layers; ++i) layer(side, i);
      if (config_.norm == NormPlace::before) norm(side, side + "_norm");
    }
    if (config_.tied_output)
      variables_.alias("decoder/projection/weight", config_.shared_embeddings ? "encoder/embeddings_0/weight"
                                                                              : "decoder/embeddings/weight");
    else
      copy("decoder/projection/weight", "output.weight");
    if (config_.output_bias) copy("decoder/projection/bias", "output_bias");
  }
  const Variables& variables() const { return variables_; }

 private:
  bool rotates() const { return config_.positions == "rotary"; }
  // What is added to words; undefined where places turn queries and keys instead.
  Tensor places_of(Transformer& model, Index most_places) const {
    if (rotates()) return {};
    if (config_.ends()) return model.positions(0, config_.max_length).value();
    // Of sinusoids, which it does not compute as they are here. No tensor of a file bounds max_length.
    constexpr Index shortest_table = 1024;
    return model.positions(0, std::min(std::max(config_.max_length, shortest_table), most_places)).value();
  }

  void side_settings(const std::string& side) {
    variables_.add_int16(side + "/num_heads", config_.heads);
    variables_.add_int8(side + "/pre_norm", config_.norm == NormPlace::before);
    variables_.add_int8(side + "/activation", activation_numbers().at(config_.activation));
    variables_.add_int8(side + "/scale_embeddings", 1);
    if (side == "encoder") return variables_.add_int8(side + "/embeddings_merge", 0);
    variables_.add_int16(side + "/alignment_layer", -1);
    variables_.add_int16(side + "/alignment_heads", 1);
    variables_.add_int8(side + "/start_from_zero_embedding", 0);
  }

  void copy(const std::string& there, const std::string& here) { variables_.add(there, values_.at(here)); }
  void linear(const std::string& there, const std::string& here) {
    copy(there + "/weight", here + ".weight");
    if (values_.count(here + ".bias") > 0) copy(there + "/bias", here + ".bias");
  }
  // The scaled norm of root mean squares has no bias.
  void norm(const std::string& there, const std::string& here) {
    copy(there + "/layer_norm/gamma", here + ".gain");
    if (values_.count(here + ".bias") > 0) copy(there + "/layer_norm/beta", here + ".bias");
  }
  void layer(const std::string& side, Index number) {
    const std::string there = text(side, "/layer_", number), here = text(side, ".", number);
    linear(there + "/self_attention/linear_0", here + ".self_attention");  // of queries, keys and values
    if (rotates()) {
      variables_.add_int32(there + "/self_attention/rotary_dim", config_.width / config_.heads);
      variables_.add_int8(there + "/self_attention/rotary_interleave", 1);  // pairs are neighbours
    }
    linear(there + "/self_attention/linear_1", here + ".self_attention.output");
    norm(there + "/self_attention",
         here + (side == "encoder" ? ".around_attention" : ".around_self") + ".norm");
    if (side == "decoder") {
      const Tensor &weight = values_.at(here + ".cross_attention.weight"),
                   &bias = values_.at(here + ".cross_attention.bias");
      const std::string attention = there + "/attention";
      const auto part = [&](const char* name, Index first, Index last) {
        variables_.add(attention + name + "/weight", weight.rows(first, last));
        variables_.add(attention + name + "/bias", bias.rows(first, last));
      };
      part("/linear_0", 0, config_.width);                  // queries
      part("/linear_1", config_.width, 3 * config_.width);  // keys and values
      linear(attention + "/linear_2", here + ".cross_attention.output");
      norm(attention, here + ".around_cross.norm");
    }
    const bool gated = config_.activation == "swiglu";
    linear(there + "/ffn/linear_0", here + (gated ? ".feed_forward.gate" : ".feed_forward.inner"));
    if (gated) linear(there + "/ffn/linear_0_noact", here + ".feed_forward.inner");
    linear(there + "/ffn/linear_1", here + ".feed_forward.outer");
    norm(there + "/ffn", here + ".around_feed_forward.norm");
  }

  TransformerConfig config_;
  std::map<std::string, Tensor> values_;
  Variables variables_;
};

void check(const TransformerConfig& config) {
  std::vector<std::string> activations;
  for (const auto& named : activation_numbers()) activations.push_back(named.first);
  require_one_of(engine, "positions", config.positions, {"sinusoidal", "learned", "rotary", "none"});
  require_one_of(engine, "activation", config.activation, activations);
  require_one_of(engine, "norm_kind", config.norm_kind, {"layer_norm", "rms_norm"});
  if (config.encoder_layers < 1)
    throw std::invalid_argument(
        text(engine, ": encoder_layers must be at least 1: this model's is ", config.encoder_layers));
  require_plain_attention(engine, config);
}

}  // namespace

void write_ctranslate2(const Translator& translator, const std::string& folder) {
  Transformer& model = transformer_of(translator, engine);
  check(model.config());
  require_none_of(folder, {"shared_vocabulary.json", "shared_vocabulary.txt"});
  const Writer writer(model, translator.longest_sentence() + 1);  // and the end token
  const Json settings = {{"unk_token", "<unk>"},      {"bos_token", "<bos>"},
                         {"eos_token", "<eos>"},      {"decoder_start_token", "<bos>"},
                         {"add_source_bos", false},   {"add_source_eos", true},
                         {"layer_norm_epsilon", 1e-5}};
  make_folder(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    write_file_atomically(folder + "/" + name, bytes);
  };
  const auto words = [](const Language& language) {
    return json_text(Json(language.vocabulary.tokens()), 0) + "\n";
  };
  write("config.json", json_text(settings, 2) + "\n");
  write("source_vocabulary.json", words(translator.source()));
  write("target_vocabulary.json", words(translator.target()));
  if (translator.source().tokenizer.settings().units == TextUnits::subwords) {
    write("source.spm", translator.source().tokenizer.restricted_subword_model());
    write("target.spm", translator.target().tokenizer.restricted_subword_model());
  }
  writer.variables().write(folder + "/model.bin");
}

}  // namespace gradual
