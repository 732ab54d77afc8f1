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
