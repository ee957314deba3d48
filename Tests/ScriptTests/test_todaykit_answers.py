"""What servers answer, as the kit gives it to widgets: unpacked, limited, and with what is missing of it."""

import gzip
import socket
import ssl
import sys
import time
import unittest
import zlib
from pathlib import Path
from unittest import mock

from server import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Widgets" / "Shared"))
import todaykit  # noqa: E402


def sent(content, **headers):
    """An answer with headers; `_` in their names is `-`."""

    def answer(handler, _):
        handler.send_response(200)
        for name, value in {"Content_Length": str(len(content)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)
        handler.close_connection = True
        return b""

    return answer


def refused(status, content):
    def answer(handler, _):
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
        return b""

    return answer


class Quiet(Server):
    """A server whose functions send their answers themselves."""

    def send(self, handler, answer):
        if answer != b"":
            Server.send(handler, answer)


def raw_deflate(content):
    machine = zlib.compressobj(wbits=-15)
    return machine.compress(content) + machine.flush()


class AnswerTests(unittest.TestCase):
    def fetched(self, content, **headers):
        with Quiet(("/", sent(content, **headers))) as server:
            return todaykit.fetch(server.url + "/")

    def failure(self, content, **headers):
        with self.assertRaises(todaykit.Failure) as caught:
            self.fetched(content, **headers)
        return str(caught.exception)

    def test_an_answer_that_is_packed_unasked_is_unpacked(self):
        words = b"words of a server " * 100
        for name, packed in (
            ("gzip", gzip.compress(words)),
            ("X-GZip", gzip.compress(words)),
            ("deflate", zlib.compress(words)),
            ("deflate", raw_deflate(words)),
            ("deflate, gzip", gzip.compress(zlib.compress(words))),
            ("gzip", gzip.compress(words[:50]) + gzip.compress(words[50:])),
            ("gzip", gzip.compress(words) + b"\0\0\n"),
            # It says so, and is not.
            ("gzip", words),
            ("identity", words),
        ):
            with self.subTest(name):
                self.assertEqual(self.fetched(packed, Content_Encoding=name), words)

    def test_what_cannot_be_unpacked_is_said_in_words(self):
        packed = gzip.compress(b"words" * 1000)
        self.assertIn("sent br, which was not asked for", self.failure(b"x", Content_Encoding="br"))
        self.assertIn("cannot be unpacked (gzip)", self.failure(b"\x1f\x8b" + b"nothing", Content_Encoding="gzip"))
        self.assertIn("cannot be unpacked (deflate)", self.failure(b"\xff" * 10, Content_Encoding="deflate"))
        self.assertIn("ended too early", self.failure(packed[:-20], Content_Encoding="gzip"))

    def test_an_answer_that_grows_while_it_is_unpacked_has_the_same_limit(self):
        bomb = gzip.compress(bytes(40 * 1024 * 1024), 1)
        start = time.process_time()
        self.assertIn("more than 4096 KiB", self.failure(bomb, Content_Encoding="gzip"))
        self.assertIn("more than 4096 KiB", self.failure(gzip.compress(bomb), Content_Encoding="gzip, gzip"))
        self.assertLess(time.process_time() - start, 2)
        self.assertIn("ended too early", self.failure(gzip.compress(b"") * 100_000, Content_Encoding="gzip"))

    def test_an_answer_that_is_shorter_than_its_length_is_not_taken_for_the_whole(self):
        self.assertIn("ended too early", self.failure(b"half", Content_Length="8"))
        with Quiet(("/", sent(b"half", Content_Length="8"))) as server:
            answer = todaykit.fetch_answer(server.url + "/")
            self.assertEqual((answer.content, answer.problem), (b"half", "the server's answer ended too early"))
        with Quiet(("/", sent(b"5\r\nwords\r\n9\r\nhal", Transfer_Encoding="chunked"))) as server:
            answer = todaykit.fetch_answer(server.url + "/")
            self.assertEqual(answer.problem, "the server's answer ended too early")

    def test_the_localhost_of_a_network_of_its_own_is_told_from_a_server_that_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = f"http://localhost:{server.getsockname()[1]}/"
        for networks, words in (
            ([(1, "lo"), (2, "tap0")], "localhost is out of reach of the sandbox; use a server on another address of this machine"),
            ([(1, "lo"), (2, "eth0")], "connection refused"),
        ):
            with mock.patch.object(socket, "if_nameindex", lambda: networks), self.assertRaises(todaykit.Failure) as caught:  # noqa: B023
                todaykit.fetch(url)
            self.assertEqual(str(caught.exception), f"no connection: {words}")

    def test_the_beginning_of_what_is_too_large_can_be_had(self):
        with Quiet(("/", sent(b"x" * 3000))) as server:
            answer = todaykit.fetch_answer(server.url + "/", limit=1024)
            self.assertEqual((len(answer.content), answer.problem), (1024, "the server sent more than 1 KiB"))

    def test_a_header_that_cannot_be_sent_is_named_without_its_value(self):
        for value in ("Bearer s3cret\n", "Bearer s3cret\r\nX: y", "Bearer s3cret\u20ac", "s3\0cret"):
            with self.subTest(value), Server(("/", b"x")) as server, self.assertRaises(todaykit.Failure) as caught:
                todaykit.fetch(server.url + "/", headers={"Authorization": value})
            words = str(caught.exception)
            self.assertTrue(words.startswith("Authorization has a character that cannot be sent"), words)
            self.assertNotIn("s3", words)

    def test_a_refusal_has_the_reason_that_the_server_gives_in_json(self):
        for content, words in (
            (b'{"error": true, "reason": "Daily API request limit exceeded."}', "the server answered 429 Too Many Requests: Daily API request limit exceeded."),
            (b'{"message": "Too many requests"}', "the server answered 429 Too Many Requests"),
            (b'{"message": "a\\n  b"}', "the server answered 429 Too Many Requests: a b"),
            (b'{"error": "' + b"x" * 999 + b'"}', "the server answered 429 Too Many Requests: " + "x" * 199 + "…"),
            (b'{"error": {"code": 5}}', "the server answered 429 Too Many Requests"), (b"[1]", "the server answered 429 Too Many Requests"),
            (b"<html>", "the server answered 429 Too Many Requests"), (b"\xff", "the server answered 429 Too Many Requests"),
        ):
            with self.subTest(content), Quiet(("/", refused(429, content))) as server, self.assertRaises(todaykit.Failure) as caught:
                todaykit.fetch(server.url + "/")
            self.assertEqual(str(caught.exception), words)

    def test_headers_the_last_address_and_what_has_not_changed(self):
        def moved(handler, _):
            handler.send_response(302)
            handler.send_header("Location", "/new")
            handler.end_headers()
            return b""

        def conditional(handler, _):
            handler.send_response(304 if handler.headers.get("If-None-Match") == '"1"' else 200)
            handler.send_header("ETag", '"1"')
            handler.end_headers()
            return b""

        with Quiet(("/old", moved), ("/new", conditional)) as server:
            answer = todaykit.fetch_answer(server.url + "/old")
            self.assertEqual((answer.status, answer.url, answer.headers["etag"]), (200, server.url + "/new", '"1"'))
            answer = todaykit.fetch_answer(server.url + "/old", headers={"If-None-Match": '"1"'})
            self.assertEqual((answer.status, answer.content), (304, b""))

    def test_an_address_may_have_a_name_a_password_and_letters_of_any_script(self):
        def moved(handler, _):
            handler.send_response(302)
            handler.send_header("Location", "/new")
            handler.end_headers()
            return b""

        with Quiet(("/old", moved), ("/", b"yes")) as server:
            port = server.url.rpartition(":")[2]
            answer = todaykit.fetch_answer(f"http://me:s%40cret@127.0.0.1:{port}/Z\u00fcrich x?q=\u6625&r=%20#part")
            self.assertEqual((answer.content, server.paths[0]), (b"yes", "/Z%C3%BCrich%20x?q=%E6%98%A5&r=%20"))
            self.assertEqual(server.headers[0]["Authorization"], "Basic bWU6c0BjcmV0")
            self.assertNotIn("s%40cret", answer.url)
            todaykit.fetch(f"http://me:secret@127.0.0.1:{port}/old")
            self.assertNotIn("Authorization", server.headers[-1])
            own = {"Authorization": "Bearer x"}
            todaykit.fetch(f"http://me:secret@127.0.0.1:{port}/", headers=own)
            self.assertEqual(server.headers[-1]["Authorization"], "Bearer x")
        for address in ("http://me:secret@[", "http://me:secret@127.0.0.1:x/", "http://me:secret@/", "http://", "http://me:secret@127.0.0.1:1/"):
            with self.subTest(address), self.assertRaises(todaykit.Failure) as caught:
                todaykit.fetch(address)
            self.assertNotIn("secret", str(caught.exception))

    def test_a_name_that_is_not_found_and_a_certificate_that_is_not_valid_are_said_in_plain_words(self):
        with self.assertRaises(todaykit.Failure) as caught:
            todaykit.fetch("http://nowhere.invalid/")
        self.assertIn(str(caught.exception), {
            "no connection: the name of the server cannot be resolved", "no connection: names of servers cannot be looked up now",
        })
        self.assertEqual(
            todaykit.reason(socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")),
            "names of servers cannot be looked up now",
        )
        error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: x (_ssl.c:1000)")
        error.verify_message = "certificate has expired"
        self.assertEqual(todaykit.reason(error), "the certificate of the server is not valid: certificate has expired")
        with Quiet(("/", sent(b"yes"))) as server, self.assertRaises(todaykit.Failure) as caught:
            todaykit.fetch(server.url.replace("http:", "https:") + "/", seconds=5)
        self.assertRegex(str(caught.exception), "^no connection: the server does not speak TLS as it should: [a-z ]+$")


if __name__ == "__main__":
    unittest.main()
