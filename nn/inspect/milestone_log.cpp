#include <gradual/nn/inspect/milestone_log.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/training/optimizer.hpp>

namespace gradual {
namespace {

constexpr std::size_t sentences_to_translate = 6;
constexpr std::size_t longest_map = 16;   // tokens
constexpr std::size_t most_cells = 4000;  // of all heads: each is a hundred bytes of the page

std::size_t cells_of(const std::vector<std::vector<AttentionMap>>& layers) {
  std::size_t cells = 0;
  for (const std::vector<AttentionMap>& layer : layers)
    for (const AttentionMap& map : layer) cells += map.weights.size();
  return cells;
}

// All pairs of a few source sentences, taken from each held-out set in turn, that the model has room for.
std::vector<SentencePair> some_of(const std::vector<HeldOutSet>& sets, const Translator& translator) {
  std::set<std::string> sources;
  for (std::size_t i = 0; i < sentences_to_translate; ++i) {
    for (const HeldOutSet& set : sets) {
      if (i < set.pairs.size() && sources.size() < sentences_to_translate)
        sources.insert(set.pairs[i].source);
    }
  }
  std::vector<SentencePair> chosen;
  for (const HeldOutSet& set : sets) {
    for (const SentencePair& pair : set.pairs)
      if (sources.count(pair.source) > 0 && translator.has_room_for(pair)) chosen.push_back(pair);
  }
  return chosen;
}

// The pair whose maps show most: the longest that is not too long, or else the shortest.
const SentencePair& pair_to_look_at(const Translator& translator, const std::vector<SentencePair>& pairs) {
  const auto worth = [&](const SentencePair& pair) {
    const EncodedPair ids = translator.encode(pair);
    const auto length = static_cast<double>(std::max(ids.source.size(), ids.target.size()));
    return length <= longest_map ? length : -length;
  };
  return *std::max_element(pairs.begin(), pairs.end(),
                           [&](const SentencePair& a, const SentencePair& b) { return worth(a) < worth(b); });
}

Json stored(const AttentionMap& map) {
  std::vector<double> weights;  // three digits are more than a picture shows
  for (const float weight : map.weights)
    weights.push_back(std::round(static_cast<double>(weight) * 1000) / 1000);
  return {map.title, map.queries, map.keys, weights};
}

AttentionMap map_from(const Json& map) { return {map.at(1), map.at(2), map.at(3), map.at(0)}; }

Json stored(const LayerNumbers& layer) {
  std::vector<double> shares;
  for (const double share : layer.histogram) shares.push_back(std::round(share * 10000) / 10000);
  return {layer.name, layer.gradient, layer.lowest, layer.highest, shares};
}

LayerNumbers layer_from(const Json& layer) {
  return {layer.at(0), number_or_nan(layer.at(1)), layer.at(2), layer.at(3), layer.at(4)};
}

Json to_json(const Milestone& milestone) {
  Json json = {{"step", milestone.step},
               {"alignment", {{"layers", milestone.alignment.layers}, {"heads", milestone.alignment.heads}}}};
  for (const TranslatedSentence& each : milestone.translations)
    json["translations"].push_back({each.source, each.reference, each.translation, each.right});
  for (const AttentionMap& map : milestone.attention) json["attention"].push_back(stored(map));
  for (const std::vector<AttentionMap>& layer : milestone.heads) {
    json["heads"].push_back(Json::array());
    for (const AttentionMap& map : layer) json["heads"].back().push_back(stored(map));
  }
  for (const LayerNumbers& layer : milestone.layers) json["layers"].push_back(stored(layer));
  if (!milestone.told.source.empty()) json["told"] = {milestone.told.source, milestone.told.target};
  return json;
}

Milestone milestone_from(const Json& json) {
  Milestone milestone;
  json.at("step").get_to(milestone.step);
  json.at("alignment").at("layers").get_to(milestone.alignment.layers);
  json.at("alignment").at("heads").get_to(milestone.alignment.heads);
  for (const Json& each : json.value("translations", Json::array()))
    milestone.translations.push_back({each.at(0), each.at(1), each.at(2), each.at(3)});
  for (const Json& map : json.value("attention", Json::array())) milestone.attention.push_back(map_from(map));
  for (const Json& layer : json.value("heads", Json::array())) {
    milestone.heads.emplace_back();
    for (const Json& map : layer) milestone.heads.back().push_back(map_from(map));
  }
  for (const Json& layer : json.value("layers", Json::array())) milestone.layers.push_back(layer_from(layer));
  if (json.contains("told")) milestone.told = {json["told"].at(0), json["told"].at(1)};
  return milestone;
}

// Whether they are translations of these pairs, of which those with one source were translated once.
bool are_of(const std::vector<TranslatedSentence>& translations, const std::vector<SentencePair>& pairs) {
  std::set<std::string> sources;
  auto next = translations.begin();
  for (const SentencePair& pair : pairs) {
    if (!sources.insert(pair.source).second) continue;
    if (next == translations.end() || next->source != pair.source ||
        lower_case(next->reference) != lower_case(pair.target))
      return false;
    ++next;
  }
  return next == translations.end();
}

}  // namespace

MilestoneLog::MilestoneLog(const std::string& path, Index keep_steps, Index total_steps,
                           const std::vector<HeldOutSet>& held_out, const std::vector<AlignedPair>& aligned,
                           const Translator& translator)
    : file_(path, keep_steps,
            [this](const std::string& line) { milestones_.push_back(milestone_from(json_of(line))); }),
      pairs_(some_of(held_out, translator)),
      aligned_(aligned) {
  const auto of_others = [this](const Milestone& each) { return !are_of(each.translations, pairs_); };
  milestones_.erase(std::remove_if(milestones_.begin(), milestones_.end(), of_others), milestones_.end());
  for (double step = static_cast<double>(total_steps); due_.size() < 10 && step >= 1; step /= 1.6)
    due_.insert(static_cast<Index>(std::lround(step)));
}

void MilestoneLog::add(Index step, const Translator& translator, double gradient_norm) {
  if (!milestones_.empty() && milestones_.back().step == step) return;
  Milestone milestone{step, {}, {}, {}};
  if (!pairs_.empty()) {
    try {
      for (const Judged& each : judge(translator, pairs_, usual_search()))
        milestone.translations.push_back(
            {each.source, each.references.front(), each.translation, each.right()});
    } catch (const std::invalid_argument&) {
      return;
    }
    const SentencePair& pair = pair_to_look_at(translator, pairs_);
    milestone.told = pair;
    milestone.attention = maps_to_source(translator, pair);
    milestone.heads = head_maps_to_source(translator, pair);
    if (cells_of(milestone.heads) > most_cells) milestone.heads.clear();
  }
  const std::vector<NamedParameter> all = parameters(translator.model());
  const double length = gradual::gradient_norm(all);
  milestone.layers = layer_numbers(all, length > 0 ? gradient_norm / length : gradient_norm);
  if (translator.source().tokenizer.settings().units == TextUnits::words)
    milestone.alignment = alignment_quality(translator, aligned_);
  file_.add(json_text(to_json(milestone)));
  milestones_.push_back(std::move(milestone));
}

}  // namespace gradual
