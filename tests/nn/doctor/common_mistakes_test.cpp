#include "common_mistakes.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "patient_of_program.hpp"
#include "reported_bugs.hpp"
#include "support/catch.hpp"

using namespace gradual;
using namespace gradual::common;

namespace {

struct Planted {
  const char *experiment, *cause;
  std::function<Program()> plant;
};

void check_causes(const std::vector<Planted>& all) {
  for (const Planted& each : all) {
    const Program program = each.plant();
    const Diagnosis diagnosis = examine(unseen::patient_of_program(program));
    INFO(each.cause << "\n" << diagnosis.text());
    REQUIRE_FALSE(diagnosis.is_sound());
    CHECK(diagnosis.cause().experiment == each.experiment);
    CHECK_THAT(diagnosis.cause().cause, Contains(each.cause));
    CHECK_FALSE(diagnosis.cause().advice.empty());
    CHECK_THAT(diagnosis.cause().chapter, Contains("chapter"));
  }
}

using Pairs = std::vector<EncodedPair>;
using Loss = std::function<Var()>;

bool has_shorter_target(const EncodedPair& a, const EncodedPair& b) {
  return a.target.size() < b.target.size();
}

}  // namespace

TEST_CASE("doctor: common mistakes in the data", "[long]") {
  check_causes({
      {"ids are words", "The sources have words that their vocabulary does not have",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs) std::swap(each.source, each.target);
         });
       }},
      {"sentences differ", "Most targets are one and the same sentence",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs) each.target = pairs[0].target;
         });
       }},
      {"words differ", "Many words of the sources are one and the same token, 3: the unknown word",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs)
             for (std::int32_t& id : each.source) id = id % 5 < 2 ? 3 : id;
         });
       }},
      {"pairs belong together", "in quarter 3 of the first 320 pairs they are not aligned",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (std::size_t i = pairs.size() / 2; i + 1 < pairs.size(); ++i)
             pairs[i].target = pairs[i + 1].target;
         });
       }},
      {"batches differ", "Every batch is the same one",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (std::size_t i = 16; i < pairs.size(); ++i) pairs[i] = pairs[i % 16];
         });
       }},
      {"batches differ", "Batches come sorted by length, the shortest first",
       [] {
         return with_pairs(
             [](Pairs& pairs) { std::stable_sort(pairs.begin(), pairs.end(), has_shorter_target); });
       }},
      {"sentences are whole", "The begin token has to be said",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs) each.target.insert(each.target.begin(), Vocabulary::bos);
         });
       }},
      {"sentences are whole", "Sentences end twice",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs) each.target.push_back(Vocabulary::eos);
         });
       }},
      {"padding is no word", "Padding stands among the words",
       [] {
         return with_pairs([](Pairs& pairs) {
           for (EncodedPair& each : pairs) each.source.resize(16);
         });
       }},
  });
}

TEST_CASE("doctor: common mistakes in what a model is made of", "[long]") {
  check_causes({
      {"layers are others", "encoder.0 and encoder.1 are one and the same layer",
       [] {
         Program program = sound_program(2);
         auto& model = dynamic_cast<Transformer&>(*program.model);
         model.encoder[1] = model.encoder[0];
         program.trained = parameters(model);
         return program;
       }},
      {"something between layers", "two linear layers in a row are one",
       [] {
         return program_with([](Transformer& model) {
           model.decoder[0].as<DecoderLayer>().feed_forward = NoActivation(16, 32, Random(3));
         });
       }},
      {"shortcuts", "around the attention of decoder.0.cross_attention",
       with_decoder_layer<ShortcutMissing<false>>},
      {"shortcuts", "around the feed-forward network of decoder.0.feed_forward",
       with_decoder_layer<ShortcutMissing<true>>},
      {"shortcuts", "A shortcut is too long", with_encoder_layer<unseen::ShortcutTooLong>},
      {"weights differ", "made of zeros", [] { return with_matrices([](Real) { return Real(0); }); }},
      {"weights differ", "one and the same number",
       [] { return with_matrices([](Real) { return Real(0.1); }); }},
      {"layers keep size", "Weights begin too large",
       [] { return with_matrices([](Real x) { return 10 * x; }); }},
      {"words and places are heard", "Words are hardly heard beside their positions",
       [] { return sound_program<WordsNotScaled>(); }},
      {"both sides have places", "no positions in what writes the target",
       [] { return sound_program<TargetWithoutPlaces>(2); }},
      {"both sides have places", "no positions in what reads the source",
       [] { return sound_program<SourceWithoutPlaces>(); }},
  });
}

