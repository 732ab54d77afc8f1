#include <gradual/nn/translation/budget.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {
namespace {

struct Candidate {
  Index width, heads, feed_forward, layers, batch_tokens;
  double learning_rate;
  Index fewest_steps;  // below that a smaller model gets further
};

const std::vector<Candidate> candidates = {
    {64, 4, 128, 2, 1024, 0.003, 0},
    {128, 4, 512, 3, 3072, 0.003, 1500},
    {256, 4, 1024, 4, 4096, 0.0015, 4000},
};

constexpr Index reserved = Vocabulary::unknown + 1;  // tokens of a vocabulary that stand for no text

// What a plan needs to know of the text.
struct TextSize {
  double pairs = 0, words = 0;  // words and punctuation marks of both sides
  bool subwords = false;        // of one vocabulary for both sides
  Index source_vocabulary = 0, target_vocabulary = 0;
  double tokens() const { return subwords ? 1.2 * words : words; }
};

// What pieces can be made of: the different characters of a text, and the stretches of its words that pieces
// may fill. SentencePiece makes none across a change of letters and digits or beyond 16 characters, the space
// before a word among them; where a stretch is longer, no fewer than such halves are left.
class PieceCensus {
 public:
  void add_characters(const std::string& sentence) {
    for (const char32_t c : decode_utf8(sentence)) is_there_[c] = true;
  }
  void add_word(const std::string& word) {
    constexpr std::size_t longest = 15, half = 8;
    const std::u32string letters = decode_utf8(word);
    for (std::size_t begin = 0, end = 0; begin < letters.size(); begin = end) {
      while (end < letters.size() && kind_of(letters[end]) == kind_of(letters[begin])) ++end;
      if (kind_of(letters[begin]) == Kind::mark) continue;
      const std::size_t most = end - begin > longest ? half : longest;
      for (std::size_t at = begin; at < end; at += most)
        stretches_.insert(letters.substr(at, std::min(most, end - at)));
    }
  }
  /// How many pieces to make of them, if there are more than `usual`; 0 where there are not.
  Index pieces(Index usual) const {
    if (static_cast<Index>(stretches_.size()) <= usual) return 0;
    const auto characters = std::count(is_there_.begin(), is_there_.end(), true);  // pieces by themselves
    return 2 * characters > usual ? usual + characters : usual;
  }

 private:
  enum class Kind { mark, digit, letter };
  static Kind kind_of(char32_t c) {
    return is_number(c) ? Kind::digit : is_mark(c) || is_space(c) ? Kind::mark : Kind::letter;
  }
  std::vector<bool> is_there_ = std::vector<bool>(0x110000);  // each character of Unicode
  std::unordered_set<std::u32string> stretches_;
};

// Rare words are worth cutting up; a text of few different words has none.
TextSize size_of(SplitText& text, bool lower_case) {
  const Tokenizer tokenizer({TextUnits::words, lower_case, Spacing::plain, {}});
  TextSize size;
  size.pairs = static_cast<double>(text.size());
  std::unordered_set<std::string> source, target;
  PieceCensus both;  // sides share their pieces
  const auto read = [&](const std::string& sentence, std::unordered_set<std::string>& different) {
    both.add_characters(tokenizer.normalized(sentence));
    for (std::string& word : tokenizer.split(sentence)) {
      size.words += 1;
      if (different.size() >= 20000) continue;
      if (const auto [place, is_new] = different.insert(std::move(word)); is_new) both.add_word(*place);
    }
  };
  text.rewind();
  for (SentencePair pair; text.next(pair);) {
    read(pair.source, source);
    read(pair.target, target);
  }
  const Index pieces = Subwords::available() ? both.pieces(size.words > 1e6 ? 8000 : 4000) : 0;
  size.subwords = pieces > 0;
  const auto vocabulary = [&](const std::unordered_set<std::string>& different) {
    return size.subwords ? pieces : reserved + static_cast<Index>(different.size());
  };
  size.source_vocabulary = vocabulary(source);
  size.target_vocabulary = vocabulary(target);
  return size;
}

TransformerConfig model_of(const Candidate& c, const TextSize& size, TransformerConfig config) {
  config.source_vocabulary = size.source_vocabulary;
  config.target_vocabulary = size.target_vocabulary;
  config.width = c.width;
  config.heads = c.heads;
  config.feed_forward = c.feed_forward;
  config.encoder_layers = config.decoder_layers = c.layers;
  config.shared_embeddings = size.subwords;
  return config;
}

struct Trial {
  Index parameters;
  double seconds;  // of a step
};

// Some steps on made-up sentences of the usual length.
Trial try_steps(const Candidate& c, const TextSize& size, const PlanOptions& options) {
  const Index length =
      std::max<Index>(static_cast<Index>(std::lround(size.tokens() / size.pairs / 2)), 2) + 1;
  const Index passes = options.r_drop > 0 ? 2 : 1;
  const Index rows = std::max<Index>(c.batch_tokens / length, 1);
  Random random(1);
  const auto ids = [&](Index vocabulary) {
    std::vector<std::int32_t> of_pass(static_cast<std::size_t>(rows * length)), of_all;
    for (std::int32_t& id : of_pass)
      id = static_cast<std::int32_t>(reserved + random.below(vocabulary - reserved));
    for (Index pass = 0; pass < passes; ++pass) of_all.insert(of_all.end(), of_pass.begin(), of_pass.end());
    return Indices({passes * rows, length}, of_all);
  };
  const TranslationBatch batch{
      {ids(size.source_vocabulary),
       Indices({passes * rows}, std::vector<std::int32_t>(static_cast<std::size_t>(passes * rows),
                                                          static_cast<std::int32_t>(length)))},
      ids(size.target_vocabulary),
      ids(size.target_vocabulary)};
  Transformer model(model_of(c, size, options.model), random);
  const std::vector<NamedParameter> all = parameters(model);
  const std::unique_ptr<Optimizer> optimizer =
      options.optimizer ? options.optimizer(all) : std::make_unique<Adam>(all);
  Trainer trainer(model, *optimizer, {Decay::constant, 1e-5, 1, 1});
  CrossEntropyOptions loss;
  loss.label_smoothing = 0.1;
  loss.consistency = options.r_drop;
  double best = 1e300;
  for (int step = 0; step < 6; ++step) {
    const TrainingStep made = trainer.step([&](Index) { return model.loss(batch, loss); });
    best = std::min(best, made.seconds);
  }
  return {count(all), best * static_cast<double>(options.accumulate)};
}

}  // namespace

