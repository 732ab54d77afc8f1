"""Formulas in the headers' comments, `y_i = e^(x_i) / Σ_j e^(x_j)`, as TeX, which the site sets as it does the book's.

A formula is what can be read as operands with signs between them; what cannot stays the text that it is.
"""
import html
import re

HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵗᵀˣʳᵏᵐ", "0123456789+-ntTxrkm"))
LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₜₙₚ", "0123456789ijtnp"))
SIGNS = {" = ": "=", " += ": r"\mathrel{+}=", " ← ": r"\leftarrow", " ↦ ": r"\mapsto", " <= ": r"\le", " >= ": r"\ge", " < ": "<", " > ": ">",
         " ≤ ": r"\le", " ≥ ": r"\ge", " ≈ ": r"\approx", " ∈ ": r"\in", " + ": "+", " - ": "-", " ⊙ ": r"\odot", " × ": r"\times",
         " / ": "/", " · ": r"\cdot", " … ": r"\dots", " | ": r"\mid", " ‖ ": r"\parallel", "·": r"\cdot ", "/": "/", "×": r"\times "}
RELATIONS = {SIGNS[each] for each in (" = ", " += ", " ← ", " ↦ ", " ≈ ")}
SIGN = re.compile("|".join(map(re.escape, sorted(SIGNS, key=len, reverse=True))))
SIGN_IN_BRACKETS = re.compile(rf"{SIGN.pattern}|[+-](?=\w{{1,2}}\b)")  # as in t-1
PATH = re.compile(r"(?<=\w[a-z])/(?=\w\w)")  # or one word or another
LETTER = "A-Za-zΑ-ΟΡΤ-Ωα-ωℓ∞½¼"  # but signs of sums and products
NAMED = {"½": r"\tfrac12 ", "¼": r"\tfrac14 ", "∞": r"\infty "}
HAT = "\u0302"
WORD = rf"[A-Za-z]{{2,}}(?:_[a-z]{{2,}})+|[{LETTER}]{HAT}?[A-Za-z]*"
STOP = {"the", "of", "over", "and", "or", "for", "is", "are", "where", "with", "an"}  # which end a formula
NUMBER = r"(\d+(?:,\d{3})*(?:\.\d+)?)(?:e(-?\d+))?"
FUNCTION = r"(?:log|ln|exp|sin|cos|tanh|erfc?|min|max)(?![A-Za-z(])(?=²?\s?(?:[^\W\d_](?![a-z])|[Σ∂\d]|[a-z]+\())"  # of what follows
BEFORE = ((r"-(?=[^\s-])", "-"), ("Σ", r"\sum"), ("[∏Π]", r"\prod"), ("∂", r"\partial"), ("d(?= (?:gain|bias))", r"d\,"), (FUNCTION, ""))
CLOSING = {"(": ")", "[": "]", "|": "|"}


