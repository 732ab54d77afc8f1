#!/usr/bin/env python3
"""`translate` in a terminal of 60 columns: terminal_test.py <translate> <folder for a model>.

Each check is a sentence; the first that fails ends the test.
"""
import os
import re
import shutil
import sys

from terminal import Terminal

program, folder = sys.argv[1:]
COLUMNS = 60


def terminal_of(*arguments, **environment):
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "GRADUAL_COMMAND")}
    return Terminal([program, *arguments], COLUMNS, {**inherited, **environment})


def without_colour(shown):
    """The words of what a terminal shows, with one space between any two."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown).split())


def check(sentence, holds, found=""):
    print("- " + sentence, flush=True)
    if not holds:
        sys.exit(f"FAILED: {sentence}: {found!r}")


SMALL = ["--width", "32", "--feed-forward", "32", "--heads", "2", "--encoder-layers", "1", "--decoder-layers", "1",
         "--batch-tokens", "256", "--threads", "1"]
seen = terminal_of("train", *SMALL, "--steps", "500", "--out", folder).rest(240)[0].decode()
plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen)
first = plain.split("━")[0].split("─")[0]
lines = [line.rstrip("\r") for line in first.split("\n") if line.strip()]
check("the first lines fit the terminal, and break between words", all(len(line) <= COLUMNS for line in lines), lines)
whole = " ".join(lines)
check("they are whole, and tell no more than there is", " parameters learns to translate English to French from 20,000 pairs; 1 thread vocabularies of " in whole
      and whole.endswith(" marks and capitals)") and "OpenBLAS" not in plain, lines)
vocabularies = re.search(r"vocabularies of (\d+) and (\d+) words \((\d+) and (\d+) tokens, with marks and capitals\)", whole)
check("they count words, and tokens, which are more", vocabularies and int(vocabularies[1]) < int(vocabularies[3]), lines)
check("the bar is coloured", "\x1b[36m" in seen, seen[:2000])
below = re.findall(r"\n\x1b\[K(.*?)\x1b\[A", seen)
check("below the bar a sentence is translated again and again", len(below) >= 2, seen[-3000:])
widths = [len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in below]
check("it stays in its line", max(widths) <= COLUMNS, below)
for name, purpose in ("translate", "next, type sentences to translate:"), ("attention", "see what every head looks at:"), ("serve", "translate on a page:"):
    found = re.search(rf"(?m)^{purpose}\r?\ntranslate {name}(.*[^\r\n])?( \\\r?\n   )? --model {re.escape(folder)}/model.safetensors\r?$", plain)
    check(f"the end names the command {name} under what it does, as a shell reads it", found, plain[-800:])
end = [line.rstrip("\r") for line in plain[plain.index("\nloss"):plain.index("model  ")].split("\n")]
check("what is told at the end fits the terminal", all(len(line) <= COLUMNS for line in end), end)
check("it says what compositional sentences are, and what to do for more right ones",
      "compositional an adjective and a noun that training never showed together" in " ".join(plain.split())
      and "more steps get more right: --steps 2000" in plain, plain[-2000:])
check("the curves are explained in grey lines",
      "\x1b[2m  loss           how surprised it is" in seen and "smoothed labels keep it above 0.48" in " ".join(plain.split())
      and "  gradient norm  how steep the loss is" in plain, plain[-2500:])
check("the scores are explained in grey lines, where they first appear",
      seen.count("\x1b[2m  exactly right  word for word") == 1 and "\r\n  BLEU           how many runs of words" in plain and "perplexity among how many words it wavers" in " ".join(plain.split())
      and plain.index("exactly right") < plain.index("  BLEU           how many"), plain[-2000:])
check("what is right is green, what is wrong is red", "\x1b[32m✓\x1b[0m" in seen or "\x1b[31m✗\x1b[0m" in seen, seen[-3000:])

seen = terminal_of("train", *SMALL, "--steps", "50", "--out", folder + "/plain", NO_COLOR="1").rest(240)[0].decode()
check("the bar is there without colour too", "━" in seen or "─" in seen, seen)
check("with NO_COLOR there is no colour", not re.search(r"\x1b\[[0-9;]*m", seen), seen)

seen = terminal_of("train", *SMALL, "--steps", "50", "--learning-rate", "1e30", "--out", folder + "/diverged").rest(240)[0].decode()
check("below a run that diverges there is no sentence, and the next step says what is wrong",
      "the loss and its gradient must be finite" in re.sub(r"\s+", " ", seen) and "greedy" not in seen, seen[-800:])

prompt = terminal_of("translate", "--model", folder + "/model.safetensors")
seen = prompt.wait_for(b"> ")
prompt.type(b"Hello cat world!\r", 2)  # without libedit the keys stay with the terminal
seen += prompt.wait_for(b"\n> ")
prompt.type(b"\r")
empty = prompt.wait_for(b"> ").decode()
prompt.type(b"The cat sleeps.\r")
answered = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", prompt.wait_for(b"\n> ").decode())
prompt.type(b"The dog sleeps.\r")
again = prompt.wait_for(b"\n> ").decode()
prompt.type(b"THE CAT SLEEPS.\r")
loud = prompt.wait_for(b"\n> ").decode()
prompt.type(b"The cat sleeps and " * 12 + b"the dog sleeps.\r")
long = prompt.wait_for(b"\n> ").decode()
prompt.type(b"The cat sleeps\r")
unmarked = prompt.wait_for(b"\n> ").decode()
prompt.type(b"The cat sleeps\r")
unmarked_again = prompt.wait_for(b"\n> ").decode()
prompt.type(b"The cat sleps.\r")
misspelt = prompt.wait_for(b"\n> ").decode()
prompt.type(b"The Cot sleeps.\r")
name = prompt.wait_for(b"\n> ").decode()
prompt.type(b"help\r")
helped = prompt.wait_for(b"\n> ").decode()
prompt.type(b"quit\r")
ended = prompt.rest(20)
check("an empty line is asked again, not answered", "\n\r\n" not in empty and empty.count("\n") == 1, empty)
check("the first answer leads on to the attention of its sentence, on a line of its own",
      f'\n  translate attention "The cat sleeps." \\\r\n    --model {folder}/model.safetensors\r' in answered, answered)
check("the next one does not", "attention" not in again, again)
check("words that it knows in small letters are shown so", "try: The cat sleeps." in " ".join(loud.split()), loud)
check("of a sentence that is longer than all that it learnt from, that is said, and of no other",
      re.search(r"it learnt from sentences of at most about \d+ words, and this one has 51", " ".join(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", long).split()))
      and "it learnt from" not in answered, long)
check("of a sentence without a mark at its end, that is said", "the sentence ends without a full stop" in " ".join(unmarked.split()), unmarked)
check("of the next one only what to try instead is said", "try: The cat sleeps." in without_colour(unmarked_again) and "full stop" not in without_colour(unmarked_again), unmarked_again)
check("a word that it nearly knows is proposed, and so is none where small letters are all that it takes",
      'it does not know "sleps"; did you mean "sleeps"? Its guess:' in without_colour(misspelt) and "did you mean" not in without_colour(loud), misspelt)
check("but none for a name, whatever word it looks like", "did you mean" not in without_colour(name) and 'does not know "Cot"' in without_colour(name), name)
check("a word of which it is unsure stands beside the one that it would as soon have written",
      re.search(r'it is unsure of "[^"]+" \(probability \d+ %, and \d+ % for ("[^"]+"|an end)\)', without_colour(unmarked_again + long + answered)), unmarked_again + long)
check("help says once more how to begin", "Type a sentence;" in helped, helped)
check("quit ends, and is not translated", ended[0].decode().count("\n") == 1 and ended[1] == 0, ended)
plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen.decode())
check("the prompt opens with a sentence to try", re.search(r"Try: .* \(It was not trained on that\.\)", " ".join(plain.split())), plain)
check("words that it does not know are named above what it guesses", re.search(r'it does not know "Hello", "world" and "!"\. Its guess: \S', " ".join(plain.split())), plain)
check("what it says fits the terminal, but for the name of a file, which stays whole",
      all(len(line.rstrip("\r")) <= COLUMNS or line.strip() in (folder + "/source.vocabulary.txt", "all of them: " + folder + "/source.vocabulary.txt") for line in plain.split("\n")), plain)
opening = [line.rstrip("\r") for line in plain.split("\n")]
check("the prompt says how to end, and breaks no line of that",
      "Type a sentence; quit or Ctrl-D ends." in opening and "A line that ends in \\ goes on in the next one." in opening, plain)
check("it says what it does know, as many words as before training",
      re.search(rf"it knows {vocabularies[1]} words, among them: .*… all of them: \S*/source.vocabulary.txt", " ".join(plain.split())), plain)

# A model where the program looks by itself: its commands name none.
shutil.rmtree(folder + "/here", ignore_errors=True)
os.makedirs(folder + "/here/out")
shutil.copytree(folder, folder + "/here/out/toy", ignore=shutil.ignore_patterns("here", "plain", "diverged"))
program = os.path.abspath(program)
os.chdir(folder + "/here")
prompt = terminal_of("translate")
prompt.wait_for(b"> ")
prompt.type(b"The small black cat does not see the old house.\r")
answered = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", prompt.wait_for(b"\n> ").decode())
prompt.type(b"quit\r")
prompt.rest(20)
check("a command that is longer than a line goes on after a backslash only where something follows",
      '\n  translate attention "The small black cat does not see the old house."\r\n\r' in answered, answered)

seen = terminal_of("train", "--help").rest(60)[0].decode()
plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
check("the help fits the terminal", all(len(line.rstrip("\r")) <= COLUMNS for line in plain.split("\n")), plain)
check("its headings and options stand out", "\x1b[1mModel:\x1b[0m" in seen and "\x1b[36m--width N\x1b[0m" in seen, seen[:2000])
seen = terminal_of("--help", NO_COLOR="1").rest(60)[0].decode()
check("with NO_COLOR they do not", "\x1b" not in seen, seen[:2000])
check("a command that has no room for its remark stands whole below it",
      '\r\n  # makes a page\r\n  ./a/way/to/run translate attention "The small cat sleeps."\r\n' in
      terminal_of("--help", NO_COLOR="1", GRADUAL_COMMAND="./a/way/to/run translate").rest(60)[0].decode(), seen)
print("all checks passed")
