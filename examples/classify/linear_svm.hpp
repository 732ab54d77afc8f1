// A linear support vector machine over sparse rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>

/// The features that a row has, by number, and their values.
using SparseRow = std::vector<std::pair<std::int32_t, float>>;

inline double dot(const std::vector<double>& weights, const SparseRow& row) {
  double sum = 0;
  for (const auto& [feature, value] : row) sum += weights[static_cast<std::size_t>(feature)] * value;
  return sum;
}

/// The weights w that minimise ½·‖w‖² + C·Σ_i max(0, 1 - y_i·wᵀx_i)², where y_i is 1 if the class of row i is
/// `wanted`, else -1; found through the dual, one α_i at a time (Hsieh et al. 2008, algorithm 1, L2-loss).
inline std::vector<double> train_linear_svm(const std::vector<SparseRow>& rows,
                                            const std::vector<std::int32_t>& classes, std::int32_t wanted,
                                            gradual::Index features, double cost, gradual::Random random) {
  constexpr int most_passes = 1000;
  constexpr double tolerance = 1e-3;
  std::vector<double> weights(static_cast<std::size_t>(features), 0), alphas(rows.size(), 0), curvatures;
  for (const SparseRow& row : rows) {
    double square = 1 / (2 * cost);
    for (const auto& [feature, value] : row) square += static_cast<double>(value) * value;
    curvatures.push_back(square);
  }
  for (int pass = 0; pass < most_passes; ++pass) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const gradual::Index place : random.permutation(static_cast<gradual::Index>(rows.size()))) {
      const auto i = static_cast<std::size_t>(place);
      const double y = classes[i] == wanted ? 1 : -1;
      const double gradient = y * dot(weights, rows[i]) - 1 + alphas[i] / (2 * cost);
      const double projected = alphas[i] == 0 ? std::min(gradient, 0.0) : gradient;  // α_i stays ≥ 0
      least = std::min(least, projected);
      most = std::max(most, projected);
      if (projected == 0) continue;
      const double alpha = std::max(alphas[i] - gradient / curvatures[i], 0.0),
                   step = y * (alpha - alphas[i]);
      for (const auto& [feature, value] : rows[i]) weights[static_cast<std::size_t>(feature)] += step * value;
      alphas[i] = alpha;
    }
    if (most - least < tolerance) break;
  }
  return weights;
}
