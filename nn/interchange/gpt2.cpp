#include <gradual/nn/interchange/gpt2.hpp>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/nn/interchange/expressible.hpp>
#include <gradual/nn/interchange/file_bytes.hpp>
#include <gradual/nn/model_file.hpp>
#include <gradual/nn/seq2seq/members_json.hpp>

namespace gradual {
namespace {

StackConfig settings_of_gpt2(const std::string& config_json) {
  const nlohmann::json json = read_json(config_json);
  const auto fixed = [&](const char* key, const nlohmann::json& value) {
    if (json.contains(key) && json.at(key) != value)
      require_setting("gpt2", key, json_text(json.at(key)), json_text(value));
  };
  const auto number = [&](const char* key) {
    Index value = 0;
    read_member(json, key, value);
    return value;
  };
  fixed("model_type", "gpt2");
  fixed("layer_norm_epsilon", 1e-5);
  fixed("scale_attn_weights", true);
  fixed("scale_attn_by_inverse_layer_idx", false);
  fixed("tie_word_embeddings", true);
  fixed("add_cross_attention", false);
  StackConfig config;
  config.width = number("n_embd");
  config.layers = number("n_layer");
  config.heads = number("n_head");
  config.max_length = number("n_positions");
  config.vocabulary = number("vocab_size");
  config.feed_forward =
      json.contains("n_inner") && !json.at("n_inner").is_null() ? number("n_inner") : 4 * config.width;
  config.activation = name_here("gpt2", "activation_function", json.value("activation_function", "gelu_new"),
                                {{"gelu_tanh", "gelu_new"},
                                 {"gelu_tanh", "gelu_pytorch_tanh"},
                                 {"gelu", "gelu"},
                                 {"relu", "relu"},
                                 {"silu", "silu"}});
  config.positions = "learned";
  config.norm = NormPlace::before;
  config.check();
  return config;
}

// The tensors of a file under the names of our parameters. Matrices stand the other way round there: [in,
// out].
class Gpt2Weights {
 public:
  Gpt2Weights(const TensorFile& file, const StackConfig& config)
      : file_(file), prefix_(file.find("transformer.wte.weight") ? "transformer." : "") {
    const Real root = std::sqrt(static_cast<Real>(config.width));
    add("embedding.weight", found("wte.weight") * (1 / root));
    add("positions.weight", found("wpe.weight"));
    for (Index i = 0; i < config.layers; ++i) {
      const std::string here = text("layers.", i, "."), there = text("h.", i, ".");
      linear(here + "self_attention", there + "attn.c_attn");
      linear(here + "self_attention.output", there + "attn.c_proj");
      linear(here + "feed_forward.inner", there + "mlp.c_fc");
      linear(here + "feed_forward.outer", there + "mlp.c_proj");
      norm(here + "around_attention.norm", there + "ln_1", 1);
      norm(here + "around_feed_forward.norm", there + "ln_2", 1);
      used_.insert({prefix_ + there + "attn.bias", prefix_ + there + "attn.masked_bias"});  // the causal mask
    }
    norm("norm", "ln_f", root);
    used_.insert("lm_head.weight");  // the embedding again
    for (const auto& each : file.tensors)
      if (used_.count(each.first) == 0)
        throw std::invalid_argument("gpt2: a language model has no place for \"" + each.first + "\"");
  }
  const std::vector<std::pair<std::string, Tensor>>& values() const { return values_; }

 private:
  const Tensor& found(const std::string& name) {
    const Tensor* tensor = file_.find(prefix_ + name);
    if (!tensor)
      throw std::invalid_argument("gpt2: there must be a tensor \"" + prefix_ + name + "\": there is none");
    used_.insert(prefix_ + name);
    return *tensor;
  }
  void add(const std::string& name, Tensor value) { values_.emplace_back(name, std::move(value)); }
  void linear(const std::string& here, const std::string& there) {
    const Tensor& weight = found(there + ".weight");
    if (weight.rank() != 2)
      throw std::invalid_argument(
          text("gpt2: \"", there, ".weight\" must be a matrix: its shape is ", weight.shape()));
    add(here + ".weight", transpose(weight, {1, 0}));
    add(here + ".bias", found(there + ".bias"));
  }
  void norm(const std::string& here, const std::string& there, Real factor) {
    add(here + ".gain", found(there + ".weight") * factor);
    add(here + ".bias", found(there + ".bias") * factor);
  }

  const TensorFile& file_;
  std::string prefix_;
  std::set<std::string> used_;
  std::vector<std::pair<std::string, Tensor>> values_;
};

}  // namespace

Gpt2 read_gpt2(const std::string& folder) {
  const StackConfig config = from_file(
      folder, "config.json", [](const std::string& path) { return settings_of_gpt2(bytes_of_file(path)); });
  const std::string merges = bytes_of_file(folder + "/merges.txt");
  BytePairs pairs = from_file(folder, "vocab.json", [&](const std::string& path) {
    BytePairs made(bytes_of_file(path), merges);
    if (made.size() != config.vocabulary)
      throw std::invalid_argument(text("gpt2: the vocabulary must have the ", config.vocabulary,
                                       " tokens of the settings: it has ", made.size()));
    return made;
  });
  const TensorFile file = load_tensors(folder + "/model.safetensors");
  auto model = from_file(folder, "model.safetensors", [&](const std::string&) {
    auto made = [&] {
      const AllocationLimit limit(bytes_to_load(file));  // the settings are a stranger's
      return std::make_unique<LanguageModel>(config, Random(0));
    }();
    set_parameters(parameters(*made), Gpt2Weights(file, config).values());
    return made;
  });
  return {std::move(model), std::move(pairs)};
}

}  // namespace gradual
