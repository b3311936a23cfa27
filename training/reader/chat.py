"""Chat windows with who-said-what, made from first-person text, and questions about one speaker put to the other.

People ask a memory about somebody in the third person ("What did Anna buy?"); the memory says it in the first
("Anna: I bought a grill."). Reviews, posts and tweets are first-person text with people's own questions, and
biographies become first-person by changing their pronouns. Two such texts become a conversation of two named
speakers. The near miss asks of one speaker what the other one said.
"""
import re
from near_misses import sentences, names_in

WOMEN = """Anna Maria Caroline Olga Julia Nora Emma Sofia Laura Priya Mei Fatima Chloe Hannah Ruth Grace Lena Ines Sara Yuki
Zoe Clara Alice Diana Elena Gina Helen Irene Jane Karen Lucy Megan Nina Paula Rosa Tina Vera Wendy Amara Bella Carmen
Deborah Evelyn Freya Ivy Joan Keiko Leila Melissa Naomi Audrey Beth Claire Dana Erin Fiona Angela Monica Rachel Phoebe
Molly Abby Kate Lily Mia Olivia Ava Jessica Ashley Amanda Stephanie Nicole Heather Tiffany Andrea Cheryl Martha""".split()
MEN = """Ben David Tom Omar Luca Ivan Noah Peter Carlos Hugo Liam Felix Adam Victor Samir Jonas Marco Paul Erik Daniel Kofi
Andre Bruno Chris Derek Ethan Frank George Henry Isaac Jack Kevin Leo Martin Nathan Oscar Pablo Quentin Robert Simon
Theo Umar Vince Walter Xavier Yusuf Alan Brian Colin Dmitri Eli Finn Gary Harold Ian Jeremy Kenji Louis Mark Neil Sam
Mike Steve Josh Ryan Matt Alex Tyler Scott Greg Keith Ross Joey Chandler Calvin Dave Evan James Nick Raj Diego""".split()
GENDER = {**{n: "f" for n in WOMEN}, **{n: "m" for n in MEN}}
NAMES = sorted(GENDER)
SURNAMES = "Miller Ito Okafor Novak Silva Khan Larsen Weber Rossi Dubois Chen Murphy Haddad Kowalski Reyes Bauer".split()

ASKER = re.compile(
    r"\b(?:the|this|our)\s+(?:original\s+|first\s+)?(?:reviewer|author|writer|poster|user|op|customer|narrator|speaker|buyer|"
    r"purchaser|redditor|commenter|person|individual|consumer|reader|tweeter)\b(?!\s+(?:who|that))", re.I)
TWEET_AUTHOR = re.compile(r"\s*[—-]*\s*([^—@()]{2,40}?)\s*\(@\w+\)\s*(\w+ \d{1,2}, \d{4})?\s*$")

IRREGULAR = dict(p.split(":") for p in """went:go bought:buy got:get made:make took:take saw:see found:find gave:give came:come
had:have did:do told:tell said:say thought:think felt:feel left:leave kept:keep began:begin brought:bring wrote:write
read:read met:meet ran:run paid:pay sent:send sat:sit spoke:speak spent:spend stood:stand lost:lose won:win taught:teach
caught:catch fell:fall flew:fly drove:drive rode:ride ate:eat drank:drink chose:choose built:build broke:break wore:wear
grew:grow knew:know held:hold heard:hear led:lead sold:sell slept:sleep threw:throw understood:understand woke:wake
became:become put:put cut:cut set:set hit:hit let:let quit:quit hurt:hurt sang:sing swam:swim drew:draw forgot:forget
hid:hide shot:shoot stole:steal swore:swear tore:tear beat:beat fed:feed fought:fight dug:dig hung:hang lent:lend
meant:mean dealt:deal lit:light rang:ring rose:rise shook:shake shut:shut stuck:stick struck:strike cooked:cook""".split())
NOT_VERBS = {"need", "indeed", "red", "bed", "used", "supposed", "seed", "speed", "feed", "tired", "excited", "interested"}
PRESENT = {"love": "love", "like": "like", "hate": "hate", "want": "want", "need": "need", "have": "have", "use": "use",
           "prefer": "prefer", "own": "own", "work": "work", "live": "live", "play": "play", "enjoy": "enjoy", "study": "study",
           "drink": "drink", "eat": "eat", "teach": "teach", "collect": "collect", "miss": "miss", "plan": "plan"}
