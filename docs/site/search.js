// What is searched for are all words at first, any of them only where no page has all, and words of one other letter where no page has
// any. A word that stands somewhere as it is counts more than one that only begins so. Who writes signs of the search's own,
// + - ^ ~ * ", is taken at their word.
window.Worker = class extends window.Worker {
  #asked = [];  // of each question that has no answer yet, what to ask instead where there is none

  constructor(...where) {
    super(...where);
    this.addEventListener("message", (event) => {
      const others = event.data.type === 3 && this.#asked.shift();
      if (!others?.length || event.data.data.items.length) return;
      event.stopImmediatePropagation();
      this.#ask(...others);
    });
  }
  postMessage(message) {
    if (message.type !== 2) return super.postMessage(message);
    const question = message.data, words = question.split(/[\s\-,:;()]+/).filter(Boolean);
    if (/[+^~*"]|(^|\s)-/.test(question) || !words.length) return this.#ask(question);
    const all = words.map((word) => `${word.length > 3 ? `+${word}*` : word} ${word}^8`);  // short ones may be "of", "the"
    this.#ask(all.join(" "), question, words.map((word) => `${word}~1`).join(" "));
  }
  #ask(question, ...others) {
    this.#asked.push(others);
    super.postMessage({type: 2, data: question});
  }
};
