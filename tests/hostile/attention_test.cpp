// core/attention/. Heads lie in memory as large as their sizes claim.
#include <algorithm>
#include <cmath>

#include <gradual/core/attention/additive.hpp>
#include <gradual/core/attention/cached_attention.hpp>
#include <gradual/core/attention/rotary.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Tensor queries = numbers({2, 1, 3}), keys = numbers({2, 2, 3});

const Header additive =
    Header("core/attention/additive.hpp")
        .drives(
            "additive_scores", [](Tensor q, Tensor k, Tensor v) { return additive_scores(q, k, v); },
            std::tuple(queries, keys, three),
            [](Tensor q, Tensor k, Tensor v) {
              const Index T = q.dim(1), S = k.dim(1), H = v.size();
              Tensor y({q.dim(0), T, S});
              for (Index i = 0; i < y.size(); ++i) {
                const Index b = i / (T * S), t = i / S % T, s = i % S;
                double score = 0;
                for (Index h = 0; h < H; ++h)
                  score += double(v.data()[h]) * std::tanh(double(q.data()[(b * T + t) * H + h]) +
                                                           double(k.data()[(b * S + s) * H + h]));
                y.unguarded_data()[i] = static_cast<Real>(score);
              }
              return y;
            })
        .drives(
            "additive_scores_backward|additive_scores",
            [](Tensor q, Tensor k, Tensor v, Tensor dy) {
              const AdditiveGradients d = additive_scores_backward(q, k, v, dy);
              return std::vector<Tensor>{d.q, d.k, d.v};
            },
            std::tuple(queries, keys, three, numbers({2, 1, 2})));

const Header rotary = Header("core/attention/rotary.hpp")
                          .drives(
                              "rotate",
                              [](Tensor x, Index columns, Index width, Index first) {
                                return rotate(x, {columns, width, first});
                              },
                              std::tuple(numbers({2, 3, 4}), Index(4), Index(2), Index(0)),
                              [](Tensor x, Index columns, Index width, Index first) {
                                Tensor y = x;
                                Real* to = y.mutable_data();
                                const Index N = x.dim(1), W = x.dim(2);
                                for (Index i = 0; i < x.size(); ++i) {
                                  const Index column = i % W, place = i / W % N;
                                  if (column >= columns || column % 2 == 1) continue;
                                  const double angle =
                                      (double(first) + double(place)) /
                                      std::pow(10000.0, double(column % width) / double(width));
                                  const double a = double(x.data()[i]), b = double(x.data()[i + 1]);
                                  to[i] = static_cast<Real>(a * std::cos(angle) - b * std::sin(angle));
                                  to[i + 1] = static_cast<Real>(a * std::sin(angle) + b * std::cos(angle));
                                }
                                return y;
                              })
                          .drives(
                              "rotate_back|rotate",
                              [](Tensor x, Index columns, Index width, Index first) {
                                const Rotation rotation{columns, width, first};
                                return rotate_back(rotate(x, rotation), rotation);
                              },
                              std::tuple(numbers({2, 3, 4}, {1}), Index(4), Index(2), Index(0)));

// ---- Of many heads

// Whether a query sees a key, by its definition, with numbers that cannot overflow.
bool sees(bool causal, Index window, Index length, double query, double queries_, double key, double keys_) {
  const double distance = key - (query + keys_ - queries_);
  return key < static_cast<double>(length) && (!causal || distance <= 0) &&
         (window == 0 || std::abs(distance) <= static_cast<double>(window));
}

// Everything attention reads and writes, for sizes that memory has room for.
struct Heads {
  AttentionSizes sizes;
  AttentionSettings settings;
  Tensor q, k, v, out;

