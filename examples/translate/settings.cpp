#include "settings.hpp"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/layers/norms.hpp>
#include <gradual/nn/positions/positions.hpp>
#include <gradual/nn/recurrent/translator.hpp>

#include "../command_line.hpp"
#include "budget.hpp"
#include "config_file.hpp"

using namespace gradual;

TrainOptions::TrainOptions(CLI::App& command) : command_(command) {
  TrainSettings& s = given_;
  s.out = "out/toy";
  s.history = 50;
  // A later value overrides an earlier one: that is how presets and config files come first.
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);

  const Options settings(command, "Settings");
  settings.choice("preset", s.preset,
                  "defaults for all that follows: toy is for the embedded corpus, short-sentences for some "
                  "100,000 pairs or more of everyday sentences, multi30k for captions, "
                  "transformer-tiny for these with the sizes of Wu et al. 2021",
                  preset_names());
  command.add_flag("--help-all", "print all there is to set, and each preset's defaults")->group("Options");
  settings("budget", s.budget,
           "choose a model and steps that fit this time, such as 10s, 1m or 30m; a few steps are timed first")
      ->type_name("TIME");
  command.add_option("--config", "a file of lines `option = value`; options that are typed override it")
      ->type_name("FILE")
      ->group("Settings");

  const Options text(command, "Text");
  text.file("tsv", s.tsv,
            "train on a file of lines `source TAB target`; without a file, on the embedded corpus");
  text.file("source", s.source_file, "train on two files with one sentence a line: the source …");
  text.file("target", s.target_file, "… and its translations");
  text.file("test-source", s.test_source_file,
            "test on two files of their own instead of held-out sentences …");
  text.file("test-target", s.test_target_file, "… the translations");
  text.not_negative("max-words", s.max_words, "leave out pairs with more words on either side; 0: none");
  text.not_negative(
      "held-out", s.held_out,
      "distinct source sentences that are not trained on but tested; 0: 1000, or a tenth of fewer "
      "than 10000");
  text.not_negative("validation", s.validation,
                    "distinct source sentences, not trained on either, that training is watched by");
  text.choice("units", units_, "what sentences are cut into", text_units().all());
  text.between<Index>("subwords", s.language.subwords.size, 16, 1000000, "pieces that subwords are made of");
  text.choice("subword-kind", subword_kind_, "how they are found", subword_kinds().all());
  text.between("subword-sampling", s.subword_sampling, 0.0, 1.0,
               "cut sentences anew in each epoch: the share of merges left out for bpe, the exponent of "
               "probabilities for unigram; 0: cut them always the same");
  text.flag("joint", s.joint, "one vocabulary and one embedding for both sides");
  text.flag("both-ways", s.both_ways,
            "train on each pair the other way round, too: a model that can translate back; needs --joint");
  text.flag("lower-case", s.language.lower_case, "train on lower-cased text");
  text.positive("min-count", s.language.min_count, "words seen less often are unknown");
  text.between<Index>("max-vocabulary", max_vocabulary_, 5, 1000000, "the most words a vocabulary holds");

  const Options model(command, "Model");
  model.choice("model", model_, "what translates", {"transformer", "gru", "lstm"});
  std::vector<std::string> scores = score_names();
  scores.insert(scores.begin(), "none");
  model.choice(
      "attention", attention_,
      "how queries are compared with keys; scaled_dot for a transformer and additive for gru and lstm "
      "unless said otherwise",
      scores);
  model.positive(
      "width", transformer_.width,
      "how many numbers stand for a word inside the model; twice as many in the memory of gru and lstm");
  model.between("dropout", transformer_.dropout, 0.0, 0.99, "share of numbers that training zeroes");
  model.between("word-dropout", transformer_.word_dropout, 0.0, 0.99,
                "share of words whose vectors training zeroes, on both sides");

  const Options transformer(command, "Model, where it is a transformer");
  transformer.positive("heads", transformer_.heads, "attention heads; they divide the width");
  transformer.positive("feed-forward", transformer_.feed_forward, "inner width of the feed-forward networks");
  transformer.not_negative("encoder-layers", transformer_.encoder_layers, "layers that read");
  transformer.positive("decoder-layers", transformer_.decoder_layers, "layers that write");
  transformer.between("attention-dropout", transformer_.attention_dropout, 0.0, 0.99,
                      "share of attention weights that training zeroes");
  transformer.between("feed-forward-dropout", transformer_.feed_forward_dropout, -1.0, 0.99,
                      "share of the inner numbers of the feed-forward networks that training zeroes; -1: as "
                      "--dropout");
  transformer.choice("norm", norm_, "layer norms before or after each part", norm_places().all());
  transformer.choice("norm-kind", transformer_.norm_kind, "what they are", norms().names());
  transformer.not_negative("key-value-heads", transformer_.key_value_heads,
                           "heads of keys and values, which several heads share; 0: one for each");
  transformer.choice("positions", transformer_.positions, "how word order enters", position_kinds().names());
  transformer.choice("activation", transformer_.activation, "of the feed-forward networks",
                     feed_forwards().names());

  const Options training(command, "Training");
  training.positive("steps", s.steps, "updates of the parameters");
  training.positive("batch-tokens", s.batch_tokens,
                    "the most tokens of a batch on either side, padding included");
  training.positive("accumulate", s.accumulate, "batches whose gradients make one update");
  training.positive("learning-rate", s.schedule.peak, "the largest learning rate");
  training.not_negative("warmup", s.schedule.warmup, "steps in which it rises to that");
  training.choice("decay", decay_, "how it falls afterwards", decays().all());
  training.between("label-smoothing", s.label_smoothing, 0.0, 0.99,
                   "share of the target's probability spread over all words");
  training.not_negative(
      "r-drop", s.r_drop,
      "how much two passes with other dropout must agree: half the α of R-Drop; 0: one pass");
  training.not_negative("clip", s.clip, "the longest gradient; 0: any");
  training.choice("optimizer", s.optimizer,
                  "how parameters follow their gradients; muon: matrices by Muon, the rest by Adam",
                  {"adam", "muon"});
  training.positive("muon-scale", s.muon_scale, "how far Muon's steps go, in learning rates");
  training.not_negative("weight-decay", s.weight_decay, "of AdamW, and of Muon");
  training.positive("validate-every", s.validate_every, "steps between looks at the validation sentences");
  training.choice("watch", s.watch, "what is looked at there; bleu says nothing while it is near 0",
                  {"loss", "bleu"});
  training.not_negative("patience", s.patience, "stop after so many looks without a new best; 0: never");
  training.not_negative("plateau", s.plateau, "halve the learning rate after so many; 0: never");
  training.not_negative("average", s.average,
                        "the model is the mean of the last so many snapshots; 0: the last step, or with "
                        "--validation the best look");
  training.not_negative("snapshot-every", s.snapshot_every, "steps between snapshots; 0: a fiftieth of all");
  training.between(
      "ema", s.ema, 0.0, 0.999999,
      "the model is the moving average of the steps with this decay, with --validation that of the "
      "best look; 0: none");
  training.not_negative("seed", s.seed,
                        "decides the corpus, the split, the first weights, the order and dropout");
  training.threads(s.threads);
  training.positive("checkpoint-every", s.checkpoint_every, "steps between checkpoints");

  add_search_options(command, s.test.search);
  Options(command, search_group)
      .not_negative("reverse-weight", s.test.reverse_weight,
                    "how much it counts that a translation leads back to its sentence, among as many as the "
                    "--beam: λ of Li and Jurafsky 2016; needs --both-ways");
  add_bleu_options(command, s.test.bleu);

  const Options result(command, "Result");
  result.folder("out", s.out, "folder for the model, the log, the held-out sentences and the page");
  result.flag("resume", s.resume, "go on from the checkpoint in that folder");
  result.flag("profile", s.profile,
              "say where the time of a step went: each operation, forward and backward");
  result.flag("check", s.check,
              "instead of training, look for leaks, dead paths and numbers that are none; print all shapes");
  result.flag("doctor", s.doctor,
              "instead of training, make experiments that say why a model does not learn");
  result.not_negative("history", s.history,
                      "megabytes for snapshots on the way, from which any step can be made again; 0: none");
  result.not_negative("trace", s.trace, "first steps to write down tensor by tensor, for `translate diff`");
  CLI::Option* fork =
      result.folder("fork", s.fork, "a run to go on from, with its settings but for those given here");
  CLI::Option* at_step = result.not_negative("at-step", s.at_step, "after this step of it");
  fork->needs(at_step);
  at_step->needs(fork);
  result.flag("json", s.json, "print one JSON line of figures and nothing else");
}

