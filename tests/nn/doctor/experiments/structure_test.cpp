#include "planned.hpp"

namespace gradual::experiments::structure_test {

namespace {

Var numbers(const Shape& shape, double factor = 0.7) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<Real>(std::sin(factor * static_cast<double>(i + 1)));
  return x;
}

// Layers of these sizes [out, in], and a loss of a number for each word that they make.
using Layers = std::vector<NamedParameter>;
Answer of_layers(const char* name, const std::vector<Shape>& sizes,
                 const std::function<Var(const Layers&, const Var& x)>& make) {
  std::vector<Tensor> values;
  for (const Shape& each : sizes) values.push_back(numbers(each).value());
  PlannedSteps planned(values, nullptr);
  for (NamedParameter& each : planned.patient.parameters) each.name += ".weight";
  planned.loss = [&] {
    const Index width = sizes.empty() ? 4 : sizes[0][1];
    return sum(make(planned.patient.parameters, numbers({2, 3, width})));
  };
  return planned.asked(of_structure(), name);
}
Var through(const NamedParameter& layer, const Var& x) { return linear(x, layer.variable, Var()); }

std::string between(const std::vector<Shape>& sizes, const std::function<Var(const Var&)>& what) {
  return of_layers("something between layers", sizes,
                   [&](const Layers& w, const Var& x) { return through(w[1], what(through(w[0], x))); })
      .evidence;
}

// Attention of words to words, and what may follow it.
Var attend(const Var& x) { return matmul(softmax(matmul(x, x, {false, true})), x); }
std::string shortcuts(const std::function<Var(const Var& x)>& make) {
  const Answer answer =
      of_layers("shortcuts", {{4, 4}}, [&](const Layers& w, const Var& x) { return make(through(w[0], x)); });
  return answer.cause.empty() ? answer.evidence : answer.cause;
}
std::string around(int some, int all) {
  return "a shortcut leads around " + std::to_string(some) + " of " + std::to_string(all) +
         " attentions and feed-forward networks";
}

}  // namespace

TEST_CASE("structure: a part with weights that stands in two places is one layer") {
  int first = 0, second = 0, third = 0;
  const auto parts = [&](const std::vector<ChosenPart>& all) {
    PlannedSteps planned({Tensor({2, 2}, {1, 2, 3, 4}), Tensor({2}, {1, 2})}, nullptr);
    planned.patient.parameters[0].name = "a.weight";
    planned.patient.parameters[1].name = "v.gain";
    planned.patient.parts = all;
    return planned.asked(of_structure(), "layers are others");
  };
  CHECK(parts({}).evidence == "nothing is asked");
  CHECK(parts({{"a", "", &first}, {"b", "", &second}}).evidence == "2 parts stand in 2 places");
  CHECK(parts({{"a", "", &first}, {"b", "", &second}}).cause.empty());
  const Answer shared = parts({{"c", "", &third}, {"a", "", &first}, {"b", "", &first}, {"d", "", &first}});
  CHECK(shared.evidence == "2 parts stand in 4 places");
  CHECK(shared.cause == "a and b are one and the same layer: they share all of their weights.");
  // An activation has no weights, and a norm a vector alone.
  CHECK(parts({{"b", "relu", &first}, {"c", "relu", &first}}).cause.empty());
  CHECK(parts({{"v", "norm", &first}, {"w", "norm", &first}}).cause.empty());
}

TEST_CASE("structure: two linear layers with nothing between them are one, unless the first is narrow") {
  const auto as_it_is = [](const Var& x) { return x; };
  CHECK(between({{4, 4}, {4, 4}}, [](const Var& x) { return tanh(x); }) ==
        "of 2 linear layers, none reads another as it is");
  CHECK(between({{5, 4}, {6, 5}}, as_it_is) == "w0 makes 5 numbers of 4, and w1 6 of these");
  CHECK(between({{4, 5}, {4, 4}}, as_it_is) == "w0 makes 4 numbers of 5, and w1 4 of these");
  CHECK(between({{4, 6}, {4, 4}}, [](const Var& x) { return x * Real(2); }).find("w0 makes") == 0);
  CHECK(between({{4, 4}, {4, 4}}, [](const Var& x) { return x / Real(2); }).find("w0 makes") == 0);
  CHECK(between({{4, 4}, {4, 4}}, [](const Var& x) { return Var(Tensor::ones({4})) * x; }).find("w0 makes") ==
        0);
  CHECK(between({{3, 4}, {4, 3}}, as_it_is).find("of 2 linear layers") == 0);
  CHECK(between({{4, 4}, {4, 4}}, [](const Var& x) { return x * x; }).find("of 2 linear layers") == 0);
  CHECK(between({{4, 4}, {4, 4}}, [](const Var& x) { return x + Real(2); }).find("of 2 linear layers") == 0);
  // What others read, too, is something, and so are numbers of it that are read twice.
  CHECK(of_layers("something between layers", {{4, 4}, {4, 4}}, [](const Layers& w, const Var& x) {
          const Var y = through(w[0], x);
          return through(w[1], y) + y;
        }).evidence.find("of 2 linear layers") == 0);
  CHECK(of_layers("something between layers", {{4, 4}, {4, 4}}, [](const Layers& w, const Var& x) {
          const Var y = through(w[0], x), twice = y * Real(2);
          return through(w[1], twice) + twice;
        }).evidence.find("of 2 linear layers") == 0);
  CHECK(of_layers("something between layers", {{4, 4}}, [](const Layers& w, const Var& x) {
          return tanh(through(w[0], x));
        }).evidence == "of 1 linear layers, none reads another as it is");
  CHECK(of_layers("something between layers", {{4, 4}}, [](const Layers& w, const Var& x) {
          return matmul(x, w[0].variable);
        }).evidence == "nothing is asked");
}

