// Several translators that write together.
#pragma once

#include <vector>

#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// A translator that holds likely what its members do on average, word by word:
///
///     p(y_t | y_1 … y_{t-1}, x) = 1/N · Σ_i p_i(y_t | y_1 … y_{t-1}, x)
///
/// (Hansen and Salamon 1990; of translators, Sutskever, Vinyals and Le 2014). It searches, samples and scores
/// as any other, in N times the time. Its last layers of attention are one layer with the heads of all
/// members, and so are those before them; its notes are the lines that all have. Its loss is the mean of its
/// members', which is that of their mean or more (Jensen), and no file can hold it: train another on what it
/// writes (Kim and Rush 2016); nor does it take a shortlist. Throws std::invalid_argument without members,
/// and for members whose sentences become other tokens than those of the first.
Translator ensemble(std::vector<Translator> members);

}  // namespace gradual
