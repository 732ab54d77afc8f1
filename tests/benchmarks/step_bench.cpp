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
#include <gradual/core/blas.hpp>
#include <gradual/core/machine.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

using namespace gradual;

namespace {

struct Configuration {
  bool translates;  // an encoder and a decoder, or a decoder alone
  Index width, heads, feed_forward, encoder_layers, decoder_layers, vocabulary, batch, source_length,
      target_length;
};

const std::map<std::string, Configuration> configurations = {
    {"toy", {true, 64, 4, 128, 2, 2, 256, 64, 12, 12}},
    {"multi30k", {true, 128, 4, 256, 4, 4, 10000, 128, 16, 16}},
    {"base", {true, 512, 8, 2048, 6, 6, 10000, 32, 32, 32}},
    {"chargpt", {false, 128, 4, 512, 0, 4, 65, 12, 0, 64}},
    {"long", {false, 128, 4, 512, 0, 2, 256, 2, 0, 1024}},
};

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

struct Step {
  std::vector<NamedParameter> parameters;
  std::function<Var()> loss;
};

Step make_step(const Configuration& c, Random random) {
  const Index length = c.target_length;
  const Indices target = random_ids({c.batch, length + 1}, 4, c.vocabulary, random);
  const Indices input = columns(target, 0, length), output = columns(target, 1, length);
  const CrossEntropyOptions options{0, 0.1};

  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = c.vocabulary;
  config.width = c.width;
  config.heads = c.heads;
  config.feed_forward = c.feed_forward;
  config.encoder_layers = c.encoder_layers;
  config.decoder_layers = c.decoder_layers;
  config.shared_embeddings = true;
  config.max_length = 2048;
  if (!c.translates) {
    auto model = std::make_shared<LanguageModel>(config, random);
    return {parameters(*model), [=] { return model->loss(input, output, options); }};
  }
  auto model = std::make_shared<Transformer>(config, random);
  const SourceBatch source{random_ids({c.batch, c.source_length}, 4, c.vocabulary, random),
                           random_ids({c.batch}, c.source_length / 2, c.source_length + 1, random)};
  return {parameters(*model), [=] { return model->loss({source, input, output}, options); }};
}

nlohmann::ordered_json measure(const std::string& name, const Configuration& c, int threads, int steps,
                               bool profile) {
  set_thread_count(threads);
  const double peak = 1e-9 * measure_products();
  Step step = make_step(c, Random(0));
  Adam adam(step.parameters);
  Real last = 0;
  const auto run = [&] {
    zero_gradients(step.parameters);
    const Var loss = step.loss();
    backward(loss);
    adam.step(1e-4, clipping_scale(gradient_norm(step.parameters), 1.0));
    last = loss.value().item();
    Profiler::mark("clipping and update");
  };
  for (int i = 0; i < 3; ++i) run();
  const std::int64_t flops_before = flop_count();
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  const double gflop = 1e-9 * static_cast<double>(flop_count() - flops_before) / steps;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (profile) {
    const Profiler profiler;
    for (int i = 0; i < steps; ++i) run();
    std::cerr << profile_table(profiler.operations(), measure_machine(), steps);
  }
  const auto rounded = [](double value, double places) { return std::round(value * places) / places; };
  const auto target_tokens = static_cast<double>(c.batch * c.target_length);
  const auto tokens = static_cast<double>(c.batch * (c.source_length + c.target_length));
  return {{"peer", "gradual"},
          {"config", name},
          {"threads", threads},
          {"params", count(step.parameters)},
          {"step_ms", rounded(median * 1e3, 1000)},
          {"min_ms", rounded(times.front() * 1e3, 1000)},
          {"target_tokens_per_s", std::round(target_tokens / median)},
          {"tokens_per_s", std::round(tokens / median)},
          {"peak_mib", usage.ru_maxrss / 1024},
          {"loss", last},
          {"gflop_per_step", rounded(gflop, 1000)},
          {"gemm_peak_gflops", rounded(peak, 10)},
          {"fraction_of_peak", rounded(gflop / median / peak, 1000)}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times one training step of a transformer and prints one JSON line."};
  std::string name = "toy";
  bool profile = false;
  int threads = hardware_threads(), steps = 20;
  std::vector<std::string> names;
  for (const auto& each : configurations) names.push_back(each.first);
  app.add_option("--config", name, "the model and batch")->check(CLI::IsMember(names))->capture_default_str();
  app.add_option("--threads", threads, "threads that share the work")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--steps", steps, "timed steps, after three that are not")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--profile", profile,
               "then run as many again, and print on standard error where their time went");
  CLI11_PARSE(app, argc, argv);
  std::cout << measure(name, configurations.at(name), threads, steps, profile).dump() << "\n";
}
