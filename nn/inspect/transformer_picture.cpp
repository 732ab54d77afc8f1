#include <gradual/nn/inspect/transformer_picture.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/positions/positions.hpp>

namespace gradual {
namespace {

constexpr double kWidth = 640, kHeight = 604;
constexpr double kEncoder = 164, kDecoder = 464;  // the middles of the two columns
constexpr double kPart = 200;                     // the width of a part
constexpr double kBox = 44, kNorm = 18;           // heights
constexpr double kLayerPart = 114;                // the height of a part with its norm and shortcut
constexpr double kHead = 20;                      // room above a stack of layers
constexpr double kBottom = kHeight - 38;          // of the embeddings
constexpr double kLayers = kBottom - 62;          // where the first layers begin
constexpr double kShortcut = kPart / 2 + 16;      // how far a shortcut goes out
constexpr const char* kColour = "#173ea5";
constexpr const char* kGrey = "#667085";

std::string at(double x, double y) { return trimmed_text(x, 1) + " " + trimmed_text(y, 1); }

/// Drawn from below: a function takes the y where a thing begins, and what it returns is where it ends.
class Diagram {
 public:
  explicit Diagram(const TransformerConfig& config)
      : config_(config),
        norm_first_(config.norm == NormPlace::before),
        svg_(kWidth, kHeight, "model", "A transformer, with its parts and their sizes") {}

  std::string draw() {
    const std::string heads = text(config_.heads, " heads of ", config_.width / config_.heads,
                                   config_.attention == "scaled_dot" ? "" : ", " + config_.attention);
    const std::string wide = text(config_.width, " → ", config_.feed_forward, " → ",
                                  config_.width);  // of the feed-forward networks

    words("source words", kEncoder, config_.source_vocabulary);
    stack(kEncoder, 2, config_.encoder_layers);
    double y = layer_part(kEncoder, kLayers, "self-attention", heads + places());
    y = layer_part(kEncoder, y, "feed-forward", wide);
    memory(last_norm(kEncoder, y - kHead));

    words("words so far", kDecoder, config_.target_vocabulary);
    stack(kDecoder, 3, config_.decoder_layers);
    y = layer_part(kDecoder, kLayers, "causal self-attention", heads + places());
    y = layer_part(kDecoder, y, "cross-attention", heads);
    y = layer_part(kDecoder, y, "feed-forward", wide);
    y = last_norm(kDecoder, y - kHead) - 18;
    arrow(kDecoder, y + 18, y);
    box(kDecoder, y, 40, "linear, softmax",
        text(config_.width, " → ", config_.target_vocabulary, config_.tied_output ? ", tied" : ""));
    arrow(kDecoder, y - 40, y - 56);
    label(kDecoder, y - 64, "next words");
    return svg_.finish();
  }

 private:
  /// What self-attention knows of places.
  std::string places() const {
    const bool inside = position_kinds().at(config_.positions).in_attention != nullptr;
    return (inside ? ", " + config_.positions : "") +
           (config_.window ? text(", window ", config_.window) : "");
  }

  void line(const std::string& path) {
    svg_.element("path", {{"class", "edges"}, {"d", path}, {"fill", "none"}, {"stroke", kColour}});
  }
  void arrow_head(const std::string& path) {
    svg_.element("path", {{"class", "self"}, {"d", path}, {"fill", kColour}});
  }
  void rise(double x, double from, double to) { line("M" + at(x, from) + "V" + trimmed_text(to, 1)); }
  void arrow(double x, double from, double to) {
    rise(x, from, to + 3);
    arrow_head("M" + at(x, to) + "l-4 7h8z");
  }
  void label(double x, double y, const std::string& what) {
    svg_.text(x, y, what, {{"text-anchor", "middle"}, {"font-size", 13}});
  }
  void detail(double x, double y, const std::string& what) {
    svg_.text(x, y, what, {{"class", "soft"}, {"text-anchor", "middle"}, {"font-size", 11}});
  }
  void rectangle(double x, double bottom, double width, double height, const char* css_class,
                 double opacity) {
    svg_.element("rect", {{"class", css_class},
                          {"x", x - width / 2},
                          {"y", bottom - height},
                          {"width", width},
                          {"height", height},
                          {"rx", 5},
                          {"fill", css_class == std::string("self") ? kColour : kGrey},
                          {"fill-opacity", opacity}});
  }
  void box(double x, double bottom, double height, const std::string& name, const std::string& sizes) {
    const bool attends = name.find("attention") != std::string::npos;
    rectangle(x, bottom, kPart, height, attends ? "self" : "empty", attends ? 0.28 : 0.16);
    label(x, bottom - height / 2 - 3, name);
    detail(x, bottom - height / 2 + 13, sizes);
  }
  void norm(double x, double bottom) {
    rectangle(x, bottom, kPart, kNorm, "empty", 0.16);
    std::string name = config_.norm_kind;
    std::replace(name.begin(), name.end(), '_', ' ');
    detail(x, bottom - 5, name);
  }

