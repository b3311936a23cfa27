"""What search brings up for each LoCoMo and BEAM question: words + meaning + neighbours, the reader's input when measured.

    python candidates.py --eval DIR --base DIR --out FILE.json.gz

--base holds the service's embedding model before quantisation (model.fp16.safetensors, tokenizer.json).
"""
import argparse, collections, gzip, json, pathlib, re
import numpy as np
import torch
from tokenizers import Tokenizer
from model import load_base

WORD = re.compile(r"[a-z0-9]+")
STOP = set("a an and are as at be but by for from had has have he her his i in is it its me my of on or our she so that the their "
           "them they this to was we were what when where which who why how will with you your did do does".split())


def stem(word):
    for ending in ("ations", "ation", "ingly", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[:-len(ending)] + ("y" if ending == "ies" else "")
    return word


def terms(text):
    return [stem(w) for w in WORD.findall(text.lower()) if w not in STOP]


class Bm25:
    def __init__(self, texts):
        self.counts = [collections.Counter(terms(t)) for t in texts]
        self.lengths = np.array([sum(c.values()) for c in self.counts], np.float32)
        self.found = collections.defaultdict(list)
        for i, counts in enumerate(self.counts):
            for term in counts:
                self.found[term].append(i)

    def scores(self, question):
        out, mean, n = np.zeros(len(self.counts), np.float32), max(1.0, float(self.lengths.mean())), len(self.counts)
        for term in set(terms(question)):
            ids = self.found.get(term, [])
            idf = np.log(1 + (n - len(ids) + 0.5) / (len(ids) + 0.5))
            for i in ids:
                tf = self.counts[i][term]
                out[i] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * self.lengths[i] / mean))
        return out


class Embedder:
    """The embedder the service searches with: the base model, mean of its token vectors."""

    def __init__(self, folder):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = load_base(folder / "model.fp16.safetensors").to(self.device).eval()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(128)
        self.tokenizer.enable_padding()

    @torch.no_grad()
    def __call__(self, texts):
        out = np.zeros((len(texts), 384), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for at in range(0, len(order), 128):
            part = order[at:at + 128]
            rows = self.tokenizer.encode_batch([texts[i] for i in part])
            ids = torch.tensor([r.ids for r in rows], device=self.device)
            mask = torch.tensor([r.attention_mask for r in rows], device=self.device)
            hidden = self.model.encode(ids, mask, torch.zeros_like(ids))
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            out[part] = torch.nn.functional.normalize(mean, dim=1).cpu().numpy()
        return out


def scaled(scores):
    top = scores.max() if len(scores) else 0
    return scores / top if top > 0 else scores


def pieces(text, words=90):
    """A long message in pieces of about 90 words, broken at lines."""
    out, part, size = [], [], 0
    for line in text.split("\n"):
        tokens = line.split()
        while tokens:
            take, tokens = tokens[:words - size], tokens[words - size:]
            part.append(" ".join(take))
            size += len(take)
            if size >= words:
                out.append("\n".join(part))
                part, size = [], 0
    return out + (["\n".join(part)] if part else [])


def main():
    parser = argparse.ArgumentParser()
    for name in ("eval", "base", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    embed, sets = Embedder(args.base), {}
    for name, keep in (("locomo", 60), ("beam100k", 40)):
        asked = collections.defaultdict(list)
        for line in open(args.eval / name / "questions.jsonl"):
            q = json.loads(line)
            asked[q["conv_id"]].append(q)
        passages, out = [], []
        for line in open(args.eval / name / "conversations.jsonl"):
            conversation = json.loads(line)
            turns = conversation["turns"]
            units, owner = [], []
            for i, turn in enumerate(turns):
                who = turn.get("speaker") or turn["role"].capitalize()
                text = turn["text"] + (f" [shares a photo: {turn['image_caption']}]" if turn.get("image_caption") else "")
                for piece in (pieces(text) if name == "beam100k" else [text]):
                    units.append(f"{who}: {piece}")
                    owner.append(i)
            words, vectors = Bm25(units), embed(units)
            date, last = [], None
            for turn in turns:
                last = turn.get("date") or last
                date.append(last)
            base = len(passages)
            for u, unit in enumerate(units):
                i = owner[u]
                if name == "locomo":
                    low = u - 1 if u and turns[owner[u - 1]]["session"] == turns[i]["session"] else u
                    high = u + 2 if u + 1 < len(units) and turns[owner[u + 1]]["session"] == turns[i]["session"] else u + 1
                    window = "\n".join(units[low:high])
                else:
                    window = unit
                passages.append([f"{date[i]}\n{window}" if date[i] else window, f"[{date[i]}] {unit}" if date[i] else unit])
            asked_vectors = embed([q["question"] for q in asked[conversation["conv_id"]]])
            for q, vector in zip(asked[conversation["conv_id"]], asked_vectors):
                floor = words.scores(q["question"])
                fused = scaled(floor) + scaled(np.maximum(vectors @ vector, 0))
                if name == "locomo":
                    around = np.zeros_like(fused)
                    around[1:] += fused[:-1]
                    around[:-1] += fused[1:]
                    fused = fused + 0.2 * around

                def ranked(scores):
                    seen, order = {}, []
                    for u in np.argsort(-scores, kind="stable"):
                        if owner[u] not in seen:
                            seen[owner[u]] = True
                            order.append(int(u))
                        if len(order) >= keep:
                            break
                    return order

                top = ranked(fused)
                out.append({"id": q["id"], "q": q["question"], "category": q["category"], "answerable": q["answerable"], "max": float(floor.max()),
                            "evidence": [i for i, t in enumerate(turns) if t["id"] in set(q["evidence"])],
                            "floor": [owner[u] for u in ranked(floor)[:20]], "turns": [owner[u] for u in top],
                            "passages": [base + u for u in top], "fused": [round(float(fused[u]), 4) for u in top]})
        sets[name] = {"passages": passages, "questions": out}
    with gzip.open(args.out, "wt") as file:
        json.dump(sets, file)

    def recall(order, evidence, k):
        return len(set(order[:k]) & set(evidence)) / len(evidence)

    for name, s in sets.items():
        with_evidence = [q for q in s["questions"] if q["evidence"]]
        for key in ("floor", "turns"):
            print(name, key, [round(100 * float(np.mean([recall(q[key], q["evidence"], k) for q in with_evidence])), 1) for k in (5, 10, 20)])
        print(name, "ceiling", round(100 * float(np.mean([recall(q["turns"], q["evidence"], 60) for q in with_evidence])), 1))


if __name__ == "__main__":
    main()
