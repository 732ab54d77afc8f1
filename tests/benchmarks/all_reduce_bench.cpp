// What it costs to sum numbers over processes, and how much of that backward() hides. Run it by mpirun.
//
// A line of JSON for each size; with --step one for a training step instead, whose gradients are summed while
// backward() runs, or after it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/parallel/data_parallel.hpp>
#include <gradual/nn/transformer/transformer.hpp>

using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

struct Settings {
  std::string where = "here";
  bool step = false;
  int repeats = 20, threads = 1;
  Index largest = Index(64) << 20;
  // Of the step: the sizes of `multi30k`.
  Index width = 128, layers = 4, vocabulary = 10000, batch = 32, length = 16;
};

struct Times {
  double median, least;
};

Times summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// In seconds. All processes begin together, and kinds of work take turns: other work on the machine slows all
// of them.
std::vector<Times> measure(Communicator& communicator, int repeats,
                           const std::vector<std::function<void()>>& kinds) {
  std::vector<std::vector<double>> times(kinds.size());
  for (int i = -2; i < repeats; ++i) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      communicator.wait_for_all();
      const auto start = std::chrono::steady_clock::now();
      kinds[k]();
      if (i >= 0) times[k].push_back(seconds_since(start));
    }
  }
  std::vector<Times> result;
  for (const std::vector<double>& each : times) result.push_back(summary(each));
  return result;
}

double rounded(double value) { return std::round(value * 10) / 10; }

void print(const Communicator& communicator, const Json& line) {
  if (communicator.rank() == 0) std::cout << line.dump() << std::endl;
}

// Fills the numbers so that their sums are known, and sums them: the number i of process r is r + i mod 1000.
void check_sum(Communicator& communicator, Tensor& numbers) {
  Real* to = numbers.mutable_data();
  for (Index i = 0; i < numbers.size(); ++i) to[i] = static_cast<Real>(communicator.rank() + i % 1000);
  numbers = communicator.start_sum(std::move(numbers)).get();
  const Index size = communicator.size();
  for (Index i = 0; i < numbers.size(); ++i) {
    const auto sum = static_cast<Real>(size * (size - 1) / 2 + size * (i % 1000));
    if (numbers.data()[i] != sum)
      throw std::logic_error(text("number ", i, " must be the sum over all processes: it is ",
                                  numbers.data()[i], ", not ", sum));
  }
}

void measure_sums(Communicator& communicator, const Settings& settings) {
  for (Index bytes = 4096; bytes <= settings.largest; bytes *= 4) {
    Tensor numbers({bytes / static_cast<Index>(sizeof(Real))});
    check_sum(communicator, numbers);
    const auto sum = [&] { numbers = communicator.start_sum(std::move(numbers)).get(); };
    const std::clock_t before = std::clock();
    const auto [median, least] = measure(communicator, settings.repeats, {sum}).front();
    const double processor = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    print(communicator, {{"where", settings.where},
                         {"processes", communicator.size()},
                         {"bytes", bytes},
                         {"median_us", rounded(median * 1e6)},
                         {"least_us", rounded(least * 1e6)},
                         {"processor_us", rounded(processor * 1e6 / (settings.repeats + 2))},
                         {"megabytes_per_s", rounded(1e-6 * static_cast<double>(bytes) / median)}});
  }
}

Indices random_ids(const Shape& shape, Index words, Random random) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(shape.size()));
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(4 + random.below(words - 4));
  return {shape, ids};
}

void measure_step(Communicator& communicator, const Settings& s) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = s.vocabulary;
  config.width = s.width;
  config.feed_forward = 2 * s.width;
  config.encoder_layers = config.decoder_layers = s.layers;
  config.shared_embeddings = true;
  Transformer model(config, Random(0));
  const Shape shape{s.batch, s.length};
  const Indices lengths({s.batch}, std::vector<std::int32_t>(static_cast<std::size_t>(s.batch),
                                                             static_cast<std::int32_t>(s.length)));
  const SourceBatch source{random_ids(shape, s.vocabulary, Random(1)), lengths};
  const Indices input = random_ids(shape, s.vocabulary, Random(2)),
                output = random_ids(shape, s.vocabulary, Random(3));
  const std::vector<NamedParameter> all = parameters(model);
  DataParallel parallel(communicator, all);
  const auto loss_of_batch = [&] {
    zero_gradients(all);
    return model.loss({source, input, output}, {0, 0.1});
  };
  const auto compute = [&] { backward(loss_of_batch()); };
  const auto sum = [&] {
    parallel.start();
    parallel.finish();
  };
  const auto sum_after = [&] {
    compute();
    sum();
  };
  std::vector<double> waits;
  const auto sum_during = [&] {
    const Var loss = loss_of_batch();
    parallel.start();
    backward(loss);
    const auto start = std::chrono::steady_clock::now();
    parallel.finish();
    waits.push_back(seconds_since(start));
  };
  std::vector<Times> times = measure(communicator, s.repeats, {compute, sum, sum_after, sum_during});
  times.push_back(summary(waits));
  const std::vector<std::string> names = {"compute", "sum", "sum_after_backward", "sum_during_backward",
                                          "wait_after_backward"};
  Json line = {{"where", s.where},
               {"processes", communicator.size()},
               {"parameters", count(all)},
               {"embeddings", s.vocabulary * s.width}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    line[names[i] + "_ms"] = rounded(times[i].median * 1e3);
    line[names[i] + "_least_ms"] = rounded(times[i].least * 1e3);
  }
  print(communicator, line);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times sums over the processes that mpirun started; prints lines of JSON."};
  Settings settings;
  app.add_flag("--step", settings.step,
               "time a training step that sums during backward, and one that sums after");
  app.add_option("--where", settings.where, "a name to print in each line")->capture_default_str();
  const auto number = [&](const char* name, auto& value, const char* meaning) {
    app.add_option(name, value, meaning)->check(CLI::PositiveNumber)->capture_default_str();
  };
  number("--repeats", settings.repeats, "timed repetitions, after two that are not");
  number("--threads", settings.threads, "threads of each process");
  number("--largest", settings.largest, "bytes of the largest sum");
  number("--width", settings.width, "of the step's transformer");
  number("--layers", settings.layers, "of its encoder, and of its decoder");
  number("--vocabulary", settings.vocabulary, "words that it has");
  number("--batch", settings.batch, "sentences of each process");
  CLI11_PARSE(app, argc, argv);
  set_thread_count(settings.threads);
  Communicator communicator;
  try {
    if (settings.step)
      measure_step(communicator, settings);
    else
      measure_sums(communicator, settings);
  } catch (const std::exception& error) {
    std::cerr << "all_reduce_bench: " << error.what() << std::endl;
    communicator.abort();
    return 1;
  }
}
