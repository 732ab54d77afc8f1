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
    translation.parentElement.querySelectorAll('.note').forEach(note => note.remove());
    result.innerHTML = answer?.html ?? '';  // the server has escaped all texts in it
    translation.after(...result.querySelectorAll('.note'));  // they are read with what they are about
    gradual.enhance(result);
    if (answer && proposed && asked.sentence !== opening) proposed.open = false;  // what is said of the answer then stands near it
    save.hidden = !answer;
  };
  const opening = proposed?.querySelector('button').textContent;
  let newest = 0, asked;  // the number of the last question, and what it was
  form.onsubmit = async event => {
    event.preventDefault();
    const question = ++newest;
    button.disabled = true;
    const waiting = setTimeout(() => busy.hidden = false, 150);  // a quick answer needs no sign
    let answer = null, error = '';
    try {
      asked = {sentence: sentence.value, beam: +beam.value};
      const response = await ask({...asked, html: true});
      const json = await response.json();
      response.ok ? answer = json : error = json.error;
    } catch {
      error = 'The server does not answer.';
    }
    clearTimeout(waiting);
    if (question !== newest) return;  // answers may come in any order: an earlier one must not replace a later one
    show(answer, error);
    button.disabled = false;
    busy.hidden = true;
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
  if (opening) {  // who comes sees at once what there is to see; what is typed then takes its place
    sentence.value = opening;
    sentence.select();
    form.requestSubmit();
  }
}
