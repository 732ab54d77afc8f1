#include "translation_page.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <examples/translate/serving/translation.css.hpp>
#include <examples/translate/serving/translation.html.hpp>
#include <examples/translate/serving/translation.js.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/inspect/question.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/run/corpora.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

#include "../known_text.hpp"

using namespace gradual;

namespace {

// The vocabulary in alphabetical order, and what of it that is.
std::string list_of(const KnownWords& known) {
  constexpr std::size_t most = 400;
  const std::size_t count = known.words.size(), tokens = static_cast<std::size_t>(known.tokens);
  std::vector<std::pair<std::string, std::string>> words;  // by their small letters
  for (std::size_t i = 0; i < std::min(most, count); ++i)
    words.emplace_back(lower_case(known.words[i]), known.words[i]);
  std::sort(words.begin(), words.end());
  std::string list;
  for (const auto& [small, word] : words) list += (list.empty() ? "" : " ") + token_label(word);
  std::string said = count > most ? text("The ", most, " most frequent, from A to Z.") : "From A to Z.";
  if (tokens > count)
    said += text(
        " A word known with a small letter and with a capital is counted once; the model takes the two for "
        "different "
        "words, and so has ",
        grouped_text(known.tokens), ".");
  return "<p>" + escaped(said) + "</p><p dir=\"auto\">" + escaped(list) + "</p>";
}

// A sentence that a phone shows in one line if it is short.
std::string unbroken(const std::string& sentence) {
  constexpr std::size_t short_enough = 40;
  if (sentence.size() > short_enough) return isolated(sentence);
  std::string words;
  for (const char letter : isolated(sentence)) words += letter == ' ' ? "\u00A0" : std::string(1, letter);
  return words;
}

// Sentences to click, and the vocabulary.
Html beginning(const Translator& translator, const ServeSettings& settings,
               const std::vector<HeldOutSet>& sets) {
  constexpr std::size_t most_sentences = 6;
  const std::vector<std::string> sentences = sentences_to_try(sets, most_sentences);
  std::string html;
  for (const std::string& sentence : sentences)
    html += "<button type=\"button\" dir=\"auto\">" + escaped(sentence) + "</button>";
  if (!html.empty())
    html = text("<details id=\"try\" open><summary>Sentences to try</summary>",
                were_kept_back(sentences, settings.model, settings.reverse_model)
                    ? "<p class=\"label\">It was trained on none of them.</p>"
                    : "",
                "<p>", html, "</p></details>");
  const KnownWords known = known_words(translator.source());
  return Html().markup("<div class=\"offers\">" + html +
                       text("<details id=\"known\"><summary>It knows ",
                            grouped_text(static_cast<Index>(known.words.size())), " ", known.unit,
                            "</summary>", list_of(known), "</details></div>\n"));
}

}  // namespace

std::string translation_page(const Translator& translator, const ServeSettings& settings,
                             const std::string& nonce) {
  const std::vector<HeldOutSet> sets = sets_to_try(settings.model);
  const BeamOptions& search = settings.search;
  std::string choices;
  for (const Index beam : std::set<Index>{1, 3, 5, 10, search.beam_size}) {
    const bool chosen = beam == search.beam_size;
    choices += text("<option value=\"", beam, "\"", chosen ? " selected" : "", ">",
                    beam == 1 ? "greedy" : text("beam of ", beam),
                    chosen && settings.as_at_prompt ? ", as at the prompt" : "", "</option>");
  }
  std::string content =
      text("<style>\n", embedded::translation_css, "</style>\n", embedded::translation_html);
  content.insert(content.find("</select>"), choices);
  content.insert(content.find("<p id=\"problem\""), beginning(translator, settings, sets).str());
  // Browsers count UTF-16 units, the server characters: what the page takes is never too long for it.
  content.insert(content.find("></textarea>"), text(" maxlength=\"", Question::longest_sentence, "\""));
  std::string subtitle = "A model of " + grouped_text(count(parameters(translator.model()))) + " parameters";
  if (const SentencePair* const pair = pair_for_a_line(sets))
    subtitle += ", for pairs like “" + unbroken(pair->source) + "” → “" + unbroken(pair->target) + "”";
  std::string page =
      html_page("Translate", subtitle,
                Html().markup(content).markup(text("<script>\n", embedded::translation_js, "</script>\n")));
  const std::string tag = "<script>";  // nothing but tags reads so: texts are escaped
  for (std::size_t at = page.find(tag); at != std::string::npos; at = page.find(tag, at + 1))
    page.insert(at + tag.size() - 1, " nonce=\"" + escaped(nonce) + "\"");
  return page;
}
