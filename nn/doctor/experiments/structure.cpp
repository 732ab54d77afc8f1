// Experiments on what a model is made of: layers that are others, and are joined as they must be.
#include <algorithm>
#include <map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/recorded_pass.hpp>

namespace gradual::experiments {
namespace {

// Is each layer a layer of its own? A part that stands in two places is one part with one set of weights,
// since copies of a Part are the same part.
std::optional<Answer> layers_are_others(const Case& of) {
  std::map<const void*, std::string> place_of;
  std::string first, second;
  for (const ChosenPart& part : of.patient.parts) {
    const auto inserted = place_of.insert({part.object, part.place});
    const std::string& known = inserted.first->second;
    const bool has_weights =
        std::any_of(of.patient.parameters.begin(), of.patient.parameters.end(), [&](const auto& each) {
          return each.variable.rank() > 1 && each.name.rfind(known + ".", 0) == 0;
        });
    if (inserted.second || !has_weights || !second.empty()) continue;
    first = known;
    second = part.place;
  }
  if (place_of.empty()) return std::nullopt;
  Answer answer{text(place_of.size(), " parts stand in ", of.patient.parts.size(), " places")};
  if (second.empty()) return answer;
  answer.cause =
      text(first, " and ", second, " are one and the same layer: they share all of their weights.");
  answer.advice =
      "Make a layer anew for each place: a copy of a Part, or a list that names one layer several times, is "
      "the same layer again. (Where layers share their weights on purpose, that is as it should be.)";
  answer.chapter = "chapter 11";
  return answer;
}

// The operations that change no direction: what a matrix does before them, it could do after them.
bool passes_on(const RecordedPass::Made& made) {
  return made.operation == "dropout" || ((made.operation == "mul" || made.operation == "div") &&
                                         (!made.inputs[0].node() || !made.inputs.back().node()));
}

// Is there something between two layers? W·(V·x) is (W·V)·x: two linear layers with nothing between them are
// one, unless the first is narrower than what it reads and what is made of it.
std::optional<Answer> something_between_layers(const Case& of) {
  const RecordedPass pass(of.patient, of.batch);
  std::map<std::size_t, int> readers;
  for (std::size_t i = 0; i < pass.size(); ++i)
    for (const Var& input : pass[i].inputs) ++readers[pass.maker_of(input)];
  const auto is_layer = [&](std::size_t i) { return pass[i].operation == "linear" && pass.parameter_of(i); };
  Index layers = 0;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (!is_layer(i)) continue;
    ++layers;
    std::size_t before = pass.maker_of(pass[i].inputs[0]);
    while (before < pass.size() && readers[before] == 1 && passes_on(pass[before]))
      before = std::min(pass.maker_of(pass[before].inputs[0]), pass.maker_of(pass[before].inputs.back()));
    if (before == pass.size() || !is_layer(before) || readers[before] != 1) continue;
    const Index in = pass[before].inputs[0].dim(-1), inner = pass[before].y.dim(-1), out = pass[i].y.dim(-1);
    if (inner < std::min(in, out)) continue;
    const std::string first = pass.layer_of(before), second = pass.layer_of(i);
    return Answer{text(first, " makes ", inner, " numbers of ", in, ", and ", second, " ", out, " of these"),
                  text("Nothing stands between ", first, " and ", second,
                       ": two linear layers in a row are one, and no activation makes them more."),
                  "Put a relu or gelu between the two layers of a feed-forward network: W2·relu(W1·x).",
                  "chapter 11"};
  }
  if (layers == 0) return std::nullopt;
  return Answer{text("of ", layers, " linear layers, none reads another as it is")};
}

// Which operations each operation was made from, directly or not.
std::vector<std::vector<bool>> origins_of(const RecordedPass& pass) {
  std::vector<std::vector<bool>> origins(pass.size(), std::vector<bool>(pass.size()));
  for (std::size_t i = 0; i < pass.size(); ++i)
    for (const Var& input : pass[i].inputs) {
      const std::size_t j = pass.maker_of(input);
      if (j >= i) continue;
      origins[i][j] = true;
      for (std::size_t k = 0; k < j; ++k)
        if (origins[j][k]) origins[i][k] = true;
    }
  return origins;
}

// x + f(x), by the operations that made x and f(x).
struct Shortcut {
  std::size_t base, branch, sum;
};

class Shortcuts {
 public:
  explicit Shortcuts(const RecordedPass& pass) : pass_(pass), origins_(origins_of(pass)) {
    for (std::size_t i = 0; i < pass.size(); ++i) {
      if (pass[i].operation != "add" && pass[i].operation != "add_dropped") continue;
      std::size_t a = pass.maker_of(pass[i].inputs[0]), b = pass.maker_of(pass[i].inputs[1]);
      if (a > b) std::swap(a, b);
      if (b < pass.size() && origins_[b][a] && pass[a].y.shape() == pass[b].y.shape())
        all_.push_back({a, b, i});
    }
  }
  const std::vector<Shortcut>& all() const { return all_; }
  bool comes_from(std::size_t i, std::size_t j) const { return i == j || origins_[i][j]; }
  bool leads_around(std::size_t i) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Shortcut& each) {
      return origins_[i][each.base] && comes_from(each.branch, i);
    });
  }
  // Whether it makes the weights of an attention, of several queries, that words are then mixed by.
  bool mixes(std::size_t i) const {
    const std::string& operation = pass_[i].operation;
    if (operation == "attention") return pass_[i].y.dim(1) > 1;
    if (operation != "softmax" && operation != "masked_softmax") return false;
    if (pass_[i].y.rank() < 3 || pass_[i].y.dim(-2) < 2) return false;
    for (std::size_t j = i + 1; j < pass_.size(); ++j)
      if ((pass_[j].operation == "matmul" || pass_[j].operation == "einsum") && origins_[j][i])
        return pass_[j].inputs[0].shape() == pass_[i].y.shape() ||
               pass_[j].inputs[1].shape() == pass_[i].y.shape();
    return false;
  }
  // Whether it is the activation that comes first after an attention: that of a feed-forward network.
  bool activates(std::size_t i, const std::vector<std::size_t>& attentions) const {
    if (!is_activation(i) || pass_[i].y.rank() < 3) return false;
    std::size_t last = pass_.size();
    for (const std::size_t attention : attentions)
      if (origins_[i][attention]) last = attention;
    if (last == pass_.size()) return false;
    for (std::size_t j = last + 1; j < i; ++j)
      if (is_activation(j) && origins_[j][last] && origins_[i][j]) return false;
    return true;
  }

 private:
  bool is_activation(std::size_t i) const {
    static const std::vector<std::string> all{"relu", "relu_dropped", "gelu", "silu", "sigmoid", "tanh"};
    return std::find(all.begin(), all.end(), pass_[i].operation) != all.end();
  }

  const RecordedPass& pass_;
  std::vector<std::vector<bool>> origins_;
  std::vector<Shortcut> all_;
};

