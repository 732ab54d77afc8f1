// The whole encoder–decoder of width 4, calculated with a pencil.
#pragma once

#include <gradual/nn/transformer/frozen_translator.hpp>

#include "sheet.hpp"

/// What is calculated, and what of it is compared with the library.
struct TranslationByHand {
  Sheet sheet;
  std::vector<std::string> written;  ///< the words, up to the end
  const Table *memory, *logits, *probabilities;
  std::vector<const Table*> attention;  ///< encoder, decoder, cross; each head by head
};

/// Calculates with so many decimal places what the translator writes for these words of its own.
TranslationByHand translate_by_hand(const gradual::FrozenTranslator& translator,
                                    const std::vector<std::string>& words, int places);
