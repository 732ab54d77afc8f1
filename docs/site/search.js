// What is searched for are all words at first, without those that only make a question of them; then these with letters set right;
// any of them only where no page has all; and words of one other letter where no page has any. A word that stands somewhere as it is
// counts more than one that only begins so. Who writes signs of the search's own, + - ^ ~ * ", is taken at their word.
//
// What has the words for its name comes first. Each result says which part of the site it is from, and shows the sentence that has
// most of the words.
const QUIET = new Set(("a an and any are as at be by can could did do does for from get how i if in into is it its me mean means my not of on or " +
  "should that the their there these they this to was we what when where which who why will with would you your").split(" "));
const PLACES = [[/^chapters\/engine/, "The engine"], [/^(chapters|book)/, "The book"], [/^api\//, "API"], [/^examples/, "Examples"],
  [/^(glossary|results|performance|many-machines|changelog)/, "Reference"], [/^index/, "Home"], [/./, "Guide"]];
const ENDING = /(?<=..[^s])(?:ings?|e[ds]?|s)$/;

const nameOf = (title) => title.replace(/<[^>]*>/g, "").replace(/\W+/g, " ").trim().toLowerCase();
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];

// How many letters one word takes to become another: one more, one less, another, or two that change places.
const distance = (a, b) => {
  let before, last, row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; ++i) {
    [before, last, row] = [last, row, [i]];
    for (let j = 1; j <= b.length; ++j) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.length];
};

