// core/layers/: dropout, edges, the optimizer.
#include <algorithm>
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/layers/optimizer.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

constexpr std::uint32_t some_key = 7;
DropoutMask mask_of(double p) { return DropoutMask(p, some_key); }
// 0 or 1/(1 - p) for each element.
Tensor mask_for(const Tensor& x, double p) {
  Tensor mask(x.shape());
  for (Index i = 0; i < x.size(); ++i) mask.unguarded_data()[i] = mask_of(p)(i);
  return mask;
}
const Header dropouts =
    Header("core/layers/dropout.hpp")
        .drives(
            "DropoutMask::DropoutMask|dropout",
            [](double p, std::uint32_t key) { return DropoutMask(p, key).scale; },
            std::tuple(0.5, std::uint32_t(7)), [](double p, std::uint32_t) { return 1 / (1 - p); })
        .drives(
            "DropoutMask::active|dropout", [](double p) { return mask_of(p).active(); }, std::tuple(0.5),
            [](double p) { return p > 0; })
        .drives(
            "DropoutMask::operator()|dropout",
            [](double p, Index place) {
              const DropoutMask mask = mask_of(p);
              const Real kept = mask(place);
              return kept == 0 || kept == mask.scale;
            },
            std::tuple(0.5, Index(3)), [](double, Index) { return true; })
        .drives(
            "DropoutMask::part_of|dropout",
            [](double p, Index place) { return mask_of(p).part_of(place).within(place); },
            std::tuple(0.5, Index(3)), [](double p, Index place) { return mask_of(p)(place); })
        .drives(
            "DropoutMask::within|dropout",
            [](double p, Index place) {
              const DropoutMask mask = mask_of(p);
              const Real kept = mask.within(place);
              return kept == 0 || kept == mask.scale;
            },
            std::tuple(0.5, Index(3)), [](double, Index) { return true; })
        .drives(
            "apply_dropout|dropout", [](Tensor x, double p) { return apply_dropout(x, mask_of(p)); },
            std::tuple(six, 0.5), [](Tensor x, double p) { return x * mask_for(x, p); })
        .drives(
            "add_dropped|dropout|add",
            [](Tensor x, Tensor y, double p) { return add_dropped(x, y, mask_of(p)); },
            std::tuple(six, six, 0.5), [](Tensor x, Tensor y, double p) { return x + y * mask_for(y, p); })
        .drives(
            "relu_dropped|dropout|relu", [](Tensor x, double p) { return relu_dropped(x, mask_of(p)); },
            std::tuple(six, 0.5), [](Tensor x, double p) { return relu(x) * mask_for(x, p); })
        .drives(
            "relu_dropped_backward|dropout",
            [](Tensor y, Tensor dy, double p) { return relu_dropped_backward(y, dy, mask_of(p)); },
            std::tuple(six, six, 0.5),
            [](Tensor y, Tensor dy, double p) { return where(y > Real(0), dy * mask_of(p).scale, Real(0)); });

// ---- Edges

// From the first and the last node to the one between them.
const Indices sources({2}, {0, 2}), targets({2}, {1, 1});
const EdgeList& two_edges() {
  static const EdgeList edges(3, sources, targets);
  return edges;
}
const Tensor of_edges = numbers({2, 3}), of_nodes = numbers({3, 6});

