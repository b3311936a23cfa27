"""Questions for a detail of something that a passage mentions: usually the passage does not say it, sometimes it does.

A memory that knows of a workshop is asked what was taught there; one that knows of a purchase, why it was made. Whether
the passage tells is decided by cues (because …, cost $…, I felt …): with a cue the detail is the answer, without one the
question has none. The same wordings stand on both sides, so that the wording gives nothing away.
"""
import re
from near_misses import sentences
from chat import SAID, plain, third_person

FEELINGS = """happy sad excited nervous proud angry upset worried thrilled disappointed surprised scared relieved anxious grateful
frustrated embarrassed amazed glad tired confused overwhelmed impressed shocked ashamed delighted annoyed lonely devastated""".split()
# kind → cue whose last group is the answer; what is asked of a deed {did} (do: its plain form) of {A}; what is asked of an event {E}.
KINDS = {
    "reason": (re.compile(r"\b(?:because|so that|in order to|due to|the reason (?:is|was) that) ([^.!?;()\n]{6,110})", re.I),
               ["What was the reason {A} {did}?", "What was the rationale behind {A}'s decision to {do}?", "What led {A} to {do}?",
                "Why did {A} {do}?", "What specific reasons did {A} give for wanting to {do}?", "What motivated {A} to {do}?"],
               ["What was the rationale behind {E}?", "What were the reasons for {E}?", "Why was {E} held?", "What led to {E}?"]),
    "feeling": (re.compile(r"\b(?:I|we|he|she|they)(?: was| were| am|'m| felt| feel|'re| are) ((?:so |very |really |pretty |quite |a bit |extremely )?(?:%s)\b[^.!?;,()\n]{0,30})" % "|".join(FEELINGS), re.I),
                ["How did {A} feel when {A} {did}?", "What was {A}'s emotional reaction after {A} {did}?", "How did {A} react emotionally once {A} {did}?"],
                ["What was the atmosphere like during {E}?", "How did people react emotionally to {E}?", "What was the mood at {E}?"]),
    "advice": (re.compile(r"\b(?:told|advised|urged|encouraged) (?:me|us|him|her|them) to ([^.!?;()\n]{5,90})|\b(?:suggested|recommended|advised)(?: that)? ([^.!?;()\n]{5,90})", re.I),
               ["What advice did {A} get before {A} {did}?", "What specific advice was {A} given about how to {do}?", "What was recommended to {A} when {A} {did}?"],
               ["What specific advice was given during {E}?", "What recommendations came out of {E}?", "What feedback did people give on {E}?"]),
    "topics": (re.compile(r"\b(?:discussed|talked about|covered|learned about|learnt about|taught (?:us|me|them|him|her)?|focus(?:ed|es) on|dealt with|was about|were about|is about) ([^.!?;()\n]{5,90})", re.I),
               ["What topics came up when {A} {did}?", "What did {A} learn when {A} {did}?"],
               ["What was discussed during {E}?", "What specific topics were covered in {E}?", "What was the agenda of {E}?", "What was {E} about?",
                "What techniques were taught at {E}?", "Could you share the key points of {E}?"]),
    "price": (re.compile(r"((?:[$€£]\s?\d[\d,.]*(?: (?:million|billion|thousand))?)|\b\d[\d,.]* (?:dollars|euros|pounds|bucks))"),
              ["How much did it cost {A} to {do}?", "How much did {A} pay when {A} {did}?", "What was {A}'s budget to {do}?"],
              ["How much did {E} cost?", "What was the budget of {E}?"]),
    "length": (re.compile(r"\b(?:for|took (?:me |us |him |her )?|lasted(?: for)?|lasting|spent) ((?:about |almost |over |nearly )?(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few|a couple of) (?:full |whole )?(?:minutes?|hours?|days?|weeks?|months?|years?))\b", re.I),
               ["How long did it take {A} to {do}?", "For how long did {A} {do}?"],
               ["How long did {E} last?", "What was the duration of {E}?"]),
    "company": (re.compile(r"\b(?:with|accompanied by|joined by) ((?:my|his|her|our|their) (?:\w+ )?(?:wife|husband|friends?|brothers?|sisters?|mother|father|mom|dad|parents|family|kids|children|son|daughter|boss|team|colleagues?|cousins?|girlfriend|boyfriend|partner|roommates?|dog)|[A-Z][a-z]+(?: and [A-Z][a-z]+)?)\b"),
                ["Who was with {A} when {A} {did}?", "Who did {A} {do} together with?"],
                ["Who took part in {E}?", "Who else was at {E}?"]),
    "criteria": (re.compile(r"\b(?:based on|depending on|judged by|according to (?:its|their|the)) ([^.!?;()\n]{5,80})", re.I),
                 ["What specific criteria did {A} use when {A} {did}?", "What did {A} base the decision to {do} on?"],
                 ["What were the criteria for {E}?", "What were the terms and conditions of {E}?"]),
    "steps": (re.compile(r"\b(?:by (?=\w+ing\b)|using |with the help of |through the use of )([^.!?;()\n]{5,80})", re.I),
              ["What steps did {A} follow to {do}?", "What tools did {A} use to {do}?", "How exactly did {A} {do}?", "Can you explain the method by which {A} {did}?"],
              ["How was {E} organised?", "Could you provide details about the format of {E}?", "What tools were used for {E}?"]),
}
EVENT = re.compile(
    r"\b((?:the|his|her|their|our|my|this) (?:[\w'-]+ ){0,3}?(?:meetings?|workshops?|class(?:es)?|sessions?|calls?|talks?|party|trip|wedding|conference|interview|concert|"
    r"lecture|course|tour|festival|debate|appointment|presentation|ceremony|negotiations?|agreement|contract|project|program(?:me)?|review|survey|plan|campaign|"
    r"exhibition|expedition|training|visit|speech|hearing|trial|competition|tournament|study|experiment|discussion|celebration|reunion|dinner|match|purchase|sale|"
    r"proposal|investigation|merger|treaty|strike|election|summit)\b(?: (?:of|in|at|with|on|for|between|about) (?:the )?(?:[A-Z0-9][\w'-]*(?: (?:and )?[A-Z0-9][\w'-]*){0,3}))?)")
