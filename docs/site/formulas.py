"""Formulas in the headers' comments, `y_i = e^(x_i) / Σ_j e^(x_j)`, as TeX, which the site sets as it does the book's.

A formula is what can be read as operands with signs between them; what cannot stays the text that it is.
"""
import html
import re

SCRIPTS = (dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵗᵀˣʳᵏᵐ", "0123456789+-ntTxrkm")), dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₜₙₚ", "0123456789ijtnp")))
BEFORE_A_FACTOR = ")" + "".join(SCRIPTS[0]) + "".join(SCRIPTS[1])  # as in β₁m
SIGNS = {" = ": "=", " += ": r"\mathrel{+}=", " ← ": r"\leftarrow", " ↦ ": r"\mapsto", " <= ": r"\le", " >= ": r"\ge", " < ": "<", " > ": ">",
         " ≤ ": r"\le", " ≥ ": r"\ge", " ≈ ": r"\approx", " ∈ ": r"\in", " + ": "+", " - ": "-", " ⊙ ": r"\odot", " × ": r"\times",
         " / ": "/", " · ": r"\cdot", " … ": r"\dots", " | ": r"\mid", " ‖ ": r"\parallel", "·": r"\cdot ", "/": "/", "×": r"\times "}
RELATIONS = ("=", r"\mathrel{+}=", r"\leftarrow", r"\mapsto")
FUNCTIONS = ("log", "ln", "exp", "sin", "cos", "tanh", "erf", "erfc", "min", "max")
SIGN = re.compile("|".join(map(re.escape, sorted(SIGNS, key=len, reverse=True))))
LETTER = "A-Za-zΑ-ΟΡΤ-Ωα-ωℓ∞½¼"  # but signs of sums and products
WORD = re.compile(rf"[A-Za-z]{{2,}}(?:_[a-z]{{3,}})+|[{LETTER}]\u0302?[A-Za-z]*")
STOP = {"the", "of", "over", "and", "or", "for", "is", "are", "where", "with", "an"}  # which end a formula
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e(-?\d+))?")
CLOSING = {"(": ")", "[": "]", "|": "|"}


