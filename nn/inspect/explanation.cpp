#include <gradual/nn/inspect/explanation.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/attention_graph.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/inspect/search_tree.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

// What a page has room for, of sentences of any length.
constexpr std::size_t most_words = 120;     // that can be chosen
constexpr std::size_t most_looked_at = 40;  // words of the source, beside each of them and in the map
constexpr std::size_t most_in_map = 40;     // words of the translation
constexpr Index most_steps = 40;            // of the tree

constexpr double least_shown = 0.001;  // a rival's probability: less is no bar that one sees

constexpr const char* left_out = "…";

// Which places of a source are shown, in their order: of a long one those that are looked at most, and
// between them what is left out, from the first of it to before the next that is shown.
struct Shown {
  std::vector<std::size_t> begins;  // of each that is shown, and of each stretch that is left out
  std::vector<bool> is_word;        // else a stretch
  std::size_t size;                 // of the source

  std::size_t end(std::size_t i) const { return i + 1 < begins.size() ? begins[i + 1] : size; }
  std::vector<std::string> labels(const std::vector<std::string>& source) const {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < begins.size(); ++i)
      labels.push_back(is_word[i] ? source[begins[i]] : left_out);
    return labels;
  }
  // Of a stretch the sum, so that the weights still sum to 1.
  std::vector<double> weights(const std::vector<double>& attention) const {
    std::vector<double> weights;
    for (std::size_t i = 0; i < begins.size(); ++i)
      weights.push_back(std::accumulate(attention.data() + begins[i], attention.data() + end(i), 0.0));
    return weights;
  }
};

// The places, those that are looked at most first.
std::vector<std::size_t> strongest_first(const std::vector<double>& attention) {
  std::vector<std::size_t> order(attention.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return attention[a] > attention[b]; });
  return order;
}

Shown shown_of(const std::vector<double>& attention) {
  const std::vector<std::size_t> order = strongest_first(attention);
  std::vector<bool> is_strong(attention.size());
  for (std::size_t i = 0; i < std::min(order.size(), most_looked_at); ++i) is_strong[order[i]] = true;
  Shown shown{{}, {}, attention.size()};
  for (std::size_t i = 0; i < attention.size(); ++i) {
    if (!is_strong[i] && !shown.is_word.empty() && !shown.is_word.back()) continue;
    shown.begins.push_back(i);
    shown.is_word.push_back(is_strong[i]);
  }
  return shown;
}

void check_attention(const ExplainedWord& word, const std::vector<std::string>& source) {
  if (source.size() != word.attention.size())
    throw std::invalid_argument(text("explanation: there must be a weight for each word of the source: ",
                                     source.size(), " words, ", word.attention.size(), " weights"));
}

bool has_attention(const Explanation& explanation) {
  return std::any_of(explanation.words.begin(), explanation.words.end(),
                     [](const ExplainedWord& word) { return !word.attention.empty(); });
}

// What is shown in the picture, and below the words that stand in it.
Shown shown_in_map(const Explanation& explanation) {
  std::vector<double> total(explanation.source_words.size());
  for (std::size_t i = 0; i < std::min(explanation.words.size(), most_in_map); ++i) {
    check_attention(explanation.words[i], explanation.source_words);
    for (std::size_t j = 0; j < total.size(); ++j) total[j] += explanation.words[i].attention[j];
  }
  return shown_of(total);
}

void add_shaded(Html& content, const std::vector<std::string>& source, const ExplainedWord& word,
                const Shown& shown) {
  check_attention(word, source);
  std::vector<std::string> labels;
  for (const std::string& each : shown.labels(source)) labels.push_back(token_label(each));
  content.weighted_words(
      source.size() <= most_looked_at ? "Looked at" : "Looked at, with … for words that are left out", labels,
      shown.weights(word.attention));
}

