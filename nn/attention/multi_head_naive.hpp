// Multi-head attention as the paper writes it: a list of heads. MultiHeadAttention is the fast version.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/recorder.hpp>

namespace gradual {

/// The sizes of naive multi-head attention.
struct HeadSizes {
  Index width;        // D of the inputs and the output
  Index heads;        // H
  Index key_width;    // d_k: queries and keys of a head
  Index value_width;  // d_v: values of a head
};

/// One head: Attention(x·W_Q, memory·W_K, memory·W_V).
struct AttentionHead {
  void visit(Visitor& visitor);

  Linear queries, keys, values;  // the projections of one head
  Attention attention;           // by which its queries look at its keys
};

/// What one head is given.
struct HeadInputs {
  const Attention& attention;
  Var queries, keys, values;  // [B, T, d_k], [B, S, d_k], [B, S, d_v]
  Var bias;                   // added to the scores [B, T, S], if it is defined
};

/// The averages of all heads side by side, [B, T, H·d_v]. A recorder receives their weights as those of layer
/// `name`.
Var attend_head_by_head(const std::vector<HeadInputs>& heads, const AttentionMask& mask,
                        const std::string& name, AttentionTo to);

/// concat(head₁, …, head_H)·W_O with headᵢ = Attention(x·W_Qᵢ, memory·W_Kᵢ, memory·W_Vᵢ) (Vaswani et al.
/// 2017, §3.2.2), each head with weights of its own and any score.
class MultiHeadNaive {
 public:
  /// Throws std::invalid_argument for sizes that are not positive and for an unknown score.
  MultiHeadNaive(const HeadSizes& sizes, const std::string& score, double dropout, Random random,
                 std::string name = "attention");
  void visit(Visitor& visitor);

  /// x [B, T, D] attends to memory [B, S, D]; for self-attention both are the same.
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const;

  std::vector<AttentionHead> heads;  // each with projections of its own
  Linear output;                     // W_O, which mixes their results

 private:
  std::string name_;
};

}  // namespace gradual
