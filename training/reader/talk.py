"""Written talk (blocks of notes, documents and questions), public persona rows and follow-ups → examples, as make_data.py writes them.

    python talk.py --written FILE... --public public-train.jsonl.xz --follow-ups public-followup.jsonl.xz --out DIR [--skip-every 6]

A note is read as the service reads it: its day, then the persona's name and what it says. Documents are read in parts that begin and
end anywhere, mostly under their title: what was always read in the same words is learned by heart. A follow-up is read behind the questions before it and the reply to the last of them.
Every sixth persona (--skip-every) is left out of training: the score is fitted on those.
Writers have habits: "how much" and "how old" are mostly asked where nothing answers, "may I" where something does. So what is answered, or
is not, against its look is read more often.
"""
import argparse, collections, json, lzma, pathlib, random, re
import numpy as np
from balance import clues, guessed

MONTHS = "January February March April May June July August September October November December".split()
LONGEST_WHOLE = 1200  # characters
POSITIVES = (2, 4)  # readings of a text that answers: at least, and more the less the question looks like it
NEGATIVES = (4, 6)  # texts near a question that nothing answers, likewise
SENTENCE = re.compile(r"[^.!?]+(?:[.!?]+[\"”')]*|$)\s*")
COMMON = set("the a an of to in and i you my your is was are were do did does it on for with me we at that this what how when where who".split())
SEPARATOR = " | "
WRAPPED = 0.15  # of the questions
BY_NAME_SHARE = 0.1


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


def shown(name, header, text, is_note, rng, is_named=False):
    """What stands before a text when it is read; a question that names the persona has to know who speaks in it."""
    speaks = re.match(r"^[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}:\s", text)
    if is_note:
        return f"{header}\n" if speaks else f"{header}\n{name}: "
    title = f"{header}\n" if header and rng.random() < 0.85 else ""
    return title + (f"{name}: " if not speaks and rng.random() < (0.7 if is_named else 0.12) else "")


def names(question, name):
    """Whether somebody asks about the persona by name: of Jonna, "jonnas" is the genitive without its apostrophe."""
    own = {word.removesuffix("'s") for word in words(name)} - {"dr", "mr", "mrs", "professor", "captain"}
    return bool(words(question) & (own | {word + "'s" for word in own} | {word + "s" for word in own}))


BY_NAME = {"do you": "does {}", "are you": "is {}", "have you": "has {}", "were you": "was {}", "did you": "did {}", "can you": "can {}",
           "will you": "will {}", "would you": "would {}", "your": "{}'s", "you're": "{} is"}
PERSON = re.compile(r"[A-ZÀ-Ý][\w'’-]+ [A-ZÀ-Ý][\w'’-]+")


def asked_by_name(question, name, rng):
    """What is asked of somebody, asked of somebody else about them; as it is where that does not work out."""
    if not PERSON.fullmatch(name):
        return question
    first = rng.choice([name.split()[0], name.split()[0].lower()])
    pattern = r"\b(?:" + "|".join(sorted(BY_NAME, key=len, reverse=True)) + r")\b"
    turned = re.sub(pattern, lambda found: BY_NAME[found.group().lower()].format(first), question, flags=re.I)
    turned = turned.replace("'s", "s") if rng.random() < 0.4 else turned
    return question if turned == question or re.search(r"\b(?:you|yours|yourself|ya|u)\b", turned, re.I) else turned


def rows_of(text):
    """A document that begins with a table, as the service reads one: each row with the names of its columns."""
    if not text.startswith("|"):
        return []
    rows = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in text.split(" / ")]
    names = rows[0]
    rows[-1], rest = rows[-1][:len(names)], rows[-1][len(names):]
    said = ["; ".join(f"{n}: {c}" if n else c for n, c in zip(names, row) if c) for row in rows[1:] if len(row) > 1]
    return said + [r for r in rest if r]


