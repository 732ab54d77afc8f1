#include "look_inside.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/diagnosis/gradient_terms.hpp>
#include <gradual/nn/inspect/head_effects.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/seq2seq/batches.hpp>

#include "../settings.hpp"

using namespace gradual;

namespace {

struct HeadsSettings {
  std::string model = "out/toy/model.safetensors", tsv, out = "heads.html";
  Index sentences = 200;
  TestSettings test;
};

struct WhySettings {
  std::string model = "out/toy/model.safetensors", source, target, parameter, out = "why.html";
  std::vector<Index> place;
  GradientTermOptions options;
};

// Those of the pairs that are the embedded corpus's, with the words that translate each other; none for a
// model of other units than words, or of another text.
std::vector<AlignedPair> known_alignments(const Translator& translator,
                                          const std::vector<SentencePair>& pairs) {
  if (translator.source().tokenizer.settings().units != TextUnits::words) return {};
  std::uint64_t seed = 1;
  for (const ConfigLine& line : lines_of(translator.notes())) {
    if (line.key == "seed") seed = number_in<std::uint64_t>(line.value).value_or(seed);
    if (line.key == "tsv" || line.key == "source") return {};
  }
  const auto alignments = make_toy_corpus(seed).alignments;
  std::vector<AlignedPair> aligned;
  for (const SentencePair& pair : pairs)
    if (const auto found = alignments.find(pair.source); found != alignments.end())
      aligned.push_back({pair, found->second});
  return aligned;
}

void show_heads(const Translator& translator, const HeadsSettings& settings) {
  if (paths_of_translators(settings.model).size() > 1)
    throw std::invalid_argument("heads: one model must be asked, not several: got " + settings.model);
  std::vector<SentencePair> pairs = test_sets(settings.model, settings.tsv).front().pairs;
  pairs.resize(std::min(pairs.size(), static_cast<std::size_t>(settings.sentences)));
  std::vector<AlignedPair> aligned;
  if (settings.tsv.empty()) aligned = known_alignments(translator, pairs);
  const HeadReport report = examine_heads(translator, pairs, aligned, settings.test);
  write_file_atomically(settings.out, heads_page(report));
  std::cout << report.text() << settings.out << "\n";
}

// The number that was asked for, or the one with the largest gradient of all.
ParameterPlace chosen_number(const std::vector<NamedParameter>& parameters, const std::function<Var()>& loss,
                             const WhySettings& settings) {
  if (settings.parameter.empty()) {
    backward(loss());
    return largest_gradient(parameters);
  }
  std::string names;
  for (const NamedParameter& each : parameters) {
    if (each.name == settings.parameter) return {each, settings.place};
    names += "\n  " + each.name;
  }
  throw std::invalid_argument("why: the parameter must be one of the model: got \"" + settings.parameter +
                              "\"; there are" + names);
}

void show_why(const WhySettings& settings) {
  const Translator translator = load_model(settings.model);
  const EncodedPair pair = translator.encode({settings.source, settings.target});
  if (pair.source.empty() || pair.target.empty() || !translator.has_room_for(pair))
    throw std::invalid_argument(text("why: both sentences must have words, and no more than ",
                                     translator.longest_sentence(), " tokens: got \"", settings.source,
                                     "\" and \"", settings.target, "\""));
  const TranslationBatch batch = make_batch({pair}, {0});
  const EvaluationScope evaluation;
  const auto loss = [&] { return translator.model().loss(batch, {}); };
  const auto [parameter, place] = chosen_number(parameters(translator.model()), loss, settings);
  const GradientPath path = explain_gradient(loss, parameter.variable, place, settings.options);
  write_file_atomically(settings.out, gradient_page(path));
  std::cout << path.text() << settings.out << "\n";
}

}  // namespace

Subcommand heads_command(CLI::App& app) {
  const auto settings = std::make_shared<HeadsSettings>();
  CLI::App* heads =
      app.add_subcommand("heads", "take out each attention head in turn: what does that cost in BLEU?");
  const Options options = with_one_model(*heads, settings->model);
  options.file("tsv", settings->tsv,
               "lines `source TAB target`; without it, the held-out sentences beside the model");
  options.positive("sentences", settings->sentences, "how many of them, from the first on");
  options.file("out", settings->out, "the page to write");
  add_search_options(*heads, settings->test.search);
  add_bleu_options(*heads, settings->test.bleu);
  heads->footer(as_tested + ", but that no --reverse-weight counts: a head would be missing on both ways.");
  return {heads,
          [=] {
            require_apart(settings->out, {settings->model, settings->tsv});
            require_folder_of(settings->out);
            show_heads(load(*heads, settings->model), *settings);
          },
          "heads --sentences 200"};
}

Subcommand why_command(CLI::App& app) {
  const auto settings = std::make_shared<WhySettings>();
  CLI::App* why = app.add_subcommand(
      "why", "follow a number of the gradient back to the loss of a sentence pair, term by term");
  const Options options = with_model(*why, settings->model);
  why->add_option("source", settings->source, "the sentence that is read")->required();
  why->add_option("target", settings->target, "its translation")->required();
  CLI::Option* parameter =
      options("parameter", settings->parameter, "whose gradient; without it, the largest number of all");
  CLI::Option* place =
      options.not_negative("at", settings->place, "which number of it, as 3,1 counted from 0");
  place->delimiter(',')->allow_extra_args(false)->needs(parameter);
  parameter->needs(place);
  options.positive("terms", settings->options.terms, "of each step");
  options.positive("steps", settings->options.steps, "of the path, at most");
  options.file("out", settings->out, "the page to write");
  return {why,
          [=] {
            require_apart(settings->out, {settings->model});
            show_why(*settings);
          },
          "why \"The cat sleeps.\" \"Le chat dort.\""};
}
