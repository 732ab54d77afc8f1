// The first cell of every chapter: what the book uses of Gradual, and the pictures.
//
// A chapter's code runs as a compiled test and, cell by cell, in notebooks. Headers that take long to read
// (JSON, xtensor) are not here, so that the first result is there in less than a second.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/autograd/graph_drawing.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/positions.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/attention/scores/concat.hpp>
#include <gradual/nn/attention/scores/cosine.hpp>
#include <gradual/nn/attention/scores/dot.hpp>
#include <gradual/nn/attention/scores/general.hpp>
#include <gradual/nn/attention/scores/location.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/beam_tree.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/decoding/sample.hpp>
#include <gradual/nn/decoding/score.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/inspect/drawing/attention_graph.hpp>
#include <gradual/nn/inspect/drawing/line_chart.hpp>
#include <gradual/nn/inspect/drawing/svg.hpp>
#include <gradual/nn/inspect/terminal_plot.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/layers/positions.hpp>
#include <gradual/nn/recurrent/layer.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/text/batches.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/toy_corpus.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/attention_maps.hpp>
#include <gradual/nn/translation/translator.hpp>

/// Shows a picture, an SVG, under the cell. Outside of Jupyter it is written to the output between two bytes
/// 29 (group separator), after its name on a line of its own: a test compares it with
/// docs/chapters/figures/<name>.svg.
inline void show(const std::string& name, const std::string& svg) {
  std::cout << '\035' << name << '\n' << svg << '\035' << std::flush;
}
