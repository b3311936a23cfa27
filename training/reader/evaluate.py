"""Measures a reader on the left-out articles, LoCoMo and BEAM.

    python evaluate.py --eval DIR [--candidates FILE] --tokenizer FILE --model reader.pt|reader.onnx [--written FILE] [--out FILE.json] [--sample N]
"""
import argparse, collections, gzip, json, lzma, pathlib, re, string, time
import numpy as np
from tokenizers import Tokenizer
from model import HEADS, load_reader

LONGEST = 384


class Scorer:
    """[(question, passage)] → answer text, its margin over "no answer", answerable and relevant logits."""

    def __init__(self, model, tokenizer, threads=0):
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(LONGEST, strategy="only_second")
        self.tokenizer.no_padding()
        if str(model).endswith(".onnx"):
            import onnxruntime
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            session = onnxruntime.InferenceSession(str(model), options)
            self.run = lambda ids, types: session.run(list(HEADS), {"input_ids": ids, "token_type_ids": types})
            self.tokens = 4096
        else:
            import torch
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            reader = load_reader(model).to(device).eval()

            @torch.no_grad()
            def run(ids, types):
                return [t.float().cpu().numpy() for t in reader(*(torch.from_numpy(x).to(device) for x in (ids, types)))]

            self.run, self.tokens = run, 60000 if device.type == "cuda" else 8192

    def __call__(self, pairs, spans=True):
        rows = []
        for at in range(0, len(pairs), 8192):
            rows += self.tokenizer.encode_batch([(q[:600], p) for q, p in pairs[at:at + 8192]])
        order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
        out = [None] * len(rows)
        at = 0
        while at < len(order):
            # Rows of one length: the reader knows no padding.
            length, size = len(rows[order[at]].ids), 1
            while at + size < len(order) and len(rows[order[at + size]].ids) == length and (size + 1) * length <= self.tokens:
                size += 1
            part = order[at:at + size]
            start, end, answerable, relevant = self.run(np.array([rows[i].ids for i in part], np.int64),
                                                        np.array([rows[i].type_ids for i in part], np.int64))
            for j, i in enumerate(part):
                text, margin = best_span(start[j], end[j], rows[i], pairs[i][1]) if spans else ("", 0.0)
                out[i] = text, margin, float(answerable[j]), float(relevant[j])
            at += size
        return out


def best_span(start, end, row, passage, longest=30):
    n = len(row.ids)
    first = row.type_ids.index(1) if 1 in row.type_ids else n
    s, e = start[first:n - 1], end[first:n - 1]
    if len(s) == 0:
        return "", -99.0
    total = s[:, None] + e[None]
    i, j = np.indices(total.shape)
    total = np.where((j >= i) & (j < i + longest), total, -1e9)
    a, b = np.unravel_index(int(total.argmax()), total.shape)
    text = passage[row.offsets[first + a][0]:row.offsets[first + b][1]]
    return text, float(total[a, b] - start[0] - end[0])


