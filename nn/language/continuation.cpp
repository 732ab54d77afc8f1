#include <gradual/nn/language/continuation.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// The logits after the last of `tokens`, from the window that ends with it.
Tensor logits_of_window(const LanguageModel& model, const std::vector<std::int32_t>& tokens) {
  const NoGrad no_grad;
  const Index window = std::min(static_cast<Index>(tokens.size()), model.config().max_length);
  const Var hidden = model.hidden(Indices({1, window}, {tokens.end() - window, tokens.end()}));
  return linear(slice(hidden, 1, window - 1, window), model.embedding.weight).value();
}

}  // namespace

std::vector<std::int32_t> continuation(const LanguageModel& model, const std::vector<std::int32_t>& prompt,
                                       Index length, const SamplingOptions& options, Random random) {
  options.check();
  if (prompt.empty()) throw std::invalid_argument("continuation: the prompt must have a token: got none");
  if (length < 0)
    throw std::invalid_argument(text("continuation: the length must not be negative: got ", length));
  const Index most = model.config().max_length;
  std::vector<std::int32_t> tokens = prompt;
  LanguageModel::State state;
  while (static_cast<Index>(tokens.size() - prompt.size()) < length) {
    const auto size = static_cast<Index>(tokens.size());
    Tensor logits;
    // While everything fits, each token costs one step. After that all places shift by one with each token,
    // and nothing that was computed for the old ones holds.
    if (size <= most) {
      while (state.length < size)
        logits = model.next(Indices({1}, {tokens[static_cast<std::size_t>(state.length)]}), state);
    } else {
      logits = logits_of_window(model, tokens);
    }
    const std::int32_t token = choose_token(logits.data(), logits.size(), options, random);
    if (token < 0)
      throw std::invalid_argument(text("continuation: some token must have a probability above 0: after ",
                                       size, " tokens none has; are the model's logits numbers?"));
    tokens.push_back(token);
  }
  return {tokens.begin() + static_cast<Index>(prompt.size()), tokens.end()};
}

}  // namespace gradual
