#include <gradual/nn/interchange/gpt2.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/nn/interchange/activations.hpp>
#include <gradual/nn/interchange/expressible.hpp>
#include <gradual/nn/interchange/file_bytes.hpp>
#include <gradual/nn/model_file.hpp>
#include <gradual/nn/seq2seq/config_checks.hpp>
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
  const auto share = [&](const char* key) {
    double value = 0.1;  // as transformers has it
    if (json.contains(key)) read_member(json, key, value);
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
  check_size("gpt2", "n_embd", config.width);  // four times which must be a number, too
  config.layers = number("n_layer");
  config.heads = number("n_head");
  config.max_length = number("n_positions");
  config.vocabulary = number("vocab_size");
  config.feed_forward =
      json.contains("n_inner") && !json.at("n_inner").is_null() ? number("n_inner") : 4 * config.width;
  std::string activation = "gelu_new";
  if (json.contains("activation_function")) read_member(json, "activation_function", activation);
  config.activation = name_here("gpt2", "activation_function", activation, activation_names());
  config.positions = "learned";
  config.norm = NormPlace::before;
  config.dropout = share("resid_pdrop");  // of embeddings, too, whatever embd_pdrop is
  config.attention_dropout = share("attn_pdrop");
  config.feed_forward_dropout = 0;  // there GPT-2 drops what comes out, and nothing inside
  config.check();
  return config;
}

// The causal masks, which older versions saved as numbers of any type, too.
bool is_mask(const std::string& name) {
  const auto ends_with = [&](const std::string& end) {
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with(".attn.bias") || ends_with(".attn.masked_bias");
}

// Gives a model the tensors of a file. Matrices stand the other way round there: [in, out].
class Gpt2Weights {
 public:
  Gpt2Weights(const TensorFile& file, LanguageModel& model)
      : file_(file), prefix_(file.find("transformer.wte.weight") ? "transformer." : "") {
    for (const NamedParameter& each : parameters(model)) left_.emplace(each.name, each.variable);
  }

  // The embedding has `rows` rows, of which those beyond the vocabulary are padding.
  void set_all(const StackConfig& config, Index rows) {
    const Real root = std::sqrt(static_cast<Real>(config.width));
    const Tensor& words = found("wte.weight");
    if (words.rank() != 2 || words.dim(0) != rows)
      throw std::invalid_argument(text("gpt2: \"", prefix_, "wte.weight\" must have a row for each of the ",
                                       rows, " tokens of the settings: its shape is ", words.shape()));
    const Tensor* output = file_.find("lm_head.weight");
    used_.insert("lm_head.weight");
    if (output &&
        (output->shape() != words.shape() || !std::equal(words.begin(), words.end(), output->begin())))
      throw std::invalid_argument("gpt2: \"lm_head.weight\" must be \"" + prefix_ +
                                  "wte.weight\" again: they differ");
    set("embedding.weight", words.rows(0, config.vocabulary) * (1 / root));
    set("positions.weight", found("wpe.weight"));
    for (Index i = 0; i < config.layers; ++i) {
      const std::string here = text("layers.", i, "."), there = text("h.", i, ".");
      linear(here + "self_attention", there + "attn.c_attn");
      linear(here + "self_attention.output", there + "attn.c_proj");
      linear(here + "feed_forward.inner", there + "mlp.c_fc");
      linear(here + "feed_forward.outer", there + "mlp.c_proj");
      norm(here + "around_attention.norm", there + "ln_1", 1);
      norm(here + "around_feed_forward.norm", there + "ln_2", 1);
    }
    norm("norm", "ln_f", root);
    for (const auto& each : file_.tensors)
      if (used_.count(each.first) == 0)
        throw std::invalid_argument("gpt2: a language model has no place for \"" + each.first + "\"");
    if (!file_.indices.empty())
      throw std::invalid_argument("gpt2: a language model has no place for whole numbers: \"" +
                                  file_.indices.front().first + "\" has them");
    if (!left_.empty())
      throw std::logic_error("gpt2: each parameter must have a tensor: none for \"" + left_.begin()->first +
                             "\"");
  }

 private:
  const Tensor& found(const std::string& name) {
    const Tensor* tensor = file_.find(prefix_ + name);
    if (!tensor)
      throw std::invalid_argument("gpt2: there must be a tensor \"" + prefix_ + name + "\": there is none");
    used_.insert(prefix_ + name);
    return *tensor;
  }
  void set(const std::string& name, const Tensor& value) {
    set_parameters({{name, left_.at(name)}}, {{name, value}});
    left_.erase(name);
  }
  void linear(const std::string& here, const std::string& there) {
    const Tensor& weight = found(there + ".weight");
    if (weight.rank() != 2)
      throw std::invalid_argument(
          text("gpt2: \"", there, ".weight\" must be a matrix: its shape is ", weight.shape()));
    set(here + ".weight", transpose(weight, {1, 0}));
    set(here + ".bias", found(there + ".bias"));
  }
  void norm(const std::string& here, const std::string& there, Real factor) {
    set(here + ".gain", found(there + ".weight") * factor);
    set(here + ".bias", found(there + ".bias") * factor);
  }

  const TensorFile& file_;
  std::string prefix_;
  std::map<std::string, Var> left_;  // the parameters without a value so far
  std::set<std::string> used_;
};

}  // namespace

Gpt2 read_gpt2(const std::string& folder) {
  StackConfig config = from_file(
      folder, "config.json", [](const std::string& path) { return settings_of_gpt2(bytes_of_file(path)); });
  const Index rows = config.vocabulary;
  BytePairs pairs = from_file(folder, "vocab.json", [&](const std::string& path) {
    BytePairs made(bytes_of_file(path));
    if (made.size() > rows)
      throw std::invalid_argument(text("gpt2: the vocabulary must have at most the ", rows,
                                       " tokens of the settings: it has ", made.size()));
    return made;
  });
  from_file(folder, "merges.txt", [&](const std::string& path) { pairs.set_merges(bytes_of_file(path)); });
  config.vocabulary = pairs.size();  // those above are padding, which is never written
  const TensorFile file = weights_of_folder(folder, [](const std::string& name) { return !is_mask(name); });
  auto model = from_file(folder, "model.safetensors", [&](const std::string&) {
    auto made = [&] {
      const AllocationLimit limit(bytes_to_load(file));  // the settings are a stranger's
      return std::make_unique<LanguageModel>(config, Random(0));
    }();
    Gpt2Weights(file, *made).set_all(config, rows);
    return made;
  });
  return {std::move(model), std::move(pairs)};
}

}  // namespace gradual
