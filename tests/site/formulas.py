"""How formulas in the headers' comments are read: what is written, and the TeX of it; what is a name of C++, and is set as code; and what
is neither, and stays as it is."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
from formulas import set_text

# What a comment begins with, and as what it is set.
SET = {
    "y_i = e^(x_i) / Σ_j e^(x_j)": r"\[y_{i} = \frac {e^{x_{i}}} {\sum_{j} e^{x_{j}}}\]",
    "y = (x - mean) / √(variance + ε) ⊙ gain + bias (Ba 2016).":
        r"\[y = \frac {x - \mathrm{mean}} {\sqrt{\mathrm{variance} + ε}} \odot \mathrm{gain} + \mathrm{bias}\] (Ba 2016).",
    "y = x·Wᵀ + b for x [..., in].": r"\[y = x\cdot W^\top  + b\] for \(x\) \({[\dots, \mathrm{in}]}\).",
    "m ← β₁m + (1 - β₁)g, then": r"\[m \leftarrow β_{1}m + (1 - β_{1})g,\] then",
    "A share 1/(1 - p) of d_k numbers [B, T, H·d_k]": r"A share \(1/(1 - p)\) of \(d_{k}\) numbers \({[B, T, H\cdot d_{k}]}\)",
    "head_i = Attention(x·W_Qᵢ)": r"\[\mathrm{head}_{i} = \operatorname{Attention}(x\cdot W_{Q,i})\]",
    "x[source of k, h] > 0": r"\(x{[\text{source of k}, h]} &gt; 0\)",
    "L = mean over the targets": r"\(L = \mathrm{mean}\) over the targets",
    "lp(Y) = ((5 + |Y|) / 6)^α": r"\[\operatorname{lp}(Y) = \left(\frac {5 + \lvert Y\rvert } {6}\right)^{α}\]",
    "The sum of a and b, with the axes of a, b and y": r"The sum of \(a\) and \(b\), with the axes of \(a\), \(b\) and \(y\)",
    "n_best hypotheses (see there), 12.5k of l'eau": "<code>n_best</code> hypotheses (see there), 12.5k of l'eau",
    "std::vector<int> of softmax, C++17 and U+0041": "<code>std::vector</code>&lt;int&gt; of softmax, C++17 and U+0041",
    "Throws std::invalid_argument for a - or a + alone": "Throws <code>std::invalid_argument</code> for a - or a + alone",
}
NONE = ("The tensors of core/elements and nn/text, one and/or more.", '"BP = 1.000"', "de du des")


def main():
    problems = []
    for written, expected in {**SET, **{each: each for each in NONE}}.items():
        found = set_text(written, True).replace('<span class="arithmatex">', "").replace("</span>", "")
        if found != expected:
            problems.append(f"{written}\n  is set as {found}\n  and not    {expected}")
    print(*problems, sep="\n")
    print(f"{len(SET) + len(NONE)} comments, {len(problems)} set wrongly")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