TrainSettings TrainOptions::settings() const {
  TrainSettings s = given_;
  const auto refuse = [](bool when, const std::string& rule) {
    if (when) throw CLI::ValidationError(rule);
  };
  const bool embedded = s.tsv.empty() && s.source_file.empty();
  const auto together = [&](const std::string& a, const std::string& b, const std::string& names) {
    refuse(a.empty() != b.empty(), names + " belong together: one is missing");
  };
  together(s.source_file, s.target_file, "--source and --target");
  together(s.test_source_file, s.test_target_file, "--test-source and --test-target");
  refuse(!s.tsv.empty() && !s.source_file.empty(),
         "the text comes from --tsv or from --source and --target, not from both");
  refuse(embedded && !s.test_source_file.empty(),
         "the embedded corpus has test sentences of its own: --test-source needs --tsv, or --source and "
         "--target");
  refuse(embedded && s.max_words > 0,
         "the embedded corpus is used as a whole: --max-words needs --tsv, or --source and --target");
  refuse(s.held_out > 0 && embedded,
         "the embedded corpus has test sentences of its own: --held-out needs --tsv, or --source and "
         "--target");
  refuse(s.held_out > 0 && !s.test_source_file.empty(),
         "the test sentences come from --test-source or are held out by --held-out, not both");
  if (command_.count("--budget") > 0) seconds_of(s.budget);  // throws, also where it is empty
  refuse(!s.budget.empty() && s.resume,
         "--budget plans anew; to go on, use --config FOLDER/settings.conf --resume");
  refuse((s.check || s.doctor) && (s.resume || s.json || !s.fork.empty()),
         "--check and --doctor look at the model before its first step, and print text: not with --resume, "
         "--fork or --json");
  refuse(s.check && s.doctor, "--doctor makes the experiments that --check makes, and more: one of them");
  refuse(!s.fork.empty() && !s.budget.empty(), "--fork goes on with a run: --budget plans another");
  std::error_code none;
  refuse(!s.fork.empty() && !s.resume && std::filesystem::equivalent(s.fork, s.out, none),
         "a fork needs a folder of its own: --out is that of the run");
  refuse(!s.fork.empty() && s.at_step >= s.steps, "a fork must have steps left: --at-step is " +
                                                      std::to_string(s.at_step) + ", --steps is " +
                                                      std::to_string(s.steps));
  refuse(!s.budget.empty() && model_ != "transformer", "--budget plans a transformer: --model is " + model_);
  const bool watched = s.patience > 0 || s.plateau > 0 || s.watch != "loss";
  refuse(watched && s.validation == 0,
         "--patience, --plateau and --watch need sentences to look at: --validation is 0");
  refuse(s.average > 0 && s.ema > 0, "--average and --ema are two ways to the same end: choose one");
  refuse(s.test.search.coverage_penalty > 0 && attention_ == "none",
         "--coverage-penalty needs a model with attention: --attention is none");
  refuse(s.both_ways && !s.joint, "--both-ways needs one vocabulary for both sides: --joint is not given");
  refuse(s.test.reverse_weight > 0 && !s.both_ways,
         "--reverse-weight needs a model that can translate back: --both-ways is not given");
  refuse(s.test.reverse_weight > 0 && s.test.search.beam_size == 1,
         "--reverse-weight chooses among the translations of a beam: --beam is 1");
  refuse(s.subword_sampling > 0 && units_ != "subwords",
         "--subword-sampling cuts words into other subwords: --units is " + units_);
  refuse(model_ == "transformer" && attention_ == "none",
         "a transformer has nothing but attention to look at other words with: --attention is none; "
         "choose --model gru or lstm to do without");

  s.language.units = text_units().value(units_);
  s.language.subwords.kind = subword_kinds().value(subword_kind_);
  s.language.sampled = s.subword_sampling > 0;
  s.language.max_size = s.language.units == TextUnits::subwords ? Vocabulary::unlimited : max_vocabulary_;
  if (model_ == "transformer") {
    TransformerConfig config = transformer_;
    config.norm = norm_places().value(norm_);
    config.shared_embeddings = s.joint;
    if (!attention_.empty()) config.attention = attention_;
    s.model = config;
  } else {
    RecurrentConfig config;
    config.cell = cell_kinds().value(model_);
    config.attention = attention_.empty() ? "additive" : attention_;
    config.embedding_width = transformer_.width;
    config.hidden_width = 2 * transformer_.width;
    config.dropout = transformer_.dropout;
    config.word_dropout = transformer_.word_dropout;
    config.shared_embeddings = s.joint;
    s.model = config;
  }
  s.schedule.decay = decays().value(decay_);
  s.schedule.total = s.steps;
  if (s.snapshot_every == 0) s.snapshot_every = std::max<Index>(s.steps / 50, 1);
  s.used = used_settings(command_);
  s.others = other_settings(command_);
  config_line("out", s.out);  // throws while there is no folder yet
  return s;
}

