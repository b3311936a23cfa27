"""Which written questions to train on: those where neither the wording nor the words shared with the passage give the label away.

Whoever writes questions to order has habits: what the passage answers is put in other words, what it does not answer
keeps the passage's. A reader that learns the habit reads worse than one that never saw the questions.
"""
import collections, re
import numpy as np

WORD = re.compile(r"\w+")
SIZE = 1 << 16
BINS = 24


def clues(question, passage):
    """What can be seen without understanding: the question's words and pairs (those of the passage without their meaning), how many it shares."""
    held = {w.lower()[:6] for w in WORD.findall(passage)}
    words = [w.lower() for w in WORD.findall(question)]
    shown = ["•" if w[:6] in held and len(w) > 3 else "#" if w.isdigit() else w for w in words]
    long = [w for w in words if len(w) > 3]
    share = sum(w[:6] in held for w in long) / max(1, len(long))
    seen = shown + [" ".join(pair) for pair in zip(["^"] + shown, shown + ["$"])] + [" ".join(shown[:3])]
    seen += [f"share {round(share * 10)}", f"length {min(len(words), 25) // 2}", f"new {min(6, sum(w[:6] not in held for w in long))}",
             f"typed {question[:1].islower()} {question.endswith('?')}"]
    return {hash_of(s) for s in seen}


def hash_of(text):
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 & 0xffffffff
    return value % SIZE


def guessed(clue_sets, labels, rounds=150, pull=2e-4):
    """Each label as it is guessed from the clues, by a logistic regression on the other half."""
    rows = np.repeat(np.arange(len(clue_sets)), [len(c) for c in clue_sets])
    columns = np.concatenate([np.fromiter(c, np.int64) for c in clue_sets])
    labels = np.asarray(labels, np.float64)
    half = np.arange(len(labels)) % 2
    out = np.zeros(len(labels))
    worth = np.where(labels == 1, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    for side in (0, 1):
        weights, fast = np.zeros(SIZE), np.zeros(SIZE)
        mine = (half == side) * worth / (half == side).sum()
        for _ in range(rounds):
            chance = 1 / (1 + np.exp(-np.bincount(rows, weights[columns], len(labels))))
            slope = np.bincount(columns, ((chance - labels) * mine)[rows], SIZE) + pull * weights / 100
            fast += slope ** 2
            weights -= 0.3 * slope / np.sqrt(fast + 1e-12)
        logits = np.bincount(rows, weights[columns], len(labels))
        out[half != side] = logits[half != side]
    return out


def balanced(asked, rng):
    """Of [(question, passage, is answerable)]: the places of those to train on. Among those that look alike, as many of either label."""
    looks = guessed([clues(q, p) for q, p, _ in asked], [a for _, _, a in asked])
    edges = np.quantile(looks, np.linspace(0, 1, BINS + 1)[1:-1])
    bins = collections.defaultdict(lambda: ([], []))
    for at, place in enumerate(np.searchsorted(edges, looks)):
        bins[int(place)][int(asked[at][2])].append(at)
    kept = []
    for no, yes in bins.values():
        size = min(len(no), len(yes))
        kept += rng.sample(no, size) + rng.sample(yes, size)
    return sorted(kept)
