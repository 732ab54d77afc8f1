// Experiments on the weights that a model begins with.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/recorded_pass.hpp>

namespace gradual::experiments {
namespace {

double root_mean_square(const Tensor& x) {
  double sum = 0;
  for (const Real each : x) sum += static_cast<double>(each) * static_cast<double>(each);
  return std::sqrt(sum / static_cast<double>(std::max<Index>(x.size(), 1)));
}

// Do weights differ? Rows of a matrix that begin alike have the same results and the same slopes, and so stay
// alike for ever. Zeros are usual for some matrices, such as the last of each part, and never for most.
std::optional<Answer> weights_differ(const Case& of) {
  Index matrices = 0, zero = 0;
  std::string equal, empty;
  for (const NamedParameter& each : of.patient.parameters) {
    const Tensor& value = each.variable.value();
    if (value.rank() < 2 || value.dim(0) < 2 || value.dim(-1) < 2) continue;
    ++matrices;
    const Real first = *value.begin();
    if (std::any_of(value.begin(), value.end(), [&](Real x) { return x != first; })) continue;
    if (first == 0 && zero++ == 0) empty = each.name;
    if (first != 0 && equal.empty()) equal = each.name;
  }
  if (matrices == 0) return std::nullopt;
  Answer answer{text("of ", matrices, " matrices, ", zero, " begin with zeros alone",
                     equal.empty() ? "" : ", and " + equal + " with one number")};
  if (equal.empty() && 2 * zero <= matrices) return answer;
  answer.cause =
      text("Weights begin all alike: ", equal.empty() ? empty : equal, " is made of ",
           equal.empty() ? "zeros" : "one and the same number", ", so that all of its rows learn the same.");
  answer.advice = "Draw weights by chance, with a mean of 0 and a deviation of about 1/√(inputs).";
  answer.chapter = "chapter 11";
  return answer;
}

// Do layers keep numbers as large as they are? A matrix whose numbers have the deviation s makes of n inputs
// sums that are s·√n times as large: about once. What makes them more than three times as large in one layer
// is too much for several.
std::optional<Answer> layers_keep_size(const Case& of) {
  const RecordedPass pass(of.patient, of.batch);
  double most = 0;
  std::string name;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    const NamedParameter* weight = pass[i].operation == "linear" ? pass.parameter_of(i) : nullptr;
    if (!weight || weight->variable.rank() != 2) continue;
    const double times =
        root_mean_square(weight->variable.value()) * std::sqrt(static_cast<double>(weight->variable.dim(1)));
    if (times <= most) continue;
    most = times;
    name = weight->name;
  }
  if (name.empty()) return std::nullopt;
  Answer answer{text("a layer makes numbers ", most, " times as large at most, by ", name)};
  if (most < 3) return answer;
  answer.cause =
      text("Weights begin too large: ", name, " makes numbers ", most, " times as large as they are.");
  answer.advice =
      "Let the deviation of a layer's weights be about 1/√(inputs), whatever draws them: a deviation of 1 is "
      "far too much.";
  answer.chapter = "chapter 11";
  return answer;
}

// Are words and their positions of one size? They are added. Sinusoids have a root mean square of 0.7, and
// embeddings with a deviation of 1/√D that are not multiplied by √D have one of 1/√D; where the deviation is
// 1 and they are multiplied, √D.
std::optional<Answer> words_and_places_are_heard(const Case& of) {
  const RecordedPass pass(of.patient, of.batch);
  // The table of an embedding that a result is, but for factors.
  const auto table_of = [&](const Var& x) -> const NamedParameter* {
    for (std::size_t i = pass.maker_of(x); i < pass.size();) {
      if (pass[i].operation == "embedding") return pass.parameter_of(i);
      if (pass[i].operation != "mul" && pass[i].operation != "div" && pass[i].operation != "dropout")
        return nullptr;
      i = std::min(pass.maker_of(pass[i].inputs[0]), pass.maker_of(pass[i].inputs.back()));
    }
    return nullptr;
  };
  const auto is_of_places = [&](const Var& x) {
    const std::size_t i = pass.maker_of(x);
    return x.rank() >= 2 && (i == pass.size() || (pass[i].operation == "slice" && pass.parameter_of(i)));
  };
  Answer answer;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (pass[i].operation != "add") continue;
    for (const bool second : {false, true}) {
      const Var &words = pass[i].inputs[second], &places = pass[i].inputs[!second];
      const NamedParameter* table = table_of(words);
      if (!table || !is_of_places(places) || words.dim(-1) != places.dim(-1)) continue;
      const double of_words = root_mean_square(words.value()), of_places = root_mean_square(places.value());
      answer.evidence += text(answer.evidence.empty() ? "" : "; ", "the words of ", table->name,
                              " have the size ", of_words, ", their positions ", of_places);
      if (!answer.cause.empty()) continue;
      answer.chapter = "chapter 9";
      if (of_places > 2.5 * of_words) {
        answer.cause = text("Words are hardly heard beside their positions: those of ", table->name, " are ",
                            of_places / of_words, " times as small.");
        answer.advice =
            "Multiply embeddings by √D before positions are added, or let them begin with a deviation of 1.";
      } else if (of_places > 0 && of_words > 4 * of_places && !places.node()) {
        answer.cause = text("Positions are hardly heard beside the words: those of ", table->name, " are ",
                            of_words / of_places, " times as large.");
        answer.advice =
            "Let embeddings begin with a deviation of 1/√D where they are multiplied by √D, and multiply "
            "once.";
      }
    }
  }
  if (answer.evidence.empty()) return std::nullopt;
  return answer;
}

// Has each vocabulary a table of its own? One table for both sides is right where both have one vocabulary:
// else each of its rows stands for two words that have nothing to do with each other.
std::optional<Answer> tables_are_own(const Case& of) {
  if (!of.has_sources() || !of.has_targets()) return std::nullopt;
  constexpr Index batches = 8;
  // A batch whose sides are of different lengths, which tell them apart.
  const auto is_told_apart = [](const TranslationBatch& batch) {
    return batch.source.ids.dim(1) != batch.input.dim(1);
  };
  TranslationBatch batch = of.batch;
  for (Index n = 1; n < batches && !is_told_apart(batch); ++n) batch = of.patient.batch(n);
  if (!is_told_apart(batch)) return std::nullopt;
  const RecordedPass pass(of.patient, batch);
  const NamedParameter *of_source = nullptr, *of_target = nullptr;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (pass[i].operation != "embedding" || pass[i].y.rank() != 3) continue;
    const NamedParameter*& table = pass[i].y.dim(1) == batch.source.ids.dim(1) ? of_source : of_target;
    if (!table) table = pass.parameter_of(i);  // words come before positions
  }
  if (!of_source || !of_target) return std::nullopt;
  Answer answer{text("sources are looked up in ", of_source->name, ", targets in ", of_target->name)};
  if (of_source != of_target || of.patient.source_words == of.patient.target_words) return answer;
  answer.cause = text("Both sides share a table, ", of_source->name,
                      ", and not a vocabulary: each of its rows stands for two words.");
  answer.advice = "Give each side a table of its own, or learn one vocabulary from both sides.";
  answer.chapter = "chapter 10";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_weights() {
  static const std::vector<Experiment> all{{"weights differ", weights_differ},
                                           {"layers keep size", layers_keep_size}};
  return all;
}

const std::vector<Experiment>& of_embeddings() {
  static const std::vector<Experiment> all{{"tables are own", tables_are_own},
                                           {"words and places are heard", words_and_places_are_heard}};
  return all;
}

}  // namespace gradual::experiments
