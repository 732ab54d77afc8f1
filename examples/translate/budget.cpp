#include "budget.hpp"

#include <sstream>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using namespace gradual;

namespace {

std::string minutes(double seconds) {
  return seconds < 100 ? fixed_text(seconds, 0) + " seconds" : fixed_text(seconds / 60, 0) + " minutes";
}

}  // namespace

const std::vector<std::string>& planned_options() {
  static const std::vector<std::string> names = {
      "preset",       "units",          "subwords",        "joint",        "width",         "heads",
      "feed-forward", "encoder-layers", "decoder-layers",  "batch-tokens", "learning-rate", "steps",
      "warmup",       "decay",          "label-smoothing", "dropout"};
  return names;
}

const std::vector<std::string>& unplanned_options() {
  static const std::vector<std::string> names = {"subword-sampling", "both-ways"};
  return names;
}

double seconds_of(const std::string& duration) {
  double number = 0;
  char unit = 0, rest = 0;
  std::istringstream words(duration);
  words >> number >> unit;
  const double seconds = number * (unit == 's' ? 1 : unit == 'm' ? 60 : 3600);
  if (words.fail() || words.get(rest) || !(seconds > 0 && seconds <= 1000 * 3600) ||
      (unit != 's' && unit != 'm' && unit != 'h'))
    throw CLI::ValidationError(
        "--budget", "must be a time such as 10s, 5m or 1h, and at most 1000h: got \"" + duration + "\"");
  return seconds;
}

std::string settings_of(const Plan& plan) {
  std::string lines =
      text("width = ", plan.model.width, "\nheads = ", plan.model.heads,
           "\nfeed-forward = ", plan.model.feed_forward, "\nencoder-layers = ", plan.model.encoder_layers,
           "\ndecoder-layers = ", plan.model.decoder_layers, "\nbatch-tokens = ", plan.batch_tokens,
           "\nlearning-rate = ", plan.schedule.peak, "\nsteps = ", plan.schedule.total,
           "\nwarmup = ", plan.schedule.warmup, "\ndecay = cosine\ndropout = ", plan.model.dropout,
           "\nlabel-smoothing = ", plan.label_smoothing, "\n");
  if (plan.subwords > 0) lines += text("units = subwords\njoint = true\nsubwords = ", plan.subwords, "\n");
  return lines;
}

std::string expectation_of(const Plan& plan, double seconds) {
  const double needed = static_cast<double>(plan.schedule.total) * plan.seconds_of_step;
  return text("Plan for ", minutes(seconds), ": about ", grouped_text(plan.parameters), " parameters (width ",
              plan.model.width, ", ", plan.model.encoder_layers, " + ", plan.model.decoder_layers,
              " layers), ", plan.schedule.total, " steps of ", fixed_text(1000 * plan.seconds_of_step, 1),
              " ms, which is ", fixed_text(plan.epochs, 1), " times the text and takes ", minutes(needed),
              needed > seconds ? ", longer than asked." : ".",
              plan.has_time_left ? " More would only learn it by heart." : "");
}
