"""Writes tests/parity/fixtures/bleu.json: translations and how sacreBLEU scores them.

    pip install sacrebleu==2.6.0
    python tests/nn/text/make_bleu_fixtures.py

Each case is scored by BLEU with every tokenisation and both cases, and by chrF2 with both cases.
"""

import json
import pathlib
import random

from sacrebleu.metrics import BLEU, CHRF

NAMED_CASES = [
    ("perfect", [("The cat sleeps.", ["The cat sleeps."]), ("A small dog eats.", ["A small dog eats."])]),
    ("one sentence", [("the the the the the the the", ["The cat is on the mat.", "There is a cat on the mat."])]),
    ("no match", [("abc def ghi jkl", ["mno pqr stu vwx"])]),
    ("empty hypotheses", [("", ["Something."]), ("", ["Anything at all, even this."])]),
    ("one empty hypothesis", [("", ["Il pleut."]), ("Il fait beau et chaud ici.", ["Il fait beau et chaud ici."])]),
    ("empty reference", [("Il pleut encore un peu.", [""]), ("Il pleut encore un peu.", ["Il pleut encore un peu."])]),
    ("too short for four words", [("Go", ["Go"]), ("Run now", ["Run now"])]),
    ("spaces alone", [("   ", ["a b c d e"]), ("a b c d\u00a0e \t ", ["a b\u2003c d e"])]),
    ("brevity", [("the cat", ["the cat sat on the mat with the other cat"]),
                 ("a dog runs in the", ["a dog runs in the large green park today"])]),
    ("longer than the references", [("the cat sat on the mat and then it sat there again", ["the cat sat on the mat"])]),
    ("smoothing twice", [("a b x c d y a b z", ["a b q c d r a b s t"])]),
    ("numbers", [("It costs $1,000.5, or 3.14% of 10-20.", ["It costs $1,000.50 or 3.14 % of 10 - 20."]),
                 ("In 1999-2000, 5.5. and .5 were 1,5", ["In 1999 - 2000, 5.5 and .5 were 1,5."])]),
    ("punctuation", [("\"Well...\" he said -- (twice!), 'why'? [a/b] {c} ~ ^ ` | \\ # @ * + = < > _",
                      ["\"Well\" ... he said - (twice!) , 'why' ? [a / b] {c} ~ ^ ` | \\ # @ * + = < > _"]),
                     ("...a.. ,b,, .,.", [". .. a . , b, ., ."])]),
    ("entities", [("Q&amp;A &lt;b&gt; &quot;x&quot; &amp;lt; AT&T", ["Q&A <b> \"x\" &lt; AT & T"]),
                  ("a <skipped> b c", ["a b c d"])]),
    ("hyphen before a line end", [("a hyphen-\nated word\nhere now", ["a hyphenated word here now"])]),
    ("unicode", [("L\u2019\u00e9l\u00e8ve \u00ab na\u00efve \u00bb a d\u00e9j\u00e0 vu l'\u00c9cole\u2026",
                  ["L'\u00e9l\u00e8ve \u00ab na\u00efve \u00bb a d\u00e9j\u00e0 vu l'\u00e9cole..."]),
                 ("\u041f\u0440\u0438\u0432\u0435\u0442, \u041c\u0418\u0420! \u0393\u03b5\u03b9\u03ac \u03a3\u03bf\u03c5",
                  ["\u043f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440! \u03b3\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5"]),
                 ("\u6f22\u5b57 \U0001f642 e\u0301t\u00e9", ["\u6f22\u5b57 \U0001f642\U0001f642 \u00e9t\u00e9"]),
                 ("\u0130stanbul \u0141\u00d3D\u0179 \u0178", ["i\u0307stanbul \u0142\u00f3d\u017a \u00ff"])]),
    ("several references", [("the old man has a red car", ["the old man owns a red car", "the man has an old red car",
                                                          "an old man has one red car"]),
                            ("he sees it", ["he sees her now", "he sees"]),
                            ("a b c d e f", ["a b c d", "e f g h i j k l", "a b c d e f g h"])]),
    ("a varying number of references", [("the old man has a red car", ["the old man owns a red car"]),
                                        ("he sees it there", ["he sees it here", "she sees it there", "there"])]),
    ("capitals of many scripts", [("\u1e9e \u0218\u021a VI\u1ec6T NAM \u01a0\u01af \u0531\u0532 \uff21 \u1f08 \U00010400",
                                   ["\u00df \u0219\u021b vi\u1ec7t nam \u01a1\u01b0 \u0561\u0562 \uff41 \u1f00 \U00010428"]),
                                  ("\u039f\u0394\u039f\u03a3 \u03a3 \u0386\u0388 \u03a3\u0391\u03a3'",
                                   ["\u03bf\u03b4\u03bf\u03c2 \u03c3 \u03ac\u03ad \u03c3\u03b1\u03c2'"])]),
]

WORDS = ("the a man woman cat sees Eats eats 1,000.5 3.5 , . ; ! ? caf\u00e9 \u00c9cole \u00e9cole l' d' - \" ( ) "
         "house-boat don't U.S. x").split()


def spoil(rng, words):
    """A translation like `words`: some words lost, swapped, repeated or replaced."""
    spoilt = []
    for word in words:
        chance = rng.random()
        if chance < 0.08:
            continue
        spoilt.append(rng.choice(WORDS) if chance < 0.2 else word)
        if chance > 0.95:
            spoilt.append(word)
    if len(spoilt) > 2 and rng.random() < 0.3:
        i = rng.randrange(len(spoilt) - 1)
        spoilt[i], spoilt[i + 1] = spoilt[i + 1], spoilt[i]
    return spoilt


def random_case(seed):
    rng = random.Random(seed)
    sentences = []
    for _ in range(rng.randint(1, 12)):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 15))]
        references = [" ".join(spoil(rng, words) if i else words) for i in range(rng.randint(1, 3))]
        sentences.append((" ".join(spoil(rng, words)), references))
    return f"random {seed}", sentences


def without_version(text):
    """The text with our name in the place of sacreBLEU's version."""
    return " ".join(part.rsplit("version:", 1)[0] + "version:gradual" if "version:" in part else part
                    for part in text.split(" "))


def score(metric, hypotheses, references):
    most = max(map(len, references))
    columns = [[refs[i] if i < len(refs) else None for refs in references] for i in range(most)]
    result = metric.corpus_score(hypotheses, columns)
    signature = str(metric.get_signature())
    entry = {"score": result.score, "signature": without_version(signature),
             "summary": without_version(result.format(signature=signature))}
    if isinstance(metric, BLEU):
        entry.update(precisions=result.precisions, brevity_penalty=result.bp, hypothesis_length=result.sys_len,
                     reference_length=result.ref_len)
    return entry


def main():
    cases = []
    for name, sentences in NAMED_CASES + [random_case(seed) for seed in range(20)]:
        hypotheses = [hypothesis for hypothesis, _ in sentences]
        references = [refs for _, refs in sentences]
        case = {"name": name, "hypotheses": hypotheses, "references": references, "bleu": [], "chrf": []}
        for lowercase in (False, True):
            for tokens in ("13a", "none", "char"):
                metric = BLEU(tokenize=tokens, lowercase=lowercase, force=True)
                case["bleu"].append({"tokens": tokens, "lowercase": lowercase, **score(metric, hypotheses, references)})
            case["chrf"].append({"lowercase": lowercase, **score(CHRF(lowercase=lowercase), hypotheses, references)})
        cases.append(case)
    path = pathlib.Path(__file__).parents[2] / "parity" / "fixtures" / "bleu.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")


if __name__ == "__main__":
    main()
