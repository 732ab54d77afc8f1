#include "settings.hpp"

#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/layers/norms.hpp>
#include <gradual/nn/positions/positions.hpp>

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
  if (name == "modern") {  // the parts that large models have today, and fewer parameters than "toy"
    s.model.norm_kind = "rms_norm";
    s.model.activation = "swiglu";
    s.model.feed_forward = 168;
    s.model.key_value_heads = 2;
  }
  return s;
}

void add_train_options(const Options& add, TrainSettings& s) {
  add.choice("preset", s.preset, "values for everything below, overridden by options",
             {"toy", "modern", "nanogpt-cpu"});
  add.file("text", s.text, "a file of text to learn; without it, generated sentences");
  add.between("validation", s.validation, 0.001, 0.9, "the last part of the text, which is not trained on");

  add.positive("layers", s.model.layers, "layers of the model");
  add.positive("heads", s.model.heads, "attention heads; they divide the width");
  add.not_negative("key-value-heads", s.model.key_value_heads,
                   "heads of keys and values, which several heads share; 0: one for each");
  add.positive("width", s.model.width, "numbers that stand for a character inside the model");
  add.positive("feed-forward", s.model.feed_forward, "inner width of the feed-forward networks");
  add.positive("context", s.model.max_length, "characters that the model sees at once");
  add.between("dropout", s.model.dropout, 0.0, 0.99, "share of numbers that training zeroes");
  add.choice("positions", s.model.positions, "how the order of the characters enters",
             position_kinds().names());
  add.choice("activation", s.model.activation, "of the feed-forward networks", feed_forwards().names());
  add.choice("norm", s.model.norm_kind, "what keeps numbers of one size", norms().names());

  add.positive("batch", s.batch, "windows of text in a step");
  add.positive("steps", s.steps, "updates of the parameters");
  add.positive("learning-rate", s.schedule.peak, "the largest learning rate");
  add.positive("warmup", s.schedule.warmup, "steps in which it rises to that");
  add.not_negative("weight-decay", s.adam.weight_decay, "of AdamW");
  add.not_negative("clip", s.clip, "the longest gradient; 0: any");
}
