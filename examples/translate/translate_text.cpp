#include "translate_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/rewrite_lines.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/run/corpora.hpp>

#include "../command_mistakes.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/file_progress.hpp"
#include "../terminal/line_reader.hpp"
#include "doubts.hpp"
#include "known_text.hpp"

using namespace gradual;

namespace {

// For who sits at the prompt: what of an answer is a guess, and what can be asked instead.
class Doubts {
 public:
  Doubts(const Translator& translator, const TranslateSettings& settings,
         const std::vector<HeldOutSet>& held_out, const LearntFrom& learnt)
      : translator_(translator), settings_(settings), held_out_(held_out), learnt_(learnt) {}

  void open() const {
    std::string words = "Type a sentence; quit or Ctrl-D ends.\n";
    for (const std::string& sentence : sentences_to_try(held_out_, 1))
      words += "Try: " + sentence +
               (were_kept_back({sentence}, settings_.model, settings_.reverse_model)
                    ? " (It was not trained on that.)\n"
                    : "\n");
    std::cout << wrapped_for_output(words)
              << in_colour("A line that ends in \\ goes on in the next one.", Colour::soft) << "\n\n";
  }

  // Whether a line is one of these words, which end or explain other programs, too; a word that the model
  // knows is translated. Pieces and letters know any.
  bool is_one_of(const std::string& line, std::initializer_list<const char*> commands) const {
    const auto is_line = [&](const char* command) { return lower_case(line) == command; };
    const Language& source = translator_.source();
    return !first_invalid_byte(line) && std::any_of(commands.begin(), commands.end(), is_line) &&
           (source.tokenizer.settings().units != TextUnits::words || !source.unknown_tokens(line).empty());
  }

  // Above the answer.
  void before(const TranslatedLine& line) const {
    if (line.unknown.empty()) return;
    const std::vector<std::string> meant = meant_by(line);
    say("it does not know " + quoted_list(line.unknown) +
        (meant.empty() ? "." : "; did you mean " + quoted_list(meant) + "?") + " Its guess:");
  }

  // Below it.
  void about(const TranslatedLine& line, const std::string& translation) {
    const DoubtNote note = doubt_about(line.sentence, translation, learnt_, line.found.front().finished);
    if (note.doubt == Doubt::no_mark && told_of_marks_) {
      if (line.unknown.empty()) say("try: " + line.sentence + ".");
    } else if (note.doubt != Doubt::none) {
      say(note.words);
    }
    told_of_marks_ = told_of_marks_ || note.doubt == Doubt::no_mark;
    if (!line.unknown.empty()) {
      if (const std::string known = known_in_small_letters(translator_.source(), line.sentence);
          !known.empty())
        say("try: " + known);
      if (!told_) say("it knows " + known_words(translator_.source(), 16) + list_of_words());
      told_ = true;
      return;
    }
    constexpr double doubtful = 0.5;  // the probability of a word that is in doubt
    const std::vector<ScoredWord> words =
        score_with_rivals(translator_, {{line.sentence, translation}}, 1).front().words;
    std::string doubts;
    for (const ScoredWord& word : words)
      if (word.token != Vocabulary::eos && std::exp(word.log_probability) < doubtful)
        doubts += (doubts.empty() ? "" : ", ") +
                  quoted_list({translator_.target().vocabulary.token(word.token)}) + " (probability " +
                  percent_text(std::exp(word.log_probability), 0) + rival_of(word) + ")";
    if (!doubts.empty()) say("it is unsure of " + doubts);
    if (!led_on_)
      std::cout << in_colour("  see why:\n  ", Colour::soft)
                << command_with(settings_.model, "attention " + in_quotes(line.sentence)) << std::endl;
    led_on_ = true;
  }

