"""Tokenises the made examples once, into one small file that train.py reads.

    python pack.py --made DIR... --tokenizer tokenizer.json --out packed.npz [--skip REGEX] [--shares 0.3 1]

Passages and questions are kept once each; an example says which two it is made of and which part of the passage it sees.
"""
import argparse, json, lzma, pathlib, random, re
import numpy as np
from tokenizers import Tokenizer

LONGEST = 320


def flat(rows):
    lengths = np.array([len(r) for r in rows], np.int64)
    return np.concatenate(rows).astype(np.uint16), np.concatenate([[0], np.cumsum(lengths)])


def gather(folders, shares, skip, rng):
    """The examples of all folders whose kind does not match `skip`, or a share of them, and the contexts that these need."""
    contexts, examples = [], []
    for folder, share in zip(folders, shares or [1] * len(folders), strict=True):
        lines = (json.loads(line) for line in lzma.open(folder / "examples.jsonl.xz", "rt"))
        chosen = [one for one in lines if rng.random() < share and not (skip and re.search(skip, one["k"]))]
        # In the order they were made in, which packs best.
        number = {old: len(contexts) + new for new, old in enumerate(sorted({one["c"] for one in chosen}))}
        examples += [{**one, "c": number[one["c"]]} for one in chosen]
        texts = lzma.open(folder / "contexts.jsonl.xz", "rt")
        contexts += [json.loads(line) for at, line in enumerate(texts) if at in number]
    return contexts, examples


def packed(folders, tokenizer_file, shares=None, skip=None, seed=1):
    rng = random.Random(seed)
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    contexts, examples = gather(folders, shares, skip, rng)
    asked = {q: i for i, q in enumerate(sorted({e["q"] for e in examples}))}
    passages, offsets, questions = [], [], []
    for at in range(0, len(contexts), 4096):
        for row in tokenizer.encode_batch(contexts[at:at + 4096], add_special_tokens=False):
            passages.append(np.array(row.ids, np.uint16))
            offsets.append(np.array(row.offsets, np.int32).reshape(-1, 2))
    texts = list(asked)
    for at in range(0, len(texts), 8192):
        questions += [np.array(r.ids[:64], np.uint16) for r in tokenizer.encode_batch(texts[at:at + 8192], add_special_tokens=False)]
    kinds = sorted({e["k"] for e in examples})
    number = {k: i for i, k in enumerate(kinds)}
    rows, golds, lost = [], [], 0
    for e in examples:
        q, tokens, places = asked[e["q"]], passages[e["c"]], offsets[e["c"]]
        before = len(questions[q]) + 2
        room = LONGEST - before - 1
        spans = []
        for start, end in e["s"]:
            first = int(np.searchsorted(places[:, 1], start, side="right"))
            last = int(np.searchsorted(places[:, 0], end, side="left")) - 1
            if first <= last < len(tokens):
                spans.append((first, last))
        low = 0
        if len(tokens) > room:
            if spans:
                first, last = spans[0]
                least, most = max(0, last - room + 1), min(first, len(tokens) - room)
                low = rng.randint(least, most) if least <= most else first
            else:
                low = rng.randint(0, len(tokens) - room)
        size = min(room, len(tokens) - low)
        spans = [(a + before - low, b + before - low) for a, b in spans if a >= low and b < low + size][:4]
        if e["a"] == 1 and not spans:
            lost += 1
            continue
        gold = spans if spans else ([(0, 0)] if e["a"] == 0 else [])
        golds.append(gold + [(-1, -1)] * (4 - len(gold)))
        rows.append((q, e["c"], low, size, e["a"], e["r"], e["n"], number[e["k"]]))
    print(len(rows), "examples,", lost, "lost,", len(questions), "questions,", len(passages), "passages")
    table = np.array(rows)
    passage_tokens, passage_begins = flat(passages)
    question_tokens, question_begins = flat(questions)
    return {"passages": passage_tokens, "passage_begins": passage_begins.astype(np.int32), "questions": question_tokens,
            "question_begins": question_begins.astype(np.int32), "question": table[:, 0].astype(np.int32),
            "passage": table[:, 1].astype(np.int32), "low": table[:, 2].astype(np.uint16), "size": table[:, 3].astype(np.uint16),
            "labels": table[:, 4:7].astype(np.int8), "kind": table[:, 7].astype(np.uint8), "gold": np.array(golds, np.int16),
            "kinds": np.array(kinds)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--made", type=pathlib.Path, nargs="+", required=True)
    for name in ("tokenizer", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--shares", type=float, nargs="+", help="of the examples of each folder, so many")
    parser.add_argument("--skip", help="leave out examples whose kind matches")
    args = parser.parse_args()
    np.savez_compressed(args.out, **packed(args.made, args.tokenizer, args.shares, args.skip))
    print(args.out.stat().st_size / 1e6, "MB")


if __name__ == "__main__":
    main()
