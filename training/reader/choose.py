"""Writes the mean of two readers that reads talk best which neither was trained on.

    python choose.py HELD.npz NEW.pt OLD.onnx OUT.pt

HELD holds every line of a left-out persona against every question (talk.py --held-out, pack.py). A question is picked right
where the line with the best answerability answers it.
"""
import collections, sys
import numpy as np
import torch
from model import reader_of, stored_weights
from train import Batches, read

SHARES = (1.0, 0.75, 0.5, 0.0)  # of the new one; 0 is the old one, to compare with


def auroc(higher, lower):
    ranks = np.concatenate([higher, lower]).argsort().argsort() + 1
    return (ranks[:len(higher)].sum() - len(higher) * (len(higher) + 1) / 2) / (len(higher) * len(lower))


def mean(new, old, share):
    return {n: share * t.float() + (1 - share) * old[n].float() if n in old else t.float() for n, t in new.items()}


@torch.no_grad()
def answerability(weights, batches):
    reader = reader_of(weights).to(batches.device).eval()
    logits = np.zeros(len(batches.lengths))
    for part in batches.whole():
        _, ids, types, _ = batches.load(part)
        with torch.autocast(batches.device.type, torch.bfloat16):
            logits[part] = reader(ids, types)[2].float().cpu().numpy()
    return logits


def judge(logits, questions, answers):
    """The share picked right, and AUROC of the best line: answerable against not, right against wrong."""
    lines = collections.defaultdict(list)
    for logit, question, answer in zip(logits, questions, answers):
        lines[question].append((logit, answer == 1))
    best = [max(some) for some in lines.values()]
    answerable = np.array([any(is_answer for _, is_answer in some) for some in lines.values()])
    top, right = np.array([logit for logit, _ in best]), np.array([is_answer for _, is_answer in best])
    return right[answerable].mean(), auroc(top[answerable], top[~answerable]), auroc(top[right], top[~right])


def measure(weights, data, batches):
    weights = {n: t.detach().clone() for n, t in weights.items()}
    return [round(float(f), 4) for f in judge(answerability(weights, batches), data["question"], data["labels"][:, 0])]


def main():
    held, new, old, out = sys.argv[1:]
    data = read(held, None, None, None, None, True)
    batches = Batches(data, torch.device("cuda" if torch.cuda.is_available() else "cpu"), 60000)
    new, old = stored_weights(new), stored_weights(old)
    tried = []
    for share in SHARES:
        weights = mean(new, old, share)
        figures = judge(answerability(weights, batches), data["question"], data["labels"][:, 0])
        print(share, "picked right, AUROC answerable, AUROC right:", [round(float(f), 4) for f in figures], flush=True)
        tried.append((sum(figures), share, weights))
    _, share, weights = max((one for one in tried if one[1] > 0), key=lambda one: one[0])
    print("taken:", share)
    torch.save({n: t.half() for n, t in weights.items()}, out)


if __name__ == "__main__":
    main()