  /// Words and their embedding, at the bottom of a column.
  void words(const std::string& what, double x, Index vocabulary) {
    const bool adds = position_kinds().at(config_.positions).vectors != nullptr;
    label(x, kHeight - 8, what);
    arrow(x, kHeight - 22, kBottom);
    box(x, kBottom, 40, adds ? "embedding + positions" : "embedding", text(vocabulary, " × ", config_.width));
    rise(x, kBottom - 40, kLayers);
  }

  /// What lies behind the layers of a column.
  void stack(double x, int parts, Index layers) {
    const double height = kLayerPart * parts + kHead;
    rectangle(x, kLayers + 2, kPart + 64, height, "empty", 0.07);
    detail(x - kPart / 2 - 8, kLayers + 17 - height, text("× ", layers));
  }

  /// x + part(norm(x)), or norm(x + part(x)).
  double layer_part(double x, double bottom, const std::string& name, const std::string& sizes) {
    const double start = bottom - 24, end = bottom - kLayerPart;
    const double box_bottom = norm_first_ ? start - kNorm - 4 : start;
    const double plus = box_bottom - kBox - 14;
    const double side = x == kEncoder ? -1 : 1;
    arrow(x, bottom, start);
    if (norm_first_) norm(x, start);
    box(x, box_bottom, kBox, name, sizes);
    rise(x, box_bottom - kBox, norm_first_ ? end : plus - 12);
    if (!norm_first_) {
      norm(x, plus - 12);
      rise(x, plus - 12 - kNorm, end);
    }
    line("M" + at(x, bottom - 8) + "h" + trimmed_text(side * kShortcut, 1) + "V" + trimmed_text(plus, 1) +
         "H" + trimmed_text(x + side * 8, 1));
    svg_.element("circle", {{"class", "paper"}, {"cx", x}, {"cy", plus}, {"r", 8}, {"fill", "#fff"}});
    line("M" + at(x - 8, plus) + "a8 8 0 1 1 16 0a8 8 0 1 1 -16 0M" + at(x - 4, plus) + "h8M" +
         at(x, plus - 4) + "v8");
    return end;
  }

  /// The norm above a stack of layers with the norm before.
  double last_norm(double x, double top) {
    rise(x, top + kHead, top - 6);
    if (!norm_first_) return top - 6;
    norm(x, top - 6);
    return top - 6 - kNorm;
  }

  /// What the encoder made, from its top to the cross-attention.
  void memory(double top) {
    const double middle = (kEncoder + kDecoder) / 2;
    const double box_bottom = kLayers - kLayerPart - 24 - (norm_first_ ? kNorm + 4 : 0);
    const double entry = box_bottom - kBox / 2;
    line("M" + at(kEncoder, top) + "v-14H" + trimmed_text(middle, 1) + "V" + trimmed_text(entry, 1) + "H" +
         trimmed_text(kDecoder - kPart / 2 - 3, 1));
    arrow_head("M" + at(kDecoder - kPart / 2, entry) + "l-7 -4v8z");
    detail(kEncoder + 62, top - 20, text("keys and values, ", config_.width, " wide"));
  }

  const TransformerConfig& config_;
  bool norm_first_;
  Svg svg_;
};

}  // namespace

std::string draw_transformer(const TransformerConfig& config) {
  config.check();
  return Diagram(config).draw();
}

}  // namespace gradual
