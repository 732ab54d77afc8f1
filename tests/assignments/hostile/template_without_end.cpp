// Keeps the compiler busy.
#include <gradual/core/rows/rows.hpp>

template <int n>
struct Deep {
  using type = typename Deep<n - 1>::type;
};
constexpr long long busy() {
  long long sum = 0;
  for (long long i = 0; i < 1000000000000; ++i) sum += i;
  return sum;
}
constexpr long long result = busy();
Deep<1000000>::type deep;