 private:
  static void say(const std::string& words) {
    std::cout << in_colour(wrapped_for_output("  " + words), Colour::soft) << std::endl;
  }
  // The known words that are nearly those it does not know: names for those that begin with a capital inside
  // the sentence. None where small letters are all that it takes.
  std::vector<std::string> meant_by(const TranslatedLine& line) const {
    std::vector<std::string> meant;
    if (!known_in_small_letters(translator_.source(), line.sentence).empty()) return meant;
    const std::vector<std::string> words = known_words(translator_.source()).words;
    const auto has_capital = [](const std::string& word) { return lower_case(word) != word; };
    std::vector<std::string> names;
    std::copy_if(words.begin(), words.end(), std::back_inserter(names), has_capital);
    for (const std::string& each : line.unknown) {
      const bool begins = line.sentence.rfind(each, 0) == 0;
      if (std::string word = has_capital(each) && !begins ? nearest_name(each, names)
                                                          : nearest_name(lower_case(each), words);
          !word.empty())
        meant.push_back(std::move(word));
    }
    return meant;
  }
  // The word that the model would as soon have written in the place of one: `, and 9 % for "dans"`.
  std::string rival_of(const ScoredWord& word) const {
    if (word.rivals.empty()) return "";
    const auto [token, probability] = word.rivals.front();
    return ", and " + percent_text(probability, 0) + " for " +
           (token == Vocabulary::eos ? "an end"
                                     : quoted_list({translator_.target().vocabulary.token(token)}));
  }
  // Where all words of the vocabulary are listed, if training left a list.
  std::string list_of_words() const {
    const std::string file = folder_of(settings_.model) + "/source.vocabulary.txt";
    return std::filesystem::exists(path_of(file)) ? "\n  all of them: " + file : "";
  }

  const Translator& translator_;
  const TranslateSettings& settings_;
  const std::vector<HeldOutSet>& held_out_;
  const LearntFrom& learnt_;
  bool told_ = false, told_of_marks_ = false, led_on_ = false;  // what it knows, what an answer leads to
};

// So many lines, and the numbers of the first of them.
class LineNumbers {
 public:
  void add(Index number) {
    if (count_++ < most) first_.push_back(text(number));
  }
  Index count() const { return count_; }
  // "line 3", "lines 3 and 5", "lines 3, 5, 6 …".
  std::string list() const {
    return (count_ == 1 ? "line " : "lines ") +
           (count_ > most ? list_text(first_, ", ") + " …" : and_text(first_));
  }

 private:
  static constexpr Index most = 12;
  Index count_ = 0;
  std::vector<std::string> first_;
};

// What could not be done, and what was guessed or is in doubt.
class Summary {
 public:
  Summary(std::string name, std::string done) : name_(std::move(name)), done_(std::move(done)) {}
  Summary(const TranslateSettings& settings, const LearntFrom& learnt)
      : Summary(settings.input.empty() ? "standard input" : settings.input, "translated") {
    learnt_ = learnt;
    command_ = command_with(settings.model, "translate");
  }

  // The same of a line that was translated, with what is in doubt about that.
  bool add(Index number, const Translator& translator, const TranslatedLine& line) {
    if (!line.found.empty()) {
      const Hypothesis& best = line.found.front();
      const Doubt doubt =
          doubt_about(line.sentence, translator.text_of(line.sentence, best), learnt_, best.finished).doubt;
      if (doubt == Doubt::fewer_sentences && doubtful_[doubt].count() == 0) several_ = line.sentence;
      if (doubt == Doubt::no_mark && doubtful_[doubt].count() == 0) unmarked_ = line.sentence;
      if (doubt != Doubt::none) doubtful_[doubt].add(number);
    }
    return add(number, line.problem, line.unknown);
  }

  // Says what is wrong with the line of this number, and whether nothing is.
  bool add(Index number, const std::string& problem, const std::vector<std::string>& unknown = {}) {
    if (!problem.empty()) std::cerr << name_ << ":" << number << ": " << problem << std::endl;
    if (!unknown.empty()) guessed_.add(number);
    for (const std::string& each : unknown)
      if (unknown_.size() < most && std::find(unknown_.begin(), unknown_.end(), each) == unknown_.end())
        unknown_.push_back(each);
    return problem.empty();
  }

