"""Trains the reader.

    python train.py --packed packed.npz --base model.fp16.safetensors --out reader.pt [--epochs 6]
                    [--teacher a.pt b.pt] [--trust REGEX] [--last REGEX] [--skip REGEX] [--limit N]

With --teacher the student also learns the teachers' mean answer to every example (distillation), and to the pairs that
have no label of their own; but where a kind matches --trust, its labels alone. A reader that is its own teacher learns new
kinds so, and keeps what it knows. What matches --last is half of what the last steps see: people's own near misses are few
among the made ones, and what comes last, at the lowest rates, decides the fine distinctions.
"""
import argparse, pathlib, re, time
import numpy as np
import torch
from torch.nn import functional as F
from model import load_base, load_reader

CLS, SEP, MASK = 101, 102, 103
COMMON = 1500  # words that are never another


def read(file, skip, trust, last, limit, labelled):
    """The packed arrays, without the examples that are not wanted."""
    data = dict(np.load(file))
    kinds = data.pop("kinds")
    of_kind = lambda pattern: np.isin(data["kind"], [i for i, k in enumerate(kinds) if pattern and re.search(pattern, str(k))])
    wanted = ~of_kind(skip)
    if labelled:
        wanted &= (data["labels"] >= 0).any(1)
    chosen = np.flatnonzero(wanted)[:limit]
    data["trusted"], data["last"] = of_kind(trust), of_kind(last)
    for name in ("question", "passage", "low", "size", "labels", "gold", "trusted", "last"):
        data[name] = data[name][chosen]
    return data