SAID = re.compile(r"\bI(?:'ve| have)?\s+((?:just|also|recently|finally|then|actually|even|first|really|already|still)\s+)?(\w+)\s+([^.!?;:()\n]{3,110})", re.S)
TIME = re.compile(
    r"\b(?:yesterday|today|tonight|last (?:night|week|month|year|summer|winter|spring|fall|friday|monday|weekend|\w+day)|"
    r"this (?:morning|week|year|month|weekend|summer)|(?:a|one|two|three|four|five|six|\d+|a few|several|couple of) "
    r"(?:days?|weeks?|months?|years?|hours?) ago|in (?:19|20)\d\d|on \w+day|the other day|recently)\b", re.I)
STOP_NP = re.compile(
    r"\s+(?:for|in|on|at|with|from|to|because|and|but|when|while|after|before|since|so|that|which|who|by|as|if|until|about|"
    r"into|over|through|than|or|is|was|were|are|it|I|last|this|yesterday|today|ago|again|back|out|up|off)\b|,")
DETERMINED = re.compile(r"^(?:a|an|the|my|our|this|these|some|two|three|four|five|\d+|another|his|her|their|new|one|several)\s", re.I)
MY_IS = re.compile(r"\b[Mm]y ((?:\w+ ){0,2}\w+) (?:is|was|are|were) ([^.!?;,()\n]{2,60})")

MONTHS = "January February March April May June July August September October November December".split()
CHEERS = ["That's great, {o}!", "Thanks, {o}!", "Wow, {o}!", "Hey {o}!", "Nice, {o}.", "Really, {o}?", "Oh no, {o}.", "Cool!", "I see.", "Got it.",
          "Hi {o}, good to hear from you.", "Sounds good, {o}.", "That sounds fun, {o}!", "Sorry to hear that, {o}.", "Congrats, {o}!", "Yeah,"]
ASKS = ["How about you, {o}?", "What's new with you?", "How have you been, {o}?", "What happened?", "Tell me more!", "Anything else, {o}?",
        "What do you think?", "How did it go?", "Have you tried anything new lately?"]


def third_person(text, name):
    """my → his/her, as a question about the speaker says it."""
    he = GENDER.get(name.split()[0]) == "m"
    for mine, theirs in ((r"\bmy\b", "his" if he else "her"), (r"\bme\b", "him" if he else "her"), (r"\bmyself\b", "himself" if he else "herself"),
                         (r"\bI'm\b", "he is" if he else "she is"), (r"\bI've\b", "he has" if he else "she has"), (r"\bI\b", "he" if he else "she"),
                         (r"\bmine\b", "his" if he else "hers"), (r"\bour\b", "their"), (r"\bwe\b", "they"), (r"\bus\b", "them")):
        text = re.sub(mine, theirs, text)
    return text