Plan plan_for(SplitText& text, const PlanOptions& options) {
  const double seconds = options.seconds;
  constexpr double for_steps = 0.85;     // the rest is for reading, checkpoints and the test at the end
  constexpr double most_epochs = 80;     // more only learns by heart …
  constexpr double few_steps = 2000;     // … but so many may be needed where a text is tiny
  constexpr double tokens_to_trust = 4;  // parameters that a token of the text can teach
  const TextSize size = size_of(text, options.lower_case);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Candidate chosen = candidates.front();
  Trial trial = try_steps(chosen, size, options);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const Candidate& larger = candidates[i];
    const double left = for_steps * seconds - elapsed();
    const double growth =
        static_cast<double>(larger.width * larger.width * larger.layers * larger.batch_tokens) /
        static_cast<double>(chosen.width * chosen.width * chosen.layers * chosen.batch_tokens);
    if (left / (trial.seconds * growth / 4) < static_cast<double>(larger.fewest_steps))
      break;  // hopeless: not timed
    const Trial next = try_steps(larger, size, options);
    if (static_cast<double>(next.parameters) > tokens_to_trust * size.tokens()) break;
    if (left / next.seconds < static_cast<double>(larger.fewest_steps)) break;
    chosen = larger;
    trial = next;
  }
  const double tokens_in_step = static_cast<double>(chosen.batch_tokens * options.accumulate);
  const double steps_in_epoch = std::max(size.tokens() / 2 / tokens_in_step, 1.0);
  const double time_left = std::max(for_steps * seconds - elapsed(), 0.3 * seconds);
  const double most_steps = std::max(most_epochs * steps_in_epoch, few_steps);
  const double steps_in_time = time_left / trial.seconds;
  const double steps = std::clamp(steps_in_time, 20.0, most_steps);
  const double epochs = steps / steps_in_epoch;

  Plan plan;
  plan.model = model_of(chosen, size, options.model);
  plan.model.dropout = options.is_generated ? 0.05 : epochs < 5 ? 0.05 : epochs < 20 ? 0.1 : 0.2;
  plan.subwords = size.subwords ? size.source_vocabulary : 0;
  plan.batch_tokens = chosen.batch_tokens;
  plan.schedule = {Decay::cosine, chosen.learning_rate, std::max<Index>(static_cast<Index>(0.08 * steps), 5),
                   static_cast<Index>(steps)};
  plan.label_smoothing = options.is_generated ? 0.05 : 0.1;
  plan.parameters = trial.parameters;
  plan.seconds_of_step = trial.seconds;
  plan.epochs = epochs;
  plan.has_time_left = steps_in_time > most_steps;
  return plan;
}

}  // namespace gradual