class Batches:
    """Batches of like length, put together on the GPU from flat arrays."""

    def __init__(self, data, device, tokens):
        self.device, self.tokens = device, tokens
        there = {n: torch.from_numpy(data[n].astype(np.int64)).to(device) for n in
                 ("passages", "passage_begins", "questions", "question_begins", "question", "passage", "low", "size")}
        asks = there["question_begins"][there["question"]]
        asked = there["question_begins"][there["question"] + 1] - asks
        self.length = asked + there["size"] + 3
        self.begins = torch.cumsum(self.length, 0) - self.length
        self.asked = asked + 2
        row = torch.repeat_interleave(torch.arange(len(asked), device=device), self.length)
        place = torch.arange(len(row), device=device) - self.begins[row]
        reads = (there["passage_begins"][there["passage"]] + there["low"])[row] + place - self.asked[row]
        ids = there["passages"][reads.clamp(0, len(there["passages"]) - 1)]
        asking = (place > 0) & (place <= asked[row])
        ids[asking] = there["questions"][(asks[row] + place - 1)[asking]]
        ids[place == 0] = CLS
        ids[(place == asked[row] + 1) | (place == self.length[row] - 1)] = SEP
        self.ids = ids.int()
        self.gold = torch.from_numpy(data["gold"]).long().to(device)
        self.labels = torch.from_numpy(data["labels"]).float().to(device)
        self.trusted = torch.from_numpy(data["trusted"]).float().to(device)
        self.last = np.flatnonzero(data["last"])
        self.lengths = self.length.cpu().numpy()

    def cut(self, order, tokens, most, least):
        """Batches of those examples, of one length each: nothing is padded. Those far from full are left for another time."""
        batches, order = [], order[np.argsort(self.lengths[order], kind="stable")]
        for part in np.split(order, np.flatnonzero(np.diff(self.lengths[order])) + 1):
            size = min(most, max(8, tokens // int(self.lengths[part[0]]) // 8 * 8))
            cut = [part[at:at + size] for at in range(0, len(part), size)]
            batches += [one for one in cut if len(one) >= size * least]
        return batches

    def whole(self, chosen=None):
        """Every example once, or every chosen one, as many at a time as fit."""
        return self.cut(np.arange(len(self.lengths)) if chosen is None else chosen, 400000, 8192, 0)

    def epoch(self, rng):
        batches = self.cut(rng.permutation(len(self.lengths)), self.tokens, 768, 1 / 3)
        rng.shuffle(batches)
        return batches

    def last_epoch(self, rng):
        """What comes last, and as much of everything else."""
        batches = self.cut(rng.permutation(self.last), self.tokens // 2, 384, 1 / 6)
        batches += self.cut(rng.choice(len(self.lengths), len(self.last), replace=False), self.tokens // 2, 384, 1 / 6)
        rng.shuffle(batches)
        return batches

    def load(self, part):
        index = torch.from_numpy(part).to(self.device, non_blocking=True)
        places = torch.arange(int(self.lengths[part[0]]), device=self.device)[None]
        flat = self.begins[index][:, None] + places
        return index, self.ids[flat].long(), (places >= self.asked[index][:, None]).long(), flat


class Disguise:
    """Keeps trusted examples from being learned by heart: words that question and passage share become others, the same in
    both, so that the answer stays where it was; some words cannot be read."""

    def __init__(self, batches, swap, mask):
        self.swap, self.mask, self.words = swap, mask, 30522
        counts = torch.bincount(batches.ids.long(), minlength=self.words)
        self.rare = torch.ones(self.words, dtype=torch.bool, device=batches.device)
        self.rare[counts.argsort(descending=True)[:COMMON]] = False
        self.rare[:1000] = False
        self.others = torch.nonzero(self.rare & (counts >= 5))[:, 0]

    def put_on(self, ids, types, wanted):
        asked = (types == 0) & (ids > SEP)
        held = (types == 1) & (ids > SEP)
        new = lambda: torch.zeros(len(ids), self.words, dtype=torch.bool, device=ids.device)
        in_question, in_passage = new(), new()
        in_question.scatter_(1, torch.where(asked, ids, 0), True)
        in_passage.scatter_(1, torch.where(held, ids, 0), True)
        shared = (in_question & in_passage).gather(1, ids) & (asked | held) & self.rare[ids]
        salt = torch.randint(1, 1 << 30, (len(ids), 1), device=ids.device)
        mixed = (ids * 2654435761 + salt * 40503) % 1000003
        chosen = shared & ((mixed % 1000) < 1000 * self.swap) & wanted[:, None]
        ids = torch.where(chosen, self.others[mixed % len(self.others)], ids)
        hidden = (torch.rand(ids.shape, device=ids.device) < self.mask) & (asked | held) & wanted[:, None]
        return torch.where(hidden, MASK, ids)


def span_loss(logits, gold, worth):
    """Minus the log of the whole probability of the right places; examples without a gold place count nothing."""
    valid = gold >= 0
    logp = F.log_softmax(logits, 1).gather(1, gold.clamp(min=0)).masked_fill(~valid, -1e9)
    # An answer's places may repeat (the same text said twice): each counts once.
    for i in range(1, 4):
        repeated = (gold[:, i:i + 1] == gold[:, :i]).any(1)
        logp[:, i] = logp[:, i].masked_fill(repeated, -1e9)
    has = valid[:, 0].float() * worth
    return -(torch.logsumexp(logp, 1) * has).sum() / has.sum().clamp(min=1)


def head_loss(logit, label, worth, smooth=0.02):
    said = (label >= 0).float() * worth
    target = label.clamp(min=0) * (1 - 2 * smooth) + smooth
    return (F.binary_cross_entropy_with_logits(logit, target, reduction="none") * said).sum() / said.sum().clamp(min=1)


@torch.no_grad()
def teach(teachers, batches):
    """The teachers' mean logits for every example that is not trusted, kept flat beside the tokens."""
    untrusted = np.flatnonzero(batches.trusted.cpu().numpy() == 0)
    new = lambda *shape, kind: torch.zeros(*shape, dtype=kind, device=batches.device)
    start, end = (new(len(batches.ids), kind=torch.float32) for _ in range(2))
    heads = new(len(batches.length), 2, kind=torch.float32)
    for teacher in teachers:
        teacher.to(batches.device).eval()
        one_start, one_end, one_heads = torch.zeros_like(start), torch.zeros_like(end), torch.zeros_like(heads)
        for part in batches.whole(untrusted):
            index, ids, types, flat = batches.load(part)
            with torch.autocast(batches.device.type, torch.bfloat16):
                s, e, a, r = teacher(ids, types)
            one_start[flat], one_end[flat] = s.clamp(-60, 60), e.clamp(-60, 60)
            one_heads[index] = torch.stack([a, r], 1)
        start += one_start / len(teachers)
        end += one_end / len(teachers)
        heads += one_heads / len(teachers)
    return start.half(), end.half(), heads


def soft_span_loss(logits, taught, worth, heat=2.0):
    target = F.softmax(taught.float() / heat, 1)
    mine = F.log_softmax(logits / heat, 1)
    return -((target * mine).sum(1) * worth).mean() * heat


def main():
    parser = argparse.ArgumentParser()
    for name in ("packed", "base", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--teacher", nargs="*", default=[])
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--tokens", type=int, default=40000, help="tokens a batch")
    parser.add_argument("--trust", help="the teachers are not asked about examples whose kind matches")
    parser.add_argument("--last", help="half of what the last steps see are examples whose kind matches")
    parser.add_argument("--last-share", type=float, default=0.1, help="how much of the schedule is last")
    parser.add_argument("--warm", type=float, default=0.05, help="how much of the schedule the rate takes to rise")
    parser.add_argument("--skip", help="leave out examples whose kind matches (for ablations)")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seconds", type=float, help="the schedule ends after this long, if its epochs are not over before")
    parser.add_argument("--decay", type=float, default=1.0, help="how much of the schedule the rate takes to fall")
    parser.add_argument("--smooth", type=float, default=0.0, help="share of the mean of all weights in what is saved: .999 looks back 1000 steps")
    parser.add_argument("--swap", type=float, default=0.0, help="of what a trusted question and its passage share, this much is another word in both")
    parser.add_argument("--mask", type=float, default=0.0, help="of a trusted example's words, this much cannot be read")
    parser.add_argument("--held", type=pathlib.Path, help="left-out talk to measure on meanwhile")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    rng = np.random.default_rng(args.seed)
    began = time.time()
    batches = Batches(read(args.packed, args.skip, args.trust, args.last, args.limit, not args.teacher), device, args.tokens)
    print(f"{len(batches.length)} examples, {len(batches.ids) / 1e6:.0f} M tokens, {time.time() - began:.0f} s", flush=True)
    taught = None
    if args.teacher:
        taught = teach([load_reader(t) for t in args.teacher], batches)
        print(f"taught {time.time() - began:.0f} s", flush=True)
    model = load_base(args.base, args.dropout).to(device).train()
    plain = [p for n, p in model.named_parameters() if p.ndim < 2]
    decayed = [p for n, p in model.named_parameters() if p.ndim >= 2]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=args.rate,
                                  betas=(0.9, 0.98), fused=device.type == "cuda")
    disguise = Disguise(batches, args.swap, args.mask) if args.swap or args.mask else None
    mean = {n: t.detach().clone() for n, t in model.state_dict().items()} if args.smooth else None
    measured = None
    if args.held:
        from choose import measure
        held = read(args.held, None, None, None, None, True)
        measured = (held, Batches(held, device, args.tokens))
        print("held out, before", measure(model.state_dict(), *measured), flush=True)
    waiting, at_last = batches.epoch(rng), False
    total, began_steps = int(len(waiting) * args.epochs), time.time()
    print(total, "steps", flush=True)
    sums, progress, step = torch.zeros(6, device=device), 0.0, 0
    while True:
        if args.seconds and step % 20 == 0:
            progress = (time.time() - began_steps) / args.seconds
        done = max(step / total, progress)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, done / args.warm + 1e-3, (1 - done) / args.decay)
        if args.last and not at_last and done >= 1 - args.last_share:
            at_last, waiting = True, []
            print(f"the last begin after {step} steps", flush=True)
        if not waiting:
            waiting = batches.last_epoch(rng) if at_last else batches.epoch(rng)
        index, ids, types, flat = batches.load(waiting.pop())
        if disguise:
            ids = disguise.put_on(ids, types, batches.trusted[index] > 0)
        with torch.autocast(device.type, torch.bfloat16):
            start, end, answerable, relevant, entailment = model(ids, types, entailment=True)
        gold, labels = batches.gold[index], batches.labels[index]
        # People's own labels are trusted as they are; made ones bow to the teachers.
        heard = (1 - batches.trusted[index]) if taught else torch.zeros_like(labels[:, 0])
        worth = 1 - 0.7 * heard
        span = (span_loss(start, gold[..., 0], worth) + span_loss(end, gold[..., 1], worth)) / 2
        answer, relevance = head_loss(answerable, labels[:, 0], worth), head_loss(relevant, labels[:, 1], worth)
        is_claim = labels[:, 2] >= 0
        entail = F.cross_entropy(entailment, labels[:, 2].long(), ignore_index=-1, reduction="sum") / is_claim.sum().clamp(min=1)
        share = is_claim.float().mean()
        loss = (1 - 0.7 * heard.mean()) * (span + 0.7 * answer + 0.5 * relevance) + 0.5 * entail * share * 5
        if taught:
            t_start, t_end, heads = taught
            soft = (soft_span_loss(start, t_start[flat], heard) + soft_span_loss(end, t_end[flat], heard)) / 2
            t_answer, t_relevant = heads[index].unbind(1)
            soft_heads = (F.binary_cross_entropy_with_logits(answerable, torch.sigmoid(t_answer), heard) +
                          0.5 * F.binary_cross_entropy_with_logits(relevant, torch.sigmoid(t_relevant), heard))
            loss = loss + soft + 1.3 * soft_heads
            sums[5] += soft_heads.detach()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        sums[:5] += torch.stack([loss.detach(), span.detach(), answer.detach(), relevance.detach(), entail.detach()])
        step += 1
        if mean:
            with torch.no_grad():
                new = model.state_dict()
                torch._foreach_lerp_([mean[n] for n in new], [new[n] for n in new], 1 - min(args.smooth, step / (step + 10)))
        if measured and step % 1200 == 0:
            print("held out", measure(mean or model.state_dict(), *measured), flush=True)
        if step % 400 == 0:
            print(step, "loss span answer relevance entail soft", [round(x, 3) for x in (sums / 400).tolist()], f"{time.time() - began:.0f} s", flush=True)
            sums.zero_()
    weights = mean or model.state_dict()
    if measured:
        print("held out", measure(weights, *measured), "without the mean", measure(model.state_dict(), *measured), flush=True)
    torch.save({n: t.half().cpu() for n, t in weights.items()}, args.out)
    print(f"saved after {step} steps, {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