  Heads(Index batch, Index heads, Index T, Index S, Index key_width, Index value_width, AttentionMask mask,
        const Tensor& bias)
      : sizes{batch, heads, T, S, key_width, value_width}, settings{mask, Real(0.5), {}, bias} {
    for (Index size : {batch, heads, T, S, key_width, value_width})
      if (size > 1000) throw std::bad_alloc();
    q = numbers({of({batch, T, heads, key_width})});
    k = numbers({of({batch, S, heads, key_width})});
    v = numbers({of({batch, S, heads, value_width})});
    out = Tensor({of({batch, T, heads, value_width})});
  }
  static Index of(const std::vector<Index>& sizes) {
    Index product = 1;
    for (Index size : sizes) product *= std::max<Index>(size, 0);
    return product;
  }
  HeadsView in(const Tensor& x, Index width) const { return {x.data(), of({sizes.heads, width})}; }
  WritableHeadsView into(Tensor& x, Index width) const {
    return {x.unguarded_data(), of({sizes.heads, width})};
  }

  AttentionMemory forward(bool all_weights) {
    return attention_forward(sizes, settings, in(q, sizes.key_width), in(k, sizes.key_width),
                             in(v, sizes.value_width), into(out, sizes.value_width), all_weights);
  }
  std::vector<Tensor> backward(const AttentionMemory& memory) {
    Tensor dq = q, dk = k, dv = v;
    const Tensor d_out = numbers(out.shape());
    const Tensor d_bias =
        attention_backward(sizes, settings, memory, in(q, sizes.key_width), in(k, sizes.key_width),
                           in(v, sizes.value_width), in(d_out, sizes.value_width), into(dq, sizes.key_width),
                           into(dk, sizes.key_width), into(dv, sizes.value_width), settings.bias.defined());
    return {dq, dk, dv, d_bias};
  }
  Index length_of(Index b, Index t) const {
    const Indices& lengths = settings.mask.valid_lengths;
    if (lengths.size() == 0) return sizes.keys;
    return lengths[lengths.shape().rank() == 1 ? b : b * sizes.queries + t];
  }
  void plainly() {
    const auto [B, H, T, S, K, V] = sizes;
    std::fill_n(out.unguarded_data(), out.size(), Real(0));
    for (Index i = 0; i < B * H * T; ++i) {
      const Index b = i / (H * T), h = i / T % H, t = i % T;
      std::vector<double> e(static_cast<std::size_t>(S));
      double total = 0;
      for (Index s = 0; s < S; ++s) {
        double score = 0;
        for (Index j = 0; j < K; ++j)
          score += 0.5 * double(q.data()[((b * T + t) * H + h) * K + j]) *
                   double(k.data()[((b * S + s) * H + h) * K + j]);
        if (settings.bias.defined()) score += double(settings.bias.data()[h * (T + S - 1) + s - t + T - 1]);
        const AttentionMask& mask = settings.mask;
        if (sees(mask.causal, mask.window, length_of(b, t), double(t), double(T), double(s), double(S)))
          total += e[static_cast<std::size_t>(s)] = std::exp(score);
      }
      for (Index s = 0; total != 0 && s < S; ++s)
        for (Index j = 0; j < V; ++j)
          out.unguarded_data()[((b * T + t) * H + h) * V + j] += static_cast<Real>(
              e[static_cast<std::size_t>(s)] / total * double(v.data()[((b * S + s) * H + h) * V + j]));
    }
  }
};

const std::tuple fitting_heads(Index(2), Index(2), Index(3), Index(3), Index(1), Index(2), no_lengths, false,
                               Index(0), Tensor());