// The sentence of a text that has most of the words, with these marked, and how many it has.
const sentenceOf = (page, words) => {
  const sentences = page.replace(/<pre>.*?<\/pre>/gs, "\n").replace(/<\/(p|li|tr|td|h\d)>/g, "\n").replace(/<(?!\/?code)[^>]*>/g, "")
    .split(/\s*\n\s*|(?<=[.!?:])\s+(?=[A-Z"(])/).filter((each) => each.trim());
  const marks = words.map((word) => RegExp(`(?<![\\w&<]|<\\/)${word.replace(ENDING, "").replace(/\W/g, "\\$&")}\\w*`, "gi"));
  const count = (sentence) => marks.filter((mark) => sentence.search(mark) >= 0).length;
  let found = sentences.reduce((best, each) => count(each) > count(best) ? each : best, sentences[0] ?? "");
  const first = Math.min(...marks.map((mark) => found.search(mark)).filter((at) => at >= 0), found.length);
  if (found.length > 240) {
    const begin = first > 120 && first < found.length ? found.lastIndexOf(" ", first - 60) + 1 : 0, end = found.lastIndexOf(" ", begin + 220);
    found = `${begin ? "… " : ""}${found.slice(begin, end > begin ? end : undefined)}${end < found.length ? " …" : ""}`;
  }
  const shown = marks.length ? found.replace(RegExp(marks.map((mark) => mark.source).join("|"), "gi"), "<mark>$&</mark>") : found;
  return [shown, count(found)];
};

window.Worker = class extends window.Worker {
  #asked = [];  // of each question that has no answer yet, its words, what they may mean, and what to ask instead where there is none
  #docs = new Map();  // what is known of each page and its sections
  #counts = new Map();  // of all words

  constructor(...where) {
    super(...where);
    this.addEventListener("message", (event) => {
      const asked = event.data.type === 3 && this.#asked.shift();
      if (!asked) return;
      if (asked.others.length && !event.data.data.items.length && !this.#asked.length) {  // a newer question needs no older answer
        event.stopImmediatePropagation();
        const [question, ...others] = asked.others;
        return this.#ask({...asked, question, others});
      }
      this.#propose(asked.meant);
      const groups = event.data.data.items, name = nameOf((asked.meant.length ? asked.meant : asked.words).join(" "));
      for (const item of groups.flat()) {
        const isName = /^glossary\.html#term|^[^#]*$/.test(item.location) && nameOf(item.title) === name;
        if (isName) item.score += 1e5;
        item.text = this.#sentence(item.location, [...asked.words, ...asked.meant]);
        if (!item.location.includes("#")) item.title = `<small>${PLACES.find(([path]) => path.test(item.location))[1]}</small> ${item.title}`;
      }
      for (const group of groups) group.sort((a, b) => b.score - a.score);
      groups.sort(([a], [b]) => b.score - a.score);
    });
  }
  // All that is searched, megabytes to be read, waits until a reader begins to search: most pages are only read.
  postMessage(message) {
    if (message.type === 0) {
      const begins = document.querySelector("[data-md-toggle=search]");
      if (!begins.checked) return begins.addEventListener("change", () => this.postMessage(message), {once: true});
      for (const {location, title, text} of message.data.docs) {
        this.#docs.set(location, {title, text});
        for (const word of wordsOf(`${title} ${text.replace(/<[^>]*>/g, " ")}`)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
      }
    }
    if (message.type !== 2) return super.postMessage(message);
    const question = message.data, typed = question.split(/[\s\-,:;()?!]+/).filter(Boolean);
    const own = typed.filter((word) => !QUIET.has(word.toLowerCase())), words = own.length ? own : typed;
    if (/[+^~*"]|(^|\s)-/.test(question) || !words.length) return this.#ask({question, words: [], meant: [], others: []});
    const all = (words) => words.map((word) => `+${word.replace(ENDING, "")}* ${word}^8`).join(" ");
    const corrected = words.map((word) => this.#nearest(word.toLowerCase()) ?? word);
    const meant = String(corrected) === String(words) ? [] : corrected;
    const others = [...meant.length ? [all(meant)] : [], words.join(" "), words.map((word) => `${word}~1`).join(" ")];
    this.#ask({question: all(words), words, meant, others});
  }
  // The best sentence of a section, or of a page with its sections, and then which of these it is from.
  #sentence(location, words) {
    const parts = location.includes("#") ? [location] : [...this.#docs.keys()].filter((each) => each.split("#")[0] === location);
    const found = parts.map((part) => [part, ...sentenceOf(this.#docs.get(part).text, words)]);
    const [part, sentence] = found.reduce((best, each) => each[2] > best[2] ? each : best);
    return part === location ? sentence : `<em>${this.#docs.get(part).title}:</em> ${sentence}`;
  }
  #ask(asked) {
    this.#asked.push(asked);
    super.postMessage({type: 2, data: asked.question});
  }
  // The word that is known and takes the fewest letters, where none begins as this one does.
  #nearest(word) {
    if (word.length < 4 || [...this.#counts.keys()].some((each) => each.startsWith(word.replace(ENDING, "")))) return;
    const most = word.length < 6 ? 1 : 2;
    const near = [...this.#counts].filter(([each, count]) => count > 2 && Math.abs(each.length - word.length) <= most)
      .map(([each, count]) => [distance(word, each) - count / 1e6, each]).sort(([a], [b]) => a - b)[0];
    return near && near[0] <= most ? near[1] : undefined;
  }
  #propose(words) {
    document.querySelector(".did-you-mean")?.remove();
    if (!words.length) return;
    const input = document.querySelector(".md-search__input"), line = document.createElement("p"), button = document.createElement("button");
    line.className = "did-you-mean";
    button.type = "button";
    button.textContent = words.join(" ");
    button.onclick = () => {
      input.value = button.textContent;
      input.dispatchEvent(new Event("keyup", {bubbles: true}));
      input.focus();
    };
    button.onkeydown = (event) => {  // which the theme would take for the search
      if (event.key === "Enter" || event.key === " ") button.click();
      if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
    };
    line.append("Did you mean: ", button, "?");
    document.querySelector(".md-search-result__meta").after(line);
  }
};

// From what is typed, Tab leads to what it may mean, where the theme would end the search.
document.addEventListener("keydown", (event) => {
  const button = document.querySelector(".did-you-mean button");
  if (event.key !== "Tab" || event.shiftKey || !button || !document.activeElement.matches(".md-search__input")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  button.focus();
}, true);