def cuts_of(text, rng):
    """A text as it may be read: whole where it is short, and parts that begin and end anywhere."""
    rows = rows_of(text)
    units = rows or [m.group().strip() for m in SENTENCE.finditer(text) if m.group().strip()]
    join = "\n" if rows else " "
    whole = [] if len(text) > LONGEST_WHOLE or rows else [text]
    if len(units) < 2:
        return whole or units
    parts = []
    for room in (rng.randint(60, 260), rng.randint(200, 420), rng.randint(400, 620), 500):
        first = rng.randint(0, 2)
        while first < len(units):
            last, length = first, len(units[first])
            while last + 1 < len(units) and length + len(units[last + 1]) < room:
                last += 1
                length += len(units[last]) + 1
            parts.append(join.join(units[first:last + 1]))
            first = last + 1
    return list(dict.fromkeys(whole + parts))


def looks_of(personas):
    """How each single question looks, from 0 (nothing answers it) to 1, judged by the other half of them."""
    single = [(mark, line) for _, _, asked in personas for mark, line in asked if mark in ("+", "-")]
    questions = [line.rpartition(" = ")[0] if mark == "+" else line for mark, line in single]
    logits = guessed([clues(q.rstrip("? "), "") for q in questions], [int(mark == "+") for mark, _ in single])
    return dict(zip((line for _, line in single), 1 / (1 + np.exp(-logits))))


