# The client against a running service: MEMOIR_URL, and MEMOIR_KEY for the persona ada-l. Run by test/clients.test.ts.
import io
import os
import time
import unittest

from memoir_client import Memoir, MemoirError

URL, KEY = os.environ["MEMOIR_URL"], os.environ["MEMOIR_KEY"]
memoir = Memoir(URL + "/", KEY, domain_name="ada-l")


class Client(unittest.TestCase):
    def test_calls_every_operation(self):
        self.assertEqual(memoir.validate_key()["validation"], "success")
        memoir.memory("The owl is called Noether.", source_name="test", tags=["owls"])
        for _ in range(2):
            memoir.upload_text("The horse is called Euler.", title="Horse", idempotency_key="python")
        memoir.upload_file(b"The hen is called Ramanujan.", title="Hen", file_name='hen "1".txt')
        memoir.upload_file(io.BytesIO(b"The goat is called Galois."), title="Goat")
        memoir.upload_file(__file__, title="This file")
        reply = self.ask_until("What is the horse called?", "Euler")
        self.assertEqual(reply["sources"][0]["title"], "Horse")
        titles = [one["title"] for one in memoir.documents(50)]
        self.assertEqual(titles.count("Horse"), 1)
        horse = memoir.documents(1, text="Horse")[0]["id"]
        self.assertTrue(memoir.update_document(feed_id=horse, text="The horse is called Fermat.")["is_edited"])
        self.assertIn("Fermat", memoir.document_by_id(horse)["text"])
        self.assertEqual(memoir.memory_list(size=5)["type"], "memory")
        self.assertGreaterEqual(len(memoir.conversation(reply["SessionId"])), 2)
        self.assertTrue(memoir.instruction("horse", "search")["ai_message"])
        self.assertTrue(memoir.invite("a@b.example")["key"].startswith("memoir_"))

    def test_streams(self):
        parts = list(memoir.message_stream("Hello! Who are you?", metadata={"ü": 1}))
        self.assertTrue("".join(part["ai_message"] for part in parts))
        self.assertIsInstance(parts[-1]["ai_score"], (int, float))

    def test_raises_what_was_refused(self):
        self.refused(lambda: memoir.message(" "), 400, "Text is empty.", "invalid")
        self.refused(lambda: memoir.upload_url("http://127.0.0.1:1/"), 400, None, "unreachable")
        self.refused(lambda: list(memoir.message_stream(" ")), 400, "Text is empty.", "invalid")
        self.refused(lambda: Memoir(URL, "wrong").validate_key(), 403, None, "unauthorized")
        self.refused(lambda: Memoir("http://127.0.0.1:1", KEY).validate_key(), 0, None, None)

    def refused(self, call, status, detail, code):
        with self.assertRaises(MemoirError) as caught:
            call()
        self.assertEqual((caught.exception.status, caught.exception.code), (status, code))
        if detail is not None:
            self.assertEqual(caught.exception.detail, detail)

    # A document is learned after it was acknowledged.
    def ask_until(self, question, word):
        for _ in range(100):
            reply = memoir.message(question, include="sources", session_id="python")
            if word in reply["ai_message"]:
                return reply
            time.sleep(0.1)
        raise AssertionError(f"{word} was not learned")


if __name__ == "__main__":
    unittest.main()
