#include "kept.hpp"

#include <algorithm>
#include <cmath>

#include <gradual/nn/json.hpp>

using namespace gradual;

namespace gallery {
namespace {

double rounded(double x) { return std::round(x * 1000) / 1000; }

Json to_json(const Kept& kept) {
  Json maps = Json::array();
  for (const AttentionMap& map : kept.maps) {
    Json weights = Json::array();
    for (const float weight : map.weights) weights.push_back(rounded(static_cast<double>(weight)));
    maps.push_back(
        {{"title", map.title}, {"queries", map.queries}, {"keys", map.keys}, {"weights", weights}});
  }
  return {{"name", kept.name},     {"title", kept.title},
          {"losses", kept.losses}, {"held_out_loss", kept.held_out_loss},
          {"right", kept.right},   {"translation", kept.translation},
          {"cause", kept.cause},   {"maps", maps}};
}

Kept model_from(const Json& json) {
  Kept kept{json.at("name"),  json.at("title"),       json.at("losses"), json.at("held_out_loss"),
            json.at("right"), json.at("translation"), json.at("cause"),  {}};
  for (const Json& map : json.at("maps"))
    kept.maps.push_back({map.at("queries"), map.at("keys"), map.at("weights"), map.at("title")});
  return kept;
}

Series curve_of(const Kept& kept, Index steps) {
  Series series{kept.title, {}, kept.losses};
  const auto points = static_cast<double>(kept.losses.size());
  for (std::size_t i = 0; i < kept.losses.size(); ++i)
    series.x.push_back(static_cast<double>(steps) * static_cast<double>(i + 1) / points);
  return series;
}

}  // namespace

Kept kept_of(const std::string& name, const Result& result, const std::vector<std::string>& layers) {
  Kept kept{name,
            result.title,
            curve(result.title, result.losses).y,
            result.held_out_loss,  // the chapter rounds it: rounded twice, 7.7551 is 7.75
            rounded(result.right),
            result.translation,
            result.diagnosis.is_sound() ? "" : result.diagnosis.cause().cause,
            {}};
  for (double& loss : kept.losses) loss = rounded(loss);
  for (const AttentionMap& map : result.maps)
    if (std::find(layers.begin(), layers.end(), map.title) != layers.end()) {
      kept.maps.push_back(map);
      for (float& weight : kept.maps.back().weights)
        weight = static_cast<float>(rounded(static_cast<double>(weight)));
    }
  return kept;
}

std::string to_json(const KeptGallery& gallery) {
  Json broken = Json::array();
  for (const Kept& each : gallery.broken) broken.push_back(to_json(each));
  return json_text(Json{{"steps", gallery.steps},
                        {"source", gallery.source},
                        {"target", gallery.target},
                        {"sound", to_json(gallery.sound)},
                        {"broken", broken}}) +
         "\n";
}

KeptGallery from_json(const std::string& text) {
  const Json json = json_of(text);
  KeptGallery gallery{
      json.at("steps"), json.at("source"), json.at("target"), model_from(json.at("sound")), {}};
  for (const Json& each : json.at("broken")) gallery.broken.push_back(model_from(each));
  return gallery;
}

std::map<std::string, std::string> pictures_of(const KeptGallery& gallery) {
  std::map<std::string, std::string> pictures;
  for (const Kept& each : gallery.broken) {
    LineChart chart{
        "Loss in training", "step", {curve_of(gallery.sound, gallery.steps), curve_of(each, gallery.steps)}};
    chart.width = 560;
    chart.height = 240;
    pictures[each.name + "-curve.svg"] = draw_line_chart(chart);
    for (AttentionMap broken : each.maps) {
      AttentionMap sound = *std::find_if(gallery.sound.maps.begin(), gallery.sound.maps.end(),
                                         [&](const AttentionMap& map) { return map.title == broken.title; });
      const std::string layer = broken.title;
      sound.title = gallery.sound.title;
      broken.title = each.title;
      pictures[each.name + "-map.svg"] = draw_attention_row({sound, broken}, layer);
    }
  }
  return pictures;
}

}  // namespace gallery
