// L = Σ (W·x)² and its gradient ∂L/∂W = 2·(W·x)·xᵀ.
#include <iostream>

#include <gradual/autograd/operations.hpp>

using namespace gradual;

int main() {
  const Var weights = Var::parameter(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Var y = matmul(weights, Tensor({3, 1}, {1, 1, 2}));
  const Var loss = sum(y * y);
  backward(loss);
  std::cout << "loss " << loss.value().item() << ", gradient";
  for (Real g : weights.grad()) std::cout << ' ' << g;
  std::cout << '\n';
}
