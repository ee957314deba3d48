import fcntl
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Fixtures"))

from agents import compile_agent  # noqa: E402
from transfer_server import content  # noqa: E402


class TransferAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = f"{folder.name}/transfer-agent"
        compile_agent("TransferAgent", cls.program)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.output = self.folder / "output"
        server = subprocess.Popen(
            [sys.executable, "-B", str(ROOT / "Tests/Fixtures/transfer_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.stdin.close)
        self.port, self.other_port = map(int, server.stdout.readline().split())

    def url(self, path, port=None):
        return f"http://127.0.0.1:{port or self.port}{path}"

    def requests(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.url("/log")) as answer:
            return json.load(answer)

    def start(self, url, *lines, method="GET", body=None):
        request = "\n".join([f"method {method}", f"url {url}", "pause 20", "attempts 4", *lines])
        if body is not None:
            (self.folder / "body").write_bytes(body)
            request += "\nbody"
        output = os.open(self.output, os.O_RDWR | os.O_CREAT, 0o600)
        source = os.open(self.folder / "body" if body is not None else "/dev/null", os.O_RDONLY)

        def place():
            # Out of the way of the numbers that they get.
            copies = [fcntl.fcntl(each, fcntl.F_DUPFD, 20) for each in (output, source)]
            for number, copy in zip((3, 4), copies):
                os.dup2(copy, number)

        agent = subprocess.Popen(
            [self.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=place,
            close_fds=False,
            text=True,
            env={"no_proxy": "*", "HOME": str(self.folder)},
        )
        os.close(output)
        os.close(source)
        agent.stdin.write(request + "\n")
        agent.stdin.close()
        return agent

    def run_agent(self, url, *lines, **options):
        agent = self.start(url, *lines, **options)
        self.lines = [line.rstrip("\n") for line in agent.stdout]
        agent.stdout.close()
        self.assertEqual(agent.wait(timeout=30), 0)
        return self.lines[-1]

    def test_a_file_is_complete(self):
        self.assertEqual(self.run_agent(self.url("/file?size=300000")), "done 200 300000")
        self.assertEqual(self.output.read_bytes(), content(300000))

    def test_a_connection_that_breaks_off_is_resumed_where_it_ended(self):
        url = self.url("/breaks?size=200000&at=70000&tag=t")
        self.assertEqual(self.run_agent(url), "done 206 200000")
        self.assertEqual(self.output.read_bytes(), content(200000))
        second = self.requests()[1]["headers"]
        self.assertEqual((second["range"], second["if-range"]), ("bytes=70000-", '"t"'))

    def test_without_a_validator_it_begins_again_and_gives_up(self):
        last = self.run_agent(self.url("/breaks?size=200000&at=70000"))
        self.assertTrue(last.startswith("failed network "), last)
        self.assertFalse(any("range" in each["headers"] for each in self.requests()))

    def test_a_content_that_has_changed_is_fetched_from_the_beginning(self):
        last = self.run_agent(self.url("/changes?size=90000&at=40000"))
        self.assertEqual(last, "done 200 90000")
        self.assertEqual(self.output.read_bytes(), content(90000, salt=2))

    def test_another_part_than_the_one_asked_for_is_not_stored(self):
        last = self.run_agent(self.url("/wrong-part?size=90000&at=40000"))
        self.assertEqual(last, "done 200 90000")
        self.assertEqual(self.output.read_bytes(), content(90000))

    def test_a_part_of_an_earlier_run_is_continued(self):
        self.output.write_bytes(content(90000)[:1234])
        last = self.run_agent(self.url("/file?size=90000&tag=t"), 'validator "t"')
        self.assertEqual(last, "done 206 90000")
        self.assertEqual(self.output.read_bytes(), content(90000))

    def test_a_length_that_is_too_large_is_a_failure(self):
        last = self.run_agent(self.url("/lies?size=1000&claims=5000"))
        self.assertTrue(last.startswith("failed network "), last)

    def test_a_length_that_is_too_small_ends_the_content(self):
        self.assertEqual(self.run_agent(self.url("/lies?size=5000&claims=1000")), "done 200 1000")
        self.assertEqual(self.output.read_bytes(), content(1000))

    def test_a_length_beyond_all_numbers_is_too_large(self):
        for claims in ["99999999999999999999", "9223372036854775807", "9" * 400]:
            for limit in [[], ["limit 1048576"]]:
                last = self.run_agent(self.url(f"/lies?size=3&claims={claims}"), *limit)
                self.assertTrue(last.startswith(("failed tooLarge ", "failed network ")), last)
                self.assertEqual(self.output.read_bytes(), b"")

    def test_a_length_that_is_no_number_is_a_failure(self):
        for claims in ["3x", "-3", "0x3", "%2B3", "3%203", "3,%204", "three"]:
            last = self.run_agent(self.url(f"/lies?size=3&claims={claims}"))
            self.assertTrue(last.startswith("failed network "), (claims, last))

    def test_parts_that_end_too_early_are_continued_until_the_end(self):
        last = self.run_agent(self.url("/short-parts?size=90000&at=20000"))
        self.assertEqual(last, "done 206 90000")
        self.assertEqual(self.output.read_bytes(), content(90000))

    def test_the_limit_holds_for_the_length_that_is_claimed(self):
        last = self.run_agent(self.url("/file?size=5000"), "limit 4999")
        self.assertTrue(last.startswith("failed tooLarge 0 the response has 5000 bytes"), last)
        self.assertEqual(self.output.read_bytes(), b"")

    def test_429_waits_as_long_as_the_server_asks(self):
        last = self.run_agent(self.url("/status?code=429&times=1&retry=1"))
        self.assertEqual(last, "done 200 7")
        self.assertIn("retry 1 429 the server answered with status 429", self.lines)

    def test_500_is_tried_again_and_then_a_failure(self):
        self.assertEqual(self.run_agent(self.url("/status?code=500&times=2")), "done 200 7")
        last = self.run_agent(self.url("/status?code=500"))
        self.assertEqual(last, "failed http 500 the server answered with status 500")
        self.assertEqual(sum(each["path"] == "/status?code=500" for each in self.requests()), 4)

    def test_challenges_are_named(self):
        last = self.run_agent(self.url("/status?code=401"))
        self.assertTrue(last.startswith("failed unauthorized 401 "), last)
        last = self.run_agent(self.url("/status?code=407"))
        self.assertTrue(last.startswith("failed proxyUnauthorized 407 "), last)
        self.assertEqual(len(self.requests()), 2)

    def test_a_server_without_tls_is_a_tls_failure(self):
        last = self.run_agent(f"https://127.0.0.1:{self.port}/file?size=1")
        self.assertTrue(last.startswith("failed tls "), last)

    def test_headers_and_credentials_do_not_leave_their_host(self):
        target = self.url("/file?size=10", self.other_port)
        last = self.run_agent(
            self.url(f"/redirect?to={target}"), "header X-Key: secret", "basic user:word"
        )
        self.assertEqual(last, "done 200 10")
        first, second = self.requests()
        self.assertEqual(first["headers"]["x-key"], "secret")
        self.assertEqual(first["headers"]["authorization"], "Basic dXNlcjp3b3Jk")
        self.assertEqual(second["port"], self.other_port)
        self.assertFalse({"x-key", "authorization"} & set(second["headers"]))

    def test_a_redirection_on_the_same_host_keeps_them(self):
        last = self.run_agent(self.url("/redirect?to=/file?size=10"), "bearer abc")
        self.assertEqual(last, "done 200 10")
        self.assertEqual(
            [each["headers"].get("authorization") for each in self.requests()], ["Bearer abc"] * 2
        )

    def test_redirections_end(self):
        self.assertEqual(
            self.run_agent(self.url("/redirect?to=file:///etc/passwd")),
            "failed redirect 302 redirected to another kind of URL",
        )
        last = self.run_agent(self.url("/redirect?to=/redirect"))
        self.assertTrue(last.startswith("failed"), last)

    def test_netrc_is_not_read(self):
        (self.folder / ".netrc").write_text("default login user password word\n")
        self.assertEqual(self.run_agent(self.url("/file?size=1")), "done 200 1")
        self.assertNotIn("authorization", self.requests()[0]["headers"])

    def test_only_http_and_https(self):
        for url in ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:word@127.0.0.1/x"]:
            last = self.run_agent(url)
            self.assertTrue(last.startswith("failed url "), last)
            self.assertEqual(self.output.read_bytes(), b"")

    def test_a_file_is_sent_and_the_answer_is_kept(self):
        for method in ["POST", "PUT"]:
            last = self.run_agent(self.url("/echo"), method=method, body=content(123456))
            self.assertEqual(last, "done 200 123456")
            self.assertEqual(self.output.read_bytes(), content(123456))

    def test_a_post_on_which_the_server_may_have_acted_is_not_sent_twice(self):
        last = self.run_agent(self.url("/status?code=500"), method="POST", body=b"order")
        self.assertTrue(last.startswith("failed http 500 "), last)
        self.assertEqual(len(self.requests()), 1)

    def test_it_ends_when_nobody_reads_its_reports(self):
        agent = self.start(self.url("/slow?size=1000000&rate=1000"))
        agent.stdout.readline()
        agent.stdout.close()
        self.assertNotEqual(agent.wait(timeout=20), 0)

    def test_two_never_fill_the_same_file(self):
        first = self.start(self.url("/slow?size=40000&rate=40000"))
        first.stdout.readline()
        second = self.run_agent(self.url("/file?size=100"))
        self.assertEqual(second, "done 200 100")
        self.assertTrue(first.stdout.read().endswith("done 200 40000\n"))
        first.stdout.close()
        first.wait()
        self.assertEqual(self.output.read_bytes(), content(100))


if __name__ == "__main__":
    unittest.main()