class Formula:
    """What can be read as a formula from a place of a text on: its TeX and its end, or None."""

    def __init__(self, text, begin, is_display, depth=0):
        self.text, self.at, self.is_display = text, begin, is_display
        self.signs = []  # outside of brackets
        self.is_certain = False  # a letter, a script or a sign of mathematics, not only words
        self.depth = depth  # of brackets
        self.tex = self.sum()

    def takes(self, pattern):
        match = re.compile(pattern).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def sum(self):
        """Operands with signs between them; a fraction has what is on both sides of a `/` with spaces."""
        pieces = [self.operand()]
        while pieces[-1] and (sign := SIGN.match(self.text, self.at) or self.depth and re.compile(r"[+-](?=\w\b)").match(self.text, self.at)):
            before = self.at
            words = self.text[:before].endswith(tuple("abcdefghijklmnopqrstuvwxyz")) and re.match(r"\w\w", self.text[self.at + 1:])
            if sign.group(0) == "/" and words and re.search(r"\w\w$", self.text[:before]):
                break  # a path, or one word or another
            self.at = sign.end()
            operand = self.operand()
            if not operand:
                self.at = before
                break
            self.is_certain |= sign.group(0).strip() not in ("/", "+", "-", "|", "…")
            if not self.depth:
                self.signs.append(SIGNS.get(sign.group(0), sign.group(0)))
            if sign.group(0) in "·/×":
                pieces[-1] += SIGNS[sign.group(0)] + operand
            elif sign.group(0) == " / " and self.is_display:
                pieces[-1:] = [r"\frac", f"{{{bare(pieces[-1])}}}", operand]
            else:
                pieces += [SIGNS.get(sign.group(0), sign.group(0)), operand]
        for i, piece in enumerate(pieces):
            if piece == r"\frac":
                pieces[i + 2] = f"{{{bare(pieces[i + 2])}}}"
        return " ".join(pieces) if pieces[0] else None

    def operand(self):
        before = self.at
        for pattern, tex in ((r"-(?=[^\s\d-])|-(?=\d)", "-"), ("Σ", r"\sum"), ("[∏Π]", r"\prod"), ("∂", r"\partial"), ("d(?= (?:gain|bias))", r"d\,"),
                             (rf"(?:{'|'.join(FUNCTIONS)})(?![A-Za-z(])(?=²?\s?(?:[^\W\d_](?![a-z])|[Σ∂\d]|[a-z]+\())", None)):
            match = self.takes(pattern)
            if match:
                tex = tex or rf"\{match.group(0)}" if match.group(0) != "erf" and match.group(0) != "erfc" else rf"\operatorname{{{match.group(0)}}}"
                tex += self.scripts()
                self.takes(" ")
                operand = self.operand()
                if not operand:
                    self.at = before
                    return None
                self.is_certain |= match.group(0) in "Σ∏Π∂"
                return f"{tex} {operand}"
        if self.takes("√"):
            self.is_certain = True
            operand = self.operand()
            return operand and rf"\sqrt{{{bare(operand)}}}"
        return self.atom()

    def atom(self):
        before = self.at
        if match := self.takes(r"…|\.\.\."):
            return r"\dots"
        if match := self.takes(NUMBER.pattern):
            number = match.group(0)
            if match.group(1):
                number = number.split("e")[0].removesuffix("1") + rf"10^{{{match.group(1)}}}" if number.startswith("1e") else \
                    rf"{number.split('e')[0]}\cdot 10^{{{match.group(1)}}}"
            tex = number.replace(",", "{,}") + self.scripts()
            return tex + (self.atom() or "" if re.match(r"[a-zα-ω|]\b|\|", self.text[self.at:self.at + 2]) else "")
        if match := self.takes(WORD.pattern):
            if match.group(0) in STOP:
                self.at = before
                return None
            tex = self.name(match.group(0))
        elif self.text[self.at:self.at + 1] in tuple("([|"):
            tex = self.bracket()
            if not tex:
                self.at = before
                return None
        else:
            return None
        while True:
            more = self.scripts()
            if self.text[self.at:self.at + 1] in tuple("(["):
                begin = self.at
                bracket = self.bracket()
                if not bracket:
                    self.at = begin
                more += bracket or ""
            if self.text[self.at - 1] in BEFORE_A_FACTOR and re.match(rf"[{LETTER}]", self.text[self.at:]):
                more += self.atom() or ""
            if not more:
                return tex
            tex += more

    def name(self, word):
        if len(word.replace("\u0302", "")) == 1:
            self.is_certain |= word not in "aAI"
            return rf"\hat{{{word[0]}}}" if "\u0302" in word else {"½": r"\tfrac12 ", "¼": r"\tfrac14 ", "∞": r"\infty "}.get(word, word)
        if re.fullmatch(r"d[A-Za-z]", word):
            self.is_certain |= word[1] in "wxyqkv" or word[1].isupper()
            return rf"\mathit{{{word}}}"
        word = word.replace("_", r"\_")
        return rf"\operatorname{{{word}}}" if self.text[self.at:self.at + 1] == "(" else rf"\mathrm{{{word}}}"

    def scripts(self):
        """Subscripts and superscripts, those that Unicode has among them."""
        result = ""
        while self.at < len(self.text):
            if match := self.takes(f"[{''.join(SCRIPTS[0])}]+"):
                letters = "".join(SCRIPTS[0][each] for each in match.group(0))
                result += "^" + (r"\top " if letters == "T" else f"{{{letters}}}")
            elif match := self.takes(f"[{''.join(SCRIPTS[1])}]+"):
                result += "_{" + "".join(SCRIPTS[1][each] for each in match.group(0)) + "}"
            elif match := self.takes(r"_\{([^}]*)\}"):
                inner = Formula(match.group(1), 0, False, depth=1)
                result += rf"_{{{inner.tex}}}" if inner.at == len(match.group(1)) else rf"_{{\text{{{match.group(1)}}}}}"
            elif match := self.takes(r"_(\d?[A-Za-z](?:,[a-z])*(?:\+1)?(?![A-Za-z])|\d+|[a-z]{2,}(?![A-Za-z]))"):
                sub = match.group(1) if len(match.group(1)) < 4 or not match.group(1).isalpha() else rf"\mathrm{{{match.group(1)}}}"
                result = f"{result[:-1]},{sub}}}" if re.search(r"_\{\w+\}$", result) else f"{result}_{{{sub}}}"
            elif self.takes(r"\^(?=[(\w])"):
                result += f"^{{{bare((self.bracket() if self.text[self.at] == '(' else self.atom()) or '?')}}}"
            elif match := self.takes("'+(?!s)"):
                result = match.group(0) + result
            else:
                break
            self.is_certain = True
        return result

    def bracket(self):
        """What stands in brackets: formulas with commas between them, of which some may be words."""
        begin = self.at
        opening = self.text[begin]
        closing = CLOSING[opening]
        self.at += 1
        self.depth += 1
        items = []
        while True:
            start = self.at
            item = self.sum()
            if not item or self.text[self.at:self.at + 1] not in (",", closing):
                self.at = start
                words = self.takes(r"[A-Za-z0-9 ]+(?=[,)\]])")
                if not words or opening == "|":
                    self.depth -= 1
                    return None
                item = rf"\text{{{words.group(0)}}}"
            items.append(item)
            if self.takes(re.escape(closing)):
                break
            if not self.takes(", "):
                self.depth -= 1
                return None
        self.depth -= 1
        self.is_certain |= opening == "|"
        tex = f"{opening}{', '.join(items)}{closing}"
        return (f"{{{tex}}}" if opening == "[" else tex) if opening != "|" else rf"\lvert {items[0]}\rvert "


