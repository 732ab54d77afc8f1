// Searching for translations, timed: the model of the configuration `multi30k` of step_bench, which has the
// sizes of the preset transformer-tiny, with random weights. Each thread takes whole batches, as
// Translator::search() has it.
//
// The same model and sizes as a PyTorch script that prints the same keys, so that the two can stand side by
// side in one run; for CTranslate2 the model itself is written down. Every hypothesis runs to the same
// length, so the work does not depend on the weights.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/machine.hpp>
#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/interchange/ctranslate2.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "../../examples/command_line.hpp"

using namespace gradual;

namespace {

struct Settings {
  int threads = hardware_threads();
  Index sentences = 1000, batch = 50, beam = 5, length = 16;
  bool int8 = false;
  Index shortlist = 0;  // words that may be written; 0: all
  bool peak = false;
  std::string model;  // a folder to write it to
};

constexpr Index vocabulary = 10000, longest = 16;

Transformer make_model(Random random) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  config.width = 128;
  config.heads = 4;
  config.feed_forward = 256;
  config.encoder_layers = config.decoder_layers = 4;
  config.shared_embeddings = true;
  config.max_length = 2048;
  Transformer model(config, random);
  set_training(model, false);
  return model;
}

// Sentences of 8 to 16 words with the end, those of like length together, as Translator::search() has it.
std::vector<SourceBatch> random_batches(const Settings& settings, Random random) {
  std::vector<std::vector<std::int32_t>> sentences(static_cast<std::size_t>(settings.sentences));
  for (auto& sentence : sentences) {
    sentence.resize(static_cast<std::size_t>(longest / 2 - 1 + random.below(longest / 2 + 1)));
    for (std::int32_t& word : sentence) word = static_cast<std::int32_t>(4 + random.below(vocabulary - 4));
  }
  std::sort(sentences.begin(), sentences.end(), [](auto& a, auto& b) { return a.size() < b.size(); });
  std::vector<std::int32_t> shortlist;
  for (Index i = 0; i < settings.shortlist; ++i)
    shortlist.push_back(static_cast<std::int32_t>(i * vocabulary / settings.shortlist));
  std::vector<SourceBatch> batches;
  for (auto next = sentences.begin(); next != sentences.end();) {
    const auto end = next + std::min<std::ptrdiff_t>(settings.batch, sentences.end() - next);
    batches.push_back(make_source_batch({next, end}));
    batches.back().shortlist = shortlist;
    next = end;
  }
  return batches;
}

nlohmann::ordered_json measure(const std::string& mode, const Settings& settings) {
  set_thread_count(settings.threads);
  const double peak = settings.peak ? measure_products() : 0;
  Transformer model = make_model(Random(0));
  if (settings.int8) model.set_precision(Precision::int8);
  BeamOptions options;
  options.beam_size = settings.beam;
  options.max_length = settings.length;
  options.end = -1;
  const auto translate = [&](const SourceBatch& source) {
    if (mode == "greedy")
      greedy(model, source, options);
    else
      beam_search(model, source, options);
  };

  const std::vector<SourceBatch> batches = random_batches(settings, Random(1));
  translate(batches.front());
  const std::int64_t counted = flop_count();
  const auto start = std::chrono::steady_clock::now();
  parallel_tasks(static_cast<Index>(batches.size()),
                 [&](Index task) { translate(batches[static_cast<std::size_t>(task)]); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double per_second = static_cast<double>(settings.sentences) / took.count();
  const double flops_per_second = static_cast<double>(flop_count() - counted) / took.count();
  const auto rounded = [](double value, double places) { return std::round(value * places) / places; };
  nlohmann::ordered_json line = {{"peer", "gradual"},
                                 {"mode", mode},
                                 {"precision", settings.int8 ? "int8" : "real"},
                                 {"shortlist", settings.shortlist},
                                 {"beam", mode == "greedy" ? 1 : settings.beam},
                                 {"length", settings.length},
                                 {"threads", settings.threads},
                                 {"batch", settings.batch},
                                 {"sentences_per_s", rounded(per_second, 10)}};
  if (settings.peak) {
    line["gflop_per_sentence"] = rounded(1e-9 * flops_per_second / per_second, 10000);
    line["gemm_peak_gflops"] = rounded(1e-9 * peak, 10);
    line["fraction_of_peak"] = rounded(flops_per_second / peak, 1000);
  }
  return line;
}

// The words of this model have numbers for names.
Language numbered_words() {
  std::vector<std::string> tokens = {"<pad>", "<bos>", "<eos>", "<unk>"};
  for (Index i = 4; i < vocabulary; ++i) tokens.push_back(std::to_string(i));
  return {Tokenizer(), Vocabulary(tokens)};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times greedy and beam search and prints one JSON line for each."};
  Settings settings;
  std::vector<std::string> modes = {"beam", "greedy"};
  app.add_option("mode", modes, "what to time")
      ->check(CLI::IsMember({"beam", "greedy"}))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "threads that share the work")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  const auto size = [&](const char* name, Index& value, const char* description) {
    app.add_option(name, value, description)->check(CLI::PositiveNumber)->capture_default_str();
  };
  size("--sentences", settings.sentences, "sentences to translate");
  size("--batch", settings.batch, "sentences that are translated together");
  size("--beam", settings.beam, "hypotheses for each sentence");
  size("--length", settings.length, "words of each translation");
  app.add_flag("--int8", settings.int8, "products in 8 bits");
  app.add_option("--shortlist", settings.shortlist, "words that may be written; 0: all")
      ->check(CLI::Range(Index(0), vocabulary))
      ->capture_default_str();
  app.add_flag("--peak", settings.peak,
               "also tell which share of what products of floats reach at most it reaches");
  app.add_option("--write-model", settings.model,
                 "folder to write the model to, for CTranslate2; times nothing");
  return run_program("decode_bench", app, [&] {
    app.parse(argc, argv);
    if (!settings.model.empty()) {
      const Translator translator(std::make_unique<Transformer>(make_model(Random(0))), numbered_words(),
                                  numbered_words());
      write_ctranslate2(translator, settings.model);
      return;
    }
    for (const std::string& mode : modes) std::cout << measure(mode, settings).dump() << std::endl;
  });
}
