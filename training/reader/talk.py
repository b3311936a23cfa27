"""Written talk (blocks of notes, documents and questions), public persona rows and follow-ups → examples, as make_data.py writes them.

    python talk.py --written FILE... --public public-train.jsonl.xz --follow-ups public-followup.jsonl.xz --out DIR [--skip-every 6]

A note is read as the service reads it: its day, then the persona's name and what it says. Documents are read whole and as windows of
three sentences, mostly under their title. A follow-up is read behind the questions before it and the reply to the last of them.
Every sixth persona (--skip-every) is left out of training: the score is fitted on those.
"""
import argparse, collections, json, lzma, pathlib, random, re

MONTHS = "January February March April May June July August September October November December".split()
WINDOW = 3  # sentences
SENTENCE = re.compile(r"[^.!?]+(?:[.!?]+[\"”')]*|$)\s*")
COMMON = set("the a an of to in and i you my your is was are were do did does it on for with me we at that this what how when where who".split())
SEPARATOR = " | "


def words(text):
    return set(re.findall(r"[a-z0-9']+", text.lower())) - COMMON


def day(date):
    year, month, number = date.split("-")
    return f"{int(number)} {MONTHS[int(month) - 1]} {year}"


def blocks(files):
    """Each persona: its name, its lines as (header, text), and its questions."""
    for file in files:
        for block in re.split(r"\n\s*\n", open(file, encoding="utf8").read()):
            lines = [line.strip() for line in block.strip().split("\n") if line.strip()]
            if not lines or not lines[0].startswith("#"):
                continue
            name, held, asked = lines[0][1:].strip(), [], []
            name = re.sub(r"\s*[(–—,].*$", "", name)
            for line in lines[1:]:
                found = re.match(r"^([md])\s+([^|]*)\|\s*(.+)$", line)
                if found:
                    kind, about, text = found.group(1), found.group(2).strip(), found.group(3).strip()
                    is_note = kind == "m" and re.fullmatch(r"\d{4}-\d\d-\d\d", about)
                    held.append((day(about) if is_note else about, text, bool(is_note)))
                    continue
                found = re.match(r"^(\+|-|\*|>>-|>>|>)\s+(.+)$", line)
                if found:
                    asked.append((found.group(1), found.group(2)))
            if len(held) >= 4:
                yield name, held, asked


class Made:
    def __init__(self, rng):
        self.rng, self.contexts, self.number, self.examples, self.lost = rng, [], {}, [], 0

    def add(self, question, text, spans, answerable, relevant, kind):
        if text not in self.number:
            self.number[text] = len(self.contexts)
            self.contexts.append(text)
        self.examples.append({"q": question, "c": self.number[text], "s": spans[:4], "a": answerable, "r": relevant, "n": -1, "k": kind})


def shown(name, header, text, is_note, rng):
    """What stands before a text when it is read."""
    if is_note:
        speaks = re.match(r"^[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}:\s", text)
        return f"{header}\n" if speaks else f"{header}\n{name}: "
    return f"{header}\n" if header and rng.random() < 0.75 else ""


def windows_of(text):
    ends = [m.span() for m in SENTENCE.finditer(text) if m.group().strip()]
    if len(ends) <= WINDOW:
        return [(0, len(text))]
    return [(ends[at][0], ends[at + WINDOW - 1][1]) for at in range(len(ends) - WINDOW + 1)]


