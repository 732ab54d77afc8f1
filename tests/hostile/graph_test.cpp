// autograd/var.hpp: variables and the graph.
#include <string>

#include <gradual/autograd/operations.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header var =
    Header("autograd/var.hpp")
        .drives(
            "Var::Var|variable", [](Tensor x) { return Var(x).value(); }, std::tuple(six),
            [](Tensor x) { return x; })
        .drives(
            "Var::Var|variable",
            [](Tensor x, Shape s) { return Var(x, std::make_shared<Node>("made", s)).value(); },
            std::tuple(six, six.shape()), [](Tensor x, Shape) { return x; })
        .drives(
            "Var::parameter|variable", [](Tensor x) { return Var::parameter(x).requires_grad(); },
            std::tuple(six), [](Tensor) { return true; })
        .drives(
            "Var::defined", [](Var x) { return x.defined(); }, std::tuple(weight))
        .drives(
            "Var::value", [](Var x) { return x.value(); }, std::tuple(weight))
        .drives(
            "Var::value", [](Var x) { return Var(x).value(); }, std::tuple(weight),
            [](Var x) { return x.value(); })
        .drives(
            "Var::give_back|value",
            [](Var x) {
              Var only = x + 0;
              only.give_back();
              x.give_back();  // which another variable names
              return x.value();
            },
            std::tuple(weight), [](Var x) { return x.value(); })
        .drives(
            "Var::shape|value", [](Var x) { return x.shape(); }, std::tuple(weight),
            [](Var x) { return x.value().shape(); })
        .drives(
            "Var::shape|value", [](Var x) { return Var(x).shape(); }, std::tuple(weight),
            [](Var x) { return x.value().shape(); })
        .drives(
            "Var::dim|value|shape", [](Var x, Index axis) { return x.dim(axis); },
            std::tuple(weight, Index(0)),
            [](Var x, Index axis) { return x.shape().begin()[axis < 0 ? axis + x.rank() : axis]; })
        .drives(
            "Var::rank|value", [](Var x) { return x.rank(); }, std::tuple(weight))
        .drives(
            "Var::size|value", [](Var x) { return x.size(); }, std::tuple(weight),
            [](Var x) { return x.value().to_vector().size(); })
        .drives(
            "Var::operator[]|tensor|value", [](Var x, Index row) { return slopes(x[row], {x}); },
            std::tuple(weight, Index(1)),
            [](Var x, Index row) {
              std::vector<Tensor> result{x.value()[row]};
              if (!x.requires_grad()) return result;
              result.push_back(Tensor::zeros(x.shape()));
              Real* const to = result[1].mutable_data() + (row < 0 ? row + x.dim(0) : row) * result[0].size();
              std::fill_n(to, result[0].size(), Real(1));
              return result;
            })
        .drives(
            "Var::set_value|value|variable",
            [](Var x, Tensor y) {
              Var changed = fresh(x);
              changed.set_value(y);
              return changed.value();
            },
            std::tuple(weight, six), [](Var, Tensor y) { return y; })
        .drives(
            "Var::mutable_data",
            [](Var x) {
              Var changed = fresh(x);
              std::fill_n(changed.mutable_data(), changed.defined() ? changed.size() : 0, Real(2));
              return changed.value();
            },
            std::tuple(weight), [](Var x) { return Tensor::full(x.shape(), 2); })
        .drives(
            "Var::unguarded_data",
            [](Var x) {
              Var changed = fresh(x);
              Real* to = changed.unguarded_data();
              std::fill_n(to, changed.size(), Real(2));
              return changed.value();
            },
            std::tuple(weight), [](Var x) { return Tensor::full(x.shape(), 2); })
        .drives(
            "Var::requires_grad", [](Var x) { return x.requires_grad(); }, std::tuple(weight),
            [](Var x) { return x.node() != nullptr; })
        .drives(
            "Var::grad", [](Var x) { return fresh(x).grad(); }, std::tuple(weight),
            [](Var) { return Tensor(); })
        .drives(
            "Var::grad",
            [](Var x) {
              const Var own = fresh(x);
              return own.grad();
            },
            std::tuple(weight), [](Var) { return Tensor(); })
        .drives(
            "Var::mutable_grad|grad",
            [](Var x, Tensor y) {
              Var changed = fresh(x);
              changed.mutable_grad() = y;
              return changed.grad();
            },
            std::tuple(weight, six), [](Var, Tensor y) { return y; })
        .drives(
            "Var::zero_grad",
            [](Var x) {
              Var changed = fresh(x);
              changed.zero_grad();
            },
            std::tuple(weight))
        .drives(
            "Var::keep_grad", [](Var x) { return fresh(x).keep_grad(); }, std::tuple(weight))
        .drives(
            "Var::detached|value", [](Var x) { return x.detached().requires_grad(); }, std::tuple(weight),
            [](Var) { return false; })
        .drives(
            "Var::named", [](Var x, std::string name) { return fresh(x).named(name); },
            std::tuple(weight, std::string("w")))
        .drives(
            "Var::node", [](Var x) { return x.node() != nullptr; }, std::tuple(weight),
            [](Var x) { return x.requires_grad(); })
        .drives(
            "Var::node", [](Var x) { return Var(x).node() == x.node(); }, std::tuple(weight),
            [](Var) { return true; })
        .drives(
            "Var::is_same_as", [](Var x) { return x.is_same_as(Var(x)); }, std::tuple(weight),
            [](Var) { return true; })
        .drives(
            "Gradient::Gradient",
            [](bool wanted) {
              Node node("made", {1});
              return Gradient("made", wanted ? &node : nullptr).wanted();
            },
            std::tuple(true), [](bool wanted) { return wanted; })
        .drives(
            "Gradient::wanted",
            [](bool wanted) {
              Node node("made", {1});
              return Gradient("made", wanted ? &node : nullptr).wanted();
            },
            std::tuple(true), [](bool wanted) { return wanted; })
        .drives(
            "Gradient::add|backward",
            [](bool wanted, Tensor first, Tensor second) {
              Node node("made", {2, 3});
              const Gradient gradient("made", wanted ? &node : nullptr);
              gradient.add(first);
              gradient.add(second);
              return node.grad;
            },
            std::tuple(true, six, six),
            [](bool wanted, Tensor first, Tensor second) { return wanted ? first + second : Tensor(); })
        .drives(
            "Gradient::sum",
            [](bool wanted) {
              Node node("made", {2, 3});
              return Gradient("made", wanted ? &node : nullptr).sum();
            },
            std::tuple(true),
            [](bool) {
              return Tensor::zeros({2, 3});
            })
        .drives(
            "Gradient::empty",
            [](bool wanted) {
              Node node("made", {2, 3});
              return Gradient("made", wanted ? &node : nullptr).empty();
            },
            std::tuple(true), [](bool) { return true; })
        .drives(
            "Node::Node", [](Shape s) { return Node("made", s).shape; }, std::tuple(Shape{2, 3}),
            [](Shape s) { return s; })
        .drives(
            "Node::is_parameter", [](Var x) { return x.requires_grad() && x.node()->is_parameter(); },
            std::tuple(weight), [](Var x) { return x.requires_grad(); })
        .drives(
            "Node::description", [](Shape s) { return Node("made", s).description(); },
            std::tuple(Shape{2, 3}), [](Shape s) { return text("the parameter of shape ", s); })
        .drives(
            "Node::bytes", [](Shape s) { return Node("made", s).bytes(); }, std::tuple(Shape{2, 3}),
            [](Shape s) { return static_cast<double>(s.size()) * sizeof(Real); })
        .drives(
            "record|value|variable|backward",
            [](Tensor y, Var x, Tensor dx) {
              const Var made = record("made", y, {{x, [dx](const Tensor&) { return dx; }}});
              Var(x).zero_grad();
              if (!made.requires_grad()) return Tensor();
              backward(made, Tensor::ones(made.shape()));
              return x.grad();
            },
            std::tuple(six, weight, six),
            [](Tensor, Var x, Tensor dx) { return x.requires_grad() ? dx : Tensor(); })
        .drives(
            "record|value|sum|variable",
            [](Tensor y, std::vector<Var> inputs) {
              const Var made = record("made", y, inputs, [](const Tensor&, const std::vector<Gradient>& dx) {
                for (const Gradient& each : dx) each.sum().fill(2);
              });
              return made.requires_grad();
            },
            std::tuple(six, std::vector<Var>{weight}))
        .drives(
            "grad_enabled", [] { return grad_enabled(); }, std::tuple(), [] { return true; })
        .drives(
            "NoGrad::NoGrad",
            [] {
              const NoGrad no_grad;
              return grad_enabled();
            },
            std::tuple(), [] { return false; })
        .drives(
            "backward|value",
            [](Var x) {
              Var(x).zero_grad();
              backward(x);
              return x.grad();
            },
            std::tuple(Var::parameter(Tensor::scalar(1))), [](Var x) { return Tensor::ones(x.shape()); })
        .drives(
            "backward|value",
            [](Var x, Tensor seed) {
              Var(x).zero_grad();
              backward(x, seed);
              return x.grad();
            },
            std::tuple(weight, six), [](Var, Tensor seed) { return seed; })
        .drives(
            "open_walks", [] { return open_walks(); }, std::tuple(), [] { return Index(0); })
        .drives(
            "GradientsAside::GradientsAside",
            [] {
              const GradientsAside aside;
              backward(sum(weight));
              return weight.grad().size();
            },
            std::tuple(), [] { return weight.size(); })
        .drives(
            "GradientsAside::put|gradients aside",
            [](Var x) {
              GradientsAside aside;
              aside.put(x.node());
              return x.grad().defined();
            },
            std::tuple(weight), [](Var) { return false; })
        .drives(
            "GradientListener::current", [] { return GradientListener::current() == nullptr; }, std::tuple(),
            [] { return true; })
        .drives(
            "GradientListener::complete",
            [] {
              struct Count : GradientListener {
                Count() { listen(); }
                void complete(const Node&) override { ++count; }
                int count = 0;
              } listener;
              backward(sum(weight * weight));
              return listener.count;
            },
            std::tuple(), [] { return 1; })
        .drives(
            "reachable_nodes", [](Var x) { return reachable_nodes(x).size(); }, std::tuple(weight),
            [](Var x) { return x.requires_grad(); });

}  // namespace