def bare(tex):
    """A whole that stands in round brackets, without them: a fraction, a root and a power need none."""
    depth = 0
    for i, sign in enumerate(tex):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and i < len(tex) - 1:
            return tex
    return tex[1:-1] if tex.startswith("(") else tex


def formula_at(text, begin, is_display):
    """TeX, end and outer signs of the formula that begins there, if one does."""
    found = Formula(text, begin, is_display)
    words, rest = text[begin:found.at], text[found.at:]
    is_shape = re.fullmatch(r"\[[^\[\]]*\]", words)
    is_word = not found.signs and re.match(r"[^\W_]{3,}(?![\w\[])|(?:\w\w+|[ldnscjmtLDNSCJMT])'+$|[\d.,]+\w?$|-[A-Z]$|\((?!.*[·⊙+=]).*\w\w", words)
    goes_on = re.match(r"\w|[(\[+*&'-]|::|<\w", rest)
    is_formula = found.tex and (is_shape or found.is_certain and not is_word) and not goes_on and "?" not in found.tex
    return (found.tex if is_formula else None), found.at, found.signs


TOKEN = re.compile(rf"(?P<quoted>\"[^\"]*\")|(?<![\w.:/#'~)\]-])(?=[{LETTER}|\[(√ΣΠ∏∂\d-])|(?=[√Σ∏∂])")
AFTER_A_LINE = re.compile(r"[.,;:]?(?=\s*$)|[,;:](?= )|(?= (?:with|for|along|as|over|in|where|on|\())")


def set_text(text, is_first):
    """A piece of text with its formulas; one that it begins with and that says what something is has a line of its own."""
    result, at = "", 0
    while match := TOKEN.search(text, at):
        begin = match.start()
        result += html.escape(text[at:begin] + (match.group("quoted") or ""), quote=False)
        if match.group("quoted"):
            at = match.end()
            continue
        leads = is_first and not text[:begin].strip()
        tex, end, signs = formula_at(text, begin, leads)
        if leads and not (tex and not re.search(r"[=←] [a-z]{2,}$", text[begin:end]) and AFTER_A_LINE.match(text, end) and any(each in RELATIONS for each in signs)):
            leads = False
            tex, end, signs = formula_at(text, begin, False)
        if not tex:
            end = max(begin + 1, re.compile(r"[\w]*(?:\(\))?").match(text, begin).end())
            result += html.escape(text[begin:end], quote=False)
        elif leads:
            sign = AFTER_A_LINE.match(text, end)
            result += rf'<span class="arithmatex">\[{html.escape(tex, quote=False)}{sign.group(0)}\]</span>'
            end = sign.end()
        else:
            result += rf'<span class="arithmatex">\({html.escape(tex, quote=False)}\)</span>'
        at = end
    return result + html.escape(text[at:], quote=False)


def with_formulas(content, has_lines):
    """A page's content, with the formulas in what it says; where it has room for lines of their own, the leading ones in one."""
    def paragraph(match):
        pieces = re.split(r"(<(?:code|a|pre|small)\b.*?</(?:code|a|pre|small)>|<[^>]*>)", match.group(2), flags=re.DOTALL)
        pieces[::2] = [set_text(html.unescape(piece), has_lines and bool(piece.strip()) and (i == 0 or re.match("<(?:br|p)\\b", pieces[2 * i - 1]))) for i, piece in enumerate(pieces[::2])]
        return match.group(1) + re.sub(r"(?:<br\s*/?>\s*)+", "<br>", re.sub(r"^(?:\s|<br\s*/?>)*|(?:\s|<br\s*/?>)*$", "", "".join(pieces)))

    return re.sub(r'(<(?:p|dd|td class="mdescRight")(?: [^>]*)?>)(.*?)(?=</(?:p|td|dd)>)', paragraph, content, flags=re.DOTALL)
