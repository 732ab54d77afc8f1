#include <gradual/nn/interchange/marian_weights.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/positions/vectors.hpp>

namespace gradual {
namespace {

constexpr const char* bias_there = "final_logits_bias";
constexpr Real never = Real(-1e4);  // added to the score of a word that does not exist: exp(-1e4) is 0

enum class Along { neither, rows, columns };  // which axis runs along the width of the model

// A tensor there, and the rows of a parameter here that it is.
struct Place {
  std::string there, here;
  Index first, last;
  Along width;
};

class Places {
 public:
  explicit Places(const TransformerConfig& c) : config_(c) {
    if (c.shared_embeddings) {
      add("model.shared.weight", "source_embedding.weight", c.source_vocabulary, Along::columns);
    } else {
      add("model.encoder.embed_tokens.weight", "source_embedding.weight", c.source_vocabulary,
          Along::columns);
      add("model.decoder.embed_tokens.weight", "target_embedding.weight", c.target_vocabulary,
          Along::columns);
    }
    for (Index i = 0; i < c.encoder_layers; ++i) layer("encoder", i);
    for (Index i = 0; i < c.decoder_layers; ++i) layer("decoder", i);
    if (c.norm == NormPlace::before) {
      norm("model.encoder.layer_norm", "encoder_norm");
      norm("model.decoder.layer_norm", "decoder_norm");
    }
    if (!c.tied_output) add("lm_head.weight", "output.weight", c.target_vocabulary, Along::columns);
  }
  const std::vector<Place>& all() const { return all_; }

 private:
  void add(const std::string& there, const std::string& here, Index rows, Along width) {
    all_.push_back({there, here, 0, rows, width});
  }
  void norm(const std::string& there, const std::string& here) {
    add(there + ".weight", here + ".gain", config_.width, Along::rows);
    add(there + ".bias", here + ".bias", config_.width, Along::rows);
  }
  void attention(const std::string& there, const std::string& here) {
    const Index d = config_.width;
    for (const char* kind : {".weight", ".bias"}) {
      const Along width = kind[1] == 'w' ? Along::columns : Along::neither;
      Index first = 0;
      for (const char* part : {".q_proj", ".k_proj", ".v_proj"}) {
        all_.push_back({there + part + kind, here + kind, first, first + d, width});
        first += d;
      }
    }
    add(there + ".out_proj.weight", here + ".output.weight", d, Along::rows);
    add(there + ".out_proj.bias", here + ".output.bias", d, Along::rows);
  }
  void layer(const std::string& side, Index number) {
    const std::string there = "model." + side + ".layers." + std::to_string(number);
    const std::string here = side + "." + std::to_string(number);
    attention(there + ".self_attn", here + ".self_attention");
    norm(there + ".self_attn_layer_norm",
         here + (side == "encoder" ? ".around_attention" : ".around_self") + ".norm");
    if (side == "decoder") {
      attention(there + ".encoder_attn", here + ".cross_attention");
      norm(there + ".encoder_attn_layer_norm", here + ".around_cross.norm");
    }
    add(there + ".fc1.weight", here + ".feed_forward.inner.weight", config_.feed_forward, Along::columns);
    add(there + ".fc1.bias", here + ".feed_forward.inner.bias", config_.feed_forward, Along::neither);
    add(there + ".fc2.weight", here + ".feed_forward.outer.weight", config_.width, Along::rows);
    add(there + ".fc2.bias", here + ".feed_forward.outer.bias", config_.width, Along::rows);
    norm(there + ".final_layer_norm", here + ".around_feed_forward.norm");
  }

