// Choosing a model and a schedule by the time that there is.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <gradual/nn/text/split_text.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// What a plan starts from.
struct PlanOptions {
  double seconds = 60;      // for training and testing
  TransformerConfig model;  // all that a plan does not choose, such as positions
  bool lower_case = false;
  Index accumulate = 1;  // batches that make a step
  double r_drop = 0;     // above 0, there are two passes of each
  /// What makes the steps; without it, Adam.
  std::function<std::unique_ptr<Optimizer>(const std::vector<NamedParameter>&)> optimizer;
  bool is_generated = false;  // a text without noise needs little dropout and smoothing
};

/// What training in about so many seconds should look like.
struct Plan {
  TransformerConfig model;     // what is to be trained
  Index subwords = 0;          // of one vocabulary for both sides; 0: words
  Index batch_tokens = 0;      // words of a batch
  Schedule schedule;           // of the learning rate
  double label_smoothing = 0;  // ε of the loss
  // What is expected of it:
  Index parameters = 0;
  double seconds_of_step = 0, epochs = 0;
  bool has_time_left = false;  // more would only learn the text by heart
};

/// Times a few steps of models of growing size on this machine, with batches like those of the text, and
/// takes the largest one that still sees enough of the text in the time.
Plan plan_for(SplitText& text, const PlanOptions& options);

}  // namespace gradual