// How many of these stand one behind the other.
std::size_t depth_of(const std::vector<std::size_t>& some, const Shortcuts& shortcuts) {
  std::vector<std::size_t> depth(some.size(), 1);
  std::size_t most = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (shortcuts.comes_from(some[i], some[j])) depth[i] = std::max(depth[i], depth[j] + 1);
    most = std::max(most, depth[i]);
  }
  return most;
}

// Do shortcuts lead around each part? Attention and feed-forward network are each x + f(x) in a transformer:
// where a shortcut leads around one of them, one leads around all. And each begins where the last one ended.
std::optional<Answer> shortcuts_are_complete(const Case& of) {
  constexpr std::size_t most_operations = 3000;
  const RecordedPass pass(of.patient, of.batch);
  if (pass.size() > most_operations) return std::nullopt;
  const Shortcuts shortcuts(pass);
  std::vector<std::size_t> attentions, networks;
  for (std::size_t i = 0; i < pass.size(); ++i)
    if (shortcuts.mixes(i)) attentions.push_back(i);
  for (std::size_t i = 0; i < pass.size(); ++i)
    if (shortcuts.activates(i, attentions)) networks.push_back(i);
  if (attentions.empty()) return std::nullopt;
  Answer answer;
  answer.chapter = "chapter 11";
  answer.advice =
      "Let each part of a layer add to what it was given, x + f(norm(x)) or norm(x + f(x)), and give the sum "
      "to the next part: without that, a word loses what it was, and slopes get lost on the way back. (A "
      "last attention that copies or pools needs none.)";
  std::size_t without = 0, of_all = 0;
  const auto look_at = [&](const std::vector<std::size_t>& parts, const char* what, bool if_all) {
    std::vector<std::size_t> bare;
    for (const std::size_t part : parts)
      if (!shortcuts.leads_around(part)) bare.push_back(part);
    without += bare.size();
    of_all += parts.size();
    if (bare.empty() || !answer.cause.empty() || (bare.size() == parts.size() && !if_all)) return;
    answer.cause = text("No shortcut leads around ", what, " of ", pass.layer_of(bare.front()),
                        bare.size() == parts.size() ? ", nor around any other"
                        : bare.size() > 1           ? ", nor around some others"
                                                    : "",
                        ": it must be x + f(x), not f(x).");
  };
  look_at(attentions, "the attention", depth_of(attentions, shortcuts) >= 3);
  look_at(networks, "the feed-forward network", false);
  answer.evidence = text("a shortcut leads around ", of_all - without, " of ", of_all,
                         " attentions and feed-forward networks");
  for (const Shortcut& longer : shortcuts.all())
    for (const Shortcut& each : shortcuts.all())
      if (answer.cause.empty() && each.base == longer.base && each.sum != longer.sum &&
          shortcuts.comes_from(longer.branch, each.sum)) {
        answer.evidence += ", one of them around another";
        answer.cause = text("A shortcut is too long: that behind ", pass.layer_of(longer.sum),
                            " begins before the part before it, and leaves out what that one added.");
      }
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_structure() {
  static const std::vector<Experiment> all{{"layers are others", layers_are_others},
                                           {"something between layers", something_between_layers},
                                           {"shortcuts", shortcuts_are_complete}};
  return all;
}

}  // namespace gradual::experiments
