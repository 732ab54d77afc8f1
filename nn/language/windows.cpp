#include <gradual/nn/language/windows.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// The windows of `length` tokens that begin at `starts`.
TextWindows windows_at(const std::vector<std::int32_t>& tokens, const std::vector<Index>& starts,
                       Index length) {
  std::vector<std::int32_t> input, output;
  for (Index start : starts) {
    const auto first = tokens.begin() + start;
    input.insert(input.end(), first, first + length);
    output.insert(output.end(), first + 1, first + length + 1);
  }
  const Shape shape{static_cast<Index>(starts.size()), length};
  return {Indices(shape, input), Indices(shape, output)};
}

}  // namespace

TextWindows random_windows(const std::vector<std::int32_t>& tokens, Index count, Index length,
                           Random random) {
  const auto size = static_cast<Index>(tokens.size());
  if (count <= 0 || length <= 0)
    throw std::invalid_argument(
        text("random_windows: count and length must be positive: count is ", count, ", length is ", length));
  if (size <= length)
    throw std::invalid_argument(text("random_windows: the text must be longer than a window: the text has ",
                                     size, " tokens, a window ", length));
  std::vector<Index> starts;
  for (Index i = 0; i < count; ++i) starts.push_back(random.below(size - length));
  return windows_at(tokens, starts, length);
}

double text_loss(const LanguageModel& model, const std::vector<std::int32_t>& tokens, Index length) {
  constexpr Index tokens_in_batch = 2048;
  const Index predicted = static_cast<Index>(tokens.size()) - 1;
  if (predicted < 1 || length <= 0)
    throw std::invalid_argument(
        text("text_loss: there must be two tokens at least, and a positive length: there are ", tokens.size(),
             " tokens, length is ", length));
  const NoGrad no_grad;
  double total = 0;
  const auto add = [&](const std::vector<Index>& starts, Index window) {
    const TextWindows windows = windows_at(tokens, starts, window);
    const double loss = model.loss(windows.input, windows.output).value().item();
    total += loss * static_cast<double>(windows.input.size());
  };
  const Index whole = predicted / length, in_batch = std::max<Index>(1, tokens_in_batch / length);
  for (Index first = 0; first < whole; first += in_batch) {
    std::vector<Index> starts;
    for (Index w = first; w < std::min(whole, first + in_batch); ++w) starts.push_back(w * length);
    add(starts, length);
  }
  if (predicted % length > 0) add({whole * length}, predicted % length);
  return total / static_cast<double>(predicted);
}

}  // namespace gradual
