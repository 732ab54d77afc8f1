#include <gradual/nn/inspect/page/page.hpp>

#include <gradual/nn/inspect/drawing/svg.hpp>

namespace gradual {
namespace {

// Only the system's own fonts, and one accent colour. The pictures take their colours from the same
// properties.
constexpr std::string_view kStyle = R"(<style>
:root{color-scheme:light dark;--ink:#1d2333;--soft:#5d6678;--line:#e2e5ec;--page:#f6f7f9;--card:#fff;--accent:#1d4ed8;
--right:#0b7a53;--wrong:#c2331a;--gradual-paper:transparent}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f0;--soft:#98a1b3;--line:#2a303d;--page:#0e1117;--card:#151922;
--accent:#86b0ff;--right:#4fd1a1;--wrong:#ff8a70}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%;
overflow-wrap:anywhere}
main{max-width:1180px;margin:0 auto;padding:40px 24px 72px}
header{margin-bottom:28px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.015em;margin:0}
header p{margin:8px 0 0;color:var(--soft)}
h2{font-size:21px;line-height:1.3;letter-spacing:-.01em;margin:48px 0 12px}
h3{font-size:15px;margin:26px 0 10px}
h4{font-size:13px;font-weight:600;color:var(--soft);margin:20px 0 8px}
p{max-width:70ch;margin:0 0 14px}
figure,.figures,.settings,table,.pictures>*{background:var(--card);border:1px solid var(--line);border-radius:10px}
figure{margin:16px 0;padding:14px}
figcaption{color:var(--soft);font-size:14px;margin-top:8px}
svg{display:block}
.scroll{overflow-x:auto;max-width:100%}
.charts figure{margin:0;min-width:0}.charts{display:grid;gap:14px;margin:14px 0}.two{grid-template-columns:1fr 1fr}
.wide svg,.narrow svg{width:100%;height:auto}
.narrow{display:none}
.pictures{display:flex;flex-wrap:wrap;gap:12px}
.pictures>*{padding:6px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));margin:0;padding:6px 0}
.figures div{padding:12px 20px;display:flex;flex-direction:column-reverse;justify-content:flex-end}
.figures dt{color:var(--soft);font-size:14px;line-height:1.35}
.figures dd{margin:0;font-size:26px;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.settings{display:grid;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));column-gap:36px;margin:0;padding:10px 20px}
.settings div{display:flex;justify-content:space-between;gap:16px;padding:7px 0;font-size:15px;
border-bottom:1px solid var(--line);margin-bottom:-1px}
.settings dt{color:var(--soft)}
.settings dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
table{border-collapse:separate;border-spacing:0;width:100%;font-size:15px}
th{text-align:left;font-size:13px;font-weight:600;color:var(--soft)}
th,td{padding:9px 14px;vertical-align:top}
td{border-top:1px solid var(--line)}
.mark{width:38px;padding-right:0;font-weight:700}
.right{color:var(--right)}.wrong{color:var(--wrong)}
.choices .choices{margin-left:18px}.scripted .choices .choices{margin:0}
summary{cursor:pointer;font-weight:600;padding:8px 0}
.chooser{display:flex;flex-wrap:wrap;align-items:center;gap:6px 10px;margin:14px 0}
.chooser>span{color:var(--soft);font-size:14px;min-width:64px}
.chooser select,.chooser button{font:inherit;font-size:15px;color:inherit;background:var(--card);border:1px solid var(--line);
border-radius:8px;padding:6px 12px;max-width:100%;cursor:pointer}
.chooser button[aria-pressed=true]{border-color:var(--accent);color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.tip{position:fixed;z-index:9;pointer-events:none;background:var(--ink);color:var(--page);font-size:13px;line-height:1.4;
padding:4px 9px;border-radius:6px;white-space:pre;max-width:96vw;overflow:hidden;text-overflow:ellipsis}
@media(max-width:640px){
main{padding:24px 14px 48px}h1{font-size:25px}h2{margin-top:38px}
.wide{display:none}.narrow{display:block}.two{grid-template-columns:1fr}figure{padding:10px}
.figures{grid-template-columns:1fr 1fr}.figures div{padding:10px 14px}.figures dd{font-size:23px}
.settings{padding:8px 14px}
.chooser>span{flex-basis:100%}
thead{display:none}table,tbody,tr,td{display:block}tr{position:relative;padding:10px 14px;border-top:1px solid var(--line)}
tr:first-child{border-top:0}td{border:0;padding:2px 0}
td[data-column]::before{content:attr(data-column);display:block;color:var(--soft);font-size:12.5px;line-height:1.3}
.mark{position:absolute;right:14px;top:8px;width:auto}}
@media print{body{background:#fff}figure,table{break-inside:avoid}}
</style>)";

// Choosers in place of the opening and closing of alternatives, and values beside the pointer at once. The
// page is whole without them.
constexpr std::string_view kScript = R"(<script>
(() => {
  document.documentElement.className = 'scripted';
  const choosers = [];
  const choose = (label, at) => choosers.filter(c => c.label === label).forEach(c => c.show(at));
  for (const group of [...document.querySelectorAll('.choices')].reverse()) {
    const parts = [...group.querySelectorAll(':scope > details')], label = group.dataset.label;
    const names = parts.map(part => part.querySelector('summary').textContent);
    const bar = document.createElement('div');
    bar.className = 'chooser';
    bar.append(Object.assign(document.createElement('span'), {textContent: label}));
    let mark;
    if (names.length <= 4 && names.join('').length < 90) {
      const buttons = names.map((name, at) => {
        const button = Object.assign(document.createElement('button'), {type: 'button', textContent: name});
        button.onclick = () => choose(label, at);
        return button;
      });
      bar.append(...buttons);
      mark = at => buttons.forEach((button, i) => button.setAttribute('aria-pressed', i === at));
    } else {
      const select = document.createElement('select');
      select.setAttribute('aria-label', label);
      select.append(...names.map(name => new Option(name)));
      select.onchange = () => choose(label, select.selectedIndex);
      bar.append(select);
      mark = at => select.selectedIndex = at;
    }
    const show = at => {
      if (at >= parts.length) return;
      mark(at);
      parts.forEach((part, i) => { part.hidden = i !== at; part.open = true; });
    };
    parts.forEach(part => part.querySelector('summary').hidden = true);
    group.prepend(bar);
    choosers.push({label, show});
    show(0);
  }

  const tip = Object.assign(document.createElement('div'), {className: 'tip', hidden: true});
  document.body.append(tip);
  const move = event => {
    const {width, height} = tip.getBoundingClientRect(), gap = 14;
    const x = Math.min(event.clientX + gap, innerWidth - width - 4);
    const y = event.clientY - height - gap;
    tip.style.left = Math.max(4, x) + 'px';
    tip.style.top = (y < 4 ? event.clientY + gap : y) + 'px';
  };
  document.addEventListener('pointerover', event => {
    const shape = event.target.closest?.('svg.gradual *');
    const title = shape?.querySelector(':scope > title');
    // The browser's own slow tip would cover ours.
    if (title) { shape.dataset.value = title.textContent; title.remove(); }
    tip.hidden = !shape?.dataset.value;
    if (tip.hidden) return;
    tip.textContent = shape.dataset.value;
    move(event);
  });
  document.addEventListener('pointermove', event => tip.hidden || move(event));
  document.addEventListener('scroll', () => tip.hidden = true, true);
})();
</script>)";

}  // namespace

std::string html_page(std::string_view title, std::string_view subtitle, const Html& content) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + escaped(title) + "</title>\n";
  html += kStyle;
  html += picture_style();
  html += "\n</head>\n<body>\n<main>\n<header><h1>" + escaped(title) + "</h1>";
  if (!subtitle.empty()) html += "<p>" + escaped(subtitle) + "</p>";
  html += "</header>\n" + content.str() + "</main>\n";
  html += kScript;
  return html + "\n</body>\n</html>\n";
}

}  // namespace gradual