def plain(verb):
    """bought → buy; None for what is no simple past."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if not verb.endswith("ed") or len(verb) < 5 or verb in NOT_VERBS:
        return None
    base = verb[:-1] if verb.endswith(("ced", "sed", "zed", "ved", "ued", "ged", "red", "led")) and not verb.endswith(("sled", "lled", "ered", "ored", "tred")) else verb[:-2]
    if base.endswith("i"):
        base = base[:-1] + "y"
    return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] in "bdgmnprt" else base


def asked_of(sentence, rng):
    """Questions that a first-person sentence answers: [(question with {A}, answer text or DATE or SPEAKER)]."""
    made = []
    for match in SAID.finditer(sentence):
        verb, rest = match.group(2).lower(), match.group(3).strip(" ,")
        before = sentence[max(0, match.start() - 12):match.start()].lower()
        if re.search(r"\b(if|that|what|when|which|where|how|n't|not)\s*$", before):
            continue
        past = plain(verb)
        present = None if past else PRESENT.get(verb)
        if not past and not present:
            continue
        rest = re.split(r"\s+(?:and|but|so|because|which)\s+|,", rest)[0]
        time = TIME.search(rest)
        clean = (rest[:time.start()] + rest[time.end():] if time else rest).strip()
        clean = re.sub(r"\s+", " ", clean)
        if not 1 <= len(clean.split()) <= 14:
            continue
        did = ("did {A} " + past) if past else ("does {A} " + present)
        cause = re.search(re.escape(rest) + r"[^.!?]{0,40}?\b(because|since) ([^.!?;]{6,90})", sentence)
        if cause:
            made.append((f"Why {did} {clean}?", cause.group(2).strip()))
        if past:
            if time:
                made.append((f"When {did} {clean}?", time.group()))
            elif not re.search(r"\d|%s" % "|".join(MONTHS), sentence):
                made.append((f"When {did} {clean}?", "DATE"))
        made.append((f"Who {verb if past else present + 's'} {clean}?", "SPEAKER"))
        if DETERMINED.match(rest):
            cut = STOP_NP.search(rest, 4)
            thing = rest[:cut.start()] if cut else rest
            tail = clean[len(thing):].strip(" ,") if clean.startswith(thing) else ""
            if 1 < len(thing.split()) <= 7:
                made.append((f"What {did} {tail}".strip() + "?", thing))
                made.append((f"What {did} {tail}".strip() + "?", thing))
        place = re.match(r"(?:to|in|at) ((?:the |a |my )?[\w' -]{3,40})$", clean)
        if place and (past in {"go", "drive", "move", "fly", "travel", "live", "work", "grow", "study"} or verb in {"live", "work", "study"}):
            made.append((f"Where {did}?", place.group(1)))
    for match in MY_IS.finditer(sentence):
        thing = match.group(1)
        if thing.split()[0].lower() not in {"only", "first", "last", "other", "one"}:
            made.append(("What is {A}'s " + thing + "?", match.group(2).strip()))
    rng.shuffle(made)
    return made[:2]


def first_person(context, name):
    """A biography told by the person: None unless one person is clearly its subject."""
    he, she = len(re.findall(r"\b[Hh]e\b|\b[Hh]is\b", context)), len(re.findall(r"\b[Ss]he\b|\b[Hh]er\b", context))
    if he + she < 2 or min(he, she) * 4 > max(he, she):
        return None
    last = re.escape(name.split()[-1])
    mentions = len(re.findall(r"\b" + last + r"\b", context))
    # A place or a thing stands after "in", "of", "the"; a person does things.
    if len(re.findall(r"\b(?:in|of|the|at|to|from|into)\s+(?:\w+\s)?" + last + r"\b", context)) * 3 > mentions:
        return None
    if not re.search(last + r"\s+(?:\w+ed|was|had|has|is|did|began|became|went|took|made|wrote|won|said|told|left|got|met|gave)\b", context):
        return None
    text = re.sub(r"\b(?:%s)(?:'s|’s| 's)" % "|".join(map(re.escape, {name, name.split()[-1]})), "my", context)
    subject = r"\b(?:%s)\b" % "|".join(map(re.escape, sorted({name, name.split()[-1]}, key=len, reverse=True)))

    def me_or_i(match):
        before = text[:match.start()].rstrip()
        word = re.search(r"(\w+)$", before)
        starts = not before or before[-1] in ".!?,;\n\"" or (word and word.group().lower() in
                 {"and", "but", "when", "that", "as", "while", "after", "before", "because", "if", "which", "where", "until", "since", "then"})
        return "I" if starts else "me"

    text = re.sub(subject, me_or_i, text)
    text = re.sub(r"\b[Hh]e\b|\b[Ss]he\b", "I", text)
    text = re.sub(r"\b(?:[Hh]im|[Hh]er)self\b", "myself", text)
    text = re.sub(r"\b[Hh]im\b", "me", text)
    text = re.sub(r"\b[Hh]is\b", "my", text)
    text = re.sub(r"\b[Hh]er\b(?=\s+[a-z]{3,}\b(?<! the)(?<! and)(?<! for)(?<! from)(?<! with))", "my", text)
    text = re.sub(r"\b[Hh]er\b", "me", text)
    for wrong, right in (("I is", "I am"), ("I has", "I have"), ("I was born", "I was born"), ("I does", "I do")):
        text = text.replace(wrong, right)
    text = re.sub(r"(^|[.!?]\s+)my\b", lambda m: m.group(1) + "My", text)
    return text if len(re.findall(r"\bI\b|\b[Mm]y\b", text)) >= 2 else None


def monologue(example, rng):
    """{sentences, asks: [(question with {A}, answer text)]} of one person's text, or None."""
    context, question = example["context"], example["question"]
    source = example["source"].split("-neg")[0]
    asks = []
    if source in ("squadshifts-reddit", "squadshifts-amazon"):
        asks_a = ASKER.sub("{A}", question)
    elif source == "tweetqa":
        author = TWEET_AUTHOR.search(context)
        if not author:
            return None
        context = context[:author.start()].strip(" —-")
        asks_a = question
        for part in {author.group(1), author.group(1).split()[0], author.group(1).split()[-1]}:
            asks_a = re.sub(r"\b" + re.escape(part) + r"\b", "{A}", asks_a, flags=re.I)
        asks_a = ASKER.sub("{A}", asks_a)
        asks_a = re.sub(r"(\{A\}\s*)+", "{A} ", asks_a).replace("{A} '", "{A}'").replace(" ?", "?")
    else:
        name = None
        for _, _, found in names_in(question):
            if found.split()[-1] in context and len(found.split()) <= 3:
                name = found
        if not name:
            return None
        context = first_person(context, name)
        if not context:
            return None
        asks_a = question.replace(name, "{A}")
    if len(context) < 40:
        return None
    for answer in example["answers"][:2]:
        if answer["text"] in context and len(answer["text"]) < 120:
            asks.append((asks_a, answer["text"]))
            break
    spans = [context[s:e].strip() for s, e in sentences(context)]
    return {"sentences": [s for s in spans if len(s) > 3], "asks": asks}


