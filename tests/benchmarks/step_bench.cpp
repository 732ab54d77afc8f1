// One training step of a transformer, timed: forward, loss with label smoothing, backward, clipping, Adam.
//
// The same model, loss and optimizer as a PyTorch script that prints the same keys, so that the two can stand
// side by side in one run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/machine.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "../../examples/command_line.hpp"

using namespace gradual;

namespace {

struct Configuration {
  bool translates;  // an encoder and a decoder, or a decoder alone
  Index width, heads, feed_forward, encoder_layers, decoder_layers, vocabulary, batch, source_length,
      target_length;
  Index window = 0;  // how many places to either side self-attention sees; 0: all
};

const std::map<std::string, Configuration> configurations = {
    {"toy", {true, 64, 4, 128, 2, 2, 256, 64, 12, 12}},
    {"multi30k", {true, 128, 4, 256, 4, 4, 10000, 128, 16, 16}},
    {"base", {true, 512, 8, 2048, 6, 6, 10000, 32, 32, 32}},
    {"chargpt", {false, 128, 4, 512, 0, 4, 65, 12, 0, 64}},
    {"long", {false, 128, 4, 512, 0, 2, 256, 2, 0, 1024}},
};

// Sizes that a command line puts in place of the configuration's; 0: the configuration's own.
struct Sizes {
  Index length = 0, batch = 0, width = 0, layers = 0, vocabulary = 0, window = 0;
};

// Heads and inner layers keep their proportion to the width.
Configuration with_sizes(Configuration c, const Sizes& sizes) {
  const auto replace = [](Index& value, Index by) { value = by > 0 && value > 0 ? by : value; };
  replace(c.source_length, sizes.length);
  replace(c.target_length, sizes.length);
  replace(c.batch, sizes.batch);
  replace(c.encoder_layers, sizes.layers);
  replace(c.decoder_layers, sizes.layers);
  replace(c.vocabulary, sizes.vocabulary);
  if (sizes.width > 0) {
    c.heads = std::max<Index>(1, c.heads * sizes.width / c.width);
    c.feed_forward = c.feed_forward * sizes.width / c.width;
    c.width = sizes.width;
  }
  c.window = sizes.window;
  return c;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Indices random_ids(const Shape& shape, Index first, Index last, Random random) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(shape.size()));
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(first + random.below(last - first));
  return {shape, ids};
}

// The columns first … first + count - 1 of ids [B, N].
Indices columns(const Indices& ids, Index first, Index count) {
  std::vector<std::int32_t> result;
  for (Index b = 0; b < ids.dim(0); ++b) {
    const std::int32_t* row = ids.data() + b * ids.dim(1) + first;
    result.insert(result.end(), row, row + count);
  }
  return {Shape{ids.dim(0), count}, result};
}

Index peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

struct Step {
  std::vector<NamedParameter> parameters;
  std::function<Var()> loss;
};

Step make_step(const Configuration& c, Random random) {
  const Index length = c.target_length;
  const Indices target = random_ids({c.batch, length + 1}, 4, c.vocabulary, random);
  const Indices input = columns(target, 0, length), output = columns(target, 1, length);
  const CrossEntropyOptions options{0, 0.1};

  LayerConfig layer;
  layer.width = c.width;
  layer.heads = c.heads;
  layer.feed_forward = c.feed_forward;
  layer.max_length = std::max<Index>(2048, std::max(c.source_length, length));
  layer.window = c.window;
  if (!c.translates) {
    StackConfig config;
    static_cast<LayerConfig&>(config) = layer;
    config.vocabulary = c.vocabulary;
    config.layers = c.decoder_layers;
    auto model = std::make_shared<LanguageModel>(config, random);
    return {parameters(*model), [=] { return model->loss(input, output, options); }};
  }
  TransformerConfig config;
  static_cast<LayerConfig&>(config) = layer;
  config.source_vocabulary = config.target_vocabulary = c.vocabulary;
  config.encoder_layers = c.encoder_layers;
  config.decoder_layers = c.decoder_layers;
  config.shared_embeddings = true;
  auto model = std::make_shared<Transformer>(config, random);
  const SourceBatch source{random_ids({c.batch, c.source_length}, 4, c.vocabulary, random),
                           random_ids({c.batch}, c.source_length / 2, c.source_length + 1, random)};
  return {parameters(*model), [=] { return model->loss({source, input, output}, options); }};
}