AttentionMap map_to_show(const Explanation& explanation, const Shown& shown) {
  const std::size_t rows = std::min(explanation.words.size(), most_in_map);
  AttentionMap map{{}, shown.labels(explanation.source_words), {}, ""};
  for (std::size_t i = 0; i < rows; ++i) {
    map.queries.push_back(explanation.words[i].word);
    for (const double weight : shown.weights(explanation.words[i].attention))
      map.weights.push_back(static_cast<float>(weight));
  }
  if (rows < explanation.words.size()) {
    map.queries.emplace_back(left_out);
    map.weights.resize(map.weights.size() + map.keys.size(), 0);
  }
  return map;
}

// `in_map`: of a word that stands in the picture; others have their own.
Html word_content(const ExplainedWord& word, const std::vector<std::string>& source, const Shown* in_map) {
  std::vector<std::pair<std::string, double>> bars = {{token_label(word.word), word.probability}};
  for (const auto& [rival, probability] : word.rivals)
    if (probability >= least_shown) bars.emplace_back(token_label(rival), probability);
  const bool all = bars.size() > word.rivals.size(), none = bars.size() == 1;
  Html content;
  content.bars(
      text("Probability of this word", all    ? " and of its nearest rivals"
                                       : none ? text("; each rival has less than ", least_shown)
                                              : text(" and of its nearest rivals, down to ", least_shown)),
      bars);
  if (!word.attention.empty()) add_shaded(content, source, word, in_map ? *in_map : shown_of(word.attention));
  return content;
}

// What a reader has to know before all else.
void add_warnings(Html& page, const Explanation& explanation) {
  const auto say = [&](const std::string& words) {
    page.markup("<p class=\"note\">" + escaped(words) + "</p>\n");
  };
  if (!explanation.unknown.empty())
    say("Note: the model does not know " + quoted_list(explanation.unknown) +
        ", which stood nowhere in its training text, or too seldom: what it writes for that is a guess.");
  if (!explanation.note.empty()) say("Note: " + explanation.note + ".");
  if (!explanation.known_as.empty()) say("Try: " + isolated(explanation.known_as));
}

// The sentence as the model reads it, where there is something in it that it does not know.
void add_unknown(Html& page, const Explanation& explanation) {
  if (explanation.unknown.empty()) return;
  const std::set<std::string> unknown(explanation.unknown.begin(), explanation.unknown.end());
  std::vector<std::string> words;
  std::vector<bool> marks;
  for (const std::string& word : explanation.source_words) {
    if (words.size() == most_words) break;
    words.push_back(token_label(word));
    marks.push_back(unknown.count(word) > 0);
  }
  page.marked_words("As the model reads it, with what it does not know underlined", words, marks);
}

Index steps_of(const BeamTree& tree) {
  Index steps = 0;
  for (const BeamNode& node : tree.nodes) steps = std::max(steps, node.step + 1);
  return steps;
}

// What of a long search is not drawn, and where it is; "" where all of it is.
std::string rest_in_words(const BeamTree& tree) {
  const Index steps = steps_of(tree);
  if (steps <= most_steps) return "";
  return text(
      " The search went on: drawn are the first ", most_steps, " of ", steps,
      " steps. The rest is in the JSON: translate attention --json prints it, and “Save everything as a "
      "file” on the page of translate serve keeps it.");
}

// What of a long sentence is shown.
void add_note(Html& page, const Explanation& explanation) {
  const Index steps = steps_of(explanation.tree);
  const std::size_t read = explanation.source_words.size(), written = explanation.words.size();
  std::string note;
  const auto say = [&](auto shown, auto all, const char* what) {
    if (all > shown)
      note += text(note.empty() ? " Shown are " : ", ", "the first ", shown, " of ", all, what);
  };
  say(most_words, written, " words of the translation to choose from");
  if (has_attention(explanation)) say(most_in_map, written, " in the picture of what they looked at");
  say(most_steps, steps, " steps of the search");
  if (!note.empty()) note += ".";
  if (has_attention(explanation) && read > most_looked_at)
    note += text(" Of the ", read, " words and marks that it read, the ", most_looked_at,
                 " are shown that are looked at most; … stands for the others.");
  if (!note.empty()) page.paragraph("The sentence is long." + note);
}