def date_of(rng):
    day, month, year = rng.randint(1, 28), rng.choice(MONTHS), rng.randint(2015, 2026)
    time = f"{rng.randint(1, 12)}:{rng.randint(0, 59):02d} {rng.choice(['am', 'pm'])}"
    return rng.choice([f"{day} {month} {year}", f"{month} {day}, {year}", f"{time} on {day} {month}, {year}", f"{year}-{MONTHS.index(month) + 1:02d}-{day:02d}",
                       f"{month}-{day}-{year}", f"{day} {month}, {year}"])


class Chat:
    """A conversation of two texts; its windows and questions."""

    def __init__(self, one, two, rng):
        self.rng = rng
        self.names = rng.sample(NAMES, 2)
        self.personal = False
        if rng.random() < 0.18:
            self.names, self.personal = ["User", "Assistant"], True
        elif rng.random() < 0.12:
            self.names = [n + " " + rng.choice(SURNAMES) for n in self.names]
        self.date = date_of(rng) if rng.random() < 0.75 else None
        self.turns = []
        queues = [self.turns_of(one, 0), self.turns_of(two, 1)]
        who = rng.randint(0, 1)
        while (queues[0] or queues[1]) and len(self.turns) < 40:
            if not queues[who]:
                who = 1 - who
            self.turns.append(queues[who].pop(0))
            if rng.random() < 0.85:
                who = 1 - who

    @classmethod
    def of_turns(cls, bodies, rng):
        """A real dialogue of two, its speakers renamed."""
        talk = cls({"sentences": []}, {"sentences": []}, rng)
        talk.turns = bodies
        return talk

    def turns_of(self, text, who):
        rng, made, at = self.rng, [], 0
        other = self.names[1 - who].split()[0]
        pieces = text["sentences"][:16]
        while at < len(pieces):
            n = rng.choice([1, 1, 2, 2, 3])
            body = " ".join(pieces[at:at + n])
            if rng.random() < 0.3:
                body = rng.choice(CHEERS).format(o=other) + " " + body
            if rng.random() < 0.15:
                body += " " + rng.choice(ASKS).format(o=other)
            made.append((who, body))
            at += n
        return made

    def holding(self, text, who):
        return [i for i, (w, body) in enumerate(self.turns) if w == who and text in body]

    def window(self, at, before=None, after=None):
        """(text, offset of each turn's line, date's offset or -1)."""
        rng = self.rng
        before = rng.choice([0, 1, 1, 1, 2]) if before is None else before
        after = rng.choice([0, 1, 1, 1, 2]) if after is None else after
        low, high = max(0, at - before), min(len(self.turns), at + after + 1)
        text, offsets, date_at = "", {}, -1
        style = rng.choice(["line", "bracket", "each"]) if self.date else None
        if style == "line":
            text, date_at = self.date + "\n", 0
        elif style == "bracket":
            text, date_at = f"[{self.date}] ", 1
        for i in range(low, high):
            who, body = self.turns[i]
            if i > low:
                text += "\n"
            if style == "each":
                if i == at:
                    date_at = len(text) + 1
                text += f"[{self.date}] "
            offsets[i] = len(text)
            text += f"{self.names[who]}: {body}"
        return text, offsets, date_at

    def ask(self, question, who):
        """The question, of the speaker `who`."""
        name = self.names[who]
        if self.personal and who == 0:
            q = re.sub(r"\bdid \{A\}", "did I", question)
            q = re.sub(r"\bdoes \{A\}", "do I", q)
            q = re.sub(r"\b(with|cost|take|led|motivated|to) \{A\}", r"\1 me", q)
            return q.replace("{A}'s", "my").replace("{A}", "I")
        short = name.split()[0] if self.rng.random() < 0.7 else name
        q = third_person(question.replace("{A}", "\0"), short).replace("\0", short)
        return q[0].upper() + q[1:]


