#include "experiment.hpp"

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>
#include <gradual/nn/training/accuracy.hpp>

#include "../terminal/reporter.hpp"
#include "counting.hpp"

using namespace gradual;

namespace {

// In per cent.
double share_right(const PictureModel& model, const ArrowPictures& pictures) {
  const NoGrad no_grad;
  return 100 * accuracy(model(pictures.pixels).value(), pictures.answers);
}

struct HeadOfLayer {
  std::size_t layer, head;
  double on_target;
};

// The head that gives most of the weight of an arrow's cell to what it points at.
HeadOfLayer best_head(const std::vector<RecordedAttention>& layers, const ArrowPictures& pictures) {
  const Index batch = pictures.arrows.size(), cells = pictures.pixels.dim(1);
  Tensor pointed_at = Tensor::zeros({batch, cells, cells});
  for (Index i = 0; i < batch; ++i)
    pointed_at.unguarded_data()[(i * cells + pictures.arrows[i]) * cells + pictures.targets[i]] = 1;
  HeadOfLayer best{0, 0, -1};
  for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer) {  // the last is the pool
    const std::vector<double> shares = attention_on(layers[layer].weights, pointed_at);
    const auto most = std::max_element(shares.begin(), shares.end());
    if (*most > best.on_target) best = {layer, static_cast<std::size_t>(most - shares.begin()), *most};
  }
  return best;
}

// What the arrow's cell of a picture gives to what it points at in the head that gives it most there.
double most_on_target(const std::vector<RecordedAttention>& layers, const ArrowPictures& pictures, Index i) {
  Real most = 0;
  for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer)  // the last is the pool
    for (Index head = 0; head < layers[layer].weights.dim(1); ++head)
      most = std::max(most, layers[layer].weights({i, head, pictures.arrows[i], pictures.targets[i]}));
  return static_cast<double>(most);
}

constexpr Index pictures_shown = 6;

Index shape_said(const Tensor& scores, Index picture) {
  const Real* const row = scores.data() + picture * ArrowPictures::shapes;
  return std::max_element(row, row + ArrowPictures::shapes) - row;
}

// "ring ✓", or "bar ✗"
std::string answer_to(const Tensor& scores, const ArrowPictures& pictures, Index picture) {
  const Index said = shape_said(scores, picture);
  return name_of_shape(said) + (said == pictures.answers[picture] ? " ✓" : " ✗");
}

// Pictures in a row, two of them on a phone.
Html in_a_row(const std::vector<std::pair<std::string, std::string>>& pictures_and_captions) {
  Html html;
  html.markup("<div class=\"row\">");
  for (const auto& [picture, caption] : pictures_and_captions) html.picture(picture, caption);
  return html.markup("</div>\n");
}

// Pictures that are looked at, with the shapes in their cells.
struct LookedAt {
  ArrowPictures pictures;
  std::vector<std::vector<Index>> shapes;

  const std::vector<Index>& shapes_of(Index i) const { return shapes[static_cast<std::size_t>(i)]; }
};