const Header attention_kernels =
    Header("core/attention/attention.hpp")
        .drives(
            "visible_places|attention",
            [](bool causal, Index window, Index query, Index T, Index S) {
              const KeyRange range = visible_places({{}, causal, window}, query, T, S);
              return std::vector<double>{static_cast<double>(std::max<Index>(range.last - range.first, 0))};
            },
            std::tuple(true, Index(2), Index(1), Index(3), Index(8)),
            [](bool causal, Index window, Index query, Index T, Index S) {
              using Wide = __int128;  // in which nothing overflows
              const Wide place = Wide(query) + S - T, none = 0;
              const Wide first = window > 0 ? std::max(place - window, none) : none;
              Wide last = causal ? std::clamp(place + 1, none, Wide(S)) : Wide(S);
              if (window > 0) last = std::min(last, place + window + 1);
              return std::vector<double>{static_cast<double>(std::max(last - first, none))};
            })
        .drives(
            "check_attention_mask|attention|shape",
            [](Indices lengths, Index window, Index B, Index T, Index S) {
              check_attention_mask({lengths, false, window}, {B, 1, T, S, 1, 1});
            },
            std::tuple(Indices({2}, {0, 1}), Index(0), Index(2), Index(3), Index(3)))
        .drives(
            "attention_forward|attention|shape",
            [](Index B, Index H, Index T, Index S, Index K, Index V, Indices lengths, bool causal,
               Index window, Tensor bias) {
              Heads heads(B, H, T, S, K, V, {lengths, causal, window}, bias);
              heads.forward(true);
              return heads.out;
            },
            fitting_heads,
            [](Index B, Index H, Index T, Index S, Index K, Index V, Indices lengths, bool causal,
               Index window, Tensor bias) {
              Heads heads(B, H, T, S, K, V, {lengths, causal, window}, bias);
              heads.plainly();
              return heads.out;
            })
        .drives(
            "attention_backward|attention|shape",
            [](Index B, Index H, Index T, Index S, Index K, Index V, Indices lengths, bool causal,
               Index window, Tensor bias) {
              Heads heads(B, H, T, S, K, V, {lengths, causal, window}, bias);
              return heads.backward(heads.forward(false));
            },
            fitting_heads);

// ---- Of one query

const Header cached =
    Header("core/attention/cached_attention.hpp")
        .drives(
            "cached_attention",
            [](Index heads, Index width, Index most, std::vector<std::int32_t> counts, bool one_is_null,
               Tensor bias) {
              if (heads > 1000 || width > 1000) throw std::bad_alloc();
              const auto rows = static_cast<Index>(counts.size());
              const Index row_size = std::max<Index>(heads, 0) * std::max<Index>(width, 0);
              const Tensor q = numbers({rows, row_size}), key = numbers({2 * row_size});
              KeyTable table;
              table.most = most;
              table.counts = counts;
              table.keys.assign(static_cast<std::size_t>(rows * std::clamp<Index>(most, 0, 1000)),
                                key.data());
              if (one_is_null && !table.keys.empty()) table.keys[0] = nullptr;
              Tensor out({rows, row_size});
              cached_attention(heads, width, {q.data(), row_size}, table, {out.unguarded_data(), row_size},
                               nullptr, bias);
              return out;
            },
            std::tuple(Index(2), Index(3), Index(2), std::vector<std::int32_t>{1, 2}, false, Tensor()),
            [](Index heads, Index width, Index, std::vector<std::int32_t> counts, bool, Tensor bias) {
              // All keys are one, and so are their values: weighed by what the bias makes of it.
              const Index row_size = heads * width;
              const Tensor key = numbers({2 * row_size});
              Tensor out({static_cast<Index>(counts.size()), row_size});
              for (Index i = 0; i < out.size(); ++i) {
                const Index count = counts[static_cast<std::size_t>(i / row_size)];
                const auto score = [&](Index s) {
                  return bias.defined() ? double(bias.data()[i % row_size / width * bias.dim(1) + s]) : 0.0;
                };
                double top = -inf, total = 0, weights = 0;
                for (Index s = 0; s < count; ++s) top = score(s) > top ? score(s) : top;
                if (top == -inf) top = 0;
                for (Index s = 0; s < count; ++s) total += std::exp(score(s) - top);
                for (Index s = 0; s < count && total != 0; ++s) weights += std::exp(score(s) - top) / total;
                out.unguarded_data()[i] =
                    static_cast<Real>(weights * double(key.data()[row_size + i % row_size]));
              }
              return out;
            });

}  // namespace