FRAMES = ["Can you tell me {q}", "Could you tell me {q}", "Do you know {q}", "Please tell me: {q}", "I was wondering, {q}", "Remind me, {q}", "Can you remind me {q}"]
NO_NOUN = set("""is was are were did does do has have had can could will would should may might the a an of in on at to for it he she they
i you we that this these those there not kind type sort percentage year time else exactly specific""".split())


def told(kind, text, near=None):
    """Where the text tells a detail of this kind, right behind the place `near` where one is given: (start, end), or None."""
    for match in KINDS[kind][0].finditer(text):
        if near is not None and not near <= match.start() <= near + 50:
            continue
        for group in range(match.re.groups, 0, -1):
            if match.group(group):
                answer = match.group(group).rstrip(" ,'\"")
                return match.start(group), match.start(group) + len(answer)
    return None


def deeds(sentence):
    """(did, do, where) of what the first person of a sentence did."""
    for match in SAID.finditer(sentence):
        base = plain(match.group(2).lower())
        if not base or re.search(r"\b(if|that|what|when|which|where|how|n't|not)\s*$", sentence[max(0, match.start() - 12):match.start()].lower()):
            continue
        rest = re.split(r"\s+(?:and|but|so|because|which|who|that|when|while|by|using|for|with|due|based|until|as|if|since)\s+|,", match.group(3).strip(" ,"))[0]
        rest = re.sub(r"\s+", " ", rest)
        if 1 <= len(rest.split()) <= 9:
            yield f"{match.group(2).lower()} {rest}".strip(), f"{base} {rest}".strip(), match.start(3)


def of_deeds(chat, one, rng, limit=2):
    """Details of what speaker 0 of a chat did, in windows of it."""
    made = []
    pieces = [p for p in one["sentences"][:16] if re.search(r"\bI\b", p)]
    rng.shuffle(pieces)
    for piece in pieces:
        done, held = list(deeds(piece)), chat.holding(piece, 0)
        if not done or not held or len(made) >= limit:
            continue
        did, do, near = rng.choice(done)
        at = rng.choice(held)
        passage, offsets, _ = chat.window(at)
        inside = passage.find(piece, offsets[at])
        if inside < 0:
            continue
        answered = [k for k in KINDS if told(k, piece, near)]
        silent = [k for k in KINDS if not told(k, passage)]
        for kind, answerable in ([(rng.choice(answered), 1)] if answered else []) + ([(rng.choice(silent), 0)] if silent and rng.random() < 0.55 else []):
            question = chat.ask(rng.choice(KINDS[kind][1]).format(A="{A}", did=third_person(did, chat.names[0]) if not chat.personal else did,
                                                                 do=third_person(do, chat.names[0]) if not chat.personal else do), 0)
            start, end = told(kind, piece, near) if answerable else (0, 0)
            made.append({"q": question, "text": passage, "s": [(inside + start, inside + end)] if answerable else [], "a": answerable, "r": 1,
                         "k": "detail" if answerable else "detail-missing"})
    return made


