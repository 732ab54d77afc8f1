#include <set>

#include <examples/translate/serving/translation.css.hpp>
#include <examples/translate/serving/translation.html.hpp>
#include <examples/translate/serving/translation.js.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "answer.hpp"

using namespace gradual;

std::string translation_page(const std::string& model, const BeamOptions& search, const std::string& nonce) {
  std::string choices;
  for (const Index beam : std::set<Index>{1, 3, 5, 10, search.beam_size}) {
    const std::string name = beam == 1 ? "greedy" : "beam of " + std::to_string(beam);
    choices += "<option value=\"" + std::to_string(beam) + "\"" +
               (beam == search.beam_size ? " selected" : "") + ">" + name + "</option>";
  }
  std::string content =
      text("<style>\n", embedded::translation_css, "</style>\n", embedded::translation_html);
  content.insert(content.find("</select>"), choices);
  // Browsers count UTF-16 units, the server characters: what the page takes is never too long for it.
  content.insert(content.find("></textarea>"), text(" maxlength=\"", longest_sentence, "\""));
  const std::string script = text("<script>\n", embedded::translation_js, "</script>\n");
  std::string page = html_page("Translate", model, Html().markup(content).markup(script));
  const std::string tag = "<script>";  // nothing but tags reads so: texts are escaped
  for (std::size_t at = page.find(tag); at != std::string::npos; at = page.find(tag, at + 1))
    page.insert(at + tag.size() - 1, " nonce=\"" + escaped(nonce) + "\"");
  return page;
}
