#!/usr/bin/env python3
"""Turns a citation graph in the form of Yang et al. 2016 (the files ind.cora.x, .tx, .allx, .y, .ty, .ally, .graph and .test.index
of https://github.com/kimiyoung/planetoid/tree/master/data) into the nodes.txt and edges.txt that `graph --cora` reads.

usage: planetoid.py FOLDER_WITH_THE_FILES FOLDER_TO_WRITE [NAME]        NAME: cora, unless you say otherwise

Needs SciPy, in whose sparse matrices the words of the papers are kept. Reading a pickle can run any code: use files that you trust.
"""
import pickle
import sys
from pathlib import Path

VALIDATION_PAPERS = 500


def read(folder, name):
    def unpickled(part):
        with open(folder / f"ind.{name}.{part}", "rb") as file:
            return pickle.load(file, encoding="latin1")

    # The papers that are tested on come last, in an order of their own; test.index says which is which.
    tested = [int(line) for line in (folder / f"ind.{name}.test.index").read_text().split()]
    known, unseen = unpickled("allx").tocsr(), unpickled("tx").tocsr()
    known_classes, unseen_classes = unpickled("ally"), unpickled("ty")
    papers = {i: (known[i], known_classes[i]) for i in range(known.shape[0])}
    papers.update({paper: (unseen[i], unseen_classes[i]) for i, paper in enumerate(tested)})
    if sorted(papers) != list(range(len(papers))):
        raise SystemExit(f"planetoid.py: {name} has papers that test.index leaves out: got {len(papers)} papers, "
                         f"the last is {max(papers)}")
    return papers, len(unpickled("y")), set(tested), unpickled("graph")


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    name = sys.argv[3] if len(sys.argv) == 4 else "cora"
    papers, trained, tested, graph = read(Path(sys.argv[1]), name)

    def split(paper):
        if paper in tested:
            return "test"
        return "train" if paper < trained else "val" if paper < trained + VALIDATION_PAPERS else "none"

    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "nodes.txt", "w") as file:
        for paper in range(len(papers)):
            words, classes = papers[paper]
            numbers = " ".join(str(word) for word in sorted(words.nonzero()[1]))
            file.write(f"{paper}\t{split(paper)}\t{list(classes).index(1)}\t{numbers}\n")
    edges = {(min(a, b), max(a, b)) for a, others in graph.items() for b in others if a != b}
    with open(out / "edges.txt", "w") as file:
        file.writelines(f"{a} {b}\n" for a, b in sorted(edges))
    print(f"{len(papers)} papers, {len(edges)} edges in {out}")


if __name__ == "__main__":
    main()
