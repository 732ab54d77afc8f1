// Looking at attention weights without changing the model.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Whose words the queries and the keys of an attention layer are.
enum class AttentionTo { itself, source };

/// The weights of one attention layer in one forward pass.
struct RecordedAttention {
  std::string layer;  // such as "encoder.0.self_attention"; the layers of what reads begin with "encoder"
  Tensor weights;     // [B, H, T, S]
  AttentionTo to = AttentionTo::itself;  // in a model that reads a source: what it looks at

  /// Whether the layer is one of an encoder.
  bool is_of_encoder() const { return layer.rfind("encoder", 0) == 0; }
};

/// While one of these lives, every attention layer that runs on this thread hands out its weights:
///
///   AttentionRecorder recorder;
///   model.encode(...);
///   draw(recorder.recorded());
class AttentionRecorder {
 public:
  /// From here to its end, the attention that this thread computes is recorded.
  AttentionRecorder();
  ~AttentionRecorder();
  AttentionRecorder(const AttentionRecorder&) = delete;
  AttentionRecorder& operator=(const AttentionRecorder&) = delete;

  /// What was recorded so far, in the order of the forward pass.
  const std::vector<RecordedAttention>& recorded() const { return recorded_; }
  /// Called by the layers: the weights of one forward pass.
  void add(const std::string& layer, Tensor weights, AttentionTo to = AttentionTo::itself);
  /// Those that look at the source, first to last.
  std::vector<Tensor> to_source() const;
  /// The recorder at work on this thread, or null.
  static AttentionRecorder* current();

 private:
  AttentionRecorder* before_;
  std::vector<RecordedAttention> recorded_;
};

}  // namespace gradual
