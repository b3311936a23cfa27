"""Written personas that the reader was not trained on → JSON in the form of the talk set, for collect.ts.

    python written.py 6 ../reader/talk/[a-m].txt > written.json

Every sixth persona (or sixteenth), as talk.py leaves them out. Single questions only: each is answered by words of one line, or by none.
"""
import json, pathlib, re, sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "reader"))
from talk import blocks, MONTHS

SKIP_EVERY = int(sys.argv[1])


def iso(day):
    number, month, year = day.split()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(number):02}T09:00:00Z"


def conversation(mark, text):
    question, _, answer = text.partition(" = ")
    return [{"q": question.strip(), "kind": "written" if mark == "+" else "unanswerable", "gold": [[answer.strip()]] if mark == "+" else []}]


personas = []
for number, (name, held, asked) in enumerate(blocks(sys.argv[2:])):
    if number % SKIP_EVERY != SKIP_EVERY - 1:
        continue
    notes = [{"text": text, "time": iso(day)} for day, text, is_note in held if is_note]
    documents = [{"title": title or "Notes", "text": text, "time": "2025-01-01T09:00:00Z"} for title, text, is_note in held if not is_note]
    personas.append({
        "domain": re.sub(r"[^a-z]+", "-", name.lower()).strip("-") or f"written-{number}",
        "name": name,
        "documents": documents,
        "memories": notes,
        "conversations": [conversation(mark, text) for mark, text in asked if mark in "+-" and len(mark) == 1],
    })
json.dump(personas, sys.stdout, ensure_ascii=False)
