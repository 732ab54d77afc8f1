#include "experiment.hpp"

#include <algorithm>

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

constexpr Index pictures_shown = 6;

Index shape_said(const Tensor& scores, Index picture) {
  const Real* const row = scores.data() + picture * ArrowPictures::shapes;
  return std::max_element(row, row + ArrowPictures::shapes) - row;
}

// `shapes` are those of the pictures.
Look look_at(const PictureModel& model, const ArrowPictures& pictures,
             const std::vector<std::vector<Index>>& shapes, Index step) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const Index count = pictures.answers.size();
  double commonest = 0;
  for (Index i = 0; i < count; ++i)
    commonest += commonest_with(shapes[static_cast<std::size_t>(i)], shape_said(scores, i)) > 0 ? 1 : 0;
  return {step, 100 * commonest / static_cast<double>(count),
          100 * best_head(recorder.recorded(), pictures).on_target};
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

void look_inside(const PictureModel& model, const ArrowPictures& pictures, Index step,
                 const std::vector<std::string>& answers_alone, Result& result) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const HeadOfLayer best = best_head(recorder.recorded(), pictures);
  result.on_target = 100 * best.on_target;
  const std::string head = text("layer ", best.layer + 1, ", head ", best.head + 1);
  const Tensor& weights = recorder.recorded()[best.layer].weights;  // [B, H, cells², cells²]
  Index nearly_all = 0;
  for (Index i = 0; i < pictures.answers.size(); ++i)
    nearly_all +=
        weights[i][static_cast<Index>(best.head)]({pictures.arrows[i], pictures.targets[i]}) > Real(0.9);
  std::vector<std::pair<std::string, std::string>> drawn;
  for (Index i = 0; i < pictures_shown; ++i) {
    const Index arrow = pictures.arrows[i];
    const Tensor paid = weights[i][static_cast<Index>(best.head)][arrow];
    drawn.emplace_back(
        draw_picture_attention(pictures.pixels[i], {paid.begin(), paid.end()}, arrow, ""),
        text("right: ", name_of_shape(pictures.answers[i]), "\nattention: ", answer_to(scores, pictures, i),
             "\nalone: ", answers_alone[static_cast<std::size_t>(i)]));
  }
  Html content;
  content
      .paragraph(text(
          "After ", step, " steps, in ", head, ", ", percent_text(best.on_target, 0),
          " of the weight of the arrow's cell (framed) lies on what the arrow points at, on average over ",
          pictures.answers.size(), " pictures: more than 90 % in ", nearly_all, " of the ",
          pictures.answers.size(),
          ", less in the others. The more weight a cell gets, the stronger its tint. ",
          result.head_shown.empty() || result.head_shown == head
              ? ""
              : "Another head than at the step before: shown is the one that gives most to what the arrow "
                "points at."))
      .markup(in_a_row(drawn).str());
  constexpr double works = 0.5;
  if (best.on_target < works) result.begins_to_work = result.pictures.size() + 1;
  result.pictures.push_back({text(step), content});
  result.head_shown = head;
}

}  // namespace

Result train(const std::string& name, Among among, const ArrowPictures& test, const Settings& settings,
             const Result* alone) {
  PictureModel model(settings.width, settings.heads, settings.rounds, among, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 10, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random pictures(settings.seed + 1);
  Result result{name, count(parameters(model)), {}, {}};
  const std::uint64_t seed = settings.seed + 7;
  const ArrowPictures looked_at = draw_arrow_pictures(looked_at_count, settings.noise, Random(seed));
  const std::vector<std::vector<Index>> shapes = shapes_in(looked_at_count, seed);
  for (Index i = 0; i < looked_at_count; ++i)
    if (commonest_with(shapes[static_cast<std::size_t>(i)], looked_at.answers[i]) > 0)
      result.commonest_of_right += 100.0 / static_cast<double>(looked_at_count);
  result.curve.follow(
      trainer, 15, [&] { return share_right(model, test); },
      [&](const LearningCurve::Point& now) {
        if (alone) result.looks.push_back(look_at(model, looked_at, shapes, now.step));
      });
  if (alone)
    trainer.times(
        8, [&](const TrainingStep& now) { look_inside(model, looked_at, now.step, alone->answers, result); });
  trainer.run([&](Index) {
    const ArrowPictures batch = draw_arrow_pictures(settings.batch, settings.noise, pictures.split());
    return cross_entropy(model(batch.pixels), batch.answers);
  });
  const NoGrad no_grad;
  const Tensor scores = model(looked_at.pixels).value();
  for (Index i = 0; i < pictures_shown; ++i) result.answers.push_back(answer_to(scores, looked_at, i));
  return result;
}
