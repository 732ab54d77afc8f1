// Mathematics: arithmatex leaves TeX between \( \) or \[ \]; KaTeX sets it. An equation that is wider than its place is set
// once more in a way that breaks where a \quad parts it, or else after any sign; what cannot be broken, such as a matrix, can be
// moved by the keyboard.
for (const element of document.querySelectorAll(".arithmatex")) {
  const text = element.textContent.trim();
  const tex = text.slice(2, -2);
  const displayMode = text.startsWith("\\[");
  katex.render(tex, element, {displayMode, throwOnError: false});
  const next = element.nextSibling, sign = !displayMode && next instanceof Text && next.data.match(/^[,.;:?!)]+/);
  if (sign && element.querySelectorAll(".base").length === 1) {  // a sign behind a formula begins no line
    const short = document.createElement("span");
    short.className = "short";
    element.before(short);
    short.append(element, sign[0]);
    next.data = next.data.slice(sign[0].length);
  }
  const isTooWide = () => displayMode && element.scrollWidth > element.clientWidth + 1;
  const display = element.querySelector(".katex-display");
  if (!displayMode || !display || display.scrollWidth <= display.clientWidth + 1) continue;
  if (!tex.includes("\\begin")) {
    const whole = tex.split(/(\\q?quad)/).map((part, i) => i % 2 ? `${part}\\allowbreak ` : `{${part}}`).join("");
    element.classList.add("several-lines");
    const fits = [whole, tex].some((each) => {
      katex.render("\\displaystyle " + each, element, {throwOnError: false});
      return !isTooWide();
    });
    if (fits) continue;
    element.classList.remove("several-lines");
    katex.render(tex, element, {displayMode, throwOnError: false});
  }
  Object.assign(element.querySelector(".katex-display"), {tabIndex: 0, role: "region", ariaLabel: "equation"});
}

// A figure is drawn in its own size, for its words to be readable. Where that is too wide it is shown whole at first; its own size
// is offered where it is noticeably larger.
const noticeably = 1.15;
const figures = [...document.querySelectorAll("figure.picture")];
for (const figure of figures) {
  const svg = figure.querySelector("svg");
  if (!svg || !svg.hasAttribute("width")) continue;
  if (!svg.hasAttribute("viewBox"))
    svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
  const button = figure.appendChild(document.createElement("button"));
  button.type = "button";
  const show = (whole) => {
    figure.classList.toggle("whole", whole);
    button.textContent = whole ? "show in its own size" : "show it whole";
    if (whole) figure.removeAttribute("tabindex");
    else figure.tabIndex = 0;  // for the keyboard to move it
  };
  button.onclick = () => show(!figure.classList.contains("whole"));
  const fit = () => {
    const larger = +svg.getAttribute("width") / (figure.clientWidth - 2 * parseFloat(getComputedStyle(figure).paddingLeft));
    const isWide = larger > noticeably;
    figure.classList.toggle("wide", isWide);
    if (larger > 1 && (!isWide || !button.textContent)) show(true);
    if (larger <= 1) { figure.classList.remove("whole"); button.textContent = ""; figure.removeAttribute("tabindex"); }
  };
  fit();
  addEventListener("resize", fit);
}

// What has to be moved sideways can be, by the keyboard too. The theme takes that back where it sees no pointer.
const moved = (blocks) => {
  for (const block of document.querySelectorAll(blocks)) {
    const reach = () => {
      if (block.scrollWidth > block.clientWidth && block.tabIndex < 0) block.tabIndex = 0;
    };
    reach();
    document.fonts.addEventListener("loadingdone", reach);  // letters wider than those that stood in for them
    addEventListener("resize", reach);
    new MutationObserver(reach).observe(block, {attributes: true, attributeFilter: ["tabindex"]});
  }
};
moved("pre > code, .fragment, .memproto, .katex-display");
addEventListener("load", () => moved(".md-typeset__scrollwrap"));  // which the theme puts around tables

// What the theme leaves without a name for those who listen.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
