{
  const one = name => document.querySelector(name);
  const [form, sentence, beam, button] = ['form', 'textarea', 'form select', 'form button'].map(one);
  const [problem, translation, result] = ['#problem', '#translation', '#result'].map(one);
  const [busy, save, proposed] = ['#busy', '#save', '#try'].map(one);
  const answerTo = async (question, kind) => {  // as json or blob, or an error that says why there is none
    let response, content;
    try {
      response = await fetch('translate', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(question)});
      content = await response[response.ok ? kind : 'json']();
    } catch {
      throw Error('The server does not answer.');
    }
    if (!response.ok) throw Error(content.error);
    return content;
  };
  const show = (answer, error) => {
    problem.textContent = error;
    translation.hidden = !answer;
    translation.textContent = answer?.translation ?? '';
    translation.parentElement.querySelectorAll('.note, .told').forEach(each => each.remove());
    result.innerHTML = answer?.html ?? '';  // the server has escaped all texts in it
    translation.after(...result.querySelectorAll('.note, .told'));  // they are read with what they are about
    gradual.enhance(result);
    // What is typed is answered right below the form; of those to try the next stays in reach, where there is room for it.
    if (answer && proposed && asked.sentence !== opening && !(desk.matches && isProposed(asked.sentence))) proposed.open = false;
    save.hidden = !answer;
  };
  const opening = proposed?.querySelector('button').textContent;
  const isProposed = words => [...proposed.querySelectorAll('button')].some(each => each.textContent === words);
  const desk = matchMedia('(min-width:900px)');
  let newest = 0, asked, waiting;  // the number of the last question, the one whose answer is shown, and the timer of a sign
  form.onsubmit = async event => {
    event.preventDefault();
    if (event.submitter === button && button.hasAttribute('aria-disabled')) return;
    const question = ++newest;
    clearTimeout(waiting);
    const ready = (answer, error) => {
      clearTimeout(waiting);
      show(answer, error);
      button.removeAttribute('aria-disabled');
      busy.textContent = '';
    };
    if (!sentence.value.trim()) return ready(null, 'Type a sentence first.');
    button.setAttribute('aria-disabled', 'true');  // who presses it keeps the focus
    waiting = setTimeout(() => busy.textContent = 'Translating …', 150);  // a quick answer needs no sign
    const words = {sentence: sentence.value, beam: +beam.value};
    let answer = null, error = '';
    try {
      answer = await answerTo({...words, html: true}, 'json');
    } catch (problem) {
      error = problem.message;
    }
    if (question !== newest) return;  // answers may come in any order: an earlier one must not replace a later one
    asked = words;
    ready(answer, error);
  };
  save.onclick = async () => {  // also what the page has no room for: the whole tree, and all attention
    const file = document.createElement('a');
    try {
      file.href = URL.createObjectURL(await answerTo({...asked, tree: true}, 'blob'));
    } catch (error) {
      problem.textContent = error.message;
      return;
    }
    problem.textContent = '';
    file.download = 'translation.json';
    file.click();
    URL.revokeObjectURL(file.href);
  };
  proposed?.addEventListener('click', event => {
    if (event.target.localName !== 'button') return;
    sentence.value = event.target.textContent;
    form.requestSubmit();
  });
  beam.onchange = () => sentence.value.trim() && form.requestSubmit();
  sentence.onkeydown = event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) form.requestSubmit();  // a key that is held down asks once
  };
  if (opening) {  // who comes sees at once what there is to see; a click into it makes room for what is typed
    sentence.value = opening;
    sentence.onclick = () => { if (sentence.value === opening) sentence.select(); };
    if (!desk.matches) proposed.open = false;
    form.requestSubmit();
  }
}
