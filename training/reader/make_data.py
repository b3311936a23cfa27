"""Turns the public sources into training examples: left-out articles dropped, near misses, hard negatives and chats made.

    python make_data.py --data DIR --eval DIR --base DIR --out DIR

--data: train.jsonl.xz, nli.jsonl.xz. --eval: squad2/ and clapnq/, read only to know which paragraphs to leave out.
Beside them: written.txt, questions written for this reader about passages of train.jsonl.xz.
An example: q question, c index of its passage, s answer spans, a answerable 0/1, r relevant 0/1 (-1: not said),
n entailment class (-1: not an entailment example), k how it was made. Pairs of kind soft-… have no label at all: the
teachers read them, and the student learns what they say.
"""
import argparse, collections, hashlib, json, lzma, pathlib, random, re, struct
import numpy as np
import chat as chats
import details
from balance import balanced
from near_misses import cut_answer, near_miss

WORD = re.compile(r"\w+")
EDITED = {  # share of a source's answerable questions that get a near miss beside them
    "squad1-train": 1.0, "squad1-mrqa": 1.0, "squadshifts-wiki": 1.0, "xquad-en": 1.0, "squad2-devhalf": 1.0, "nq-oracle": 0.7,
    "qed": 0.7, "quoref-contrast": 0.6, "timeqa": 0.6, "covid-qa": 0.6, "squadshifts-reddit": 0.5, "squadshifts-amazon": 0.5,
    "friendsqa": 0.4, "qamr": 0.25, "nq-swap": 0.4, "clapnq-devhalf": 0.5, "tweetqa": 0.3,
}
REPEATED = {"squad2-devhalf": 3, "squad2-train": 3, "clapnq-devhalf": 6, "disfl-qa": 2}  # people's own near misses are few
WRITTEN = 2  # times that each written question counts
MEASURING = "0"  # written questions about passages whose mark begins so are not trained on: they measure
THINNED = {"qamr": 0.5, "qamr-neg": 0.5, "policyqa": 0.5, "policyqa-neg": 0.5}  # large, noisy, and far from what is asked of a memory
TWICE = {"squad1-train", "squad1-mrqa", "squadshifts-wiki", "xquad-en", "squad2-devhalf"}  # two near misses a question
NATURAL = {"nq-oracle", "qed", "clapnq-devhalf", "nq-swap"}  # asked by people who had not seen the passage
DETAILED = ("squad1-train", "squad1-mrqa", "squadshifts-wiki", "squad2-devhalf", "nq-oracle", "squadshifts-reddit", "squadshifts-amazon",
            "timeqa", "quoref-contrast", "covid-qa", "qamr", "nq-swap", "xquad-en", "squad2-train", "policyqa", "tweetqa")
NLI = {"supported": 0, "not": 1, "contradicted": 2}


def shingles(text, n=8):
    words = [w.lower() for w in WORD.findall(text)]
    return {hash(tuple(words[i:i + n])) for i in range(len(words) - n + 1)}


def left_out(evaluation, named):
    """Shingles of every paragraph that measures."""
    marks = set()
    for line in open(evaluation / "squad2" / "paragraphs.jsonl"):
        p = json.loads(line)
        if p["title"] in named["squad2"]:
            marks |= shingles(p["text"])
    for line in open(evaluation / "clapnq" / "passages.jsonl"):
        p = json.loads(line)
        if p["title"] in named["clapnq"]:
            marks |= shingles(p["text"])
    return marks


