#include <gradual/nn/interchange/marian_weights.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/positions/vectors.hpp>

namespace gradual {
namespace {

constexpr const char* bias_there = "final_logits_bias";
constexpr Real never = Real(-1e4);  // added to the score of a word that does not exist: exp(-1e4) is 0

enum class Along { neither, rows, columns };  // which axis runs along the width of the model

// A tensor there, and the rows of a parameter here that it is.
struct Place {
  std::vector<std::string> there;  // its names, of which a file may have several: these are equal then
  std::string here;
  Index first, last;
  Along width;
  std::string otherwise;  // the name that counts where a file has none of these
};

class Places {
 public:
  explicit Places(const TransformerConfig& c) : config_(c) {
    const std::string shared = "model.shared.weight", read = "model.encoder.embed_tokens.weight",
                      written = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
    const auto table = [&](const std::vector<std::string>& there, const char* here, Index words) {
      all_.push_back({there, here, 0, words, Along::columns, {}});
    };
    if (!c.shared_embeddings) {
      table({read}, "source_embedding.weight", c.source_vocabulary);
      table(c.tied_output ? std::vector{written, output} : std::vector{written}, "target_embedding.weight",
            c.target_vocabulary);
    } else if (c.tied_output) {
      table({shared, read, written, output}, "source_embedding.weight", c.source_vocabulary);
    } else {
      // transformers ties nothing then, and reads the table of each side; before version 5, the shared one.
      table({read, written}, "source_embedding.weight", c.source_vocabulary);
      all_.back().otherwise = shared;
    }
    for (Index i = 0; i < c.encoder_layers; ++i) layer("encoder", i);
    for (Index i = 0; i < c.decoder_layers; ++i) layer("decoder", i);
    if (c.norm == NormPlace::before) {
      norm("model.encoder.layer_norm", "encoder_norm");
      norm("model.decoder.layer_norm", "decoder_norm");
    }
    if (!c.tied_output) table({output}, "output.weight", c.target_vocabulary);
  }
  const std::vector<Place>& all() const { return all_; }

