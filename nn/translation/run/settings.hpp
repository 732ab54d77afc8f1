// What decides a run that trains a translator.
#pragma once

#include <string>

#include <gradual/nn/seq2seq/model_config.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/translation/run/corpora.hpp>

namespace gradual {

/// The text, the model, its training and what is left in a folder. The seed of the text is that of the
/// weights, the order and dropout, too; as many steps are made as the schedule has.
struct RunSettings : CorpusOptions {
  // Model
  bool joint = false;           ///< one vocabulary for both sides
  double subword_sampling = 0;  ///< how strongly sentences are cut anew in each epoch; 0: always the same
  ModelConfig model;            ///< what is trained
  // Training
  Index batch_tokens = 0;  ///< the most of a batch on either side, padding included
  Index accumulate = 1;    ///< batches whose gradients make one step
  Schedule schedule;       ///< of the learning rate
  /// ε of the loss, the longest gradient, λ of AdamW.
  double label_smoothing = 0.1, clip = 1.0, weight_decay = 0;
  double r_drop = 0;               ///< how much two passes with other dropout must agree; 0: one pass
  std::string optimizer = "adam";  ///< or "muon": matrices by Muon, the rest by Adam
  double muon_scale = MuonOptions().scale;
  Index validate_every = 500, patience = 0, plateau = 0;  ///< as Trainer::Watching has them
  std::string watch = "loss";                             ///< what is looked at there: "loss" or "bleu"
  // The model that is left: the mean of the last snapshots, a moving average, or neither
  Index average = 0, snapshot_every = 0;
  double ema = 0;     ///< the decay of a moving average of the weights; 0: none
  TestSettings test;  ///< how translations are searched for and judged
  // Result
  std::string out;               ///< the folder
  bool resume = false;           ///< whether it goes on with the run in its folder
  Index checkpoint_every = 500;  ///< steps from one checkpoint to the next
  double history = 0;            ///< megabytes for snapshots from which any step can be made again
  Index trace = 0;               ///< first steps whose tensors are written down
  std::string fork;              ///< the folder of a run to go on from
  Index at_step = 0;             ///< after this step of it

  std::string used;  ///< all that decides the numbers of a run, as lines of a config file
};

}  // namespace gradual