  // Of all lines, those of an earlier run were not looked at now; how many failed is of both.
  void close(Index lines, Index failed, Index earlier = 0) const {
    const auto say = [&](const LineNumbers& which, const std::string& what) {
      if (which.count() > 0)
        std::cerr << text(which.count(), " of ", lines - earlier, " lines",
                          earlier > 0 ? text(" from line ", earlier + 1, " on") : "", " have ", what, " (",
                          which.list(), ")")
                  << std::endl;
      return which.count() > 0;
    };
    say(guessed_, "words that the model does not know, and are guesses: " + quoted_list(unknown_));
    if (say(of(Doubt::fewer_sentences), "several sentences, and some of these are left out")) {
      std::vector<std::string> sentences = sentences_in(several_);
      sentences.resize(std::min<std::size_t>(sentences.size(), 2));
      show("give each a line of its own:", sentences);
    }
    say(of(Doubt::longer),
        text("more words than what it learnt from, sentences of at most about ", learnt_.longest, " words"));
    say(of(Doubt::cut), "translations that came to no end, and were cut");
    if (say(of(Doubt::no_mark), "no full stop or other mark at the end, as all had that it learnt from"))
      show("compare:", {unmarked_, unmarked_ + "."});
    say(of(Doubt::repeats),
        "translations that say the same twice: it may never have learnt from such sentences");
    if (failed > 0) throw std::runtime_error(text(failed, " of ", lines, " lines could not be ", done_));
  }

 private:
  LineNumbers of(Doubt doubt) const {
    const auto found = doubtful_.find(doubt);
    return found == doubtful_.end() ? LineNumbers() : found->second;
  }
  static bool has_control(const std::string& sentence) {
    const std::u32string letters = decode_utf8(sentence);
    return std::any_of(letters.begin(), letters.end(), is_control);
  }
  // A command that translates these sentences, each on a line; not where one would fill the terminal, or
  // steer it.
  void show(const char* why, const std::vector<std::string>& sentences) const {
    constexpr std::size_t longest = 200;  // bytes
    std::string command = "printf '%s\\n'";
    for (const std::string& each : sentences) {
      if (each.size() > longest || has_control(each)) return;
      command += " " + in_quotes(each);
    }
    std::cerr << why << "\n" << command << " | " << command_ << std::endl;
  }

  static constexpr std::size_t most = 1000;  // words to remember
  std::string name_, done_, command_;
  LearntFrom learnt_{{}};
  LineNumbers guessed_;
  std::vector<std::string> unknown_;
  std::map<Doubt, LineNumbers> doubtful_;
  std::string several_, unmarked_;  // the first lines that have several sentences, and no mark
};

void translate_file(const Translator& translator, const TranslateSettings& settings) {
  if (settings.input.empty()) throw std::invalid_argument("--output needs a file to translate");
  if (settings.draws())
    throw std::invalid_argument(
        "--output cannot be used with --sample or --mbr: a run that goes on draws "
        "other words");
  Summary summary(settings, LearntFrom(sets_to_try(settings.model)));
  Random unused(1);
  RewriteOptions options;
  options.how = way_of(translator, settings);
  FileProgress progress(settings.output);
  Index done = -1, earlier = 0;  // lines, and those of an earlier run
  options.progress = [&](Index lines) {
    if (done < 0) earlier = lines;
    progress(done = lines);
  };
  const auto translated = [&](const std::vector<std::string>& lines) {
    RewrittenLines block("");
    Index number = done;
    for (const TranslatedLine& line : translate_lines(translator, lines, settings, unused)) {
      block.failed += !summary.add(++number, translator, line);
      block.bytes += written(translator, line, settings);
    }
    return block;
  };
  const Index failed = rewrite_lines(settings.input, settings.output, options, translated);
  summary.close(done, failed, earlier);
}

}  // namespace