  TransformerConfig config_;
  std::vector<Place> all_;
};

// For each of our columns the one there, or for each of theirs the one here.
WordOrder columns_there(Index width) {
  WordOrder order;
  for (Index c = 0; c < width; ++c)
    order.push_back(static_cast<std::int32_t>(c % 2 == 0 ? c / 2 : (width + 1) / 2 + c / 2));
  return order;
}
WordOrder inverse(const WordOrder& order) {
  WordOrder result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    result[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  return result;
}

// Row i of the result is row order[i], or zeros for -1; a vector has one column.
Tensor rows_in_order(const Tensor& x, const WordOrder& order) {
  const Index columns = x.rank() == 1 ? 1 : x.dim(1), rows = static_cast<Index>(order.size());
  Tensor result(x.rank() == 1 ? Shape{rows} : Shape{rows, columns});
  Real* to = result.unguarded_data();
  for (Index r = 0; r < rows; ++r, to += columns) {
    const Index from = order[static_cast<std::size_t>(r)];
    if (from < 0)
      std::fill_n(to, columns, Real(0));
    else
      std::copy_n(x.data() + from * columns, columns, to);
  }
  return result;
}
Tensor columns_in_order(const Tensor& x, const WordOrder& order) {
  Tensor result(x.shape());
  Real* to = result.unguarded_data();
  for (Index r = 0; r < x.dim(0); ++r)
    for (const std::int32_t column : order) *to++ = x.data()[r * x.dim(1) + column];
  return result;
}
Tensor in_width_order(const Tensor& x, Along width, const WordOrder& order) {
  return width == Along::neither ? x
         : width == Along::rows  ? rows_in_order(x, order)
                                 : columns_in_order(x, order);
}

// What may lie in a file beside the parameters: copies of shared ones, and the table of sinusoids.
bool is_copy(const std::string& name, const TransformerConfig& config) {
  return (config.shared_embeddings &&
          (name == "model.encoder.embed_tokens.weight" || name == "model.decoder.embed_tokens.weight")) ||
         (!config.shared_embeddings && name == "model.shared.weight") ||
         (config.tied_output && name == "lm_head.weight");
}
bool is_positions(const std::string& name) {
  return name == "model.encoder.embed_positions.weight" || name == "model.decoder.embed_positions.weight";
}
void check_sinusoids(const std::string& name, const Tensor& table) {
  constexpr Real close = Real(1e-3);  // of numbers that were rounded to half precision
  if (table.rank() == 2) {
    const Tensor ours = columns_in_order(sinusoidal_positions(table.dim(0), table.dim(1)),
                                         inverse(columns_there(table.dim(1))));
    const auto is_close = [](Real a, Real b) { return std::abs(a - b) <= close; };
    if (std::equal(table.begin(), table.end(), ours.begin(), is_close)) return;
  }
  throw std::invalid_argument(text("marian: \"", name, "\" must be the table of sinusoids: it is another"));
}

void multiply(const NamedParameter& parameter, Real factor) {
  Var variable = parameter.variable;
  variable.set_value(variable.value() * factor);
}

}  // namespace

TensorFile weights_to_marian(Transformer& model) {
  const TransformerConfig& config = model.config();
  const std::vector<NamedParameter> ours = parameters(model);
  const WordOrder theirs = inverse(columns_there(config.width));
  const Places places(config);
  TensorFile file;
  file.metadata["format"] = "pt";  // which transformers wants to see
  for (const Place& place : places.all()) {
    const auto found =
        std::find_if(ours.begin(), ours.end(), [&](const auto& each) { return each.name == place.here; });
    if (found == ours.end())
      throw std::invalid_argument("marian: there is no \"" + place.here + "\" in the model");
    file.tensors.emplace_back(
        place.there,
        in_width_order(found->variable.value().rows(place.first, place.last), place.width, theirs));
  }
  Tensor bias =
      model.output_bias.defined() ? model.output_bias.value() : Tensor::zeros({config.target_vocabulary});
  file.tensors.emplace_back(bias_there, bias.reshaped({1, config.target_vocabulary}));
  return file;
}

void set_weights_from_marian(Transformer& model, const MarianSettings& settings, const TensorFile& file,
                             const WordOrder& source_words, const WordOrder& target_words) {
  const TransformerConfig& config = settings.model;
  const WordOrder width = columns_there(config.width);
  std::set<std::string> used{bias_there};
  const auto found = [&](const std::string& name) -> const Tensor& {
    const Tensor* tensor = file.find(name);
    if (!tensor)
      throw std::invalid_argument("marian: there must be a tensor \"" + name + "\": there is none");
    used.insert(name);
    return *tensor;
  };
  const Places places(config);
  std::vector<std::pair<std::string, Tensor>> values;
  for (const Place& place : places.all()) {
    const Tensor& there = found(place.there);
    const bool is_matrix = place.here.find(".weight") != std::string::npos;
    if (there.rank() != (is_matrix ? 2 : 1) || there.dim(0) != place.last - place.first ||
        (place.width == Along::columns && there.dim(1) != config.width))
      throw std::invalid_argument(
          text("marian: \"", place.there, "\" must fit the settings: its shape is ", there.shape()));
    Tensor here = in_width_order(there, place.width, width);
    if (place.here == "source_embedding.weight")
      here = rows_in_order(here, source_words);
    else if (place.here == "target_embedding.weight" || place.here == "output.weight")
      here = rows_in_order(here, target_words);
    if (place.first > 0)
      values.back().second = concat({values.back().second, here}, 0);
    else
      values.emplace_back(place.here, here);
  }
  const Tensor& bias_of_file = found(bias_there);
  if (bias_of_file.size() != config.target_vocabulary)
    throw std::invalid_argument(text("marian: \"", bias_there, "\" must fit the vocabulary of ",
                                     config.target_vocabulary, ": its shape is ", bias_of_file.shape()));
  Tensor bias = rows_in_order(bias_of_file.reshaped({config.target_vocabulary}), target_words);
  for (std::size_t i = 0; i < target_words.size(); ++i)
    if (target_words[i] < 0) bias.unguarded_data()[i] = never;
  values.emplace_back("output_bias", bias);
  for (const auto& [name, tensor] : file.tensors) {
    if (used.count(name) > 0 || is_copy(name, config)) continue;
    if (!is_positions(name))
      throw std::invalid_argument("marian: a transformer has no place for \"" + name + "\"");
    check_sinusoids(name, tensor);
  }
  const std::vector<NamedParameter> ours = parameters(model);
  set_parameters(ours, values);
  if (settings.scaled_embeddings) return;
  // Gradual multiplies embeddings by √D. Where the output shares them, the last norm makes up for it.
  const Real root = std::sqrt(static_cast<Real>(config.width));
  const std::string last = config.norm == NormPlace::before
                               ? "decoder_norm."
                               : text("decoder.", config.decoder_layers - 1, ".around_feed_forward.norm.");
  for (const NamedParameter& each : ours) {
    if (each.name == "source_embedding.weight" || each.name == "target_embedding.weight")
      multiply(each, 1 / root);
    if (config.tied_output && (each.name == last + "gain" || each.name == last + "bias"))
      multiply(each, root);
  }
}

}  // namespace gradual
