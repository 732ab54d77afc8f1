// Learning rates that change with the step.
#pragma once

#include <string>

#include <gradual/core/names.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// How a learning rate falls after its warm-up.
enum class Decay { constant, inverse_square_root, linear, cosine };
/// Their names.
inline const Names<Decay>& decays() {
  static const Names<Decay> names("schedule: the decay", {{"constant", Decay::constant},
                                                          {"inverse-square-root", Decay::inverse_square_root},
                                                          {"linear", Decay::linear},
                                                          {"cosine", Decay::cosine}});
  return names;
}

/// A learning rate that rises linearly to `peak` during the first `warmup` steps and then follows its decay:
///
///   constant              peak
///   inverse_square_root   peak·√(max(warmup, 1) / step)                    (Vaswani et al. 2017, eq. 3)
///   linear                peak·(1 - q)
///   cosine                peak·(1 + cos(π·q)) / 2                          (Loshchilov and Hutter 2017, eq.
///   5)
///
/// with q = (step - warmup) / (total - warmup), at most 1.
struct Schedule {
  Decay decay = Decay::inverse_square_root;  // what comes after the warm-up
  double peak = 1e-3;                        // the largest rate
  Index warmup = 400;                        // steps until then
  Index total = 4000;                        // the step at which linear and cosine decay end

  /// The rate of a step, counted from 1.
  double operator()(Index step) const;
};

}  // namespace gradual
