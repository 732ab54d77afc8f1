// Optimizers: how parameters follow their gradients.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// √Σ g² over the gradients of all parameters; those without a gradient count as 0.
double gradient_norm(const std::vector<NamedParameter>& parameters);

/// What clipping to a norm multiplies gradients by: min(1, most / norm) (Pascanu et al. 2013, algorithm 1).
/// An optimizer takes it as `gradient_scale`, which saves a pass over the gradients.
double clipping_scale(double norm, double most);

/// What all optimizers share: a step with a learning rate, and a state that can be stored.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Updates all parameters that have a gradient.
  virtual void step(double learning_rate, double gradient_scale = 1) = 0;
  /// The optimizer's own tensors by name, such as "m.encoder.0…": what training needs to go on later.
  virtual std::vector<std::pair<std::string, Tensor>> state() const = 0;
  /// Throws std::invalid_argument when a tensor is missing or has another shape.
  virtual void set_state(const std::vector<std::pair<std::string, Tensor>>& state) = 0;
};

/// p ← p - rate·v with v ← μ·v + g.
class Sgd : public Optimizer {
 public:
  /// Moves these; `momentum` is μ, and 0 plain gradient descent.
  explicit Sgd(std::vector<NamedParameter> parameters, double momentum = 0);
  void step(double learning_rate, double gradient_scale = 1) override;
  std::vector<std::pair<std::string, Tensor>> state() const override;
  void set_state(const std::vector<std::pair<std::string, Tensor>>& state) override;

 private:
  std::vector<NamedParameter> parameters_;
  double momentum_;
  std::vector<Tensor> velocities_;
};

/// What Adam takes besides its learning rate.
struct AdamOptions {
  double beta1 = 0.9;     // how much of the mean gradient stays in a step
  double beta2 = 0.98;    // how much of the mean square stays
  double epsilon = 1e-9;  // keeps it from dividing by 0
  /// λ of AdamW (Loshchilov and Hutter 2019), which shrinks weights apart from the gradient; vectors, such as
  /// biases and the gains of norms, are left alone.
  double weight_decay = 0;
};

/// Adam (Kingma and Ba 2015), and AdamW with a weight decay. The default constants are those of Vaswani et
/// al. 2017, §5.3.
class Adam : public Optimizer {
 public:
  /// Moves these. Throws std::invalid_argument unless both betas are in [0, 1), and the others not negative.
  explicit Adam(std::vector<NamedParameter> parameters, AdamOptions options = {});
  void step(double learning_rate, double gradient_scale = 1) override;
  std::vector<std::pair<std::string, Tensor>> state() const override;
  void set_state(const std::vector<std::pair<std::string, Tensor>>& state) override;

 private:
  std::vector<NamedParameter> parameters_;
  AdamOptions options_;
  std::vector<Tensor> m_, v_;
  Index steps_ = 0;
};

/// Nearly the orthogonal factor U·Vᵀ of a matrix U·S·Vᵀ [m, n]: five steps of a Newton–Schulz iteration from
/// X = matrix / (‖matrix‖ + 10⁻⁷),
///
///     X ← a·X + b·X·Xᵀ·X + c·X·Xᵀ·X·Xᵀ·X,   a, b, c = 3.4445, -4.7750, 2.0315,
///
/// which do to each singular value what a·s + b·s³ + c·s⁵ does to a number: from anywhere between 0.002 and 1
/// it ends between 0.68 and 1.21, which is near enough to 1 (Jordan et al. 2024). Throws
/// std::invalid_argument unless it is a matrix.
Tensor orthogonalized(const Tensor& matrix);

/// What Muon takes besides its learning rate.
struct MuonOptions {
  double momentum = 0.95;  // μ
  /// The root mean square of the numbers of an update, in learning rates: about that of Adam's, so that one
  /// rate serves both (Liu et al. 2025, eq. 4).
  double scale = 0.2;
  /// Of the parameters that are no hidden matrices; the weight decay is that of all.
  AdamOptions adam;
};

/// Muon (Jordan et al. 2024): no direction of a hidden matrix [m, n] is favoured because its gradients happen
/// to be larger. With gradient g and v of before,
///
///     v ← μ·v + g,   W ← W·(1 - rate·λ) - rate·scale·√max(m, n)·orthogonalized(g + μ·v)
///
/// Queries, keys and values that are packed into one matrix [D + 2·G·d, D] count as three. Everything else
/// follows Adam: vectors, the output layer, and tables that rows are read from, one for each word or
/// position, which have nothing to do with each other. What else multiplies a hidden vector is a hidden
/// matrix, that of the score by location too.
class Muon : public Optimizer {
 public:
  /// Moves these. Throws what Adam throws.
  explicit Muon(std::vector<NamedParameter> parameters, MuonOptions options = {});
  void step(double learning_rate, double gradient_scale = 1) override;
  std::vector<std::pair<std::string, Tensor>> state() const override;
  void set_state(const std::vector<std::pair<std::string, Tensor>>& state) override;

  /// Whether a parameter is a hidden matrix: one of rank 2 that is called neither embedding nor positions and
  /// is not the output layer.
  static bool is_hidden_matrix(const NamedParameter& parameter);

 private:
  std::vector<NamedParameter> matrices_;
  MuonOptions options_;
  std::vector<Tensor> momenta_;
  Adam adam_;
};

}  // namespace gradual
