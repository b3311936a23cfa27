"""Trains the reader.

    python train.py --made DIR --base model.fp16.safetensors --tokenizer tokenizer.json --out reader.pt [--epochs 6]
                    [--teacher a.pt b.pt] [--skip REGEX] [--limit N]

With --teacher the student also learns the teachers' mean answer to every example (distillation).
"""
import argparse, json, lzma, pathlib, random, re, time
import numpy as np
import torch
from torch.nn import functional as F
from tokenizers import Tokenizer
from model import load_base, load_reader

LONGEST = 320
CLS, SEP = 101, 102


def tokenised(made, tokenizer_file, longest, seed, cache):
    """Flat arrays of every example: tokens, where each begins, its question's length, up to four gold spans, labels."""
    if cache and cache.exists():
        return dict(np.load(cache))
    rng = random.Random(seed)
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    contexts = [json.loads(line) for line in lzma.open(made / "contexts.jsonl.xz", "rt")]
    examples = [json.loads(line) for line in lzma.open(made / "examples.jsonl.xz", "rt")]
    passages = []
    for at in range(0, len(contexts), 4096):
        for row in tokenizer.encode_batch(contexts[at:at + 4096], add_special_tokens=False):
            passages.append((np.array(row.ids, np.int32), np.array(row.offsets, np.int32).reshape(-1, 2)))
    questions = []
    for at in range(0, len(examples), 8192):
        questions += [row.ids[:64] for row in tokenizer.encode_batch([e["q"] for e in examples[at:at + 8192]], add_special_tokens=False)]
    ids, lengths, asked, golds, labels, kinds = [], [], [], [], [], []
    lost = 0
    for e, question in zip(examples, questions):
        tokens, offsets = passages[e["c"]]
        room = longest - len(question) - 3
        spans = []
        for start, end in e["s"]:
            first = int(np.searchsorted(offsets[:, 1], start, side="right"))
            last = int(np.searchsorted(offsets[:, 0], end, side="left")) - 1
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
        part = tokens[low:low + room]
        shift = len(question) + 2 - low
        spans = [(a + shift, b + shift) for a, b in spans if a >= low and b < low + len(part)][:4]
        if e["a"] == 1 and not spans:
            lost += 1
            continue
        gold = spans if spans else ([(0, 0)] if e["a"] == 0 else [])
        ids.append(np.concatenate([[CLS], question, [SEP], part, [SEP]]).astype(np.int32))
        lengths.append(len(ids[-1]))
        asked.append(len(question) + 2)
        golds.append(gold + [(-1, -1)] * (4 - len(gold)))
        labels.append((e["a"], e["r"], e["n"]))
        kinds.append(e["k"])
    print("tokenised", len(ids), "lost", lost, flush=True)
    data = {"ids": np.concatenate(ids), "lengths": np.array(lengths), "asked": np.array(asked), "gold": np.array(golds, np.int32),
            "labels": np.array(labels, np.int8), "kinds": np.array(kinds)}
    if cache:
        np.savez(cache, **data)
    return data


class Batches:
    """Batches of like length, put together on the GPU from the flat arrays."""

    def __init__(self, data, device, tokens):
        self.device, self.tokens = device, tokens
        self.lengths = data["lengths"]
        self.ids = torch.from_numpy(data["ids"]).to(device)
        begins = np.concatenate([[0], np.cumsum(data["lengths"])[:-1]])
        self.begins = torch.from_numpy(begins).to(device)
        self.length = torch.from_numpy(data["lengths"]).to(device)
        self.asked = torch.from_numpy(data["asked"]).to(device)
        self.gold = torch.from_numpy(data["gold"]).long().to(device)
        self.labels = torch.from_numpy(data["labels"]).float().to(device)

    def epoch(self, rng, chosen):
        order = rng.permutation(chosen)
        batches = []
        for at in range(0, len(order), 20000):
            part = order[at:at + 20000]
            part = part[np.argsort(self.lengths[part], kind="stable")]
            i = 0
            while i < len(part):
                size = 8
                while i + size < len(part) and (size + 8) * self.lengths[part[min(i + size + 7, len(part) - 1)]] <= self.tokens and size < 768:
                    size += 8
                batches.append(part[i:i + size])
                i += size
        rng.shuffle(batches)
        return batches

    def load(self, chosen):
        index = torch.from_numpy(np.ascontiguousarray(chosen)).to(self.device, non_blocking=True)
        longest = int(self.lengths[chosen].max())
        longest += -longest % 8
        places = torch.arange(longest, device=self.device)[None]
        mask = places < self.length[index][:, None]
        flat = torch.where(mask, self.begins[index][:, None] + places, 0)
        ids = torch.where(mask, self.ids[flat], 0).long()
        types = (mask & (places >= self.asked[index][:, None])).long()
        return index, ids, mask.long(), types, flat


def span_loss(logits, gold):
    """Minus the log of the whole probability of the right places; examples without a gold place count nothing."""
    valid = gold >= 0
    logp = F.log_softmax(logits, 1).gather(1, gold.clamp(min=0)).masked_fill(~valid, -1e9)
    # An answer's places may repeat (the same text said twice): each counts once.
    for i in range(1, 4):
        repeated = (gold[:, i:i + 1] == gold[:, :i]).any(1)
        logp[:, i] = logp[:, i].masked_fill(repeated, -1e9)
    has = valid[:, 0].float()
    return -(torch.logsumexp(logp, 1) * has).sum() / has.sum().clamp(min=1)


def head_loss(logit, label, smooth=0.02):
    said = (label >= 0).float()
    target = label.clamp(min=0) * (1 - 2 * smooth) + smooth
    return (F.binary_cross_entropy_with_logits(logit, target, reduction="none") * said).sum() / said.sum().clamp(min=1)