 private:
  void add(const std::string& there, const std::string& here, Index rows, Along width) {
    all_.push_back({{there}, here, 0, rows, width, {}});
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
        all_.push_back({{there + part + kind}, here + kind, first, first + d, width, {}});
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

// The tensor with its rows and columns in other orders: row i is row rows[i], or zeros for -1. Where an order
// is empty, they stay; a vector has one column.
Tensor in_order(const Tensor& x, const WordOrder& rows, const WordOrder& columns) {
  if (rows.empty() && columns.empty()) return x;
  const Index width = x.rank() == 1 ? 1 : x.dim(1);
  const Index height = rows.empty() ? x.dim(0) : static_cast<Index>(rows.size());
  Tensor result(x.rank() == 1 ? Shape{height} : Shape{height, width});
  Real* to = result.unguarded_data();
  for (Index r = 0; r < height; ++r, to += width) {
    const Index row = rows.empty() ? r : rows[static_cast<std::size_t>(r)];
    if (row < 0)
      std::fill_n(to, width, Real(0));
    else if (columns.empty())
      std::copy_n(x.data() + row * width, width, to);
    else
      for (Index c = 0; c < width; ++c) to[c] = x.data()[row * width + columns[static_cast<std::size_t>(c)]];
  }
  return result;
}
Tensor in_width_order(const Tensor& x, Along width, const WordOrder& order) {
  return in_order(x, width == Along::rows ? order : WordOrder(),
                  width == Along::columns ? order : WordOrder());
}

// What may lie in a file beside the parameters: the table of sinusoids.
bool is_positions(const std::string& name) {
  return name == "model.encoder.embed_positions.weight" || name == "model.decoder.embed_positions.weight";
}
void check_sinusoids(const std::string& name, const Tensor& table, Index width) {
  constexpr Real close = Real(0x1p-8);  // as numbers up to 1 are that were cut to BF16's eight bits
  if (table.rank() == 2 && table.dim(1) == width) {
    const Tensor ours =
        in_order(sinusoidal_positions(table.dim(0), width), {}, inverse(columns_there(width)));
    const auto is_close = [](Real a, Real b) { return std::abs(a - b) <= close; };
    if (std::equal(table.begin(), table.end(), ours.begin(), is_close)) return;
  }
  throw std::invalid_argument(text("marian: \"", name, "\" must be the table of sinusoids of width ", width,
                                   ": it is another, of shape ", table.shape()));
}

// The tensors of a file, and which of them were used.
class Weights {
 public:
  explicit Weights(const TensorFile& file) : file_(file) {}

  // A tensor by any of its names, null where there is none.
  const Tensor* find(const std::vector<std::string>& names) {
    const Tensor* found = nullptr;
    std::string first;
    for (const std::string& name : names) {
      const Tensor* tensor = file_.find(name);
      if (!tensor) continue;
      used_.insert(name);
      if (!found) {
        found = tensor;
        first = name;
      } else if (tensor->shape() != found->shape() ||
                 !std::equal(tensor->begin(), tensor->end(), found->begin())) {
        throw std::invalid_argument("marian: \"" + first + "\" and \"" + name +
                                    "\" must be one table: they differ");
      }
    }
    return found;
  }

  // The tensor of a place in a parameter.
  const Tensor& at(const Place& place, const Shape& parameter) {
    const Tensor* tensor = find(place.there);
    if (!tensor && !place.otherwise.empty()) tensor = find({place.otherwise});
    if (!tensor)
      throw std::invalid_argument("marian: there must be a tensor " + listed(place.there) +
                                  ": there is none");
    if (tensor->rank() != parameter.rank() || tensor->dim(0) != place.last - place.first ||
        (parameter.rank() == 2 && tensor->dim(1) != parameter[1]))
      throw std::invalid_argument(
          text("marian: ", listed(place.there), " must fit the settings: its shape is ", tensor->shape()));
    return *tensor;
  }

  // Throws for a tensor that was not used, and is neither a table that is not read here nor that of
  // sinusoids, and for one of whole numbers, which find() does not see.
  void check_rest(Index width) const {
    for (const auto& [name, tensor] : file_.tensors) {
      if (used_.count(name) > 0 || name == "model.shared.weight") continue;
      if (!is_positions(name))
        throw std::invalid_argument("marian: a transformer has no place for \"" + name + "\"");
      check_sinusoids(name, tensor, width);
    }
    if (!file_.indices.empty())
      throw std::invalid_argument("marian: a transformer has no place for whole numbers: \"" +
                                  file_.indices.front().first + "\" has them");
  }

 private:
  static std::string listed(const std::vector<std::string>& names) {
    return "\"" + list_text(names, "\" or \"") + "\"";
  }

  const TensorFile& file_;
  std::set<std::string> used_;
};

// The scores that are added, of which a file without them has none.
Tensor output_bias_from(Weights& weights, Index vocabulary, const WordOrder& words) {
  const Tensor* there = weights.find({bias_there});
  if (there && there->size() != vocabulary)
    throw std::invalid_argument(text("marian: \"", bias_there, "\" must fit the vocabulary of ", vocabulary,
                                     ": its shape is ", there->shape()));
  Tensor bias = in_order(there ? there->reshaped({vocabulary}) : Tensor::zeros({vocabulary}), words, {});
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] < 0) bias.unguarded_data()[i] = never;
  return bias;
}

// Gradual multiplies embeddings by √D. Where the output shares them, the last norm makes up for it.
void divide_embeddings(const std::vector<NamedParameter>& parameters, const TransformerConfig& config) {
  const Real root = std::sqrt(static_cast<Real>(config.width));
  const std::string last = config.norm == NormPlace::before
                               ? "decoder_norm."
                               : text("decoder.", config.decoder_layers - 1, ".around_feed_forward.norm.");
  const auto multiply = [](Var variable, Real factor) { variable.set_value(variable.value() * factor); };
  for (const NamedParameter& each : parameters) {
    if (each.name == "source_embedding.weight" || each.name == "target_embedding.weight")
      multiply(each.variable, 1 / root);
    if (config.tied_output && (each.name == last + "gain" || each.name == last + "bias"))
      multiply(each.variable, root);
  }
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
    const Tensor value =
        in_width_order(found->variable.value().rows(place.first, place.last), place.width, theirs);
    file.tensors.emplace_back(place.there.front(), value);
    if (place.otherwise.empty()) continue;  // those that are tied are there once
    file.tensors.emplace_back(place.there.back(), value);
    file.tensors.emplace_back(place.otherwise, value);
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
  const Places places(config);
  Weights weights(file);
  const std::vector<NamedParameter> ours = parameters(model);
  const auto value_of = [&](const std::string& name, const Shape& shape) {
    if (name == "output_bias") return output_bias_from(weights, config.target_vocabulary, target_words);
    std::vector<Tensor> parts;
    for (const Place& place : places.all()) {
      if (place.here != name) continue;
      const Tensor& there = weights.at(place, shape);
      parts.push_back(name == "source_embedding.weight" ? in_order(there, source_words, width)
                      : name == "target_embedding.weight" || name == "output.weight"
                          ? in_order(there, target_words, width)
                          : in_width_order(there, place.width, width));
    }
    return parts.size() == 1 ? parts.front() : concat(parts, 0);
  };
  // One by one, so that no second copy of the model is ever whole in memory.
  for (NamedParameter each : ours) each.variable.set_value(value_of(each.name, each.variable.shape()));
  weights.check_rest(config.width);
  if (!settings.scaled_embeddings) divide_embeddings(ours, config);
}

}  // namespace gradual
