#include "settings.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include <gradual/core/threads.hpp>
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/layers/norms.hpp>
#include <gradual/nn/positions/positions.hpp>

#include "../command_line.hpp"

using namespace gradual;

TrainSettings preset_settings(const std::string& name) {
  TrainSettings s;
  s.preset = name;
  s.model.width = 64;
  s.model.heads = 4;
  s.model.feed_forward = 256;
  s.model.layers = 2;
  s.model.dropout = 0;
  s.model.max_length = 64;
  s.steps = 1500;
  s.schedule = {Decay::cosine, 5e-3, 50, 0};
  s.adam = {0.9, 0.99, 1e-8, 0.1};
  s.model.positions = "rotary";
  s.model.activation = "gelu";
  if (name == "nanogpt-cpu") {
    s.model.width = 128;
    s.model.feed_forward = 512;
    s.model.layers = 4;
    s.batch = 12;
    s.steps = 2000;
    s.schedule = {Decay::cosine, 3e-3, 100, 0};
  }
  if (name == "modern") {  // the parts that large models have today, and as many parameters as "toy"
    s.model.norm_kind = "rms_norm";
    s.model.activation = "swiglu";
    s.model.feed_forward = 168;
    s.model.key_value_heads = 2;
  }
  return s;
}

void add_train_options(CLI::App& app, TrainSettings& s) {
  const auto number = [&](const char* name, Index& value, const char* help) {
    app.add_option(name, value, help)->transform(above_zero(value))->capture_default_str();
  };
  app.add_option("--preset", s.preset, "values for everything below, overridden by options")
      ->check(CLI::IsMember({"toy", "modern", "nanogpt-cpu"}))
      ->capture_default_str();
  app.add_option("--text", s.text, "a file of text to learn; without it, generated sentences");
  app.add_option("--validation", s.validation, "the last part of the text, which is not trained on")
      ->transform(between(0.001, 0.9))
      ->capture_default_str();

  number("--layers", s.model.layers, "layers of the model");
  number("--heads", s.model.heads, "attention heads; they divide the width");
  number("--width", s.model.width, "numbers that stand for a character inside the model");
  number("--feed-forward", s.model.feed_forward, "inner width of the feed-forward networks");
  number("--context", s.model.max_length, "characters that the model sees at once");
  app.add_option("--dropout", s.model.dropout, "share of numbers that training zeroes")
      ->transform(between(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--positions", s.model.positions, "how the order of the characters enters")
      ->check(CLI::IsMember(position_kinds().names()))
      ->capture_default_str();
  app.add_option("--activation", s.model.activation, "of the feed-forward networks")
      ->check(CLI::IsMember(feed_forwards().names()))
      ->capture_default_str();

  app.add_option("--norm", s.model.norm_kind, "what keeps numbers of one size")
      ->check(CLI::IsMember(norms().names()))
      ->capture_default_str();
  app.add_option("--key-value-heads", s.model.key_value_heads,
                 "heads of keys and values, which several heads share; 0: one for each")
      ->transform(not_below_zero(s.model.key_value_heads))
      ->capture_default_str();

  number("--batch", s.batch, "windows of text in a step");
  number("--steps", s.steps, "updates of the parameters");
  app.add_option("--learning-rate", s.schedule.peak, "the largest learning rate")
      ->transform(above_zero(s.schedule.peak))
      ->capture_default_str();
  number("--warmup", s.schedule.warmup, "steps in which it rises to that");
  app.add_option("--weight-decay", s.adam.weight_decay, "of AdamW")
      ->transform(not_below_zero(s.adam.weight_decay))
      ->capture_default_str();
  app.add_option("--clip", s.clip, "the longest gradient; 0: any")
      ->transform(not_below_zero(s.clip))
      ->capture_default_str();
  add_seed(app, s.seed, "decides the first weights, the windows, and what is written");
  app.add_option("--threads", s.threads, "threads that share the work; 0: as many as there are cores")
      ->transform(between(0, 64))
      ->capture_default_str();
  app.add_option("--out", s.out, "folder for the model and the page")->capture_default_str();
  app.add_flag("--json", s.json, "print one JSON line of figures and nothing else");
}

void finish_settings(TrainSettings& s) {
  s.schedule.total = s.steps;
  if (s.threads > 0) set_thread_count(std::min(s.threads, hardware_threads()));
}
