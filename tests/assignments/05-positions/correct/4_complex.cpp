// A pair as a complex number, turned by e^(iθ).
#include <cmath>
#include <complex>

#include <gradual/core/attention/rotary.hpp>

namespace gradual {

Tensor rotate(const Tensor& x, const Rotation& r) {
  Tensor y = x;
  Real* numbers = y.mutable_data();
  for (Index b = 0; b < x.dim(0); ++b)
    for (Index n = 0; n < x.dim(1); ++n)
      for (Index head = 0; head < r.columns; head += r.head_width)
        for (Index i = 0; i < r.head_width; i += 2) {
          Real* pair = numbers + (b * x.dim(1) + n) * x.dim(2) + head + i;
          const double speed = std::pow(10000.0, -double(i) / double(r.head_width));
          const std::complex<double> turned =
              std::complex<double>(pair[0], pair[1]) * std::polar(1.0, double(r.first_place + n) * speed);
          pair[0] = Real(turned.real());
          pair[1] = Real(turned.imag());
        }
  return y;
}

}  // namespace gradual
