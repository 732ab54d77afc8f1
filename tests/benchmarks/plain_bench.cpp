// What code written from plain operations costs: broadcasts and transposition beside a matrix plus a row, and
// layer norm, softmax and attention written out beside the kernels that do them in one pass.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/threads.hpp>

#include "../../examples/command_line.hpp"

using namespace gradual;

namespace {

Tensor normal(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  Tensor x(shape);
  Real* to = x.mutable_data();
  for (Index i = 0; i < x.size(); ++i) to[i] = static_cast<Real>(random.normal());
  return x;
}

// Of the processor's time, which waits for nothing else on the machine.
double milliseconds(const std::function<void()>& body) {
  const std::clock_t start = std::clock();
  body();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

struct Line {
  std::string name;
  std::function<void()> body;
  double limit;  // times the first line of its table
};

// Runs the lines by turns, so that other work on the machine hits them alike, and prints the fastest of each.
void print(const std::vector<Line>& lines, int repeats) {
  std::vector<double> fastest(lines.size(), 1e300);
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < lines.size(); ++i)
      fastest[i] = std::min(fastest[i], milliseconds(lines[i].body));
  for (std::size_t i = 0; i < lines.size(); ++i)
    std::cout << std::left << std::setw(34) << lines[i].name << std::right << std::fixed
              << std::setprecision(3) << std::setw(9) << fastest[i] << " ms" << std::setprecision(2)
              << std::setw(7) << fastest[i] / fastest[0] << " x, at most " << std::setprecision(0)
              << lines[i].limit << "\n";
  std::cout << "\n";
}

Var plain_layer_norm(const Var& x, const Var& gain, const Var& bias) {
  const Var deviation = sqrt(variance(x, {-1}, Axis::kept) + 1e-5);
  return (x - mean(x, {-1}, Axis::kept)) / deviation * gain + bias;
}

Var plain_softmax(const Var& x) {
  const Var e = exp(x - max(x, {-1}, Axis::kept));
  return e / sum(e, {-1}, Axis::kept);
}

// Q, K and V [B, N, H·d] with d = width / heads.
Var plain_attention(const Var& q, const Var& k, const Var& v, Index heads) {
  const Index B = q.dim(0), N = q.dim(1), d = q.dim(2) / heads;
  const auto split = [&](const Var& x) { return transpose(reshape(x, {B, N, heads, d}), {0, 2, 1, 3}); };
  const Var scores = matmul(split(q), split(k), {false, true}) / std::sqrt(static_cast<Real>(d));
  const Var mixed = matmul(plain_softmax(scores), split(v));  // [B, H, N, d]
  return reshape(transpose(mixed, {0, 2, 1, 3}), {B, N, heads * d});
}

// Forward and backward.
std::function<void()> step(const std::vector<Var>& parameters, const std::function<Var()>& y,
                           const Tensor& dy) {
  return [=] {
    for (Var parameter : parameters) parameter.zero_grad();
    backward(y(), dy);
  };
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What code written from plain operations costs, beside one pass and fused kernels");
  int repeats = 50;
  return run_program("plain_bench", app, [&] {
    app.add_option("--repeats", repeats, "how often each line runs; the fastest counts")
        ->check(CLI::PositiveNumber);
    app.parse(argc, argv);
    set_thread_count(1);

    const Shape shape{4096, 512};
    const Tensor m = normal(shape, 1), row = normal({512}, 2), column = normal({4096, 1}, 3),
                 dy = normal(shape, 4);
    const Rule slope = pow_operation(m, 2).da;
    Tensor gradient = dy + 0;  // that nobody else holds: what a rule is given by backward()
    std::cout << "[4096, 512], one core\n";
    print({{"m + row", [&] { m + row; }, 1},
           {"row - m", [&] { row - m; }, 2},
           {"m - column", [&] { m - column; }, 2},
           {"2 - m", [&] { 2 - m; }, 2},
           {"slope of pow(m, 2)", [&] { gradient = slope(std::move(gradient)); }, 2},
           {"transpose(m)", [&] { transpose(m); }, 3}},
          repeats);

    std::cout << "forward and backward, of the kernel and written out\n";
    const Var x = Var::parameter(m), gain = Var::parameter(row), bias = Var::parameter(row);
    print({{"layer_norm [4096, 512]",
            step(
                {x, gain, bias}, [=] { return layer_norm(x, gain, bias); }, dy),
            1},
           {"  from plain operations",
            step(
                {x, gain, bias}, [=] { return plain_layer_norm(x, gain, bias); }, dy),
            4}},
          repeats);
    print({{"softmax [4096, 512]",
            step(
                {x}, [=] { return softmax(x); }, dy),
            1},
           {"  from plain operations",
            step(
                {x}, [=] { return plain_softmax(x); }, dy),
            4}},
          repeats);
    const Shape packed{8, 128, 256};
    const Var q = Var::parameter(normal(packed, 5)), k = Var::parameter(normal(packed, 6)),
              v = Var::parameter(normal(packed, 7));
    const Tensor d_out = normal(packed, 8);
    print({{"attention [8, 128, 4·64]",
            step(
                {q, k, v}, [=] { return attention({q}, {k}, {v}, 4, 64, 64); }, d_out),
            1},
           {"  from plain operations",
            step(
                {q, k, v}, [=] { return plain_attention(q, k, v, 4); }, d_out),
            4}},
          repeats);
  });
}