const Header edge_lists =
    Header("core/layers/edges.hpp")
        .drives(
            "EdgeList::EdgeList|edges",
            [](Index nodes, Indices from, Indices to) {
              const EdgeList list(nodes, from, to);
              return std::vector<Index>{list.nodes(), list.size()};
            },
            std::tuple(Index(3), sources, targets),
            [](Index nodes, Indices from, Indices) {
              return std::vector<Index>{nodes, from.size()};
            })
        .drives(
            "EdgeList::nodes", [] { return two_edges().nodes(); }, std::tuple(), [] { return 3; })
        .drives(
            "EdgeList::size", [] { return two_edges().size(); }, std::tuple(), [] { return 2; })
        .drives(
            "EdgeList::sources", [] { return two_edges().sources(); }, std::tuple(), [] { return sources; })
        .drives(
            "EdgeList::targets", [] { return two_edges().targets(); }, std::tuple(), [] { return targets; })
        .drives(
            "EdgeList::sources",
            [] {
              const EdgeList edges = two_edges();
              return edges.sources();
            },
            std::tuple(), [] { return sources; })
        .drives(
            "EdgeList::targets",
            [] {
              const EdgeList edges = two_edges();
              return edges.targets();
            },
            std::tuple(), [] { return targets; })
        .drives(
            "EdgeList::into|edges",
            [](Index node) {
              const EdgeRange range = two_edges().into(node);
              return std::vector<Index>{range.first, range.last};
            },
            std::tuple(Index(1)),
            [](Index node) {
              return std::vector<Index>{node < 2 ? 0 : 2, node < 1 ? 0 : 2};
            })
        .drives(
            "EdgeList::out_of|edges",
            [](Index node) {
              const EdgeRange range = two_edges().out_of(node);
              return range.last - range.first;
            },
            std::tuple(Index(1)), [](Index node) { return node == 1 ? 0 : 1; })
        .drives(
            "EdgeList::by_source|edges",
            [](Index place) { return two_edges().sources()[two_edges().by_source(place)]; },
            std::tuple(Index(1)), [](Index place) { return 2 * place; })
        .drives(
            "neighbourhoods|edges",
            [](Index nodes, Indices from, Indices to) { return neighbourhoods(nodes, from, to).nodes(); },
            std::tuple(Index(3), sources, targets), [](Index nodes, Indices, Indices) { return nodes; })
        .drives(
            "edge_softmax", [](Tensor x) { return edge_softmax(x, two_edges()); }, std::tuple(of_edges),
            [](Tensor x) {
              Tensor y = x;  // both edges have one target
              const Index heads = x.dim(1);
              for (Index h = 0; h < heads; ++h) {
                const double a = double(x.data()[h]), b = double(x.data()[heads + h]);
                const double largest = b > a || a != a ? b : a, top = largest == -inf ? 0 : largest;
                const double u = std::exp(a - top), v = std::exp(b - top);
                y.mutable_data()[h] = static_cast<Real>(u + v == 0 ? 0 : u / (u + v));
                y.mutable_data()[heads + h] = static_cast<Real>(u + v == 0 ? 0 : v / (u + v));
              }
              return y;
            })
        .drives(
            "edge_softmax_backward",
            [](Tensor y, Tensor dy) { return edge_softmax_backward(y, dy, two_edges()); },
            std::tuple(of_edges, of_edges))
        .drives(
            "sum_along_edges", [](Tensor w, Tensor x) { return sum_along_edges(w, x, two_edges()); },
            std::tuple(of_edges, of_nodes),
            [](Tensor w, Tensor x) {
              Tensor y = Tensor::zeros(x.shape());
              const Index heads = w.dim(1), width = x.dim(1);
              for (Index i = 0; i < width; ++i) {
                const Index h = i / (width / heads);
                y.unguarded_data()[width + i] =
                    static_cast<Real>(double(w.data()[h]) * double(x.data()[i]) +
                                      double(w.data()[heads + h]) * double(x.data()[2 * width + i]));
              }
              return y;
            })
        .drives(
            "sum_along_edges_d_weights|sum_along_edges",
            [](Tensor x, Tensor dy, Index heads) {
              return sum_along_edges_d_weights(x, dy, heads, two_edges());
            },
            std::tuple(of_nodes, of_nodes, Index(3)))
        .drives(
            "sum_along_edges_d_x|sum_along_edges",
            [](Tensor w, Tensor dy) { return sum_along_edges_d_x(w, dy, two_edges()); },
            std::tuple(of_edges, of_nodes));

// ---- The optimizer

using Tensors = std::vector<Tensor>;
// Value, m and v after a step of Adam, plainly or by the library.
Tensors after_adam(bool plainly, Index size, bool has_gradient, Real rate, Real epsilon, Real beta) {
  if (size > 1000 && has_gradient) throw std::bad_alloc();
  const Index count = std::clamp<Index>(size, 0, 1000);
  Tensor value = numbers({count}), m = numbers({count}), v = Tensor::full({count}, Real(0.5));
  const Tensor gradient = numbers({count}, {2, 3});
  Real *p = value.unguarded_data(), *to_m = m.unguarded_data(), *to_v = v.unguarded_data();
  if (!plainly) {
    adam_step({beta, beta, epsilon, rate, Real(0.5), Real(0.25), 2},
              {{has_gradient ? gradient.data() : nullptr, p, to_m, to_v, size, Real(0.1)}});
  } else {
    const auto b = static_cast<double>(beta);
    for (Index i = 0; i < count; ++i) {
      const double g = 2 * double(gradient.data()[i]);
      const double mean = b * double(to_m[i]) + (1 - b) * g, square = b * double(to_v[i]) + (1 - b) * g * g;
      to_m[i] = static_cast<Real>(mean);
      to_v[i] = static_cast<Real>(square);
      p[i] = static_cast<Real>(double(p[i]) * (1 - double(Real(0.1))) -
                               double(rate) * (mean / 0.5) / (std::sqrt(square / 0.25) + double(epsilon)));
    }
  }
  return {value, m, v};
}
const Header optimizer = Header("core/layers/optimizer.hpp")
                             .drives(
                                 "sum_of_squares", [](Tensors tensors) { return sum_of_squares(tensors); },
                                 std::tuple(Tensors{six}),
                                 [](Tensors tensors) {
                                   double total = 0;
                                   for (const Tensor& each : tensors)
                                     for (Real x : each) total += double(x) * double(x);
                                   return total;
                                 })
                             .drives(
                                 "adam_step",
                                 [](Index size, bool has_gradient, Real rate, Real epsilon, Real beta) {
                                   return after_adam(false, size, has_gradient, rate, epsilon, beta);
                                 },
                                 std::tuple(Index(3), true, Real(0.1), Real(1e-8), Real(0.5)),
                                 [](Index size, bool has_gradient, Real rate, Real epsilon, Real beta) {
                                   return after_adam(true, size, has_gradient, rate, epsilon, beta);
                                 });

}  // namespace