TEST_CASE("doctor: common mistakes in attention that nobody records", "[long]") {
  CHECK(examine(unseen::patient_of_program(with_attention<ByHand>())).is_sound());
  check_causes({
      {"spread of scores", "√d", with_attention<NoRoot>},
      {"weights sum to 1", "The softmax goes over the queries", with_attention<OverQueries>},
      {"weights sum to 1", "A mask comes after the softmax", with_attention<MaskAfterwards>},
      {"leaks", "The causal mask does not hide: hidden words have the score 0",
       with_attention<MaskMultiplied>},
      {"leaks", "and not by attention: by reshape", with_attention<JoinedByReshape>},
      {"nothing is hidden", "A word does not see itself", with_attention<HidesItself>},
      {"nothing is hidden", "Words of the source do not see those after them",
       with_encoder_layer<CausalEncoder>},
      {"nothing is hidden", "attention to the source has a causal mask", with_decoder_layer<CausalCross>},
  });
}

TEST_CASE("doctor: common mistakes in the loss", "[long]") {
  CHECK(examine(unseen::patient_of_program(sound_program<Open>())).is_sound());
  check_causes({
      {"loss is of scores", "a sum over words", [] { return sound_program<Mistaken<sum_of_words>>(); }},
      {"loss is of scores", "Labels are smoothed too much: 0.9",
       [] { return sound_program<Mistaken<smoothed_by_far>>(); }},
      {"loss is of scores", "the class before that of the word",
       [] { return sound_program<Mistaken<classes_off_by_one>>(); }},
      {"loss is of scores", "The loss is negated", [] { return sound_program<Mistaken<negated>>(); }},
      {"loss is of scores", "The loss is multiplied by 0.01",
       [] { return sound_program<Mistaken<a_hundredth>>(); }},
      {"loss is of scores", "shifted twice", [] { return sound_program<Mistaken<shifted_twice>>(); }},
      {"loss is of scores", "The last word of a sentence alone counts",
       [] { return sound_program<Mistaken<of_the_last_word>>(); }},
      {"loss is of scores", "a squared error", [] { return sound_program<Mistaken<squared_error>>(); }},
      {"loss is of scores", "nothing to do with words", [] { return sound_program<Penalized>(); }},
      {"targets are own", "targets of other sentences",
       [] { return sound_program<Mistaken<of_the_next_sentence>>(); }},
      {"padding costs nothing", "a mean over all places",
       [] { return sound_program<Mistaken<mean_over_places>>(); }},
      {"every word counts", "nor does its id, 6", [] { return sound_program<Mistaken<without_sixes>>(); }},
  });
}

TEST_CASE("doctor: common mistakes in the steps of training", "[long]") {
  AdamOptions decaying;
  decaying.weight_decay = 1;
  check_causes({
      {"update against weight", "set to zero after backward()",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           backward(loss());
           zero_gradients(own.trained);
           adam.step(rate);
         });
       }},
      {"update against weight", "A step comes before its gradients",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           adam.step(rate);
           zero_gradients(own.trained);
           backward(loss());
         });
       }},
      {"update against weight", "backward() is never called",
       [] {
         return with_step([](const Program&, const Loss& loss, double rate, Adam& adam) {
           loss();
           adam.step(rate);
         });
       }},
      {"same batch twice", "the optimizer has other parameters than the model",
       [] {
         Program program = sound_program();
         const auto other = std::make_shared<Program>(sound_program());
         const auto adam = std::make_shared<Adam>(other->trained);
         program.step = [other, adam](const Program&, const Loss& loss, double rate) {
           zero_gradients(other->trained);
           backward(loss());
           adam->step(rate);
         };
         return program;
       }},
      {"steps keep their length", "Steps do not add up",
       [] {
         const auto first = std::make_shared<std::vector<std::vector<Real>>>();
         return with_step([first](const Program& own, const Loss& loss, double rate, Adam& adam) {
           const bool is_new = first->empty();
           for (std::size_t i = 0; i < own.trained.size(); ++i) {
             Var variable = own.trained[i].variable;
             if (is_new) first->push_back(variable.value().to_vector());
             variable.set_value(Tensor(variable.shape(), (*first)[i]));
           }
           zero_gradients(own.trained);
           backward(loss());
           adam.step(rate);
         });
       }},
      {"steps lead down", "Steps lead up",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           zero_gradients(own.trained);
           backward(loss());
           adam.step(-rate);
         });
       }},
      {"steps lead down", "Steps lead to zero",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           zero_gradients(own.trained);
           backward(loss());
           for (const NamedParameter& each : own.trained) {
             Var variable = each.variable;
             if (variable.grad().defined()) variable.mutable_grad() = variable.grad() + variable.value();
           }
           adam.step(rate);
         });
       }},
      {"weights are kept", "The weight decay is far too strong",
       [&] {
         return with_step(
             [](const Program& own, const Loss& loss, double rate, Adam& adam) {
               zero_gradients(own.trained);
               backward(loss());
               adam.step(rate);
             },
             decaying);
       }},
      {"steps are in training", "Training is made in evaluation mode",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           set_training(*own.model, false);
           zero_gradients(own.trained);
           backward(loss());
           adam.step(rate);
         });
       }},
      {"one batch by heart", "Steps are too short by far",
       [] {
         return with_step([](const Program& own, const Loss& loss, double rate, Adam& adam) {
           zero_gradients(own.trained);
           backward(loss());
           adam.step(rate / 1000);
         });
       }},
  });
}
