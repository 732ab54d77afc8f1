// What strangers hand to the programs, as functions of bytes: to be called with kept ones by a test, and with
// ever new ones by libFuzzer (run.sh).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/core/random.hpp>

namespace gradual::fuzz {

/// Changes bytes somewhere, whatever they mean.
using ChangeBytes = std::function<std::string(std::string)>;

struct Target {
  std::string name;  ///< of its folder in corpus/
  /// Returns where the bytes are taken, or refused as is promised; throws for anything else.
  void (*take)(const std::string& bytes);
  /// Changes what the bytes mean, so that most of what becomes of them is still read to its end.
  std::string (*change)(const std::string& bytes, Random random, const ChangeBytes& change_bytes);
};

/// model_file: the command `translate` reads a model, and translates a sentence; config_file and arguments:
/// of `translate train`; question: the body of a request to `translate serve`, and whom it calls.
const std::vector<Target>& targets();

void take_model_file(const std::string& bytes);
void take_config_file(const std::string& bytes);
void take_arguments(const std::string& bytes);
void take_question(const std::string& bytes);

std::string change_model_file(const std::string& bytes, Random random, const ChangeBytes& change_bytes);
std::string change_settings(const std::string& bytes, Random random, const ChangeBytes& change_bytes);
std::string change_question(const std::string& bytes, Random random, const ChangeBytes& change_bytes);

}  // namespace gradual::fuzz
