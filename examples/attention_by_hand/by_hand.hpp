// One head of attention, calculated with a pencil.
#pragma once

#include "pencil.hpp"
#include "words.hpp"

/// Which words a word may look at: those before the place `valid_length`, and, with a causal mask, only
/// itself and those before it.
struct Visibility {
  bool causal = true;
  std::size_t valid_length = 0;

  bool operator()(std::size_t query, std::size_t key) const {
    return key < valid_length && (!causal || key <= query);
  }
};

struct AttentionByHand {
  Matrix weights;   // a row for each word that looks, a column for each that is looked at
  Matrix averages;  // a row for each word
};

/// softmax(Q·Kᵀ/√d_k, masked)·V (Vaswani et al. 2017, eq. 1) of a sentence, step by step.
AttentionByHand attend_by_hand(const Matrix& sentence, const Visibility& visible, Pencil pencil);
