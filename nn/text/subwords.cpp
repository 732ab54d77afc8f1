#include <gradual/nn/text/subwords.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/subword_model.hpp>
#include <gradual/nn/text/subword_sampling.hpp>

// SentencePiece brings an absl::string_view of its own: nothing else may include it.
#ifdef GRADUAL_SENTENCEPIECE
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>
#endif

namespace gradual {

#ifdef GRADUAL_SENTENCEPIECE

struct Subwords::Model {
  sentencepiece::SentencePieceProcessor processor;
};

namespace {

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(Stream<std::string>& sentences) : sentences_(sentences) { Next(); }
  bool done() const override { return done_; }
  void Next() override {
    done_ = !sentences_.next(sentence_);
    if (!done_) check_words();
  }
  const std::string& value() const override { return sentence_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  // SentencePiece counts the places in a word with 16 bits, and ends the process where they are too few.
  void check_words() const {
    constexpr std::size_t longest = 16384;
    for (std::size_t begin = 0; begin < sentence_.size();) {
      const std::size_t end = std::min(sentence_.find(' ', begin), sentence_.size());
      if (end - begin > longest)
        throw std::invalid_argument(
            text("subwords: a word must have at most ", longest, " bytes: one has ", end - begin));
      begin = end + 1;
    }
  }

  Stream<std::string>& sentences_;
  std::string sentence_;
  bool done_ = false;
};

// What SentencePiece says is "Internal: file.cc(123) [condition] what a person can use"; the last part may be
// missing.
std::string readable(const std::string& message) {
  const auto bracket = message.rfind("] ");
  return bracket == std::string::npos || bracket + 2 == message.size() ? message
                                                                       : message.substr(bracket + 2);
}

// The number that stands behind `words` in what SentencePiece says; nothing where they are not there.
std::optional<long> number_behind(const std::string& message, const std::string& words) {
  const auto at = message.find(words);
  if (at == std::string::npos) return std::nullopt;
  const long number = std::strtol(message.c_str() + at + words.size(), nullptr, 10);
  return number > 0 ? std::optional(number) : std::nullopt;
}

// Why so many pieces cannot be made. SentencePiece advises to set options of its own.
std::string why_not(const std::string& message, Index pieces) {
  if (const auto most = number_behind(message, "set it to a value <= "))
    return text("it has enough for ", *most, "; --subwords ", *most);
  if (const auto fewest = number_behind(message, text("required_chars. ", pieces, " vs ")))
    return text("with its single characters there are at least ", *fewest, "; --subwords ", *fewest,
                " or more");
  return readable(message);
}

}  // namespace

bool Subwords::available() { return true; }

std::string train_subwords(Stream<std::string>& sentences, const SubwordOptions& options) {
  sentences.rewind();
  Sentences text_lines(sentences);
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      {{"model_type", options.kind == SubwordKind::bpe ? "bpe" : "unigram"},
       {"vocab_size", std::to_string(options.size)},
       {"character_coverage", "1.0"},
       {"normalization_rule_name", "identity"},
       {"pad_id", "-1"},
       {"bos_id", "-1"},
       {"eos_id", "-1"},
       {"unk_id", "0"},
       {"max_sentence_length", "1073741824"},  // it would leave out those of more than 4192 bytes
       {"num_threads", "1"},                   // the order of sums, and so the pieces, would depend on it
       {"minloglevel", "2"}},
      &text_lines, &model);
  if (!status.ok())
    throw std::invalid_argument(text("subwords: ", options.size, " pieces cannot be made of this text: ",
                                     why_not(status.ToString(), options.size)));
  return model;
}

Subwords::Subwords(const std::string& model, const std::vector<std::string>& known) {
  check_subword_model(model);
  auto loaded = std::make_shared<Model>();
  auto status = loaded->processor.LoadFromSerializedProto(model);
  auto& processor = loaded->processor;
  if (status.ok() && !known.empty()) {
    std::vector<bool> are_bytes;
    for (int id = 0; id < processor.GetPieceSize(); ++id) are_bytes.push_back(processor.IsByte(id));
    std::vector<absl::string_view> pieces;
    for (const std::string& piece : known) pieces.emplace_back(piece.data(), piece.size());
    status = processor.SetVocabulary(pieces);
    // Which makes ordinary pieces of those for single bytes.
    if (status.ok() && std::count(are_bytes.begin(), are_bytes.end(), true) > 0)
      status =
          processor.LoadFromSerializedProto(with_byte_pieces(processor.serialized_model_proto(), are_bytes));
  }
  if (!status.ok()) throw std::invalid_argument("subwords: not a model: " + readable(status.ToString()));
  model_ = std::move(loaded);
}

std::vector<std::string> Subwords::split(const std::string& sentence) const {
  std::vector<std::string> pieces;
  model_->processor.Encode(sentence, &pieces);
  return pieces;
}

std::string Subwords::join(const std::vector<std::string>& pieces) const {
  std::string sentence;
  model_->processor.Decode(pieces, &sentence);
  // SentencePiece gives back pieces that it does not know as they are.
  const std::string space = "\u2581";
  for (std::size_t at = 0; (at = sentence.find(space, at)) != std::string::npos;)
    sentence.replace(at, space.size(), at == 0 ? "" : " ");
  return sentence;
}

std::string Subwords::model() const { return model_->processor.serialized_model_proto(); }

SubwordKind Subwords::kind() const { return kind_of_subword_model(model()); }

std::vector<SubwordPiece> Subwords::pieces() const {
  const auto& processor = model_->processor;
  std::vector<SubwordPiece> pieces;
  for (int id = 0; id < processor.GetPieceSize(); ++id)
    if (!processor.IsUnknown(id) && !processor.IsControl(id) && !processor.IsByte(id))
      pieces.push_back({processor.IdToPiece(id), processor.GetScore(id), !processor.IsUnused(id)});
  return pieces;
}

std::vector<std::string> Subwords::words(const std::string& sentence) const {
  const std::string space = "\u2581";
  std::string spelled;
  for (const std::string& piece : split(sentence)) spelled += piece;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < spelled.size();) {
    const std::size_t end = std::min(spelled.find(space, begin + 1), spelled.size());
    words.push_back(spelled.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

#else

struct Subwords::Model {};

namespace {

[[noreturn]] void refuse() {
  throw std::logic_error(
      "subwords: this build has no SentencePiece; install libsentencepiece-dev and configure again");
}

}  // namespace

bool Subwords::available() { return false; }
std::string train_subwords(Stream<std::string>&, const SubwordOptions&) { refuse(); }
Subwords::Subwords(const std::string&, const std::vector<std::string>&) { refuse(); }
std::vector<std::string> Subwords::split(const std::string&) const { refuse(); }
std::string Subwords::join(const std::vector<std::string>&) const { refuse(); }
std::string Subwords::model() const { refuse(); }
SubwordKind Subwords::kind() const { refuse(); }
std::vector<SubwordPiece> Subwords::pieces() const { refuse(); }
std::vector<std::string> Subwords::words(const std::string&) const { refuse(); }

#endif

std::string train_subwords(const std::vector<std::string>& sentences, const SubwordOptions& options) {
  ListStream<std::string> stream(sentences);
  return train_subwords(stream, options);
}

}  // namespace gradual
