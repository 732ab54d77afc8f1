#include <gradual/nn/translation/run/training.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/training/run_folder.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

namespace gradual {
namespace {

// Its languages are those of the text as it was written, also where it learns to translate back: a model has
// but one way to set a sentence.
Translator new_translator(const Corpora& corpora, const RunSettings& settings, Random random) {
  SplitText::AsWritten pairs = corpora.text->as_written();
  return learn_translator(settings.model, pairs, settings.language, settings.joint, random);
}

TrainingText training_text(const Translator& translator, const Corpora& corpora,
                           const RunSettings& settings) {
  TrainingText text(translator, *corpora.text, settings.batch_tokens, settings.seed,
                    settings.subword_sampling);
  // Going on with other sentences to watch by or to test on would compare figures that are not comparable.
  text.add_to_fingerprint(corpora.text->validation());
  for (const HeldOutSet& set : corpora.held_out) text.add_to_fingerprint(set.pairs);
  return text;
}

// The same pairs once more, for a second pass: dropout drops by place, and drops others there.
std::vector<Index> twice(std::vector<Index> rows) {
  const std::size_t count = rows.size();
  rows.resize(2 * count);
  std::copy_n(rows.begin(), count, rows.begin() + static_cast<std::ptrdiff_t>(count));
  return rows;
}

// The sources of a text that are not trained on, as they are read.
std::set<std::string> kept_back(const Corpora& corpora, bool lower_case) {
  std::set<std::string> sources;
  const auto add = [&](const std::vector<SentencePair>& pairs) {
    for (const SentencePair& pair : pairs) sources.insert(as_it_is_read(pair.source, lower_case));
  };
  add(corpora.text->validation());
  for (const HeldOutSet& set : corpora.held_out)
    if (set.name != "test") add(set.pairs);  // a file of its own may have what it likes
  return sources;
}

// A source that `corpora` keep back and `earlier` ones trained on; nothing where there is none.
std::optional<std::string> learnt_before(const Corpora& corpora, const Corpora& earlier, bool lower_case) {
  std::set<std::string> suspects = kept_back(corpora, lower_case);
  for (const std::string& source : kept_back(earlier, lower_case)) suspects.erase(source);
  earlier.text->rewind();
  for (SentencePair pair; !suspects.empty() && earlier.text->next(pair);)
    if (suspects.count(as_it_is_read(pair.source, lower_case)) > 0) return pair.source;
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Optimizer> training_optimizer(const std::vector<NamedParameter>& parameters,
                                              const RunSettings& settings) {
  const AdamOptions adam{0.9, 0.98, 1e-9, settings.weight_decay};
  if (settings.optimizer == "adam") return std::make_unique<Adam>(parameters, adam);
  if (settings.optimizer != "muon")
    throw std::invalid_argument("train: the optimizer must be adam or muon: it is " + settings.optimizer);
  MuonOptions muon;
  muon.scale = settings.muon_scale;
  muon.adam = adam;
  return std::make_unique<Muon>(parameters, muon);
}

PlanOptions plan_options(const RunSettings& settings, double seconds) {
  PlanOptions options;
  options.seconds = seconds;
  options.model = transformer_config_from_json(settings.model.settings);
  options.lower_case = settings.language.lower_case;
  options.accumulate = settings.accumulate;
  options.r_drop = settings.r_drop;
  options.optimizer = [=](const std::vector<NamedParameter>& all) {
    return training_optimizer(all, settings);
  };
  options.is_generated = settings.tsv.empty() && settings.source_file.empty();
  return options;
}

TranslatorTraining::TranslatorTraining(const RunSettings& settings, const Corpora& corpora, const Team& team)
    : settings_(settings),
      corpora_(corpora),
      team_(team),
      random_(settings_.seed),
      translator_(new_translator(corpora, settings_, random_)),
      text_(training_text(translator_, corpora, settings_)),
      validation_(settings_.validation > 0
                      ? std::optional<ValidationText>(std::in_place, translator_, corpora.text->validation(),
                                                      settings_.batch_tokens)
                      : std::nullopt),
      parameters_(gradual::parameters(translator_.model())),
      optimizer_(training_optimizer(parameters_, settings_)),
      trainer_(translator_.model(), *optimizer_, settings_.schedule,
               {settings_.clip, settings_.accumulate, settings_.ema}) {
  translator_.set_reverse({nullptr, settings_.test.reverse_weight});
  if (settings_.watch != "loss" && settings_.watch != "bleu")
    throw std::invalid_argument("train: what is watched must be loss or bleu: it is " + settings_.watch);
  translator_.set_notes(settings_.used);
}

BatchLoss TranslatorTraining::loss_of_batch(Index n) {
  if (n % settings_.accumulate == 0) team_.align(random_);  // once in a step, where all have just met
  return loss_of(team_.share_of(text_.rows(n)));
}

BatchLoss TranslatorTraining::loss_of(std::vector<Index> rows) {
  if (rows.empty()) return {Var(), 0};
  CrossEntropyOptions options;
  options.label_smoothing = settings_.label_smoothing;
  options.consistency = settings_.r_drop;
  const Index passes = settings_.r_drop > 0 ? 2 : 1;
  if (passes == 2) rows = twice(rows);
  const TranslationBatch batch = make_batch(text_.pairs(), rows);
  tokens_ += static_cast<double>((batch.source.ids.size() + batch.output.size()) / passes *
                                 team_.communicator().size());
  return {translator_.model().loss(batch, options), batch.words()};
}

void TranslatorTraining::watch(std::function<void()> improved) {
  if (validation_)
    trainer_.watch({[this] { return look(); }, std::move(improved), settings_.validate_every,
                    settings_.patience, settings_.plateau});
}

double TranslatorTraining::look() {
  validation_loss_ = validation_->mean_loss(translator_.model());
  // Where the loss is no number, no word can be searched for, and what is wrong the next step says.
  if (settings_.watch == "loss" || !std::isfinite(validation_loss_)) return validation_loss_;
  validation_bleu_ =
      bleu(judge(translator_, validation_->pairs(), usual_search()), settings_.test.bleu).score;
  return -validation_bleu_;
}

void TranslatorTraining::require_state_of(const TranslatorTraining& other) const {
  const auto require = [](bool holds, const std::string& rule) {
    if (!holds) throw std::invalid_argument("train --fork: " + rule);
  };
  require(translator_.vocabularies() == other.translator_.vocabularies(),
          "the vocabularies must be those of the run, whose weights stand for its words: others come from "
          "another text, from another --seed, --held-out, --validation, --max-words, --lower-case, --units, "
          "--joint, --subwords, --subword-kind, --min-count or --max-vocabulary, and where "
          "--subword-sampling begins or ends");
  require(
      std::equal(parameters_.begin(), parameters_.end(), other.parameters_.begin(), other.parameters_.end(),
                 [](const NamedParameter& a, const NamedParameter& b) {
                   return a.name == b.name && a.variable.shape() == b.variable.shape();
                 }),
      "the parameters must be those of the run: another --model, --width or number of layers has others");
  require(settings_.optimizer == other.settings_.optimizer,
          "--optimizer must be that of the run, which goes on with what it remembers: it is " +
              settings_.optimizer + ", was " + other.settings_.optimizer);
  require(settings_.ema == 0 || other.settings_.ema > 0,
          text("--ema averages all steps, and the run has averaged none: it is ", settings_.ema, ", was 0"));
  const std::optional<std::string> learnt =
      learnt_before(corpora_, other.corpora_, settings_.language.lower_case);
  require(!learnt, "what is tested or watched must not be what the run learnt from: \"" +
                       learnt.value_or("") + "\"; --seed, --held-out and --validation choose it");
}

std::string TranslatorTraining::note() const { return RunFolder::note(settings_.used, text_.fingerprint()); }

}  // namespace gradual
