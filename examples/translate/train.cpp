#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/inspect/milestone_log.hpp>
#include <gradual/nn/inspect/run_description.hpp>
#include <gradual/nn/training/interruption.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

#include "../command_mistakes.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "../terminal/reporter.hpp"
#include "diagnosis/before_training.hpp"
#include "diagnosis/time_travel.hpp"
#include "known_text.hpp"

using namespace gradual;

namespace {

// What the curves of the end are of.
NamesAndMeanings what_curves_mean(double lowest_loss, bool two_passes) {
  const std::string surprise = "how surprised it is by the right word: −ln of its probability";
  return {
      {"loss", surprise + (two_passes ? ", and how far two passes are apart" : "") +
                   (lowest_loss > 0 ? "; smoothed labels keep it above " + fixed_text(lowest_loss, 2) : "")},
      {"learning rate", "how far a step goes"},
      {"gradient norm", "how steep the loss is"}};
}

// The words of both vocabularies, and what else these hold.
std::string sizes_of(const Translator& translator) {
  const Language &source = translator.source(), &target = translator.target();
  const std::string tokens = text(source.vocabulary.size(), " and ", target.vocabulary.size(), " tokens");
  if (source.tokenizer.settings().units != TextUnits::words) return "vocabularies of " + tokens;
  return text("vocabularies of ", known_words(source).words.size(), " and ", known_words(target).words.size(),
              " words (", tokens, ", with marks and capitals)");
}

NamesAndMeanings what_scores_mean(bool of_the_grammar) {
  NamesAndMeanings meanings{{"exactly right", "word for word as in the reference, the right translation"},
                            {"BLEU", "how many runs of words are as in the reference, of 100"},
                            {"chrF", "the same of runs of letters"},
                            {"perplexity", "among how many words it wavers before each; 1: it is sure"},
                            {"held-out", "sentences like those that it learnt from"}};
  if (of_the_grammar)
    meanings.emplace_back("compositional", "an adjective and a noun that training never showed together");
  return meanings;
}

std::string head_of_scores(const std::vector<Evaluation>& evaluations) {
  for (const Evaluation& each : evaluations)
    if (each.trained_on.value_or(0) > 0)
      return text("sentences to test on, of which ", *each.trained_on, " of ", each.sentences.size(),
                  " were trained on");
  return "sentences that it did not see in training";
}

// One that does not lead is silent and has a folder of its own.
TrainSettings settings_of_process(TrainSettings settings, const Team& team) {
  if (!team.leads()) {
    settings.out += "/process-" + std::to_string(team.communicator().rank());
    settings.json = true;
  }
  return settings;
}

// What people type to train with the settings that a run leaves in its folder.
std::string command_to_go_on(const TrainSettings& settings) {
  return typed_command("translate") + " train --config " + as_argument(settings.out + "/settings.conf") +
         settings.others;
}

// A run that a person watches, in a terminal and on a page.
class WatchedRun {
 public:
  WatchedRun(const TrainSettings& whole_run, const Corpora& corpora, const Team& team,
             const EarlierRun* origin)
      : settings_(settings_of_process(whole_run, team)),
        corpora_(corpora),
        leads_(team.leads()),
        run_(settings_, corpora, team, origin, command_to_go_on(whole_run),
             [](const std::string& line) { std::cerr << line << std::endl; }),
        reporter_(settings_.steps, settings_.json),
        milestones_(run_.folder().milestones(), run_.trainer().steps_done(), settings_.steps,
                    corpora.held_out, corpora.aligned, run_.translator()),
        tested_and_trained_on_(count_trained_on()) {
    const Translator& translator = run_.translator();
    const Index unwatched = run_.validation() ? run_.validation()->too_long() : 0;
    reporter_.say_wrapped(
        text("A ", translator.config().kind == "recurrent" ? "recurrent network" : "transformer", " of ",
             grouped_text(count(run_.parameters())), " parameters learns to translate",
             corpora.aligned.empty() ? "" : " English to French", " from ",
             grouped_text(static_cast<std::int64_t>(run_.sentences().pairs().size())), " pairs",
             run_.left_out() > 0 ? text(", ", run_.left_out(), " left out as too long") : "",
             unwatched > 0 ? text("; ", unwatched, " left out of validation as too long") : "", "; ",
             thread_count(), thread_count() == 1 ? " thread\n" : " threads\n", sizes_of(translator)));
  }

  /// Returns the exit code.
  int train() {
    std::optional<Interruption> interruption(std::in_place);
    const bool finished = make_steps(*interruption);
    const int signal =
        interruption->signal() != 0 ? interruption->signal() : SIGINT;  // another's of the team
    const std::string name = interruption->name();
    interruption.reset();  // what is left can be stopped as any program
    if (finished) {
      if (leads_) finish();
      return 0;
    }
    if (leads_)
      std::cerr << "interrupted" << (name.empty() ? "" : " by " + name) << " after step "
                << run_.trainer().steps_done() << " of " << settings_.steps << "; " << how_to_go_on()
                << std::endl;
    return 128 + signal;
  }

  std::string how_to_go_on() const { return run_.folder().how_to_go_on(); }

