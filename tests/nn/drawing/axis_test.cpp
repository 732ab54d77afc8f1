#include <gradual/nn/drawing/axis.hpp>

#include <cmath>

#include "support/catch.hpp"

using namespace gradual;

namespace {
using Values = std::vector<double>;
}  // namespace

TEST_CASE("axis: linear ticks are multiples of 1, 2 or 5 times a power of ten") {
  CHECK(linear_ticks(0, 10, 6) == Values{0, 2, 4, 6, 8, 10});
  CHECK(linear_ticks(0, 10, 5) == Values{0, 5, 10});
  CHECK(linear_ticks(1, 3000, 7) == Values{500, 1000, 1500, 2000, 2500, 3000});
  CHECK(linear_ticks(-1, 1, 5) == Values{-1, -0.5, 0, 0.5, 1});
  CHECK(linear_ticks(0.12, 0.48, 5) == Values{0.2, 0.3, 0.4});
}

TEST_CASE("axis: ticks are exactly the decimal numbers they are printed as") {
  CHECK(linear_ticks(0, 1, 11) == Values{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  CHECK(linear_ticks(0, 0.001, 6) == Values{0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001});
}

TEST_CASE("axis: there are never more ticks than asked for") {
  for (int most = 2; most <= 12; ++most) {
    for (const double high : {0.017, 0.99, 1.0, 7.3, 123.0, 1e6}) {
      CHECK(linear_ticks(0, high, most).size() <= static_cast<std::size_t>(most));
      CHECK(log_ticks(high / 5000, high, most).size() <= static_cast<std::size_t>(most));
    }
  }
}

TEST_CASE("axis: logarithmic ticks are powers of ten, with 2 and 5 between when these are few") {
  CHECK(log_ticks(0.01, 100, 6) == Values{0.01, 0.1, 1, 10, 100});
  CHECK(log_ticks(0.8, 60, 8) == Values{1, 2, 5, 10, 20, 50});
  CHECK(log_ticks(1e-6, 1e6, 5) == Values{1e-6, 1e-3, 1, 1e3, 1e6});
}

TEST_CASE("axis: within one decade logarithmic ticks are the linear ones") {
  CHECK(log_ticks(1.15, 1.42, 4) == linear_ticks(1.15, 1.42, 4));
}

TEST_CASE("axis: a tight axis ends at the values, or begins at a 0 that is near") {
  const ChartAxis axis = tight_axis({30, 10, 20}, 5);
  CHECK(axis.low == 10);
  CHECK(axis.high == 30);
  CHECK(axis.ticks == Values{10, 15, 20, 25, 30});
  CHECK(tight_axis({1, 3000}, 5).low == 0);
}

TEST_CASE("axis: a loose linear axis ends at ticks") {
  const ChartAxis axis = loose_axis({0.93, 6.8, std::nan("")}, 8, false);
  CHECK(axis.low == 0);
  CHECK(axis.high == 7);
  CHECK(axis.ticks.size() == 8);
}

TEST_CASE("axis: positions run from 0 to 1, evenly or by ratio") {
  const ChartAxis linear{10, 30, {}};
  CHECK(linear.position(10) == Approx(0).margin(1e-12));
  CHECK(linear.position(15) == Approx(0.25));
  const ChartAxis logarithmic{1, 100, {}, true};
  CHECK(logarithmic.position(10) == Approx(0.5));
  CHECK(logarithmic.position(100) == Approx(1));
  CHECK_FALSE(std::isfinite(logarithmic.position(0)));
  CHECK_FALSE(std::isfinite(logarithmic.position(-1)));
  CHECK_FALSE(std::isfinite(linear.position(std::nan(""))));
}

TEST_CASE("axis: one value, no value and only unusable values still give an axis") {
  for (const Values& values :
       {Values{}, Values{5}, Values{0}, Values{-3, -3}, Values{std::nan("")}, Values{-1, -2}}) {
    for (const bool logarithmic : {false, true}) {
      const ChartAxis axis = loose_axis(values, 5, logarithmic);
      CHECK(axis.low < axis.high);
      CHECK(axis.ticks.size() >= 2);
    }
    CHECK(tight_axis(values, 5).low < tight_axis(values, 5).high);
  }
}

TEST_CASE("axis: a logarithmic one may go from the smallest numbers to the largest") {
  const ChartAxis axis = loose_axis({1e-200, 1e200}, 5, true);
  CHECK(axis.position(1e-200) == Approx(1.0 / 22));  // a twentieth of 400 decades below and above
  CHECK(axis.position(1) == Approx(0.5));
  CHECK(axis.ticks.size() >= 3);
  CHECK(axis.ticks.size() <= 5);
  for (const Values& values : {Values{1, 1e300}, Values{1e-300, 1}, Values{1e-300, 1e300}}) {
    const ChartAxis widest = loose_axis(values, 5, true);
    CHECK(widest.position(values[0]) >= 0);
    CHECK(widest.position(values[1]) <= 1);
    CHECK(widest.ticks.size() <= 5);
  }
}

TEST_CASE("axis: zeros alone stand at its beginning, and other equal values in its middle") {
  CHECK(tight_axis({0, 0}, 5).low == 0);
  CHECK(tight_axis({0, 0}, 5).high == 1);
  CHECK(tight_axis({8, 8}, 5).position(8) == Approx(0.5));
}

TEST_CASE("axis: values that differ by rounding alone, or are beyond what ticks can be, still give an axis") {
  // A mean of equal losses, and a sum of tenths.
  const double loss = 6.907700061798096;
  for (const Values& values : {Values{0.3, 0.1 + 0.2}, Values{loss, std::nextafter(loss, 7)},
                               Values{1e9, 1e9 + 1e-6}, Values{1e-310, 0}, Values{-1e-320, 1e-320},
                               Values{-1.7e308, 1.7e308}, Values{1e-310, 3e-310}, Values{-1e300, 1e300}}) {
    INFO(values[0] << " and " << values[1]);
    for (const bool logarithmic : {false, true}) {
      const ChartAxis axis = loose_axis(values, 7, logarithmic);
      CHECK(axis.low < axis.high);
      CHECK(axis.ticks.size() >= 2);
      CHECK(axis.ticks.size() <= 9);
    }
  }
  CHECK(loose_axis({0.3, 0.1 + 0.2}, 7, false).position(0.3) > 0.3);
  CHECK(linear_ticks(0.3, 0.1 + 0.2, 7).size() < 100);
}
