// `translate serve`: a page on this machine where a person types a sentence and sees what a model makes of
// it.
#pragma once

#include <string>

#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/translator.hpp>

struct ServeSettings {
  std::string model = "out/toy/model.safetensors", reverse_model, host = "127.0.0.1";
  int port = 8080;  // 0: any that is free
  gradual::BeamOptions search = gradual::usual_search();
  bool as_at_prompt = true;  // search: no option asked for another beam
};

/// Serves until Ctrl-C, SIGTERM or the end of the terminal. Throws std::runtime_error where the address
/// cannot be used, or where this was built without libmicrohttpd.
void serve(const gradual::Translator& translator, const ServeSettings& settings);