 private:
  // False when interrupted.
  bool make_steps(const Interruption& interruption) {
    std::optional<Profiler> profiler;
    if (settings_.profile) profiler.emplace();
    const bool finished = run_.make_steps([&] { return interruption.signal() != 0; },
                                          [this](const TrainingStep& now) { show(now); });
    reporter_.end_line();
    if (profiler && run_.steps_made() > 0)
      std::cerr << "a step, on average, with " << blas_description() << ":\n"
                << profile_table(profiler->operations(), measure_machine(), run_.steps_made());
    if (finished) milestones_.add(run_.trainer().steps_done(), run_.translator());
    run_.save_what_was_made();
    return finished;
  }

  void show(const TrainingStep& now) {
    reporter_.show_below([this](Index columns) { return sentence_now(columns); });
    reporter_.show({now.step, settings_.steps, run_.log().recent_loss(), run_.tokens_per_second(),
                    run_.seconds() * static_cast<double>(now.step) / static_cast<double>(run_.steps_made())});
    if (milestones_.is_due(now.step)) milestones_.add(now.step, run_.translator(), now.gradient_norm);
  }

  // A held-out sentence as it is translated at this moment; the words that are right are green.
  std::string sentence_now(Index columns) const {
    const Translator& translator = run_.translator();
    const SentencePair* const pair = pair_for_a_line(corpora_.held_out);
    if (!pair || !translator.has_room_for(*pair)) return "";
    try {
      return sentence_line(readable_text(pair->source),
                           readable_text(translator.translate({pair->source}).front()),
                           readable_text(pair->target), columns);
    } catch (const std::invalid_argument&) {  // no word is likely: the next step says what is wrong
      return "";
    }
  }

  void finish() {
    run_.choose_final_model();
    const Translator& translator = run_.translator();
    const RunFolder& folder = run_.folder();
    RunResult result = result_of(run_);
    result.milestones = milestones_.milestones();
    result.lowest_loss = lowest_loss(settings_.label_smoothing, translator.target().vocabulary.size());
    reporter_.say("\n" + with_blocks_in_colour(plot_of(result.training, reporter_.columns())));
    explain(what_curves_mean(result.lowest_loss, settings_.r_drop > 0));
    reporter_.say(text("\ntrained in ", fixed_text(result.seconds, 1), " s, ",
                       grouped_text(std::llround(result.tokens_per_second)), " tokens a second",
                       run_.trainer().stopped_early() ? "; stopped early" : ""));
    ResultTable scores = score_table();
    scores.within(static_cast<std::size_t>(output_columns()));
    for (const HeldOutSet& set : corpora_.held_out) {
      result.evaluations.push_back(evaluate(translator, set, settings_.test));
      if (set.name == "test") result.evaluations.back().trained_on = tested_and_trained_on_;
      scores.add(result.evaluations.back().row());
    }
    reporter_.say("\n" + in_colour(head_of_scores(result.evaluations), Colour::strong) + "\n\n" +
                  scores.lines());
    explain(what_scores_mean(!corpora_.aligned.empty()));
    constexpr Index enough = 2000;  // for all but a few sentences: what the preset `toy` makes
    if (!corpora_.aligned.empty() && result.evaluations.front().exact < 0.9)
      reporter_.say(text("more steps get more right: --steps ", std::max(enough, 2 * settings_.steps)));
    reporter_.say_wrapped(result.evaluations.front().first_sentences());
    write_file_atomically(folder.page(), run_page(describe(translator, settings_, result)));
    reporter_.say(text("\nmodel  ", folder.model(), "\nlog    ", folder.log(), "\npage   ", folder.page()));
    reporter_.say(next_commands(folder.model()));
    if (settings_.json) std::cout << figures_line(translator, result) << std::endl;
  }

  // A test set that is a file of its own may have sentences of the text, too. They are counted before the
  // training, during which the files may go away.
  std::optional<Index> count_trained_on() const {
    for (const HeldOutSet& set : corpora_.held_out) {
      if (set.name != "test" || !leads_) continue;
      std::set<std::string> sources;
      for (const SentencePair& pair : pairs_with_room(run_.translator(), set)) sources.insert(pair.source);
      return trained_on(*corpora_.text, {sources.begin(), sources.end()}, settings_.language.lower_case);
    }
    return std::nullopt;
  }

  // Below what it explains, in grey.
  void explain(const NamesAndMeanings& meanings) const {
    std::string lines = wrapped_for_output(legend(meanings));
    lines.pop_back();  // say() ends the line
    reporter_.say(in_colour(lines, Colour::soft));
  }

  const TrainSettings settings_;
  const Corpora& corpora_;
  const bool leads_;
  TrainingRun run_;
  Reporter reporter_;
  MilestoneLog milestones_;
  std::optional<Index> tested_and_trained_on_;  // of a test set of its own
};

}  // namespace

int run_training(const TrainSettings& settings, const Corpora& corpora, const Team& team) {
  if (settings.check) return check_before_training(settings, corpora, team);
  if (settings.doctor) return examine_before_training(settings, corpora, team);
  std::optional<EarlierRun> origin;
  if (!settings.fork.empty() && !settings.resume)
    origin.emplace(settings.fork, settings_of_run(settings.fork), team, "train --fork");
  WatchedRun run(settings, corpora, team, origin ? &*origin : nullptr);
  origin.reset();  // its text takes memory
  try {
    return run.train();
  } catch (const FileError& error) {  // a full disk, say
    throw std::runtime_error(text(error.what(), "\n", run.how_to_go_on()));
  }
}
