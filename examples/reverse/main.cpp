// reverse: a transformer learns to write sequences backwards, and shows where it looks.
#include <algorithm>
#include <iostream>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>

#include "pictures.hpp"

using namespace gradual;

namespace {

void print_results(Transformer& model, const Settings& settings, const std::vector<Judged>& judged) {
  std::cout << "\nunseen sequences reversed exactly: " << percent_text(exact(judged)) << " of "
            << judged.size() << "\n\n  words    ";
  const auto groups = by_length(judged, static_cast<std::size_t>(settings.longest));
  for (const LengthGroup& group : groups) std::cout << right_in(10, group.name());
  std::cout << "\n  exact    ";
  for (const LengthGroup& group : groups)
    std::cout << right_in(10, group.judged.empty() ? "-" : percent_text(exact(group.judged)));
  std::cout << "\n\n";

  for (std::size_t i = judged.size() / 20; i < judged.size();
       i += std::max<std::size_t>(1, judged.size() / 5)) {
    const Judged& each = judged[i];
    std::cout << (each.right() ? "  ✓ " : "  ✗ ") << shown(each.pair.source) << "\n    "
              << shown(each.written) << "\n";
  }

  std::vector<EncodedPair> some;
  for (std::size_t i = 0; i < judged.size(); i += std::max<std::size_t>(1, judged.size() / 50))
    some.push_back(judged[i].pair);
  std::cout << "\nhow much of its weight each head gives to the word that is about to be written:\n";
  const auto weights = mirrored_weights(model, some);
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    std::cout << "  decoder layer " << layer + 1 << " ";
    for (double weight : weights[layer]) std::cout << "  " << fixed_text(weight, 2);
    std::cout << "\n";
  }
}

Json to_json(const Settings& settings, const LearningCurve& curve, const std::vector<Judged>& judged,
             Index parameter_count) {
  Json lengths;
  for (const LengthGroup& group : by_length(judged, static_cast<std::size_t>(settings.longest))) {
    if (!group.judged.empty()) lengths[group.name()] = exact(group.judged);
  }
  return {{"seed", settings.seed},
          {"steps", settings.steps},
          {"cpu_seconds", curve.processor_seconds()},
          {"gflop_a_step", curve.gflop_a_step()},
          {"parameters", parameter_count},
          {"unseen", judged.size()},
          {"exact", exact(judged)},
          {"exact_by_length", lengths}};
}

void run_training(const Settings& settings) {
  make_folder(settings.out);
  const ReversalTask task(settings.words, settings.longest);
  TransformerConfig config = settings.model;
  config.source_vocabulary = config.target_vocabulary = task.vocabulary_size();
  config.shared_embeddings = true;
  config.max_length = settings.longest + 3;
  Random random(settings.seed);
  Transformer model(config, random.split());
  const std::vector<EncodedPair> unseen = task.unseen(settings.unseen, random.split());
  const Index parameter_count = count(parameters(model));
  const auto say = [&](const std::string& line) {
    if (!settings.json) std::cout << line << std::endl;
  };
  say_task(settings, "The task: write a sequence of numbers backwards, such as 3 41 7  →  7 41 3.\n");
  say(text(settings.words, " words, sequences of 1 to ", settings.longest, "; ",
           grouped_text(parameter_count), " parameters; ", thread_count(),
           thread_count() == 1 ? " thread" : " threads", "\n\n  step      loss     exact      time"));
  const LearningCurve curve = train(model, settings, unseen, [&](const LearningCurve::Point& at) {
    say(right_in(6, text(at.step)) + right_in(10, fixed_text(at.loss, 3)) +
        right_in(10, percent_text(at.figure)) + right_in(10, duration_text(at.seconds)));
  });
  const std::vector<Judged> judged = write_backwards(model, unseen);
  const std::string picture = settings.out + "/attention.svg";
  write_file_atomically(picture, draw_attention_map(clearest_map(model, judged)));
  if (settings.json) {
    std::cout << json_text(to_json(settings, curve, judged, parameter_count)) << std::endl;
  } else {
    say(text("\ntrained, CPU time ", fixed_text(curve.processor_seconds(), 1), " s: ", settings.steps,
             " steps of ", fixed_text(curve.gflop_a_step(), 2), " GFLOP"));
    print_results(model, settings, judged);
    say("\npicture  " + picture);
  }
  leave_page(settings, page_of(model, settings, curve, judged));
}

}  // namespace

int main(int argc, char** argv) {
  Settings s;
  s.model.width = 64;
  s.model.feed_forward = 128;
  s.model.decoder_layers = 1;
  s.model.dropout = 0;
  s.schedule = {Decay::cosine, 5e-3, 100, 0};
  PageProgram program("reverse",
                      "Trains a transformer to write sequences backwards, and draws where it looks.", s);
  const Options& add = program.options;
  add.positive("words", s.words, "different words");
  add.positive("longest", s.longest, "words of the longest sequence");
  add.positive("unseen", s.unseen, "sequences to test on, none of which is trained on");
  add.positive("width", s.model.width, "numbers that stand for a word inside the model");
  add.positive("heads", s.model.heads, "attention heads; they divide the width");
  add.positive("feed-forward", s.model.feed_forward, "inner width of the feed-forward networks");
  add.positive("encoder-layers", s.model.encoder_layers, "layers that read");
  add.positive("decoder-layers", s.model.decoder_layers, "layers that write");
  add.choice("positions", s.model.positions, "how word order enters", position_kinds().names());
  add.positive("steps", s.steps, "updates of the parameters");
  add.positive("batch-tokens", s.batch_tokens, "the most words of a batch on either side, padding included");
  add.positive("learning-rate", s.schedule.peak, "the largest learning rate");
  add.positive("warmup", s.schedule.warmup, "steps in which it rises to that");
  return program.run(argc, argv, "decides the first weights and all sequences", [&] {
    s.schedule.total = s.steps;
    run_training(s);
  });
}