def learn_persona(made, name, held, asked, looks=None, most=None):
    """`most`: only what is read of each line, each once, as a left-out persona is measured."""
    rng = made.rng
    typed = (lambda question: question) if most else (lambda question: vary(question, rng))
    cuts = [[text] if is_note and most else cuts_of(text, rng) for _, text, is_note in held]

    def read(at, body, question):
        header, text, is_note = held[at]
        lead = shown(name, header, body, is_note, rng, names(question, name))
        return lead, lead + body

    def home_of(answer):
        for at, (_, text, _) in enumerate(held):
            if answer and (answer in text or any(answer in cut for cut in cuts[at])):
                return at
        return None

    def ask(question, answers, kind, near, positives=sum(POSITIVES) // 2):
        if not most and SEPARATOR not in question and rng.random() < BY_NAME_SHARE:
            question = asked_by_name(question, name, rng)
        homes = [(home_of(a), a) for a in answers]
        if any(h is None for h, _ in homes):
            made.lost += 1
            return
        holds = lambda text: any(a.lower() in text.lower() for a in answers)
        for home, answer in homes:
            holding = [cut for cut in cuts[home] if answer in cut]
            away = [cut for cut in cuts[home] if not holds(cut)]
            readings = positives if len(homes) == 1 and not most else 2
            rng.shuffle(holding)
            for body in (holding * readings)[:readings]:
                lead, text = read(home, body, question)
                spans = [[len(lead) + m.start(), len(lead) + m.end()] for m in re.finditer(re.escape(answer), body)]
                made.add(typed(question), text, spans, 1, 1, kind)
            for body in rng.sample(away, min(2, len(away))):
                made.add(typed(question), read(home, body, question)[1], [], 0, -1, kind)
        others = [at for at in range(len(held)) if at not in [h for h, _ in homes] and not holds(held[at][1])]
        others.sort(key=lambda at: -len(words(question) & words(held[at][1])) / (3 + len(words(held[at][1]))) ** 0.5)
        chosen = others[:near] + rng.sample(others[near:], min(2, len(others[near:])))
        for rank, at in enumerate(chosen):
            some = sorted(cuts[at], key=lambda cut: -len(words(question) & words(cut)) / (3 + len(words(cut))) ** 0.5)[:4]
            for body in rng.sample(some, min(len(some), 2 if rank < 3 and not held[at][2] else 1)):
                made.add(typed(question), read(at, body, question)[1], [], 0, -1 if rank < near else 0, kind)

    before = []
    for mark, line in asked:
        question, _, said = line.rpartition(" = ") if mark not in ("-", ">>-") else (line, "", "")
        answers = [part.strip() for part in said.split(" || ")] if mark == "*" else [said.strip()] if said else []
        near = most or (4 if answers else 6)
        if mark in ("+", "-") and looks:
            look = looks[line]
            positives = POSITIVES[0] + round(POSITIVES[1] * (1 - look))
            ask(question.strip(), answers, "talk", near if answers else NEGATIVES[0] + round(NEGATIVES[1] * look), positives)
            continue
        if mark in ("+", "-", "*"):
            ask(question.strip(), answers, "talk", near)
            continue
        if mark == ">":
            before = []
        # The questions before it, and how the last one was answered: by the sentence or note that holds the answer.
        lead = [q for q, _ in before[-2:]] + ([before[-1][1]] if before and before[-1][1] else [])
        whole = SEPARATOR.join(lead + [question.strip()])
        ask(whole, answers, "talk-follow" if lead else "talk", near)
        home = home_of(answers[0]) if answers else None
        reply = "" if home is None else sentence_with(held[home][1], answers[0])
        before.append((question.strip(), reply))


BEFORE = ["hey, ", "hi, ", "hello! ", "quick question: ", "just wondering, ", "sorry, ", "btw ", "so ", "ok and ", "one more thing, "]
BEHIND = [" again", " by the way", " please", " pls", " btw", " exactly", " then", " anyway", " thanks", " if you know"]


def vary(question, rng):
    """As somebody else would have typed it: with or without the mark, whichever the writer chose, since writers give
    away by it what cannot be answered; with a slip of the fingers; with words around it that ask nothing."""
    question = question.rstrip("?. ")
    if rng.random() < WRAPPED:
        wraps_front = SEPARATOR not in question and rng.random() < 0.5
        question = rng.choice(BEFORE) + question if wraps_front else question + rng.choice(BEHIND)
    question += "?" if rng.random() < 0.6 else ""
    if rng.random() < 0.08:
        at = rng.randint(0, max(0, len(question) - 2))
        if question[at:at + 2].isalpha():
            question = question[:at] + question[at + 1] + question[at] + question[at + 2:]
    return question


def ask_strangers(made, how_many):
    """Questions put to lines of other personas, without a label: teachers say what they think of them, having learned none by heart."""
    rng, asked = made.rng, sorted({e["q"] for e in made.examples if e["k"] == "talk"})
    lines = [(text, words(text)) for text in made.contexts]
    holding = collections.defaultdict(list)
    for number, (_, held) in enumerate(lines):
        for word in held:
            holding[word].append(number)
    for question in rng.sample(asked, min(how_many, len(asked))):
        near = collections.Counter()
        for word in words(question):
            if word in holding:
                for number in rng.sample(holding[word], min(40, len(holding[word]))):
                    near[number] += 1 / len(holding[word]) ** 0.5
        ranked = sorted(near, key=lambda number: -near[number] / (3 + len(lines[number][1])) ** 0.5)[:12]
        for number in rng.sample(ranked[:5], min(2, len(ranked[:5]))) + rng.sample(ranked[5:], min(1, len(ranked[5:]))):
            made.add(question, lines[number][0], [], -1, -1, "soft-talk")


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
    parser.add_argument("--strangers", type=int, default=0, help="questions put to other personas")
    parser.add_argument("--seed", type=int, default=7, help="another one cuts and types the same questions otherwise")
    parser.add_argument("--held-out", action="store_true", help="only what training leaves out, every line against every question")
    args = parser.parse_args()
    made = Made(random.Random(args.seed))
    personas = list(blocks(args.written))
    looks = None if args.held_out else looks_of(personas)
    for number, (name, held, asked) in enumerate(personas):
        if (number % args.skip_every == args.skip_every - 1) == args.held_out:
            learn_persona(made, name, held, asked, looks, 99 if args.held_out else None)
    print("written", len(made.examples), "lost", made.lost)
    if args.strangers:
        ask_strangers(made, args.strangers)
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