def word_neighbours(base):
    """word → words of the same kind, from the base model's own word vectors: near, but not synonyms or inflections."""
    with open(base / "model.fp16.safetensors", "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        entry = header["embeddings.word_embeddings.weight"]
        file.seek(8 + size + entry["data_offsets"][0])
        table = np.frombuffer(file.read(entry["data_offsets"][1] - entry["data_offsets"][0]), np.float16).reshape(entry["shape"])
    vocabulary = json.load(open(base / "tokenizer.json"))["model"]["vocab"]
    words = [w for w in vocabulary if w.isalpha() and w.isascii() and len(w) >= 4][:16000]
    vectors = table[[vocabulary[w] for w in words]].astype(np.float32)
    vectors -= vectors.mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    endings = [w[-3:] if w.endswith("ing") else w[-2:] if w.endswith("ed") else "s" if w.endswith("s") else "" for w in words]
    found = {}
    for at in range(0, len(words), 2000):
        near = vectors[at:at + 2000] @ vectors.T
        for i, row in enumerate(near):
            word = words[at + i]
            best = np.argpartition(-row, 24)[:24]
            same = [words[j] for j in best if 0.27 < row[j] < 0.43 and words[j][:4] != word[:4] and endings[j] == endings[at + i]]
            if same:
                found[word] = same
    return found


class Bm25:
    def __init__(self, texts):
        self.size = len(texts)
        postings = collections.defaultdict(lambda: ([], []))
        lengths = []
        for i, text in enumerate(texts):
            counts = collections.Counter(w.lower()[:8] for w in WORD.findall(text))
            lengths.append(sum(counts.values()))
            for word, count in counts.items():
                postings[word][0].append(i)
                postings[word][1].append(count)
        lengths = np.array(lengths, np.float32)
        mean = max(1.0, float(lengths.mean()))
        self.index = {}
        for word, (ids, counts) in postings.items():
            if len(ids) > 0.2 * self.size and self.size > 50:
                continue
            ids, counts = np.array(ids), np.array(counts, np.float32)
            idf = np.log(1 + (self.size - len(ids) + 0.5) / (len(ids) + 0.5))
            self.index[word] = ids, idf * counts * 2.2 / (counts + 1.2 * (0.25 + 0.75 * lengths[ids] / mean))

    def best(self, question, k):
        scores = np.zeros(self.size, np.float32)
        for word in {w.lower()[:8] for w in WORD.findall(question)}:
            if word in self.index:
                ids, weights = self.index[word]
                scores[ids] += weights
        k = min(k, self.size - 1)
        top = np.argpartition(-scores, k)[:k]
        return [int(i) for i in top[np.argsort(-scores[top])] if scores[i] > 0]


def written(file):
    """The questions of written.txt by their passage's mark: [(question, answer or None)]."""
    asked, mark = {}, None
    for line in open(file, encoding="utf8"):
        line = line.rstrip("\n")
        if line.startswith("#"):
            mark = line[1:]
            asked.setdefault(mark, [])
        elif line.startswith("+ "):
            question, _, answer = line[2:].rpartition(" = ")
            asked[mark].append((question, answer))
        elif line.startswith("- "):
            asked[mark].append((line[2:], None))
    return asked


def mark_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def places_of(answer, text):
    """Where the answer's words stand, whatever white space is between them."""
    return [list(m.span()) for m in re.finditer(r"\s+".join(map(re.escape, answer.split())), text)]


def sane(row):
    """nq-swap holds passages that are one name over and over."""
    words = row["context"].lower().split()
    return len(words) < 8 or len(set(words)) > 0.25 * len(words)


def main():
    parser = argparse.ArgumentParser()
    for name in ("data", "eval", "base", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    named = json.load(open(pathlib.Path(__file__).parent / "articles.json"))["left_out"]
    marks = left_out(args.eval, named)

    contexts, number, outside = [], {}, {}

    def context_id(text):
        if text not in number:
            number[text] = len(contexts)
            contexts.append(text)
        return number[text]

    def measures(text):
        if text not in outside:
            outside[text] = len(shingles(text) & marks) >= 2
        return outside[text]

    rows, dropped = [], collections.Counter()
    for line in lzma.open(args.data / "train.jsonl.xz", "rt"):
        row = json.loads(line)
        if measures(row["context"]):
            dropped[row["source"]] += 1
        elif sane(row):
            rows.append(row)
    print("left out:", dict(dropped))
    made = []

    def add(question, text, spans, answerable, relevant, kind, entails=-1):
        made.append({"q": question, "c": context_id(text), "s": spans[:4], "a": answerable, "r": relevant, "n": entails, "k": kind})

    def keep(examples):
        for e in examples:
            add(e["q"], e["text"], [list(s) for s in e["s"]], e["a"], e["r"], e["k"])

    by_source, pools = collections.defaultdict(list), collections.defaultdict(dict)
    for row in rows:
        source = row["source"]
        family = re.sub(r"-(swap)?neg$", "", source)
        pools[family][row["context"]] = None
        spans = [[a["start"], a["start"] + len(a["text"])] for a in row["answers"]] if row["answerable"] else []
        relevant = 0 if source.endswith("-neg") else 1
        if rng.random() > THINNED.get(source, 1):
            continue
        for _ in range(REPEATED.get(source, 1)):
            add(row["question"], row["context"], spans, int(row["answerable"]), relevant, source)
        if row["answerable"]:
            by_source[family].append(row)

    by_mark = {mark_of(t): t for pool in pools.values() for t in pool}
    asked = [(question, by_mark[mark], answer) for mark, asks in written(pathlib.Path(__file__).parent / "written.txt").items()
             if mark in by_mark for question, answer in asks]
    measuring = []
    for at in balanced([(question, text, answer is not None) for question, text, answer in asked], rng):
        question, text, answer = asked[at]
        spans = places_of(answer, text) if answer else []
        if mark_of(text).startswith(MEASURING):
            measuring.append({"question": question, "passage": text, "answerable": bool(spans)})
        else:
            for _ in range(WRITTEN):
                add(question, text, spans, int(bool(spans)), 1, "written")

    neighbours = word_neighbours(args.base)
    print("words with neighbours:", len(neighbours))
    everything = [t for pool in pools.values() for t in pool]
    for source, share in EDITED.items():
        for row in by_source[source]:
            if rng.random() > share:
                continue
            edits = {near_miss(row["question"], row["context"], row["answers"], rng.choice(everything), neighbours, rng)
                     for _ in range(2 if source in TWICE else 1)}
            for edited in sorted(e for e in edits if e):
                add(edited[0], row["context"], [], 0, 1, "edit-" + edited[1])
            for _ in range(4 if source in TWICE else 2):
                edited = near_miss(row["question"], row["context"], row["answers"], rng.choice(everything), neighbours, rng)
                if edited and edited not in edits:
                    edits.add(edited)
                    add(edited[0], row["context"], [], -1, -1, "soft-edit")
            if source in TWICE and rng.random() < 0.12:
                other = details.besides(row["question"], row["answers"], rng)
                if other:
                    at = row["context"].find(other[1], row["answers"][0]["start"]) if other[1] else -1
                    add(other[0], row["context"], [[at, at + len(other[1])]] if other[1] else [], int(bool(other[1])), 1, "besides")
            if rng.random() < (0.6 if source in NATURAL else 0.35):
                shorter = cut_answer(row["context"], row["answers"])
                if shorter:
                    add(row["question"], shorter, [], 0, 1, "cut")

    for source in DETAILED:
        for text in pools[source]:
            keep(details.of_events(text, rng, limit=3))
            keep(details.of_events(text, rng, limit=3))
            keep(details.of_reasons(text, rng))
    # The same question asked another way, answerable or not.
    for e in rng.sample(made, len(made) // 12):
        frame = details.framed(e["q"], rng)
        if frame:
            made.append({**e, "q": frame})

    # The question against the passages that search would bring up for it.
    for source, pool in pools.items():
        texts = list(pool)
        if len(texts) < 60 or source == "sgd-slotqa":
            continue
        index = Bm25(texts)
        asked = [r for r in by_source[source]]
        rng.shuffle(asked)
        share = {"qamr": 0.25, "policyqa": 0.15, "molweni": 0.2}.get(source, 0.75)
        for row in asked[:int(share * len(asked))]:
            answers = [a["text"].lower() for a in row["answers"]]
            found = [i for i in index.best(row["question"], 8) if texts[i] != row["context"] and not any(a in texts[i].lower() for a in answers)]
            for i in rng.sample(found, min(len(found), 2)):
                add(row["question"], texts[i], [], -1, -1, "soft-found")
            if found:
                add(row["question"], texts[found[0] if rng.random() < 0.6 else rng.choice(found)], [], 0, 0, "hard")
    for _ in range(15000):
        row = rng.choice(rows)
        add(row["question"], rng.choice(everything), [], 0, 0, "random")

    people = []
    for source in ("squadshifts-reddit", "squadshifts-amazon", "tweetqa", "squad1-train", "squad1-mrqa", "squadshifts-wiki", "nq-oracle",
                   "timeqa", "quoref-contrast", "qamr", "squad2-devhalf", "qed"):
        told = {}
        for row in by_source[source]:
            mono = chats.monologue(row, rng)
            if mono and mono["sentences"]:
                key = mono["sentences"][0]
                if key in told:
                    told[key]["asks"] += mono["asks"]
                else:
                    told[key] = mono
        people += [(source, m) for m in told.values()]
    rng.shuffle(people)
    print("first-person texts:", dict(collections.Counter(s for s, _ in people)))

    for _ in range(2):
        partners = people[:]
        rng.shuffle(partners)
        for (_, one), (_, two) in zip(people, partners):
            if one is not two:
                talk = chats.Chat(one, two, rng)
                keep(chats.examples_of(talk, one, rng))
                for again in (one, one, two, two):
                    keep(details.of_deeds(talk if again is one else chats.Chat(two, one, rng), again, rng, limit=4))
    for row in by_source["friendsqa"]:
        keep(chats.scene_examples(row, rng))
    for text in list(pools["sgd-slotqa"])[::2]:
        keep(chats.service_examples(text, rng))

    # What search would bring up among everybody's chats, for a question about one of them.
    talks = [e for e in made if e["k"].startswith("chat")]
    windows = sorted({e["c"] for e in talks})
    index = Bm25([contexts[c] for c in windows])
    for e in rng.sample(talks, min(len(talks), 25000)):
        found = [i for i in index.best(e["q"], 10) if windows[i] != e["c"]]
        for i in rng.sample(found, min(len(found), 2)):
            add(e["q"], contexts[windows[i]], [], -1, -1, "soft-chat")

    for line in lzma.open(args.data / "nli.jsonl.xz", "rt"):
        row = json.loads(line)
        # fever-rte does not tell "not" from "contradicted"; it is read as "not".
        if not measures(row["context"]):
            add(row["claim"], row["context"], [], -1, -1, "nli", NLI[row["label"]])

    rng.shuffle(made)
    args.out.mkdir(parents=True, exist_ok=True)
    for name, items in (("contexts", contexts), ("examples", made), ("measuring", measuring)):
        with lzma.open(args.out / f"{name}.jsonl.xz", "wt", preset=3) as file:
            for item in items:
                file.write(json.dumps(item, ensure_ascii=False) + "\n")
    print(len(made), "examples,", len(contexts), "passages")
    kinds = collections.Counter((re.sub(r"^(squad|nq|qamr|cov|pol|tweet|ropes|xq|qed|quo|mol|friends|sgd|time|disfl|clap).*?(-(swap)?neg)?$", r"own\2", e["k"]), e["a"], e["r"]) for e in made)
    for kind, count in sorted(kinds.items()):
        print(" ", kind, count)


if __name__ == "__main__":
    main()