@torch.no_grad()
def teach(teachers, batches, count):
    """The teachers' mean logits for every example, kept flat beside the tokens."""
    start, end = (torch.zeros(len(batches.ids), dtype=torch.float16, device=batches.device) for _ in range(2))
    heads = torch.zeros(count, 2, device=batches.device)
    for teacher in teachers:
        teacher.to(batches.device).eval()
        for part in batches.epoch(np.random.default_rng(0), np.arange(count)):
            index, ids, mask, types, flat = batches.load(part)
            with torch.autocast(batches.device.type, torch.bfloat16):
                s, e, a, r = teacher(ids, mask, types)
            inside = mask.bool()
            start[flat[inside]] += (s[inside].clamp(-60, 60) / len(teachers)).half()
            end[flat[inside]] += (e[inside].clamp(-60, 60) / len(teachers)).half()
            heads[index] += torch.stack([a, r], 1) / len(teachers)
    return start, end, heads


def soft_span_loss(logits, taught, mask, heat=2.0):
    taught = taught.float().masked_fill(mask == 0, -1e4)
    target = F.softmax(taught / heat, 1)
    mine = F.log_softmax(logits.masked_fill(mask == 0, -1e4) / heat, 1)
    return -(target * mine).sum(1).mean() * heat


def main():
    parser = argparse.ArgumentParser()
    for name in ("made", "base", "tokenizer", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--teacher", nargs="*", default=[])
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--tokens", type=int, default=40000, help="tokens a batch")
    parser.add_argument("--skip", help="leave out examples whose kind matches (for ablations)")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seconds", type=float, help="stop the schedule so that training takes at most this long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=pathlib.Path)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    rng = np.random.default_rng(args.seed)
    began = time.time()
    data = tokenised(args.made, args.tokenizer, LONGEST, 1, args.cache)
    chosen = np.arange(len(data["lengths"]))
    if args.skip:
        chosen = np.array([i for i in chosen if not re.search(args.skip, str(data["kinds"][i]))])
    chosen = chosen[:args.limit]
    batches = Batches(data, device, args.tokens)
    print(f"{len(chosen)} examples, {int(data['lengths'][chosen].sum()) / 1e6:.0f} M tokens, {time.time() - began:.0f} s", flush=True)
    taught = None
    if args.teacher:
        taught = teach([load_reader(t) for t in args.teacher], batches, len(data["lengths"]))
        print(f"taught {time.time() - began:.0f} s", flush=True)
    model = load_base(args.base).to(device).train()
    plain = [p for n, p in model.named_parameters() if p.ndim < 2]
    decayed = [p for n, p in model.named_parameters() if p.ndim >= 2]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=args.rate,
                                  betas=(0.9, 0.98), fused=device.type == "cuda")
    plan = []
    while len(plan) == 0 or epochs_planned < args.epochs:
        epoch = batches.epoch(rng, chosen)
        epochs_planned = 1 if not plan else epochs_planned + 1
        if epochs_planned > args.epochs:
            epoch = epoch[:int(len(epoch) * (args.epochs - epochs_planned + 1))]
        plan += epoch
    total, began_steps = len(plan), time.time()
    print(total, "steps", flush=True)
    sums, step, progress = torch.zeros(6, device=device), 0, 0.0
    for step, part in enumerate(plan):
        if args.seconds and step % 20 == 0:
            progress = (time.time() - began_steps) / args.seconds
        done = max(step / total, progress)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, done / 0.05 + 1e-3) * (1 - done)
        index, ids, mask, types, flat = batches.load(part)
        with torch.autocast(device.type, torch.bfloat16):
            start, end, answerable, relevant, entailment = model(ids, mask, types, entailment=True)
        gold, labels = batches.gold[index], batches.labels[index]
        span = (span_loss(start, gold[..., 0]) + span_loss(end, gold[..., 1])) / 2
        answer, relevance = head_loss(answerable, labels[:, 0]), head_loss(relevant, labels[:, 1])
        is_claim = labels[:, 2] >= 0
        entail = F.cross_entropy(entailment, labels[:, 2].long(), ignore_index=-1, reduction="sum") / is_claim.sum().clamp(min=1)
        share = is_claim.float().mean()
        loss = span + 0.7 * answer + 0.5 * relevance + 0.5 * entail * share * 5
        if taught:
            t_start, t_end, heads = taught
            soft = (soft_span_loss(start, t_start[flat], mask) + soft_span_loss(end, t_end[flat], mask)) / 2
            t_answer, t_relevant = heads[index].unbind(1)
            soft_heads = (0.7 * F.binary_cross_entropy_with_logits(answerable, torch.sigmoid(t_answer)) +
                          0.5 * F.binary_cross_entropy_with_logits(relevant, torch.sigmoid(t_relevant)))
            # People's own labels are trusted as they are; made ones bow to the teachers.
            loss = 0.35 * (span + 0.7 * answer + 0.5 * relevance) + 0.5 * entail * share * 5 + soft + 1.3 * soft_heads
            sums[5] += soft.detach()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        sums[:5] += torch.stack([loss.detach(), span.detach(), answer.detach(), relevance.detach(), entail.detach()])
        if step % 400 == 399:
            print(step + 1, "loss span answer relevance entail soft", [round(x, 3) for x in (sums / 400).tolist()], f"{time.time() - began:.0f} s", flush=True)
            sums.zero_()
    torch.save({n: t.half().cpu() for n, t in model.state_dict().items()}, args.out)
    print(f"saved after {step + 1} steps, {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
