// What can be set for a run.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/config.hpp>

struct Settings {
  gradual::Index words = 50, longest = 25, unseen = 1000;
  gradual::TransformerConfig model;
  gradual::Index steps = 1500, batch_tokens = 2048;
  gradual::Schedule schedule;
  std::uint64_t seed = 1;
  std::string out = "out/reverse";
  bool json = false;
};
