// How exact the kernels are: all of them against long double, with numbers of every size. Prints the tables
// of docs/trust.md; the result is 1 where one exceeds what it promises.
#include "report.hpp"

int main() {
  gradual::Report values, slopes, kernels;
  gradual::measure_functions(values, slopes);
  gradual::measure_rows(kernels);
  gradual::measure_products(kernels);
  gradual::measure_attention(kernels);
  gradual::measure_steps(kernels);
  const bool kept[] = {values.print("function", true), slopes.print("slope", true),
                       kernels.print("kernel", false)};
  return kept[0] && kept[1] && kept[2] ? 0 : 1;
}
