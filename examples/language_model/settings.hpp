// What can be set for training, with presets.
#pragma once

#include <string>

#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "../page_program.hpp"

struct TrainSettings : PageSettings {
  std::string preset = "toy";
  std::string text;  // a file; empty: generated sentences
  double validation = 0.1;
  gradual::StackConfig model;  // its max_length is the context
  gradual::Index batch = 16, steps = 0;
  gradual::Schedule schedule;
  gradual::AdamOptions adam;
  double clip = 1;
};

/// The settings of a preset; those of the default preset for a name that is none.
TrainSettings preset_settings(const std::string& name);

/// Adds the options of training; what `settings` holds are the defaults.
void add_train_options(const Options& add, TrainSettings& settings);
