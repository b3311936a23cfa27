"""Written FAQs and what people type to them → JSON in the form of the talk set, for collect.ts.

    python faq.py faq.txt > faq.json

Lines: `#` whose FAQ it is, `Q:` and `A:` its entries, `+` a message and the words of an answer that a right reply holds, `-` a message
that looks just like those and that no entry answers. The pages are written in three ways, as people write them.
"""
import json, re, sys

WAYS = ["## {}\n{}", "{}\n{}", "Q: {}\nA: {}"]


def conversation(line):
    message, _, words = line[2:].rpartition(" = ") if line[0] == "+" else (line[2:], "", "")
    return [{"q": message.strip(), "kind": "faq" if words else "unanswerable", "gold": [[words.strip()]] if words else []}]


personas = []
for block in re.split(r"\n\s*\n", open(sys.argv[1], encoding="utf8").read().strip()):
    first, *lines = [line.strip() for line in block.split("\n")]
    name = first[1:].strip()
    questions = [line[2:].strip() for line in lines if line.startswith("Q:")]
    answers = [line[2:].strip() for line in lines if line.startswith("A:")]
    way = WAYS[len(personas) % len(WAYS)]
    text = "\n\n".join(way.format(question, answer) for question, answer in zip(questions, answers, strict=True))
    personas.append({
        "domain": re.sub(r"[^a-z]+", "-", name.lower()).strip("-"),
        "name": name,
        "documents": [{"title": "Frequently asked questions", "text": text, "time": "2025-01-01T09:00:00Z"}],
        "memories": [],
        "conversations": [conversation(line) for line in lines if line[:2] in ("+ ", "- ")],
    })
json.dump(personas, sys.stdout, ensure_ascii=False)
