"""Draws the translation on the site's first page, from what a trained model says of it:

./run translate attention "The small black cat does not see the old house." --json | python3 docs/site/translation.py

Words above and below, and between them how much each French word looked at each English one (the mean of the last layer's
heads while it was written).
"""
import json
import sys
from html import escape

FONT, GAP, TOP, BOTTOM, MARGIN = 19, 16, 34, 190, 12


def places(words):
    """The middle of each word on its line, and the width of the line."""
    middles, x = [], MARGIN
    for word in words:
        width = 0.56 * FONT * len(word)
        middles.append(x + width / 2)
        x += width + GAP
    return middles, x - GAP + MARGIN


def main():
    search = json.load(sys.stdin)["search"]
    said = [word for word in search["words"] if word["word"] != "⏎"]
    source, target = search["source_words"][:-1], [word["word"] for word in said]
    (above, wide), (below, wide_below) = places(source), places(target)
    width = max(wide, wide_below)
    above = [x + (width - wide) / 2 for x in above]
    below = [x + (width - wide_below) / 2 for x in below]
    label = f"{search['sentence']} → {search['translation']}"
    print(f'<svg xmlns="http://www.w3.org/2000/svg" class="gradual translation" viewBox="0 0 {width:.0f} {BOTTOM + 34}" '
          f'role="img" aria-label="{escape(label)}">')
    print("<style>.translation{--t-ink:var(--gradual-ink,#1d2333);--t-weight:var(--gradual-weight,#173ea5)}"
          "@media(prefers-color-scheme:dark){.translation{--t-ink:var(--gradual-ink,#e6e9f0);"
          "--t-weight:var(--gradual-weight,#8fb8ff)}}</style>")
    print('<g fill="none" stroke="var(--t-weight)" stroke-linecap="round">')
    middle = (TOP + BOTTOM) / 2
    for word, x2 in zip(said, below):
        for weight, x1 in zip(word["attention"], above):
            if weight >= 0.05:
                print(f'<path d="M{x1:.1f} {TOP + 12}C{x1:.1f} {middle} {x2:.1f} {middle} {x2:.1f} {BOTTOM - 18}" '
                      f'stroke-width="{1 + 5 * weight:.1f}" stroke-opacity="{0.15 + 0.7 * weight:.2f}"/>')
    print("</g>")
    print(f'<g font-family="system-ui,sans-serif" font-size="{FONT}" text-anchor="middle" fill="var(--t-ink)">')
    for words, middles, y in ((source, above, TOP), (target, below, BOTTOM + 6)):
        for word, x in zip(words, middles):
            print(f'<text x="{x:.1f}" y="{y}">{escape(word)}</text>')
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