def of_events(context, rng, limit=1):
    """Details of an event that a passage mentions."""
    made, spans = [], sentences(context)
    order = list(range(len(spans)))
    rng.shuffle(order)
    for i in order:
        start, end = spans[i]
        piece = context[start:end]
        found = [(m.group(1), m.end()) for m in EVENT.finditer(piece) if len(m.group(1).split()) > 2 or re.search(r"[A-Z0-9]", m.group(1)[4:])]
        if not found or len(made) >= limit:
            continue
        event, place = rng.choice(found)
        event = event[0].lower() + event[1:]
        around = context[spans[max(0, i - 2)][0]:spans[min(len(spans) - 1, i + 2)][1]]
        answered = [k for k in KINDS if told(k, piece, place)]
        silent = [k for k in KINDS if not told(k, around)]
        if answered:
            kind = rng.choice(answered)
            low, high = told(kind, piece, place)
            made.append({"q": rng.choice(KINDS[kind][2]).format(E=event), "text": context, "s": [(start + low, start + high)], "a": 1, "r": 1, "k": "detail-event"})
        elif silent:
            made.append({"q": rng.choice(KINDS[rng.choice(silent)][2]).format(E=event), "text": context, "s": [], "a": 0, "r": 1, "k": "detail-missing-event"})
    return made


CLAUSE = re.compile(r"(?:^|, (?:and |but )?|; )((?:the|it|he|she|they|this|these|many|some|[A-Z])[^,;:()]{12,110}?),? because (?!of\b)([^.;()]{8,120})")


def of_reasons(context, rng):
    """Why something a passage says is so: it says it after "because"; without that part it does not say it."""
    made = []
    for start, end in sentences(context):
        piece = context[start:end]
        match = CLAUSE.search(piece)
        if not match:
            continue
        clause, reason = match.group(1), match.group(2).rstrip(" .,\"'")
        clause = clause if clause.split()[0] in {"I"} or clause.split()[0][1:2].isupper() or rng.random() < 0.5 else clause[0].lower() + clause[1:]
        question = rng.choice(["What was the reason that {c}?", "What is the rationale behind the fact that {c}?", "Why is it that {c}?", "What specific reason is given for why {c}?"]).format(c=clause)
        low = start + match.start(2)
        made.append({"q": question, "text": context, "s": [(low, low + len(reason))], "a": 1, "r": 1, "k": "detail"})
        without = context[:start + match.end(1)] + "." + context[start + match.end(2):]
        if "because" not in without:
            made.append({"q": question, "text": without, "s": [], "a": 0, "r": 1, "k": "detail-missing"})
    return made[:2]


def framed(question, rng):
    """The same question, asked more politely or with "specific"; None where that does not fit."""
    match = re.match(r"(What|Which) (\w+) ", question)
    if match and match.group(2).lower() not in NO_NOUN and rng.random() < 0.6:
        return question.replace(f"{match.group(1)} ", f"{match.group(1)} specific ", 1)
    if not re.match(r"(What|Which|Who|When|Where|Why|How)\b", question):
        return None
    return rng.choice(FRAMES).format(q=question[0].lower() + question[1:])


def besides(question, answers, rng):
    """A question for another answer than the passage's only one; (question, answer's text or None)."""
    if not re.match(r"(?:What|Which|Who)\b", question) or not answers:
        return None
    text = answers[0]["text"]
    if not 1 <= len(text.split()) <= 8:
        return None
    body = question.rstrip("? .")
    word = rng.choice(["besides", "other than", "apart from", "in addition to", "beyond"])
    listed = re.fullmatch(r"(.+?),? and (.+)", text)
    if listed and "," not in listed.group(1):
        return f"{body} {word} {listed.group(1)}?", listed.group(2)
    if listed or "," in text:
        return None
    return f"{body} {word} {text}?", None