// What is told of the attention of a sentence, and the word that this begins with.
struct Told {
  std::string text;
  std::size_t word = 0;
};

// "first" … "tenth", "11th".
std::string ordinal(std::size_t number) {
  static const char* const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (number <= std::size(words)) return words[number - 1];
  const bool is_teen = number / 10 % 10 == 1;
  const std::size_t last = is_teen ? 0 : number % 10;
  return text(number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// How the word looks whose strongest weight is the least of all: around only where no word has half of it.
template <class Quoted>
std::string looks_widest(const Explanation& explanation, const ExplainedWord& word, const Quoted& quoted) {
  constexpr double half = 0.495, narrow = 0.8;  // which is shown as 0.50
  const std::vector<std::size_t> order = strongest_first(word.attention);
  const auto told = [&](std::size_t place) {
    return text(fixed_text(word.attention[place], 2), " to ", quoted(explanation.source_words[place]));
  };
  const std::size_t first = order.front();
  const double most = word.attention[first];
  const std::string& rest = explanation.source_words[first];
  const bool is_mark = rest == "." || rest == "?" || rest == "!";
  const bool rests = word.word != rest &&            // a full stop is what a full stop is made of
                     explanation.unknown.empty() &&  // else nobody knows what it needs
                     (is_mark || first + 1 == explanation.source_words.size());
  std::string looks = most >= narrow ? text(" it looks least narrowly, and still gives ", told(first))
                      : most >= half ? text(" it divides its look: the most, ", told(first))
                                     : text(" it looks around: the most, ", told(first));
  const bool divides = most >= half && most < narrow && order.size() > 1;
  if (divides) looks += ", the next, " + told(order[1]);
  if (!rests) return looks;
  return looks + (divides ? "; at " + quoted(rest) : ", where") +
         " attention often rests when a word needs nothing more from the sentence";
}

// Of this sentence: where the attention is narrowest and where it is widest, and which word was the least
// sure. "" where there are no two words to compare.
Told attention_in_words(const Explanation& explanation) {
  const auto quoted = [](const std::string& word) {
    return word == "." ? "the full stop" : "“" + isolated(token_label(word)) + "”";
  };
  const auto written = [&](const ExplainedWord& word) {  // which of several, where a word is written again
    const auto is_same = [&](const ExplainedWord& other) { return other.word == word.word; };
    const ExplainedWord* const place = &word;
    const auto all = std::count_if(explanation.words.begin(), explanation.words.end(), is_same);
    const auto before = static_cast<std::size_t>(std::count_if(explanation.words.data(), place, is_same));
    if (all == 1) return quoted(word.word);
    return "the " + ordinal(before + 1) + " " + (word.word == "." ? "full stop" : quoted(word.word));
  };
  const auto strongest = [](const ExplainedWord& word) {
    return std::max_element(word.attention.begin(), word.attention.end());
  };
  const auto told = [&](const ExplainedWord* word) {
    const auto source = static_cast<std::size_t>(strongest(*word) - word->attention.begin());
    return text(fixed_text(word->attention[source], 2), " to ", quoted(explanation.source_words[source]));
  };
  std::vector<const ExplainedWord*> words;
  for (const ExplainedWord& word : explanation.words)
    if (words.size() < most_words && !word.attention.empty() && &word != &explanation.words.back())
      words.push_back(&word);  // the last is the end of the sentence
  if (words.size() < 2) return {};
  const auto [widest, narrowest] = std::minmax_element(
      words.begin(), words.end(), [&](auto a, auto b) { return *strongest(*a) < *strongest(*b); });
  const ExplainedWord& unsure = **std::min_element(
      words.begin(), words.end(), [](auto a, auto b) { return a->probability < b->probability; });
  const bool has_rival = !unsure.rivals.empty() && unsure.rivals.front().second >= least_shown;
  constexpr double sure = 0.9;
  const std::string found = text(
      "Before ", written(**narrowest),
      *strongest(**narrowest) >= sure ? " it looks at one word" : " it looks most narrowly", ": it gives ",
      told(*narrowest), ". Before ", written(**widest), looks_widest(explanation, **widest, quoted),
      unsure.probability < sure ? ". It was least sure of " : ". It was sure of every word, the least of ",
      written(unsure), ", with probability ", fixed_text(unsure.probability, 2),
      has_rival && unsure.probability < sure ? text("; in its place ", quoted(unsure.rivals.front().first),
                                                    " had ", fixed_text(unsure.rivals.front().second, 2))
                                             : "",
      ".");
  return {found, static_cast<std::size_t>(*narrowest - explanation.words.data())};
}

// Why the surest of the words has less than 1; "" where it has, or where even that one is not sure.
std::string limit_in_words(const Explanation& explanation) {
  constexpr double sure = 0.8, shown_as_1 = 0.995;
  double surest = 0;
  for (const ExplainedWord& word : explanation.words) surest = std::max(surest, word.probability);
  if (surest < sure || surest >= shown_as_1 || explanation.label_smoothing == 0.0) return "";
  if (!explanation.label_smoothing)
    return "Even a word that seems certain may stay below 1.00: many models are trained with label "
           "smoothing, which gives a share of the probability to all the other words.";
  const double share = *explanation.label_smoothing;
  return text("Even a word that is certain stays below 1.00: training with label smoothing asked for about ",
              short_text(1 - share, 2), " for the right word and shared the other ", short_text(share, 2),
              " among all words.");
}

// How the score comes from log P, with the numbers of the best.
std::string score_in_words(const Explanation& explanation) {
  const RankedTranslation& best = explanation.ranked.front();
  const char* const wins = explanation.ranked.size() == 1 ? "" : " The highest wins.";
  const std::string divided = "divides it by a penalty that grows with the length, lest the shortest win";
  if (!explanation.also_scored.empty())
    return text("The score ", explanation.scored_by_length ? divided + ", and " : "", "has in it ",
                and_text(explanation.also_scored), ", too.", wins);
  const std::string score = with_minus(fixed_text(best.score, 3));
  const std::string whole = with_minus(fixed_text(best.log_probability, 3));
  if (score == whole || best.score == 0) return text("It is the score.", wins);
  return text("The score ", divided, ": here ", whole, " / ",
              fixed_text(best.log_probability / best.score, 3), " = ", score, ".", wins);
}

// How the search went, and what its picture shows of it. How many beginnings were kept at a time the tree
// tells.
std::string search_in_words(const BeamTree& tree) {
  std::map<Index, Index> kept;  // by step
  Index width = 0;
  for (const BeamNode& node : tree.nodes)
    if (node.fate == BeamNode::Fate::kept) width = std::max(width, ++kept[node.step]);
  if (width <= 1)
    return "Greedy search: in each step the likeliest word goes on alone. Filled: the words it took, with "
           "log P of all words up to there. Round: the end. Faint: the words it left. ▷ stands before the "
           "first word. Ask for a beam of 3 to see rivals that are kept for some steps.";
  return text("Beam search: in each step the likeliest ", width,
              " beginnings go on. In each step the candidates, the likeliest on top, with log P of all words "
              "up to there. Filled: the way to the translation. Framed: kept. Round: ended, which takes no "
              "place of those that are kept; the number in it: its rank among the translations. Faint: "
              "dropped, or left when the search had ended. ▷ stands before the first word.");
}

void add_ranked(Html& page, const Explanation& explanation) {
  const std::vector<RankedTranslation>& ranked = explanation.ranked;
  const auto has_subwords = [](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(),
                       [](const std::string& word) { return word.find("▁") != std::string::npos; });
  };
  std::vector<std::vector<std::string>> rows;
  for (const RankedTranslation& each : ranked)
    rows.push_back({each.text, fixed_text(each.score, 3), fixed_text(each.log_probability, 3)});
  page.heading(4, ranked.size() == 1 ? "What was found" : "The best that were found");
  page.table({"Translation", "Score", "log P"}, rows);
  page.paragraph(text("log P is the natural logarithm of the probability of all words together. ",
                      score_in_words(explanation), " ⏎ ends a sentence",
                      has_subwords(explanation.tree_words) || has_subwords(explanation.source_words)
                          ? "; ▁ begins a word."
                          : "."));
}

}  // namespace