void add_search_options(CLI::App& command, BeamOptions& search) {
  const Options group(command, search_group);
  group.between<Index>("beam", search.beam_size, 1, 100,
                       "translations that are followed at a time; 1: greedy search");
  group.not_negative("length-penalty", search.length_penalty,
                     "how much longer translations are favoured: α of Wu et al. 2016");
  group.not_negative("coverage-penalty", search.coverage_penalty,
                     "how much it costs to overlook words of the source: β there");
}

void add_bleu_options(CLI::App& command, BleuOptions& bleu, const std::string& where) {
  command
      .add_option_function<std::string>(
          "--bleu", [&bleu](const std::string& name) { bleu.tokens = bleu_tokens().value(name); },
          "what counts as a word for BLEU" + (where.empty() ? "" : ", " + where) +
              ": 13a for text as people write it, none for what stands between spaces, char")
      ->check(one_of(bleu_tokens().all()))
      ->default_str("13a")
      ->group(search_group);
  Options(command, search_group).flag("bleu-lower-case", bleu.lowercase, "BLEU of lower-cased text");
}

CLI::Option* add_minimum_risk_options(CLI::App& command, MinimumRiskOptions& minimum_risk) {
  const Options group(command, search_group);
  CLI::Option* mbr = group.between<Index>(
      "mbr", minimum_risk.samples, 0, Translator::most_drawn,
      "draw so many translations; of these and the one that search finds, take the one that is most like "
      "those drawn; 0: search");
  mbr->excludes(command.get_option("--shortlist"));  // what is drawn may be any word
  command
      .add_option_function<std::string>(
          "--mbr-utility",
          [&minimum_risk](const std::string& name) { minimum_risk.utility = utilities().value(name); },
          "how like they are")
      ->check(one_of(utilities().all()))
      ->default_str("chrf")
      ->group(search_group)
      ->needs(mbr);
  group
      .positive("mbr-temperature", minimum_risk.temperature,
                "of what is drawn: below 1 the likely get likelier")
      ->needs(mbr);
  return mbr;
}