void translate_text(const Translator& translator, const TranslateSettings& settings) {
  settings.check();
  if (!settings.output.empty()) return translate_file(translator, settings);
  LineReader reader(settings.input);
  const std::size_t lines_together = reader.interactive() ? 1 : 256;
  Random random(settings.seed);
  const std::vector<HeldOutSet> held_out = sets_to_try(settings.model);
  const LearntFrom learnt(held_out);
  Doubts doubts(translator, settings, held_out, learnt);
  if (reader.interactive()) doubts.open();
  Summary summary(settings, learnt);
  Index number = 0, failed = 0;
  std::optional<FileError> broken;  // where the file cannot be read on: what was read is translated first
  const auto next_line = [&]() -> std::optional<std::string> {
    try {
      return reader.next();
    } catch (const FileError& error) {
      broken = error;
      return std::nullopt;
    }
  };
  for (bool more = true; more;) {
    std::vector<std::string> typed;
    while (more && typed.size() < lines_together) {
      const std::optional<std::string> line = next_line();
      more =
          line.has_value() && !(reader.interactive() && doubts.is_one_of(*line, {"quit", "exit", ":q", "q"}));
      if (more && reader.interactive() && doubts.is_one_of(*line, {"help", "?"}))
        doubts.open();
      else if (more && !(reader.interactive() && line->empty()))
        typed.push_back(*line);
    }
    for (const TranslatedLine& line : translate_lines(translator, typed, settings, random)) {
      if (reader.interactive() && !line.problem.empty()) {
        std::cerr << line.problem << std::endl;
        continue;
      }
      if (!reader.interactive()) failed += !summary.add(++number, translator, line);
      const std::string answer = written(translator, line, settings);
      const bool talks = reader.interactive() && !settings.json;
      if (talks) doubts.before(line);
      const bool stands_out = talks && !answer.empty();
      std::cout << (stands_out ? in_colour(answer.substr(0, answer.size() - 1), Colour::accent) + "\n"
                               : answer)
                << std::flush;
      if (!std::cout) return;  // a full disk, which the program says at its end
      if (talks && !line.found.empty())
        doubts.about(line, translator.text_of(line.sentence, line.found.front()));
      if (talks) std::cout << std::endl;
    }
  }
  if (broken) throw *broken;
  summary.close(number, failed);
}

void score_translations(const ScoreSettings& settings) {
  const Translator translator = load_model(settings.model);
  Summary summary(settings.tsv, "scored");
  Index done = 0;
  const auto scored = [&](const std::vector<std::string>& lines) {
    RewrittenLines block("");
    for (const ScoredLine& line : score_lines(translator, lines, settings.tsv, done + 1, settings.rivals)) {
      block.failed += !summary.add(line.number, line.problem);
      block.bytes += written(translator, line, settings.rivals > 0, settings.json);
    }
    return block;
  };
  RewriteOptions options;
  options.if_empty = "there is no line `source TAB target`";
  if (settings.output.empty()) {
    LineReader reader(settings.tsv);
    Index failed = 0;
    bool is_empty = true;
    std::optional<FileError> broken;  // a line that is no pair: those before it are scored first
    for (bool more = true; more;) {
      std::vector<std::string> lines;
      try {
        while (more && static_cast<Index>(lines.size()) < options.lines_together) {
          std::optional<std::string> line = reader.next();
          more = line.has_value();
          if (!more) break;
          pair_of_line(*line, settings.tsv, done + static_cast<Index>(lines.size()) + 1);
          lines.push_back(std::move(*line));
        }
      } catch (const FileError& error) {
        broken = error;
        more = false;
      }
      const RewrittenLines block = scored(lines);
      done += static_cast<Index>(lines.size());
      failed += block.failed;
      is_empty = is_empty && block.bytes.empty();
      std::cout << block.bytes << std::flush;
      if (!std::cout) return;  // a full disk, which the program says at its end
    }
    if (broken) throw *broken;
    if (is_empty) throw FileError(settings.tsv, options.if_empty);
    return summary.close(done, failed);
  }
  options.how = way_of_scoring(translator, settings.rivals, settings.json);
  FileProgress progress(settings.output);
  options.progress = [&](Index lines) { progress(done = lines); };
  const Index failed = rewrite_lines(settings.tsv, settings.output, options, scored);
  summary.close(done, failed);
}
