// What attention over long sequences costs: forward and backward, one JSON line for each length and kind.
//
//   table   every query sees every key, and the whole table of N × N weights is kept for the backward pass
//   blocks  every query sees every key, but the weights are made block by block and made again
//   window  a query sees the keys at most `window` places away
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/threads.hpp>

using namespace gradual;

namespace {

struct Sizes {
  Index heads = 1, head_width = 64, window = 64, shortest = 512, longest = 8192;
  int repeats = 5;
};

Var random_projections(Index n, Index width) {
  Random random(1);
  Tensor x({1, n, 3 * width});
  for (Real *number = x.mutable_data(), *end = number + x.size(); number != end; ++number)
    *number = static_cast<Real>(random.normal());
  return Var::parameter(x);
}

// One pass forward and backward; the memory is what it needs besides the projections.
nlohmann::ordered_json measure(const std::string& kind, Index n, const Sizes& sizes) {
  const Index width = sizes.heads * sizes.head_width;
  Var x = random_projections(n, width);
  const Tensor seed = Tensor::ones({1, n, width});
  Tensor weights;
  AttentionOptions options;
  options.mask.window = kind == "window" ? sizes.window : 0;
  options.weights = kind == "table" ? &weights : nullptr;

  double best = 1e9;
  release_unused_memory();
  reset_peak_memory();
  const auto before = memory_statistics().bytes_in_use;
  for (int i = 0; i < sizes.repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Var y = attention({x, 0}, {x, width}, {x, 2 * width}, sizes.heads, sizes.head_width,
                            sizes.head_width, options);
    backward(y, seed);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    x.zero_grad();
    weights = Tensor();
  }
  return {{"attention", kind},
          {"n", n},
          {"window", options.mask.window},
          {"milliseconds", 1e3 * best},
          {"bytes", memory_statistics().peak_bytes - before}};
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  int threads = thread_count();
  CLI::App app("Times attention over sequences of growing length, full and within a window");
  app.add_option("--heads", sizes.heads)->capture_default_str();
  app.add_option("--head-width", sizes.head_width)->capture_default_str();
  app.add_option("--window", sizes.window, "places to either side that a query sees")->capture_default_str();
  app.add_option("--shortest", sizes.shortest, "the first length; each next one is twice as long")
      ->capture_default_str();
  app.add_option("--longest", sizes.longest, "the last length")->capture_default_str();
  app.add_option("--repeats", sizes.repeats, "of which the fastest counts")->capture_default_str();
  app.add_option("--threads", threads)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  set_thread_count(threads);
  for (Index n = sizes.shortest; n <= sizes.longest; n *= 2) {
    for (const char* kind : {"table", "blocks", "window"})
      std::cout << measure(kind, n, sizes).dump() << std::endl;
  }
}
