import contextlib
import io
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Fuzzer" / "Scripts"))
import fuzz  # noqa: E402
from targets import TARGETS, Target  # noqa: E402


class FuzzTests(unittest.TestCase):
    def setUp(self):
        self.addCleanup(signal.signal, signal.SIGVTALRM, signal.signal(signal.SIGVTALRM, fuzz.too_slow))
        self.found = tempfile.TemporaryDirectory()
        self.addCleanup(self.found.cleanup)

    def search(self, run, seconds=1):
        target = Target("odd", run, ["example"], ["word"])
        output = io.StringIO()
        with mock.patch.object(fuzz, "TARGETS", [target]), contextlib.redirect_stdout(output):
            code = fuzz.search(seconds, 7, self.found.name)
        return code, output.getvalue()

    def test_an_exception_ends_the_run_and_keeps_the_input(self):
        def run(content):
            assert b"word" not in content, "a fault"

        code, words = self.search(run)
        self.assertEqual(code, 1)
        self.assertIn("AssertionError: a fault", words)
        [file] = Path(self.found.name).iterdir()
        self.assertIn(b"word", file.read_bytes())
        with mock.patch.object(fuzz, "TARGETS", [Target("odd", run, [""], [""])]), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(fuzz.replay([str(file), "view-1"]), 1)

    def test_an_input_that_takes_longer_than_a_second_is_a_fault(self):
        def run(_):
            try:
                while True:
                    pass
            except Exception:
                pass

        with mock.patch.object(fuzz, "LIMIT_SECONDS", 0.05):
            code, words = self.search(run)
        self.assertEqual((code, "TooSlow" in words), (1, True))

    def test_the_examples_of_all_parsers_have_no_fault(self):
        for target in TARGETS:
            for example in target.examples:
                with self.subTest(target.name):
                    self.assertIsNone(fuzz.fault(target, example))


if __name__ == "__main__":
    unittest.main()
