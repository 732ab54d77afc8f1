#include <gradual/nn/drawing/svg.hpp>

namespace gradual {

std::string_view picture_style() {
  return R"(<style>
.gradual{--g-ink:var(--gradual-ink,#1d2333);--g-soft:var(--gradual-soft,#667085);--g-line:var(--gradual-line,#e2e5ec);
--g-paper:var(--gradual-paper,#fff);--g-weight:var(--gradual-weight,#173ea5);--g-0:var(--gradual-series-0,#2563eb);
--g-1:var(--gradual-series-1,#d9480f);--g-2:var(--gradual-series-2,#0f8a5f);--g-3:var(--gradual-series-3,#9333b8);
--g-4:var(--gradual-series-4,#b58105);--g-5:var(--gradual-series-5,#5b6478)}
@media(prefers-color-scheme:dark){.gradual{--g-ink:var(--gradual-ink,#e6e9f0);--g-soft:var(--gradual-soft,#98a1b3);
--g-line:var(--gradual-line,#2c3240);--g-paper:var(--gradual-paper,#151922);--g-weight:var(--gradual-weight,#8fb8ff);
--g-0:var(--gradual-series-0,#74a5ff);--g-1:var(--gradual-series-1,#ff9a5c);--g-2:var(--gradual-series-2,#4fd1a1);
--g-3:var(--gradual-series-3,#d391f0);--g-4:var(--gradual-series-4,#e8bd4a);--g-5:var(--gradual-series-5,#a9b1c3)}}
.gradual text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;fill:var(--g-ink)}
.gradual .soft{fill:var(--g-soft)}.gradual .paper{fill:var(--g-paper)}.gradual .title{font-weight:600}
.gradual .empty{fill:var(--g-soft)}.gradual .cells{fill:var(--g-weight)}.gradual .cells :hover{stroke:var(--g-ink)}
.gradual .grid{stroke:var(--g-line)}.gradual .hit{fill-opacity:0}.gradual .at circle,.gradual .at line{opacity:0}
.gradual .at:hover circle,.gradual .at:hover line{opacity:1}.gradual .at line{stroke:var(--g-soft)}
.gradual .edges{stroke:var(--g-weight)}.gradual .self{fill:var(--g-weight)}
.links:has(.query:hover) .query:not(:hover) .edges{opacity:.1}
.gradual .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.gradual .s0{stroke:var(--g-0)}.gradual .s1{stroke:var(--g-1)}.gradual .s2{stroke:var(--g-2)}
.gradual .s3{stroke:var(--g-3)}.gradual .s4{stroke:var(--g-4)}.gradual .s5{stroke:var(--g-5)}
.gradual circle.s0{fill:var(--g-0)}.gradual circle.s1{fill:var(--g-1)}.gradual circle.s2{fill:var(--g-2)}
.gradual circle.s3{fill:var(--g-3)}.gradual circle.s4{fill:var(--g-4)}.gradual circle.s5{fill:var(--g-5)}
</style>)";
}

}  // namespace gradual
