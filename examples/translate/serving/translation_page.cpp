#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "answer.hpp"

using namespace gradual;

namespace {

constexpr const char* form = R"(<style>
form{display:grid;gap:12px;max-width:720px;margin:0 0 24px}
textarea{font:inherit;font-size:18px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:10px;
padding:12px 14px;resize:vertical;width:100%}
form div{display:flex;flex-wrap:wrap;gap:12px;align-items:center}
form select,form button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:7px 14px;cursor:pointer}
form button{background:var(--accent);border-color:var(--accent);color:var(--page);font-weight:600}
form button:disabled{opacity:.5}
#problem{color:var(--wrong)}
#translation{font-size:26px;margin:0 0 20px}
</style>
<form>
<textarea dir="auto" rows="2" aria-label="Sentence" placeholder="A sentence to translate" autofocus required></textarea>
<div><button>Translate</button><label>Search <select></select></label></div>
</form>
<p id="problem" role="alert"></p>
<section aria-live="polite"><h2 id="translation" dir="auto" hidden></h2><div id="result"></div></section>
)";

constexpr const char* script = R"(<script>
{
  const one = name => document.querySelector(name);
  const [form, sentence, beam, button] = ['form', 'textarea', 'form select', 'form button'].map(one);
  const [problem, translation, result] = ['#problem', '#translation', '#result'].map(one);
  const show = (answer, error) => {
    problem.textContent = error;
    translation.hidden = !answer;
    translation.textContent = answer?.translation ?? '';
    result.innerHTML = answer?.html ?? '';  // the server has escaped all texts in it
    gradual.enhance(result);
  };
  let newest = 0;  // number of the last question
  form.onsubmit = async event => {
    event.preventDefault();
    const question = ++newest;
    button.disabled = true;
    let answer = null, error = '';
    try {
      const response = await fetch('translate', {
        method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({sentence: sentence.value, beam: +beam.value, html: true})});
      const json = await response.json();
      response.ok ? answer = json : error = json.error;
    } catch {
      error = 'The server does not answer.';
    }
    if (question !== newest) return;  // answers may come in any order: an earlier one must not replace a later one
    show(answer, error);
    button.disabled = false;
  };
  beam.onchange = () => sentence.value.trim() && form.requestSubmit();
  sentence.onkeydown = event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) form.requestSubmit();  // a key that is held down asks once
  };
}
</script>
)";

}  // namespace

std::string translation_page(const std::string& model, const BeamOptions& search, const std::string& nonce) {
  std::string choices;
  for (const Index beam : std::set<Index>{1, 3, 5, 10, search.beam_size}) {
    const std::string name = beam == 1 ? "greedy" : "beam of " + std::to_string(beam);
    choices += "<option value=\"" + std::to_string(beam) + "\"" +
               (beam == search.beam_size ? " selected" : "") + ">" + name + "</option>";
  }
  std::string content = form;
  content.insert(content.find("</select>"), choices);
  // Browsers count UTF-16 units, the server characters: what the page takes is never too long for it.
  content.insert(content.find("></textarea>"), text(" maxlength=\"", longest_sentence, "\""));
  std::string page = html_page("Translate", model, Html().markup(content).markup(script));
  const std::string tag = "<script>";  // nothing but tags reads so: texts are escaped
  for (std::size_t at = page.find(tag); at != std::string::npos; at = page.find(tag, at + 1))
    page.insert(at + tag.size() - 1, " nonce=\"" + escaped(nonce) + "\"");
  return page;
}
