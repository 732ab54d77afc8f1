// Attention, forward and backward, with few keys, whose weights are kept, and with many, whose weights are
// computed anew.
#include <gradual/core/attention/additive.hpp>
#include <gradual/core/attention/attention.hpp>
#include <gradual/core/attention/cached_attention.hpp>
#include <gradual/core/attention/rotary.hpp>

#include "report.hpp"

namespace gradual {
namespace {

constexpr Index width = 16;

using Matrix = std::vector<std::vector<Exact>>;

template <class Value>
Matrix matrix(Index rows, Index columns, Value value) {
  Matrix result(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) result[static_cast<std::size_t>(i)].push_back(value(i, j));
  return result;
}

const Exact& at(const Matrix& m, Index i, Index j) {
  return m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
}
Exact number(const Tensor& x, Index row, Index column) { return x.data()[row * width + column]; }

// Softmax of each row.
Matrix shares_of(const Matrix& scores, Index rows, Index columns) {
  return matrix(rows, columns, [&](Index i, Index j) {
    long double top = at(scores, i, 0).value;
    for (Index s = 0; s < columns; ++s) top = std::fmax(top, at(scores, i, s).value);
    const Exact sum = sum_of(columns, [&](Index s) { return exp(at(scores, i, s) - Exact(top)); });
    return exp(at(scores, i, j) - Exact(top)) / sum;
  });
}

void measure_heads(Report& report, Index queries, Index keys, double size, Random random) {
  const Tensor q = numbers({queries, width}, random.split(), size),
               k = numbers({keys, width}, random.split(), size);
  const Tensor v = numbers({keys, width}, random.split()), d_out = numbers({queries, width}, random.split());
  const AttentionSizes sizes{1, 1, queries, keys, width, width};
  AttentionSettings settings{};
  settings.scale = Real(0.25);
  const Exact scale(0.25L);
  Tensor out({queries, width}), dq({queries, width}), dk({keys, width}), dv({keys, width});
  const auto view = [](const Tensor& x) { return HeadsView{x.data(), width}; };
  const auto writable = [](Tensor& x) { return WritableHeadsView{x.mutable_data(), width}; };
  const AttentionMemory memory =
      attention_forward(sizes, settings, view(q), view(k), view(v), writable(out), false);
  attention_backward(sizes, settings, memory, view(q), view(k), view(v), view(d_out), writable(dq),
                     writable(dk), writable(dv), false);

  const auto dot = [](const Tensor& a, Index i, const Tensor& b, Index j) {
    return sum_of(width, [&](Index d) { return number(a, i, d) * number(b, j, d); });
  };
  const Matrix p = shares_of(matrix(queries, keys, [&](Index i, Index j) { return scale * dot(q, i, k, j); }),
                             queries, keys);
  const Matrix dp = matrix(queries, keys, [&](Index i, Index j) { return dot(d_out, i, v, j); });
  const Matrix mean = matrix(queries, 1, [&](Index i, Index) {
    return sum_of(keys, [&](Index j) { return at(p, i, j) * at(dp, i, j); });
  });
  const Matrix ds =
      matrix(queries, keys, [&](Index i, Index j) { return at(p, i, j) * (at(dp, i, j) - at(mean, i, 0)); });
  report.begin("attention_forward", 2);
  report.compare_all(out, [&](Index place) {
    return sum_of(keys, [&](Index j) { return at(p, place / width, j) * number(v, j, place % width); });
  });
  report.begin("attention_backward, values", 2);
  report.compare_all(dv, [&](Index place) {
    return sum_of(queries,
                  [&](Index i) { return at(p, i, place / width) * number(d_out, i, place % width); });
  });
  report.begin("attention_backward, queries", 2);
  report.compare_all(dq, [&](Index place) {
    return scale *
           sum_of(keys, [&](Index j) { return at(ds, place / width, j) * number(k, j, place % width); });
  });
  report.begin("attention_backward, keys", 2);
  report.compare_all(dk, [&](Index place) {
    return scale *
           sum_of(queries, [&](Index i) { return at(ds, i, place / width) * number(q, i, place % width); });
  });

  KeyTable table;  // a key and its value lie side by side there
  std::vector<Real> stored;
  for (Index j = 0; j < keys; ++j)
    for (const Tensor* each : {&k, &v})
      stored.insert(stored.end(), each->data() + j * width, each->data() + (j + 1) * width);
  table.most = keys;
  table.counts = {static_cast<std::int32_t>(keys)};
  for (Index j = 0; j < keys; ++j) table.keys.push_back(stored.data() + 2 * j * width);
  Tensor one({1, width});
  cached_attention(1, width, view(q), table, writable(one));
  report.begin("cached_attention", 2);
  report.compare_all(one, [&](Index place) {
    return sum_of(keys, [&](Index j) { return at(p, 0, j) * number(v, j, place); });
  });
}

void measure_additive(Report& report, double size, Random random) {
  constexpr Index queries = 5, keys = 7;
  const Tensor q = numbers({1, queries, width}, random.split(), size),
               k = numbers({1, keys, width}, random.split(), size);
  const Tensor v = numbers({width}, random.split()), dy = numbers({1, queries, keys}, random.split());
  const auto inner = [&](Index t, Index s, Index h) { return tanh(number(q, t, h) + number(k, s, h)); };
  const auto slope = [&](Index t, Index s, Index h) {
    const Exact a = inner(t, s, h);
    return Exact(dy.data()[t * keys + s]) * number(v, 0, h) * (Exact(1) - a * a);
  };
  report.begin("additive_scores", 2);
  report.compare_all(additive_scores(q, k, v), [&](Index at) {
    return sum_of(width, [&](Index h) { return number(v, 0, h) * inner(at / keys, at % keys, h); });
  });
  const AdditiveGradients got = additive_scores_backward(q, k, v, dy);
  report.begin("additive_scores_backward", 2);
  report.compare_all(got.q, [&](Index at) {
    return sum_of(keys, [&](Index s) { return slope(at / width, s, at % width); });
  });
  report.compare_all(got.k, [&](Index at) {
    return sum_of(queries, [&](Index t) { return slope(t, at / width, at % width); });
  });
  report.compare_all(got.v, [&](Index h) {
    return sum_of(queries * keys,
                  [&](Index at) { return Exact(dy.data()[at]) * inner(at / keys, at % keys, h); });
  });
}

void measure_rotation(Report& report, Index first, Random random) {
  const Tensor x = numbers({1, 3, width}, random.split());
  report.begin("rotate", 2);
  report.compare_all(rotate(x, {width, width, first}), [&](Index at) {
    const Index n = at / width, column = at % width, pair = column / 2 * 2;
    const long double angle =
        static_cast<long double>(first + n) *
        std::pow(10000.0L, -static_cast<long double>(pair) / static_cast<long double>(width));
    const Exact cosine(std::cos(angle), 0), sine(std::sin(angle), 0), even = number(x, n, pair),
                                                                      odd = number(x, n, pair + 1);
    return column == pair ? even * cosine - odd * sine : even * sine + odd * cosine;
  });
}

}  // namespace

void measure_attention(Report& report) {
  Random random(3);
  for (const double size : {1e-3, 1.0, 10.0, 100.0}) {
    for (const Index keys : {1, 5, 40, 150}) measure_heads(report, 6, keys, size, random.split());
    measure_additive(report, size, random.split());
  }
  for (const Index first : {0, 100, 100000}) measure_rotation(report, first, random.split());
}

}  // namespace gradual