Html explanation_content(const Explanation& explanation) {
  const Shown in_map = has_attention(explanation) ? shown_in_map(explanation) : Shown{{}, {}, 0};
  std::vector<Html::Choice> words;
  for (const ExplainedWord& word : explanation.words) {
    if (words.size() == most_words) break;
    const bool is_in_map = words.size() < most_in_map;
    words.push_back({token_label(word.word),
                     word_content(word, explanation.source_words, is_in_map ? &in_map : nullptr),
                     fixed_text(word.probability, 2)});
  }
  Html page;
  add_warnings(page, explanation);
  add_unknown(page, explanation);
  add_note(page, explanation);
  const std::string limit = limit_in_words(explanation);
  if (!has_attention(explanation)) {
    page.choices("Choose a word", words, Html::Chooser::words);
    if (!limit.empty()) page.paragraph(limit);
  } else {
    const Told told = attention_in_words(explanation);
    if (!told.text.empty()) page.markup("<p class=\"told\">" + escaped(told.text) + "</p>\n");
    page.markup("<div class=\"beside half\">\n<div>")
        .choices("Choose a word", words, Html::Chooser::words, told.word);
    if (!limit.empty()) page.paragraph(limit);
    page.markup("</div>\n<div>")
        .heading(4, "What each written word looked at: the mean of the last layer's heads")
        .pictures({draw_attention_graph(map_to_show(explanation, in_map))})
        .markup("</div>\n</div>\n");
  }
  add_ranked(page, explanation);
  page.heading(4, "What the search explored");
  page.picture(draw_search_tree(explanation.tree, explanation.tree_words, most_steps),
               search_in_words(explanation.tree) + rest_in_words(explanation.tree));
  return page;
}