// Runs the model once, for all that is told of its answers and its weights after some steps.
void look_at(const PictureModel& model, const LookedAt& looked_at, const LearningCurve::Point& now,
             const std::vector<std::string>& answers_alone, Result& result) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const ArrowPictures& pictures = looked_at.pictures;
  const Tensor scores = model(pictures.pixels).value();
  const HeadOfLayer best = best_head(recorder.recorded(), pictures);
  const Tensor& weights = recorder.recorded()[best.layer].weights;  // [B, H, cells², cells²]
  const auto paid_by_arrow = [&](Index i) {
    const Tensor paid = weights[i][static_cast<Index>(best.head)][pictures.arrows[i]];
    return std::vector<double>(paid.begin(), paid.end());
  };
  const std::string head = text("layer ", best.layer + 1, ", head ", best.head + 1);
  const Index count = pictures.answers.size();
  Index nearly_all = 0, commonest = 0, typical = 0;
  double any_head = 0, off = 2;  // how far its weight is from the mean
  for (Index i = 0; i < count; ++i) {
    const double there = paid_by_arrow(i)[static_cast<std::size_t>(pictures.targets[i])];
    constexpr double nearly = 0.9;
    if (there > nearly) ++nearly_all;
    any_head += most_on_target(recorder.recorded(), pictures, i) / static_cast<double>(count);
    if (commonest_with(looked_at.shapes_of(i), shape_said(scores, i)) > 0) ++commonest;
    if (is_telling(looked_at.shapes_of(i), pictures, i) && std::abs(there - best.on_target) < off)
      off = std::abs(there - best.on_target), typical = i;
  }
  result.looks.push_back({now.step, now.figure,
                          100 * static_cast<double>(commonest) / static_cast<double>(count),
                          100 * best.on_target, 100 * any_head});
  const std::string shared = work_of_heads(result.looks.back());
  std::vector<std::pair<std::string, std::string>> drawn;
  for (Index i = 0; i < pictures_shown; ++i) {
    const Index arrow = pictures.arrows[i];
    const std::vector<double> paid = paid_by_arrow(i);
    drawn.emplace_back(draw_picture_attention(pictures.pixels[i], paid, arrow, ""),
                       text(answer_to(scores, pictures, i), ", weight ",
                            percent_text(*std::max_element(paid.begin(), paid.end()), 0),
                            "\nalone: ", answers_alone[static_cast<std::size_t>(i)]));
  }
  Html content;
  content
      .paragraph(text("After ", grouped_text(now.step), " steps, in ", head, ", ",
                      percent_text(best.on_target, 0),
                      " of the weight of the arrow's cell (framed) lies on what the arrow points at, on "
                      "average over ",
                      count, " pictures: more than 90 % in ", nearly_all, " of the ", count,
                      ", less in the others. ", shared.empty() ? "" : "Here " + shared + " ",
                      "The more weight a cell gets, the stronger its tint. ",
                      result.pictures.empty() || result.arrow_look.head == head
                          ? ""
                          : "Another head than at the step before: shown is the one that gives most to what "
                            "the arrow points at."))
      .markup(in_a_row(drawn).str());
  result.on_target = result.looks.back().on_target;
  result.pictures.push_back({text(now.step), content});
  result.arrow_look = {head,
                       looked_at.shapes_of(typical),
                       paid_by_arrow(typical),
                       pictures.arrows[typical],
                       pictures.targets[typical],
                       pictures.answers[typical],
                       shape_said(scores, typical)};
}

}  // namespace

std::string work_of_heads(const Look& look) {
  constexpr double works = 50, more = 10;
  if (look.in_any <= std::max(works, look.on_target + more)) return "";
  return text("heads share the work: in the best head of each picture the weight there is ",
              percent_text(look.in_any / 100, 0), ".");
}

Result train(const std::string& name, Among among, const ArrowPictures& test, const Settings& settings,
             const Result* alone) {
  PictureModel model(settings.width, settings.heads, settings.rounds, among, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 10, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random pictures(settings.seed + 1);
  Result result{name, count(parameters(model)), {}, {}};
  const std::uint64_t seed = settings.seed + 7;
  const LookedAt looked_at{draw_arrow_pictures(looked_at_count, settings.noise, Random(seed)),
                           shapes_in(looked_at_count, seed)};
  for (Index i = 0; i < looked_at_count; ++i)
    if (commonest_with(looked_at.shapes_of(i), looked_at.pictures.answers[i]) > 0)
      result.commonest_of_right += 100.0 / static_cast<double>(looked_at_count);
  result.curve.follow(
      trainer, looks_at_them, [&] { return share_right(model, test); },
      [&](const LearningCurve::Point& now) {
        if (alone) look_at(model, looked_at, now, alone->answers, result);
      });
  trainer.run([&](Index) {
    const ArrowPictures batch = draw_arrow_pictures(settings.batch, settings.noise, pictures.split());
    return cross_entropy(model(batch.pixels), batch.answers);
  });
  if (alone) return result;
  const NoGrad no_grad;
  const Tensor scores = model(looked_at.pictures.pixels).value();
  for (Index i = 0; i < pictures_shown; ++i)
    result.answers.push_back(answer_to(scores, looked_at.pictures, i));
  return result;
}