struct Settings {
  std::string name = "toy";
  Sizes sizes;
  int threads = hardware_threads(), steps = 20;
  bool profile = false;
};

nlohmann::ordered_json measure(const Settings& settings) {
  const Configuration c = with_sizes(configurations.at(settings.name), settings.sizes);
  set_thread_count(settings.threads);
  MachineLimits limits{measure_products(), 0};
  Step step = make_step(c, Random(0));
  const auto weights = static_cast<double>(count(step.parameters));
  Adam adam(step.parameters);
  Real last = 0;
  const auto run = [&] {
    zero_gradients(step.parameters);
    const Var loss = step.loss();
    backward(loss);
    adam.step(1e-4, clipping_scale(gradient_norm(step.parameters), 1.0));
    last = loss.value().item();
    // The norm reads the gradient; Adam reads it again, and reads and writes weights and both averages.
    if (Profiler* profiler = Profiler::current())
      profiler->add_forward("clipping and update", 8 * sizeof(Real) * weights);
  };
  for (int i = 0; i < 3; ++i) run();
  std::vector<double> times;
  for (int i = 0; i < settings.steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  const Index peak_mib = peak_memory_mib();  // before the limit of memory is measured, which takes memory

  limits.bytes_per_second = measure_memory();
  const int profiled_steps = settings.profile ? settings.steps : 1;
  const Profiler profiler;
  for (int i = 0; i < profiled_steps; ++i) run();
  const std::vector<ProfiledOperation> operations = profiler.operations();
  if (settings.profile) std::cerr << profile_table(operations, limits, profiled_steps);
  double flops = 0, bytes = 0;
  for (const ProfiledOperation& each : operations) {
    flops += (each.forward.flops + each.backward.flops) / profiled_steps;
    bytes += (each.forward.bytes + each.backward.bytes) / profiled_steps;
  }

  const auto rounded = [](double value, double places) { return std::round(value * places) / places; };
  const auto target_tokens = static_cast<double>(c.batch * c.target_length);
  const auto tokens = static_cast<double>(c.batch * (c.source_length + c.target_length));
  return {{"peer", "gradual"},
          {"config", settings.name},
          {"length", c.target_length},
          {"batch", c.batch},
          {"width", c.width},
          {"heads", c.heads},
          {"vocabulary", c.vocabulary},
          {"window", c.window},
          {"threads", settings.threads},
          {"bytes_per_number", sizeof(Real)},
          {"params", count(step.parameters)},
          {"step_ms", rounded(median * 1e3, 1000)},
          {"min_ms", rounded(times.front() * 1e3, 1000)},
          {"target_tokens_per_s", std::round(target_tokens / median)},
          {"tokens_per_s", std::round(tokens / median)},
          {"peak_mib", peak_mib},
          {"loss", last},
          {"gflop_per_step", rounded(1e-9 * flops, 1000)},
          {"gb_per_step", rounded(1e-9 * bytes, 10000)},
          {"gemm_peak_gflops", rounded(1e-9 * limits.flops, 10)},
          {"memory_gb_per_s", rounded(1e-9 * limits.bytes_per_second, 10)},
          {"fraction_of_peak", rounded(flops / median / limits.flops, 1000)}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times one training step of a transformer and prints one JSON line."};
  Settings settings;
  std::vector<std::string> names;
  for (const auto& each : configurations) names.push_back(each.first);
  app.add_option("--config", settings.name, "the model and batch")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "threads that share the work")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--steps", settings.steps, "timed steps, after three that are not")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--profile", settings.profile,
               "then run as many again, and print on standard error where their time went");
  const auto size = [&](const char* name, Index& value, const char* description) {
    app.add_option(name, value, description)
        ->check(CLI::PositiveNumber)
        ->group("Sizes, in place of the configuration's");
  };
  size("--length", settings.sizes.length, "words of a sentence, on both sides");
  size("--batch", settings.sizes.batch, "sentences");
  size("--width", settings.sizes.width,
       "numbers of a word; heads and inner layers keep their proportion to it");
  size("--layers", settings.sizes.layers, "layers of the encoder, and of the decoder");
  size("--vocabulary", settings.sizes.vocabulary, "words that there are");
  size("--window", settings.sizes.window, "places to either side that self-attention sees");
  return run_program("step_bench", app, [&] {
    app.parse(argc, argv);
    std::cout << measure(settings).dump() << "\n";
  });
}
