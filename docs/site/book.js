// What moves and answers in the book's chapters. All numbers were computed by the chapters' cells: the pictures hold one
// frame for each place of their sliders, and an answer is compared with what the solution's cell prints.

const place = (tag, parent, properties = {}) => parent.appendChild(Object.assign(document.createElement(tag), properties));

// ---- pictures with sliders ----

// The frames that a picture holds. Something that computes a frame when it is asked for one can take their place.
function storedFrames(picture) {
  const frames = [...picture.querySelectorAll(":scope > .frame")];
  return index => frames.forEach((frame, i) => (i === index ? frame.removeAttribute("display") : frame.setAttribute("display", "none")));
}

function addSliders(picture, showFrame) {
  const controls = place("div", picture.closest("figure"), {className: "sliders"});
  const sliders = [...picture.querySelectorAll("metadata.slider")].map(slider => {
    const places = slider.textContent.split("|");
    const label = place("label", controls);
    place("span", label, {textContent: slider.dataset.name});
    const input = place("input", label, {type: "range", min: 0, max: places.length - 1, step: 1, value: slider.dataset.start});
    const output = place("output", label);
    return {places, input, output};
  });
  const show = () => {
    showFrame(sliders.reduce((index, {places, input}) => index * places.length + Number(input.value), 0));
    for (const {places, input, output} of sliders) {
      output.textContent = places[input.value];
      input.setAttribute("aria-valuetext", places[input.value]);
    }
  };
  controls.addEventListener("input", show);
  show();
}

for (const picture of document.querySelectorAll("svg.moving")) addSliders(picture, storedFrames(picture));

// ---- products whose numbers open ----

function openNumbers(picture) {
  const sum = place("output", picture.closest("figure"), {className: "sum", textContent: "Point at a number of the product, tap it, or press Tab: you see its sum."});
  const cells = [...picture.querySelectorAll(".opens")];
  picture.setAttribute("role", "group");
  const open = cell => {
    const {row, column} = cell.dataset;
    for (const part of picture.querySelectorAll(".factor, .opens"))
      part.classList.toggle("lit", part === cell || part.matches(`.row${row}, .column${column}`));
    sum.textContent = cell.querySelector("title").textContent;
  };
  for (const cell of cells) {
    cell.setAttribute("tabindex", "0");
    cell.setAttribute("role", "button");
    cell.setAttribute("aria-label", cell.querySelector("title").textContent);
    for (const event of ["focus", "click", "pointerenter"]) cell.addEventListener(event, () => open(cell));
  }
}

for (const picture of document.querySelectorAll("svg.product")) openNumbers(picture);

// ---- what a chapter says of itself in comments: <!-- roles: q k v -->, <!-- answer: the weights --> ----

function commentsOf(root, word) {
  const found = [];
  const comments = document.createNodeIterator(root, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) {
    const [, name, text] = node.data.match(/^\s*(\w+):\s*(.*?)\s*$/) ?? [];
    if (name === word) found.push({node, text});
  }
  return found;
}

// ---- queries, keys and values in their colours ----

const colours = {q: "#c2410c", k: "#9333b8", v: "#0b7a53"};  // names for book.css, which has the colours of the page
const words = {q: "quer(?:y|ies)", k: "keys?", v: "values?"};

function colouredFormula(tex, roles) {
  const parts = /\\(?:text|operatorname)\{[^}]*\}|\\[a-zA-Z]+|W_[A-Za-z]|_(?:\{[^{}]*\}|\\[a-zA-Z]+|.)|[a-zA-Z]/g;
  return tex.replace(parts, part => {
    const role = part.length === 1 ? part.toLowerCase() : part.startsWith("W_") ? part[2].toLowerCase() : "";
    return roles.includes(role) ? `{\\textcolor{${colours[role]}}{${part}}}` : part;
  });
}

function colourWords(cell, roles) {
  const texts = [];
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentNode.closest(".arithmatex, code")) texts.push(walk.currentNode);
  for (const text of texts) {
    const pieces = text.data.split(new RegExp(`\\b(${roles.map(role => words[role]).join("|")})\\b`, "i"));
    text.replaceWith(...pieces.map((piece, i) => i % 2 === 0 ? piece :
      Object.assign(document.createElement("span"), {className: `role-${piece[0].toLowerCase()}`, textContent: piece})));
  }
}

for (const {text} of commentsOf(document.body, "roles")) {
  const roles = text.split(" ");
  for (const formula of document.querySelectorAll("article .arithmatex")) formula.textContent = colouredFormula(formula.textContent, roles);
  for (const cell of document.querySelectorAll("article th, article td")) colourWords(cell, roles);
}

// ---- exercises that answer ----

const numberOf = text => {
  const [above, below] = text.trim().replace(",", ".").replace("−", "-").split("/").map(Number);
  return text.trim() === "" ? NaN : below === undefined ? above : above / below;
};

// Whether a number is right to the digits that the cell printed, or to one in a hundred.
function isClose(given, printed) {
  const digits = (printed.split(".")[1] ?? "").length;
  return Math.abs(given - Number(printed)) <= Math.max(0.501 * 10 ** -digits, 0.01 * Math.abs(printed));
}

function addAnswer(comment, label) {
  let solution = comment.nextSibling;
  while (solution && solution.nodeName !== "DETAILS") solution = solution.nextSibling;
  const printed = solution?.querySelector(".language-text code")?.textContent.trim().split(/\s+/) ?? [];
  if (!printed.length || printed.some(number => Number.isNaN(Number(number)))) return;
  const form = document.createElement("form");
  form.className = "answer";
  form.noValidate = true;
  place("span", form, {textContent: `Your answer, ${label}:`});
  const inputs = printed.map((number, i) =>
    place("input", form, {type: "text", inputMode: "decimal", size: 6, ariaLabel: printed.length > 1 ? `${label}, number ${i + 1}` : label}));
  place("button", form, {type: "submit", textContent: "Check"});
  const verdict = place("output", form);
  form.addEventListener("submit", event => {
    event.preventDefault();
    const wrong = inputs.findIndex((input, i) => !isClose(numberOf(input.value), printed[i]));
    inputs.forEach((input, i) => input.setAttribute("aria-invalid", !isClose(numberOf(input.value), printed[i])));
    const given = wrong < 0 ? "" : inputs[wrong].value.trim();
    verdict.textContent = wrong < 0 ? "Right." : given === "" ? `Number ${wrong + 1} is still missing.`
      : Number.isNaN(numberOf(given)) ? `“${given}” is not a number; 0.25 and 1/4 are.` : `Not yet: look at number ${wrong + 1} again.`;
    if (wrong >= 0) inputs[wrong].focus();
  });
  solution.before(form);
}

for (const {node, text} of commentsOf(document.body, "answer")) addAnswer(node, text);