def examples_of(chat, one, rng, limit=3):
    """Questions about speaker 0's text: answerable, put to the other, and read against another window."""
    made = []
    asks = [(q, a) for q, a in one["asks"] if "{A}" in q or rng.random() < 0.3]
    for piece in one["sentences"][:16]:
        if re.search(r"\b(?:I|my|My)\b", piece):
            asks += [(q, (piece, a)) for q, a in asked_of(piece, rng)]
    rng.shuffle(asks)
    for question, answer in asks:
        if len(made) >= limit * 3:
            break
        piece, text = answer if isinstance(answer, tuple) else (None, answer)
        held = chat.holding(piece or text, 0)
        if not held or (text == "DATE" and not chat.date):
            continue
        at = rng.choice(held)
        passage, offsets, date_at = chat.window(at)
        for _ in range(3):
            # With both in the window, the name alone does not give the answer away.
            if any(chat.turns[i][0] == 1 for i in offsets) or rng.random() < 0.15:
                break
            passage, offsets, date_at = chat.window(at, rng.randint(1, 3), rng.randint(1, 3))
        if text == "DATE":
            span = (date_at, date_at + len(chat.date))
        elif text == "SPEAKER":
            span = (offsets[at], offsets[at] + len(chat.names[0]))
        else:
            inside = passage.find(piece, offsets[at]) if piece else offsets[at]
            start = passage.find(text, inside)
            if start < 0:
                continue
            span = (start, start + len(text))
        right = chat.ask(question, 0)
        if not 8 < len(right) < 220:
            continue
        made.append({"q": right, "text": passage, "s": [span], "a": 1, "r": 1, "k": "chat"})
        if "{A}" in question:
            draw = rng.random()
            if draw < 0.75:
                made.append({"q": chat.ask(question, 1), "text": passage, "s": [], "a": 0, "r": 1, "k": "chat-other"})
            elif draw < 0.9:
                stranger = rng.choice([n for n in NAMES if n not in passage])
                q = third_person(question.replace("{A}", "\0"), stranger).replace("\0", stranger)
                made.append({"q": q[0].upper() + q[1:], "text": passage, "s": [], "a": 0, "r": -1, "k": "chat-stranger"})
        far = [i for i in range(len(chat.turns)) if abs(i - at) > 4]
        if far and rng.random() < 0.7:
            passage, _, _ = chat.window(rng.choice(far))
            if not isinstance(text, str) or text in ("DATE", "SPEAKER") or text not in passage:
                made.append({"q": right, "text": passage, "s": [], "a": 0, "r": 0, "k": "chat-far"})
    return made


