{
  const one = name => document.querySelector(name);
  const [form, sentence, beam, button] = ['form', 'textarea', 'form select', 'form button'].map(one);
  const [problem, translation, result] = ['#problem', '#translation', '#result'].map(one);
  const [busy, save, proposed] = ['#busy', '#save', '#try'].map(one);
  const ask = question => fetch('translate', {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(question)});
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
  let newest = 0, asked, waiting;  // the number of the last question, what it was, and the timer of its sign
  form.onsubmit = async event => {
    event.preventDefault();
    const question = ++newest;
    clearTimeout(waiting);
    const ready = (answer, error) => {
      clearTimeout(waiting);
      show(answer, error);
      button.disabled = false;
      busy.hidden = true;
    };
    if (!sentence.value.trim()) return ready(null, 'Type a sentence first.');
    button.disabled = true;
    waiting = setTimeout(() => busy.hidden = false, 150);  // a quick answer needs no sign
    let answer = null, error = '';
    try {
      asked = {sentence: sentence.value, beam: +beam.value};
      const response = await ask({...asked, html: true});
      const json = await response.json();
      response.ok ? answer = json : error = json.error;
    } catch {
      error = 'The server does not answer.';
    }
    if (question === newest) ready(answer, error);  // answers may come in any order: an earlier one must not replace a later one
  };
  save.onclick = async () => {  // also what the page has no room for: the whole tree, and all attention
    const file = document.createElement('a');
    file.href = URL.createObjectURL(await (await ask({...asked, tree: true})).blob());
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
