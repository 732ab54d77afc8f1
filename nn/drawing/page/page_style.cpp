#include <gradual/nn/drawing/page/page.hpp>

namespace gradual {

// Only the system's own fonts, and one accent colour. The pictures take their colours from the same
// properties.
std::string_view page_style() {
  return R"(<style>
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
table{border-collapse:separate;border-spacing:0;width:100%;font-size:15px;overflow-wrap:break-word}
.compact .long{overflow-wrap:anywhere}
.scroll:has(>table){margin-bottom:14px}
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
.chooser input[type=range]{flex:1 1 200px;max-width:460px;accent-color:var(--accent);cursor:pointer}
.chooser output{font-variant-numeric:tabular-nums;min-width:4ch}
.words>.chooser{gap:4px}.words>.chooser>span{flex-basis:100%}
.words>.chooser button{padding:3px 8px;line-height:1.3}
.chooser small,.weighted small{display:block;font-size:11.5px;color:var(--soft);font-variant-numeric:tabular-nums}
summary small{color:var(--soft);font-weight:400}
.bars{list-style:none;margin:0 0 14px;padding:0;max-width:560px}
.bars li{display:grid;grid-template-columns:minmax(70px,150px) 1fr 58px;gap:12px;align-items:center;padding:3px 0}
.bars i{height:10px;border-radius:3px;background:var(--soft);opacity:.55;width:calc(var(--share)*100%);min-width:1px}
.bars b{font-weight:400;font-size:14px;text-align:right;font-variant-numeric:tabular-nums;color:var(--soft)}
.bars li:first-child{font-weight:600}.bars li:first-child i{background:var(--accent);opacity:1}
.weighted{display:flex;flex-wrap:wrap;gap:4px;align-items:stretch}
.label{color:var(--soft);font-size:14px;margin:14px 0 4px}
.weighted>span{position:relative;z-index:0;padding:3px 8px;line-height:1.3;text-align:center}
.weighted>span::before{content:"";position:absolute;inset:0;z-index:-1;border-radius:6px;background:var(--accent);
opacity:calc(var(--weight)*.5)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.tip{position:fixed;z-index:9;pointer-events:none;background:var(--ink);color:var(--page);font-size:13px;line-height:1.4;
padding:4px 9px;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;max-width:96vw}
@media(max-width:640px){
main{padding:24px 14px 48px}h1{font-size:25px}h2{margin-top:38px}
.wide{display:none}.narrow{display:block}.two{grid-template-columns:1fr}figure{padding:10px}
.figures{grid-template-columns:1fr 1fr}.figures div{padding:10px 14px}.figures dd{font-size:23px}
.settings{padding:8px 14px}
.chooser>span{flex-basis:100%}
.compact th,.compact td{padding:8px 0 8px 10px}.compact td:last-child,.compact th:last-child{padding-right:10px}
.compact .mark{width:26px}
.blocks thead{display:none}.blocks,.blocks tbody,.blocks tr,.blocks td{display:block}
.blocks tr{position:relative;padding:10px 14px;border-top:1px solid var(--line)}
.blocks tr:first-child{border-top:0}.blocks td{border:0;padding:2px 0}
.blocks td[data-column]::before{content:attr(data-column);display:block;color:var(--soft);font-size:12.5px;line-height:1.3}
.blocks .mark{position:absolute;right:14px;top:8px;width:auto}}
@media print{body{background:#fff}figure,table{break-inside:avoid}}
</style>)";
}

}  // namespace gradual