class Formula:
    """What can be read as a formula from a place of a text on: its TeX, or None, and where it ends."""

    def __init__(self, text, begin, is_line, depth=0):
        self.text, self.at, self.is_line = text, begin, is_line
        self.depth = depth  # of brackets
        self.signs = []  # outside of them
        self.is_certain = False  # it has a letter, a script or a sign of mathematics, not only words
        self.tex = self.sum()

    def takes(self, pattern):
        if match := re.compile(pattern).match(self.text, self.at):
            self.at = match.end()
        return match

    def next_is(self, pattern):
        return re.compile(pattern).match(self.text, self.at)

    def back_to(self, at):
        self.at = at

    def sum(self):
        """Operands with signs between them; in a line of its own, what is on both sides of a `/` with spaces is a fraction."""
        pieces = [self.operand()]
        while pieces[-1] and not PATH.match(self.text, self.at) and (sign := self.next_is(SIGN_IN_BRACKETS if self.depth else SIGN)):
            before, sign = self.at, sign.group(0)
            self.at += len(sign)
            operand = self.operand()
            if not operand:
                self.back_to(before)
                break
            tex = SIGNS.get(sign, sign)
            self.is_certain |= sign.strip() not in {"/", "+", "-", "|", "…"}
            if not self.depth:
                self.signs.append(tex)
            if sign in {"·", "/", "×"}:
                pieces[-1] += tex + operand
            elif sign == " / " and self.is_line:
                pieces[-1:] = [r"\frac", pieces[-1], operand]
            else:
                pieces += [tex, operand]
        for i, piece in enumerate(pieces):
            if piece == r"\frac":
                pieces[i + 1:i + 3] = [f"{{{bare(each)}}}" for each in pieces[i + 1:i + 3]]
        return " ".join(pieces) if pieces[0] else None

    def operand(self):
        before = self.at
        for pattern, tex in BEFORE:
            if match := self.takes(pattern):
                name = match.group(0)
                tex = (tex or (rf"\operatorname{{{name}}}" if name.startswith("erf") else rf"\{name}")) + self.scripts()
                self.takes(" ")
                operand = self.operand()
                if not operand:
                    return self.back_to(before)
                self.is_certain |= name in "ΣΠ∏∂"
                return f"{tex} {operand}"
        if self.takes("√"):
            self.is_certain = True
            operand = self.operand()
            return operand and rf"\sqrt{{{bare(operand)}}}"
        return self.atom()

    def atom(self):
        """A number, a name or what stands in brackets, with its scripts, and the brackets and letters that it is multiplied by."""
        before = self.at
        if self.takes(r"…|\.\.\."):
            return r"\dots"
        if number := self.takes(NUMBER):
            digits, power = number.group(1).replace(",", "{,}"), number.group(2)
            tex = (f"10^{{{power}}}" if digits == "1" else rf"{digits}\cdot 10^{{{power}}}") if power else digits
            tex += self.scripts()
            return tex + (self.next_is(r"[a-zα-ω]\b|\|") and self.atom() or "")
        if word := self.takes(WORD):
            if word.group(0) in STOP:
                return self.back_to(before)
            tex = self.name(word.group(0))
        else:
            tex = self.bracket(CLOSING)
        while tex:
            more = self.scripts() + (self.bracket("([") or "")
            if self.text[self.at - 1] in {")", *HIGH, *LOW} and self.next_is(f"[{LETTER}]"):  # as in β₁m
                more += self.atom() or ""
            if not more:
                break
            tex += more
        return tex

    def name(self, word):
        letters = word.replace(HAT, "")
        if len(letters) == 1:
            is_named = word in "aA" and self.next_is(r" and [bB]\b") or word == "a" and self.next_is(",")  # no article stands there
            self.is_certain |= word not in "aAI" or bool(is_named)
            return rf"\hat{{{letters}}}" if HAT in word else NAMED.get(word, word)
        if re.fullmatch(r"d[A-Za-z]", word):  # and not what French has: de, du
            self.is_certain |= word[1] in "wxyqkv" or word[1].isupper()
            return rf"\mathit{{{word}}}"
        word = word.replace("_", r"\_")
        return rf"\operatorname{{{word}}}" if self.next_is(r"\(") else rf"\mathrm{{{word}}}"

    def scripts(self):
        """Subscripts and superscripts: those of Unicode, and `_i`, `_{i, j}`, `^(…)`."""
        result = ""
        while True:
            if match := self.takes(f"[{''.join(HIGH)}]+"):
                letters = "".join(map(HIGH.get, match.group(0)))
                result += r"^\top " if letters == "T" else f"^{{{letters}}}"
            elif match := self.takes(f"[{''.join(LOW)}]+"):
                result = with_low(result, "".join(map(LOW.get, match.group(0))))
            elif match := self.takes(r"_\{([^}]*)\}"):
                inner = Formula(match.group(1), 0, False, depth=1)
                result = with_low(result, inner.tex if inner.at == len(inner.text) else rf"\text{{{inner.text}}}")
            elif match := self.takes(r"_((?:\d?[A-Za-z](?:,[a-z])*(?:\+1)?|\d+|[a-z]+)(?![A-Za-z]))"):
                word = match.group(1)
                result = with_low(result, rf"\mathrm{{{word}}}" if re.fullmatch("[a-z]{4,}", word) else word)
            elif self.takes(r"\^(?=[(\w])"):
                result += f"^{{{bare(self.bracket('(') or self.atom() or UNREAD)}}}"
            elif match := self.takes("'+(?!s)"):
                result = match.group(0) + result
            else:
                return result
            self.is_certain = True

    def bracket(self, kinds):
        """What stands in brackets of these kinds: formulas with commas between them, of which some may be words."""
        begin, opening = self.at, self.text[self.at:self.at + 1]
        if not opening or opening not in kinds:
            return None
        closing = CLOSING[opening]
        self.at += 1
        self.depth += 1
        items = []
        while not items or self.takes(", "):
            start = self.at
            item = self.sum()
            if not item or not self.next_is(f"[,{re.escape(closing)}]"):
                self.back_to(start)
                words = opening != "|" and self.takes(r"[A-Za-z0-9 ]+(?=[,)\]])")
                item = words and rf"\text{{{words.group(0)}}}"
            if not item:
                break
            items.append(item)
        self.depth -= 1
        if not item or not self.takes(re.escape(closing)):
            return self.back_to(begin)
        inside = ", ".join(items)
        if opening == "|":
            self.is_certain = True
            return rf"\lvert {inside}\rvert "
        if opening == "[":
            return f"{{[{inside}]}}"  # no line ends inside of a shape
        return rf"\left({inside}\right)" if r"\frac" in inside else f"({inside})"


UNREAD = "?"  # a power that is none


def with_low(scripts, low):
    """Scripts with one more subscript, of which there can be one."""
    return f"{scripts[:-1]},{low}}}" if re.search(r"_\{\w+\}$", scripts) else f"{scripts}_{{{low}}}"