SPOKEN = re.compile(r"^([A-Z][\w.'# ]{0,30}?):\s?", re.M)


def dialogue(context):
    """[(speaker, text)] of a transcript with "Name: text" lines, or None."""
    parts = SPOKEN.split(context)
    if parts[0].strip() or len(parts) < 7:
        return None
    return [(parts[i], parts[i + 1].strip()) for i in range(1, len(parts) - 1, 2)]


def scene_examples(row, rng):
    """A transcript with a question about one of its speakers: read in a window, and asked of another speaker of it."""
    turns = dialogue(row["context"])
    if not turns:
        return []
    at, offset = None, 0
    answer = row["answers"][0]
    starts = [m.start() for m in SPOKEN.finditer(row["context"])]
    for i, start in enumerate(starts[:len(turns)]):
        if start <= answer["start"]:
            at = i
    if at is None or answer["text"] not in turns[at][1]:
        return []
    low, high = max(0, at - rng.randint(1, 4)), at + rng.randint(2, 4)
    date = f"[{date_of(rng)}] " if rng.random() < 0.4 else ""
    passage = date + "\n".join(f"{s}: {t}" for s, t in turns[low:high])
    start = passage.find(answer["text"], passage.find(turns[at][1]))
    if start < 0:
        return []
    made = [{"q": row["question"], "text": passage, "s": [(start, start + len(answer["text"]))], "a": 1, "r": 1, "k": "scene"}]
    first = turns[at][0].split()[0]
    others = sorted({s.split()[0] for s, _ in turns[low:high] if not s.startswith("#")} - {first})
    others = [o for o in others if o not in row["question"]]
    # Only where the one asked about is the one who says it: there another name makes it wrong.
    if others and re.search(r"\b" + re.escape(first) + r"\b", row["question"]):
        q = re.sub(r"\b" + re.escape(first) + r"\b", rng.choice(others), row["question"])
        made.append({"q": q, "text": passage, "s": [], "a": 0, "r": 1, "k": "scene-other"})
    return made


def service_examples(context, rng):
    """A real two-person service dialogue, its speakers renamed, asked about what one of them says in the first person."""
    turns = dialogue(context)
    if not turns or len({s for s, _ in turns}) != 2:
        return []
    first = turns[0][0]
    # The other speaker's words stay; only speaker 0 is asked about, so each dialogue is used from one side at random.
    side = rng.random() < 0.75
    bodies = [(0 if (s == first) == side else 1, t.replace("\n", " ")) for s, t in turns]
    said = [t for w, b in bodies if w == 0 for t in re.split(r"(?<=[.!?])\s+", b)]
    talk = Chat.of_turns(bodies, rng)
    return examples_of(talk, {"sentences": said, "asks": []}, rng, limit=2)
