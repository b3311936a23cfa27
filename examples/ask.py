"""The Python client: adds a file, asks with sources, asks on in a stream, and hears why a call is refused."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../clients/python"))
from memoir_client import Memoir, MemoirError  # noqa: E402

url, persona = os.environ["MEMOIR_URL"], os.environ["PERSONA"]
memoir = Memoir(url, os.environ["MEMOIR_KEY"], domain_name=persona)

text = "# The cat\nThe cat is called Turing. He is nine years old."
print(memoir.upload_file(text.encode(), file_name="cat.md", tags=["pets"]))

question = sys.argv[1] if len(sys.argv) > 1 else "What is the cat called?"
reply = memoir.message(question, include="sources")
print(f"{reply['ai_name']} ({reply['ai_score']} %): {reply['ai_message']}")
for source in reply.get("sources", []):
    print("  from", source["title"])

for part in memoir.message_stream("And how old is he?", session_id=reply["SessionId"]):
    print(part["ai_message"], end="", flush=True)
print()

try:
    Memoir(url, "wrong", domain_name=persona).message("Hello")
except MemoirError as error:
    print(f"Refused with {error.status}: {error.detail}")