def bare(tex):
    """A whole that stands in round brackets, without them: a fraction, a root and a power need none."""
    depth = 0
    for i, sign in enumerate(tex):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and i < len(tex) - 1:
            return tex
    if tex.startswith(r"\left("):
        return tex.removeprefix(r"\left(").removesuffix(r"\right)")
    return tex[1:-1] if tex.startswith("(") else tex


# A word alone is none, such as "softmax", "n_best", "l'", "12.5k" or "(see there)"; a shape alone is, such as [B, T, D].
SHAPE = re.compile(r"\[[^\[\]]*\]")
NONE = re.compile(r"[^\W_]{3,}(?![\w\[])|(?:\w\w+|[ldnscjmtLDNSCJMT])'+$|[\d.,]+\w?$|-[A-Z]$|[a-z]_[a-z]{4,}$|\((?!.*[·⊙+=]).*\w\w")
GOES_ON = re.compile(r"\w|[(\[+*&'-]|::|<\w")  # it is a piece of something else
BEGIN = re.compile(rf"(?P<quoted>\"[^\"]*\")|(?<![\w.:/#'~)\]-])(?=[{LETTER}|\[(√ΣΠ∏∂\d-])|(?=[√Σ∏∂])")
# What may follow on one that has a line of its own, which "L = mean over …" has not.
AFTER_A_LINE = re.compile(r"[.,;:]?(?=\s*$)|[,;:](?= )|(?= (?:with|for|along|as|over|in|where|on|\())")
ENDS_IN_A_WORD = re.compile(r".*[=←] [a-z]{2,}", re.DOTALL)


def formula_at(text, begin, is_line):
    """TeX and end of the formula that begins there, if one does; for a line of its own, one that says what something is."""
    found = Formula(text, begin, is_line)
    words = text[begin:found.at]
    is_formula = SHAPE.fullmatch(words) or found.is_certain and (found.signs or not NONE.match(words))
    is_wanted = not is_line or (RELATIONS.intersection(found.signs) and AFTER_A_LINE.match(text, found.at)
                                 and not ENDS_IN_A_WORD.fullmatch(words))
    is_read = found.tex and UNREAD not in found.tex and not GOES_ON.match(text, found.at)
    return (found.tex if is_formula and is_wanted and is_read else None), found.at


NAME = re.compile(r"(?:std::)?\w*(?:\(\))?")
IS_CODE = re.compile(r"std::\w+|[a-z]+(?:_[a-z]{2,})+(?:\(\))?")  # a name of C++, not a letter with an index

LINE, END_OF_LINE = r'<span class="arithmatex">\[', r"\]</span>"


def set_text(text, may_lead):
    """A piece of text with its formulas; one that it begins with may have a line of its own, and so may the next after it."""
    result, at = "", 0
    while match := BEGIN.search(text, at):
        begin = match.start()
        result += html.escape(text[at:begin], quote=False)
        may_lead = may_lead and not text[at:begin].strip()
        tex, end = formula_at(text, begin, True) if may_lead else (None, begin)
        if tex:
            sign = AFTER_A_LINE.match(text, end)
            result, at = f"{result}{LINE}{html.escape(tex, quote=False)}{sign.group(0)}{END_OF_LINE}", sign.end()
            continue
        may_lead = False
        tex, end = formula_at(text, begin, False)
        if tex:
            result, at = rf'{result}<span class="arithmatex">\({html.escape(tex, quote=False)}\)</span>', end
        else:
            at = match.end("quoted") if match.group("quoted") else max(begin + 1, NAME.match(text, begin).end())
            words = html.escape(text[begin:at], quote=False)
            result += f"<code>{words}</code>" if IS_CODE.fullmatch(words) else words
    return result + html.escape(text[at:], quote=False)


def with_formulas(content, has_lines):
    """A page's content, with the formulas in what it says; where it has room for lines of their own, the leading ones in one."""
    def paragraph(match):
        pieces = re.split(r"(<(?:code|a|pre|small)\b.*?</(?:code|a|pre|small)>|<[^>]*>)", match.group(2), flags=re.DOTALL)
        for i in range(0, len(pieces), 2):
            begins = i == 0 or re.match(r"<(?:br|p)\b", pieces[i - 1])
            pieces[i] = set_text(html.unescape(pieces[i]), has_lines and begins)
        lines = [each.strip() for each in re.split(r"<br\s*/?>", "".join(pieces))]
        whole = "<br>".join(filter(None, lines))
        return match.group(1) + re.sub(rf"(?<={re.escape(END_OF_LINE)})<br>|<br>(?={re.escape(LINE)})", "", whole)

    return re.sub(r'(<(?:p|dd|td class="mdescRight")(?: [^>]*)?>)(.*?)(?=</(?:p|td|dd)>)', paragraph, content, flags=re.DOTALL)