std::string explanation_json(const Explanation& explanation, bool with_tree) {
  const auto rounded = [](double number) {
    return std::round(number * 1e6) / 1e6;
  };  // the digits that mean something
  Json json = {{"sentence", explanation.source}, {"translation", explanation.translation()}};
  for (const RankedTranslation& each : explanation.ranked)
    json["n_best"].push_back({{"translation", each.text},
                              {"score", rounded(each.score)},
                              {"log_probability", rounded(each.log_probability)}});
  json["source_words"] = explanation.source_words;
  json["unknown"] = explanation.unknown;
  if (!explanation.known_as.empty()) json["known_as"] = explanation.known_as;
  if (!explanation.note.empty()) json["note"] = explanation.note;
  for (const ExplainedWord& word : explanation.words) {
    Json rivals = Json::array();
    for (const auto& [rival, probability] : word.rivals)
      rivals.push_back({{"word", rival}, {"probability", rounded(probability)}});
    std::vector<double> attention;
    for (const double weight : word.attention) attention.push_back(rounded(weight));
    json["words"].push_back({{"word", word.word},
                             {"probability", rounded(word.probability)},
                             {"rivals", rivals},
                             {"attention", attention}});
  }
  for (std::size_t i = 0; with_tree && i < explanation.tree.nodes.size(); ++i) {
    const BeamNode& node = explanation.tree.nodes[i];
    json["tree"].push_back({{"word", explanation.tree_words[i]},
                            {"parent", node.parent},
                            {"rank", node.rank},
                            {"log_probability", rounded(node.log_probability)},
                            {"fate", node.fate == BeamNode::Fate::kept    ? "kept"
                                     : node.fate == BeamNode::Fate::ended ? "ended"
                                                                          : "dropped"}});
  }
  return clean_json_text(json);
}

}  // namespace gradual
