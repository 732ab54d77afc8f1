// What the chapters of the book use of Gradual.
//
// Headers that take long to read (xtensor, JSON) are not here: notebook_xtensor.hpp, notebook_display.hpp.
#pragma once

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/autograd/graph_drawing.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/autograd/profiler.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/attention/scores/concat.hpp>
#include <gradual/nn/attention/scores/cosine.hpp>
#include <gradual/nn/attention/scores/dot.hpp>
#include <gradual/nn/attention/scores/general.hpp>
#include <gradual/nn/attention/scores/location.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/beam_tree.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/decoding/sample.hpp>
#include <gradual/nn/decoding/score.hpp>
#include <gradual/nn/drawing/attention_flow.hpp>
#include <gradual/nn/drawing/attention_graph.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/moving_picture.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/search_tree.hpp>
#include <gradual/nn/inspect/transformer_picture.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/positions/in_attention.hpp>
#include <gradual/nn/positions/vectors.hpp>
#include <gradual/nn/recurrent/layer.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "agree.hpp"