TEST_CASE("structure: where a shortcut leads around one attention, one leads around all") {
  CHECK(shortcuts([](const Var& x) { return tanh(x); }) == "nothing is asked");
  CHECK(shortcuts([](const Var& x) { return x + attend(x); }) == around(1, 1));
  CHECK(shortcuts([](const Var& x) { return attend(x); }) == around(0, 1));
  CHECK(shortcuts([](const Var& x) { return attend(attend(x)); }) == around(0, 2));
  CHECK(shortcuts([](const Var& x) { return attend(x + attend(x)); }) ==
        "No shortcut leads around the attention of w0: it must be x + f(x), not f(x).");
  CHECK(
      shortcuts([](const Var& x) { return attend(attend(x + attend(x))); }) ==
      "No shortcut leads around the attention of w0, nor around some others: it must be x + f(x), not f(x).");
  // Three in a row without any are too many; three side by side are not.
  CHECK(shortcuts([](const Var& x) { return attend(attend(attend(x))); }) ==
        "No shortcut leads around the attention of w0, nor around any other: it must be x + f(x), not f(x).");
  CHECK(shortcuts([](const Var& x) { return concat({attend(x), attend(x), attend(x)}, 1); }) == around(0, 3));
  // A sum of two that do not follow from each other is no shortcut.
  CHECK(shortcuts([](const Var& x) { return tanh(x) + attend(x); }) == around(0, 1));
}

TEST_CASE("structure: a shortcut around the first activation after an attention, and none that is too long") {
  const auto network = [](const Var& x) { return relu(x * Real(2)) * Real(3); };
  CHECK(shortcuts([&](const Var& x) {
          const Var y = x + attend(x);
          return y + network(y);
        }) == around(2, 2));
  CHECK(shortcuts([&](const Var& x) { return network(x + attend(x)); }) == around(1, 2));
  CHECK(shortcuts([&](const Var& x) {
          const Var y = x + attend(x), z = y + network(y);
          return network(z + attend(z));
        }) == "No shortcut leads around the feed-forward network of w0: it must be x + f(x), not f(x).");
  // The second activation in a row is of the same network.
  CHECK(shortcuts([&](const Var& x) {
          const Var y = x + attend(x);
          return y + network(network(y));
        }) == around(2, 2));
  CHECK(shortcuts([&](const Var& x) {
          const Var y = x + attend(x), z = y + network(y);
          return tanh(z);
        }) == around(2, 2));
  CHECK(shortcuts([&](const Var& x) { return x + attend(tanh(x)); }) == around(1, 1));
  CHECK(shortcuts([&](const Var& x) {
          const Var y = x + attend(x);
          return x + network(y);
        }).find("A shortcut is too long: that behind w0 begins before the part before it") == 0);
}

TEST_CASE("structure: attention is a softmax for two queries or more that words are mixed by") {
  const auto mixed = [](const std::function<Var(const Var& x)>& weights) {
    return shortcuts([&](const Var& x) { return matmul(softmax(weights(x)), x); });
  };
  CHECK(mixed([](const Var& x) { return matmul(x, x, {false, true}); }) == around(0, 1));
  CHECK(mixed([](const Var& x) {
          return matmul(slice(x, 1, 0, 1), x, {false, true});
        }) == "nothing is asked");
  CHECK(mixed([](const Var& x) { return matmul(slice(x, 1, 0, 2), x, {false, true}); }) == around(0, 1));
  CHECK(shortcuts([](const Var& x) { return softmax(x) + x; }) == "nothing is asked");
  CHECK(shortcuts([](const Var& x) { return matmul(softmax(x), x, {false, true}); }) == around(0, 1));
  CHECK(shortcuts([](const Var& x) { return matmul(x, softmax(x), {false, true}); }) == around(0, 1));
  CHECK(shortcuts([](const Var& x) {
          return matmul(slice(softmax(x), 1, 0, 2), slice(x, 1, 0, 2), {false, true});
        }) == "nothing is asked");
  CHECK(shortcuts([](const Var& x) {
          return matmul(reshape(softmax(reshape(x, {6, 4})), {2, 3, 4}), x, {false, true});
        }) == "nothing is asked");
}

}  // namespace gradual::experiments::structure_test