def learn_persona(made, name, held, asked, most=None):
    rng = made.rng

    def readings(at, answer=None):
        """A line as it may be read: whole, and in windows; with where the answer stands."""
        header, text, is_note = held[at]
        cuts = [(0, len(text))]
        windows = windows_of(text)
        if len(windows) > 1:
            cuts += rng.sample(windows, min(2, len(windows))) if answer is None else \
                rng.sample([w for w in windows if answer in text[w[0]:w[1]]] or windows[:1], 1)
        for start, end in cuts:
            lead = shown(name, header, text, is_note, rng)
            body = text[start:end].strip()
            spans = []
            if answer is not None:
                spans = [[len(lead) + m.start(), len(lead) + m.end()] for m in re.finditer(re.escape(answer), body)]
                if not spans:
                    continue
            yield lead + body, spans

    def far_windows(at, answer):
        header, text, is_note = held[at]
        away = [w for w in windows_of(text) if answer not in text[w[0]:w[1]]]
        for start, end in rng.sample(away, min(2, len(away))):
            yield shown(name, header, text, is_note, rng) + text[start:end].strip()

    def home_of(answer):
        for at, (_, text, _) in enumerate(held):
            if answer and answer in text:
                return at
        return None

    def ask(question, answers, kind, near=5, far=2):
        near = most or near
        homes = [(home_of(a), a) for a in answers]
        if any(h is None for h, _ in homes):
            made.lost += 1
            return
        for home, answer in homes:
            for text, spans in readings(home, answer):
                for _ in range(2 if answers else 1):
                    made.add(question, text, spans, 1, 1, kind)
            for text in far_windows(home, answer):
                made.add(question, text, [], 0, -1, kind)
        others = [at for at in range(len(held)) if at not in [h for h, _ in homes] and not any(a.lower() in held[at][1].lower() for a in answers)]
        others.sort(key=lambda at: -len(words(question) & words(held[at][1])) / (3 + len(words(held[at][1]))) ** 0.5)
        chosen = others[:near] + rng.sample(others[near:], min(far, len(others[near:])))
        for rank, at in enumerate(chosen):
            for text, _ in readings(at):
                made.add(question, text, [], 0, -1 if rank < near else 0, kind)

    before = []
    for mark, line in asked:
        question, _, said = line.rpartition(" = ") if mark not in ("-", ">>-") else (line, "", "")
        answers = [part.strip() for part in said.split(" || ")] if mark == "*" else [said.strip()] if said else []
        if mark in ("+", "-", "*"):
            ask(question.strip(), answers, "talk", near=4 if answers else 6)
            continue
        if mark == ">":
            before = []
        # The questions before it, and how the last one was answered: by the sentence or note that holds the answer.
        lead = [q for q, _ in before[-2:]] + ([before[-1][1]] if before and before[-1][1] else [])
        whole = SEPARATOR.join(lead + [question.strip()])
        ask(whole, answers, "talk-follow" if lead else "talk", near=4 if answers else 6)
        home = home_of(answers[0]) if answers else None
        reply = "" if home is None else sentence_with(held[home][1], answers[0])
        before.append((question.strip(), reply))


def sentence_with(text, answer):
    for found in SENTENCE.finditer(text):
        if answer in found.group():
            return " ".join(found.group().split()[:24])
    return " ".join(answer.split()[:24])


def lines_of(file, none):
    return [] if none or str(file) == "/dev/null" else lzma.open(file, "rt")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--written", nargs="+", required=True)
    parser.add_argument("--public", type=pathlib.Path, required=True)
    parser.add_argument("--follow-ups", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--skip-every", type=int, default=6)
    parser.add_argument("--held-out", action="store_true", help="only what training leaves out, every line against every question")
    args = parser.parse_args()
    made = Made(random.Random(7))
    for number, (name, held, asked) in enumerate(blocks(args.written)):
        if (number % args.skip_every == args.skip_every - 1) == args.held_out:
            learn_persona(made, name, held, asked, 99 if args.held_out else None)
    print("written", len(made.examples), "lost", made.lost)
    for line in lines_of(args.public, args.held_out):
        row = json.loads(line)
        spans = [[a["start"], a["start"] + len(a["text"])] for a in row.get("answers", [])] if row["answerable"] else []
        made.add(row["question"], row["context"], spans, int(row["answerable"]), 1 if row["answerable"] else -1, "persona")
    for line in lines_of(args.follow_ups, args.held_out):
        row = json.loads(line)
        turns = [re.sub(r"^(?:me|other): ", "", turn) for turn in row["history"]]
        spans = [[a["start"], a["start"] + len(a["text"])] for a in row["answers"]]
        asked = SEPARATOR.join([" ".join(turn.split()[:24]) for turn in turns[-2:]] + [row["question"]])
        made.add(asked, row["context"], spans, int(bool(spans)), 1, "persona-follow")
    args.out.mkdir(parents=True, exist_ok=True)
    made.rng.shuffle(made.examples)
    for name, items in (("contexts", made.contexts), ("examples", made.examples)):
        with lzma.open(args.out / f"{name}.jsonl.xz", "wt", preset=1) as file:
            for item in items:
                file.write(json.dumps(item, ensure_ascii=False) + "\n")
    print(len(made.examples), "examples", collections.Counter((e["k"], e["a"]) for e in made.examples))


if __name__ == "__main__":
    main()