def plain(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def f1(guess, answers):
    best = 0.0
    for answer in answers:
        g, a = plain(guess).split(), plain(answer).split()
        same = sum((collections.Counter(g) & collections.Counter(a)).values())
        if same:
            best = max(best, 2 * same / (len(g) + len(a)))
    return best


def auroc(scores, labels):
    scores, labels = np.asarray(scores, float), np.asarray(labels, bool)
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    sorted_scores = scores[order]
    at = 0
    while at < len(scores):
        to = at
        while to + 1 < len(scores) and sorted_scores[to + 1] == sorted_scores[at]:
            to += 1
        ranks[order[at:to + 1]] = (at + to) / 2 + 1
        at = to + 1
    p = labels.sum()
    return float((ranks[labels].sum() - p * (p + 1) / 2) / (p * (len(labels) - p)))


def overlap(question, passage):
    from candidates import Bm25
    return float(Bm25([passage]).scores(question)[0])


def reading(scorer, folder, named):
    out = {}
    paragraphs = {}
    for line in open(folder / "squad2" / "paragraphs.jsonl"):
        p = json.loads(line)
        paragraphs[p["id"]] = p["text"]
    asked = [q for q in map(json.loads, open(folder / "squad2" / "questions.jsonl")) if q["title"] in named["squad2"]]
    read = scorer([(q["question"], paragraphs[q["para_id"]]) for q in asked])
    labels = [q["answerable"] for q in asked]
    out["squad2 auroc"] = auroc([r[2] for r in read], labels)
    out["squad2 auroc by span"] = auroc([r[1] for r in read], labels)
    out["squad2 auroc both"] = auroc([r[2] + 0.25 * r[1] for r in read], labels)
    out["squad2 f1 answerable"] = 100 * float(np.mean([f1(r[0], q["answers"]) for r, q in zip(read, asked) if q["answerable"]]))
    out["squad2 n"] = len(asked)
    passages = {}
    for line in open(folder / "clapnq" / "passages.jsonl"):
        p = json.loads(line)
        passages[p["id"]] = p
    asked = [q for q in map(json.loads, open(folder / "clapnq" / "questions.jsonl")) if passages[q["passage_id"]]["title"] in named["clapnq"]]
    read = scorer([(q["question"], passages[q["passage_id"]]["text"]) for q in asked])
    labels = [q["answerable"] for q in asked]
    out["clapnq auroc"] = auroc([r[2] for r in read], labels)
    out["clapnq auroc both"] = auroc([r[2] + 0.25 * r[1] for r in read], labels)
    out["clapnq n"] = len(asked)
    return out


def recall(order, evidence, k):
    return len(set(order[:k]) & set(evidence)) / len(evidence)


def remembering(scorer, candidates, sample=None, keep=60):
    out = {}
    for name, s in candidates.items():
        questions = s["questions"]
        if sample:
            step = max(1, len(questions) // sample)
            questions = questions[::step]
        which = (0, 1) if name == "locomo" else (0,)
        pairs = [(q["q"], s["passages"][p][w]) for q in questions for p in q["passages"][:keep] for w in which]
        read = scorer(pairs, spans=False)
        at, rows = 0, []
        for q in questions:
            n = len(q["passages"][:keep])
            part = np.array([[r[2], r[3]] for r in read[at:at + n * len(which)]]).reshape(n, len(which), 2)
            at += n * len(which)
            rows.append(part)
        asked = [i for i, q in enumerate(questions) if q["evidence"]]
        for title, key in (("bm25", "floor"), ("fused", "turns")):
            out[f"{name} recall {title}"] = [round(100 * float(np.mean([recall(questions[i][key], questions[i]["evidence"], k) for i in asked])), 1) for k in (5, 10, 20)]
        sigmoid = lambda x: 1 / (1 + np.exp(-x))
        orders = {}
        for w in which:
            for weight in (0.5, 1.0, 1.5, 2.5, 4.0):
                got = []
                for i, q in enumerate(questions):
                    fused = np.array(q["fused"][:len(rows[i])])
                    orders[w, weight, i] = np.argsort(-(fused + weight * sigmoid(rows[i][:, w, 1])), kind="stable")
                for i in asked:
                    order = [questions[i]["turns"][j] for j in orders[w, weight, i]]
                    got.append([recall(order, questions[i]["evidence"], k) for k in (5, 10, 20)])
                out[f"{name} recall relevance x{weight}" + (" turn alone" if w else "")] = [round(100 * float(x), 1) for x in np.mean(got, 0)]
        if name == "locomo":
            for weight in (1.5, 4.0):
                got = []
                for i in asked:
                    score = np.array(questions[i]["fused"][:len(rows[i])]) + weight * (sigmoid(rows[i][:, 0, 1]) + sigmoid(rows[i][:, 1, 1])) / 2
                    order = [questions[i]["turns"][j] for j in np.argsort(-score, kind="stable")]
                    got.append([recall(order, questions[i]["evidence"], k) for k in (5, 10, 20)])
                out[f"{name} recall window+turn x{weight}"] = [round(100 * float(x), 1) for x in np.mean(got, 0)]
        labels = [q["answerable"] for q in questions]
        if len(set(labels)) == 2:
            out[f"{name} auroc bm25"] = auroc([q["max"] for q in questions], labels)
            for w in which:
                for k in (3, 5, 10, 20):
                    best = [rows[i][orders[w, 1.5, i][:k], w, 0].max() for i in range(len(questions))]
                    out[f"{name} auroc best answerable of {k}" + (" turn alone" if w else "")] = auroc(best, labels)
            if len(which) == 2:
                best = [rows[i][orders[0, 1.5, i][:10], :, 0].mean(1).max() for i in range(len(questions))]
                out[f"{name} auroc window+turn of 10"] = auroc(best, labels)
                # Without the questions that nobody can answer from one turn.
                single = [i for i, q in enumerate(questions) if q["category"] in (4, 5)]
                best = [rows[i][orders[0, 1.5, i][:10], 0, 0].max() for i in single]
                out[f"{name} auroc single-hop vs adversarial"] = auroc(best, [questions[i]["answerable"] for i in single])
    return out


def main():
    parser = argparse.ArgumentParser()
    for name in ("eval", "tokenizer", "model"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--candidates", type=pathlib.Path, help="without it, the left-out articles only")
    parser.add_argument("--written", type=pathlib.Path, help="measuring.jsonl.xz of make_data.py")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--keep", type=int, default=60)
    parser.add_argument("--threads", type=int, default=0)
    args = parser.parse_args()
    named = json.load(open(pathlib.Path(__file__).parent / "articles.json"))["left_out"]
    scorer = Scorer(args.model, args.tokenizer, args.threads)
    began = time.time()
    found = reading(scorer, args.eval, named)
    if args.written:
        asked = [json.loads(line) for line in lzma.open(args.written, "rt")]
        read = scorer([(q["question"], q["passage"]) for q in asked])
        found["written auroc"] = auroc([r[2] for r in read], [q["answerable"] for q in asked])
        found["written n"] = len(asked)
    if args.candidates:
        found |= remembering(scorer, json.load(gzip.open(args.candidates, "rt")), args.sample, args.keep)
    for key, value in found.items():
        print(f"{args.model.stem}  {key}: {value if not isinstance(value, float) else round(value, 4)}")
    print(f"{time.time() - began:.0f} s")
    if args.out:
        args.out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
