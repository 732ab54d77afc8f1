// One translator in the hands of several threads. tests/platforms/run.sh has these under the thread
// sanitizer.
#include <functional>
#include <thread>

#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/translation_models.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

const Language language{Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps", "."}})};
// One has a word that no vocabulary knows, one more words than the table of positions has rows at first.
const std::vector<std::string> sentences = {"the cat sleeps .", "dog", "sleeps the cat the cat",
                                            "the cat the cat the cat the cat the cat the cat sleeps"};
const SentencePair pair{"the cat", "cat sleeps"};

Translator in_training(const ModelConfig& config) {
  return Translator(config, language, language, Random(5));
}

ModelConfig transformer(const std::string& positions) {
  TransformerConfig config;
  config.width = 16;
  config.feed_forward = 24;
  config.encoder_layers = config.decoder_layers = 1;
  config.positions = positions;
  config.max_length = positions == "sinusoidal" ? 4 : 40;
  config.dropout = 0.5;
  return config;
}

ModelConfig recurrent() {
  RecurrentConfig config;
  config.embedding_width = config.hidden_width = 8;
  config.dropout = 0.5;
  return config;
}

// Everything that a translator can be asked without changing it, as numbers.
std::vector<double> all_answers(const Translator& translator) {
  BeamOptions beam;
  beam.beam_size = 3;
  beam.coverage_penalty = 0.2;
  std::vector<double> answers;
  for (const auto& found : translator.search(sentences, beam)) answers.push_back(found.front().score);
  for (const std::string& translation : translator.translate(sentences))
    answers.push_back(static_cast<double>(std::hash<std::string>()(translation) % 100000));
  for (const Hypothesis& drawn : translator.draw(sentences, {}, {}, Random(3)))
    answers.push_back(drawn.log_probability);
  for (const auto& scored : translator.score({pair, pair}, 2)) answers.push_back(scored.log_probability);
  answers.push_back(explain(translator, sentences[0], beam).words.front().probability);
  for (const AttentionMap& map : maps_to_source(translator, pair)) answers.push_back(map.weight(0, 0));
  answers.push_back(attention_of(translator, sentences[2]).kinds.front().layers.front().front().weight(0, 1));
  for (const double layer : alignment_quality(translator, {{pair, {{0, 0}, {1, 1}}}}).layers)
    answers.push_back(layer);
  return answers;
}

void at_once(const std::vector<std::function<void()>>& jobs) {
  std::vector<std::thread> threads;
  for (const auto& job : jobs) threads.emplace_back(job);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("translator: two threads ask one model at once for all it can tell, as one after the other") {
  const ThreadCount with_helpers(2);
  for (const ModelConfig& config :
       {transformer("sinusoidal"), transformer("relative"), transformer("rotary"), recurrent()}) {
    const std::vector<double> expected = all_answers(in_training(config));
    const Translator shared = in_training(config);
    std::vector<double> first, second;
    at_once({[&] { first = all_answers(shared); }, [&] { second = all_answers(shared); }});
    CHECK(first == expected);
    CHECK(second == expected);
  }
}

TEST_CASE("translator: two threads load and save one file at once, while a third adds a kind of model") {
  const TestFolder folder;
  const std::string file = folder / "translator.safetensors";
  const Translator translator = in_training(transformer("sinusoidal"));
  translator.save(file);
  const std::vector<double> expected = all_answers(translator);
  std::vector<double> first, second;
  at_once({[&] { first = all_answers(Translator::load(file)); },
           [&] {
             const Translator loaded = Translator::load(file);
             loaded.save(file);
             second = all_answers(loaded);
           },
           [] {
             static int added = 0;
             translation_models().add("test_at_once_" + std::to_string(added++),
                                      [](const std::string&, Index, Index, Random) {
                                        return std::unique_ptr<TranslationModel>();
                                      });
           }});
  CHECK(first == expected);
  CHECK(second == expected);
}
