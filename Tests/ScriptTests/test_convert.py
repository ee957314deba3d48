import json
import sys
import unittest

from extensions import Extension

sys.path.append("/usr/lib/python3/dist-packages")
try:
    import yaml
except ImportError:
    yaml = None
try:
    import tomllib
except ImportError:
    tomllib = None

JSON, YAML, TOML, CSV = "public.json", "public.yaml", "org.today.toml", "public.comma-separated-values-text"
VALUE = {
    "name": "Ada: “x”",
    "empty": "",
    "words": ["yes", "no", "null", "12", "1e3", "- a", "a # b", "a: b", " a", "a ", "#", "é", "a\nb\t\x7f\u2028😀", "~", "=", "2024-01-01"],
    "numbers": [0, -1, 1.5, 1e22, 1e-9, 12345678901234567890],
    "flags": [True, False],
    "none": [],
    "nothing": {},
    "deep": {"a b": [{"c": 1, "d": [[1, 2], []]}, {"c": {}}], "e": {"f": "g"}},
    "rows": [{"a": 1}, {"a": 2, "b": {"c": 3}}],
}


class ConvertTests(unittest.TestCase):
    def setUp(self):
        self.convert = Extension(self, "convert.py")

    def converted(self, content, type, to, **options):
        done = self.convert.run(content, type, to=to, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def refused(self, content, type, to):
        done = self.convert.run(content, type, to=to)
        self.assertEqual((done.stdout, done.returncode), (b"", 1))
        return done.stderr.decode()

    def test_small_values(self):
        self.assertEqual(self.converted('{"a":1}', JSON, "yaml"), "a: 1\n")
        self.assertEqual(self.converted('{"a":1}', JSON, "toml"), "a = 1\n")
        self.assertEqual(self.converted('{"a":1}', JSON, "json", indent="0"), '{"a":1}\n')
        self.assertEqual(self.converted('[{"a":1,"b":[1,2]},{"b":null}]', JSON, "csv"), 'a,b\n1,"[1,2]"\n,\n')
        self.assertEqual(self.converted('[[1,"x"],[2]]', JSON, "tsv"), "1\tx\n2\n")
        self.assertEqual(self.converted('"a"', JSON, "yaml"), "a\n")

    def test_json_can_have_a_value_in_each_line(self):
        for content in ('{"a":1}\n{"a":2}\n', '{"a":1}\r\n\r\n{"a":2}', '\x1e{"a":1}\n\x1e{"a":2}\n'):
            with self.subTest(content):
                self.assertEqual(self.converted(content, JSON, "csv"), "a\n1\n2\n")
        for content in ('{"a":1}\n{"a":}\n', '{"a":1}\nb\n', "1\n2\n"):
            with self.subTest(content):
                self.assertIn("it cannot be converted", self.refused(content, JSON, "csv"))

    def test_the_separator_is_looked_for_outside_of_quotation_marks(self):
        self.assertEqual(json.loads(self.converted('"a,b,c";d\n1;2\n', CSV, "json")), [{"a,b,c": "1", "d": "2"}])

    def test_a_list_in_yaml_is_below_its_key(self):
        value = '{"a":[{"b":[[1,2],{}],"c":{"d":"e f"}}]}'
        self.assertEqual(self.converted(value, JSON, "yaml"), "a:\n- b:\n  - - 1\n    - 2\n  - {}\n  c:\n    d: e f\n")

    @unittest.skipUnless(yaml, "needs python3-yaml")
    def test_a_value_comes_back_from_yaml(self):
        words = self.converted(json.dumps(VALUE), JSON, "yaml")
        self.assertEqual(yaml.safe_load(words), VALUE)
        self.assertEqual(json.loads(self.converted(words, YAML, "json")), VALUE)
        self.assertEqual(self.converted("a: 2024-01-02\n1: true\n", YAML, "json", indent="0"), '{"a":"2024-01-02","1":true}\n')
        self.assertEqual(self.converted("a\n---\nb\n", YAML, "json", indent="0"), '["a","b"]\n')
        self.assertIn("cannot be converted", self.refused("a: [", YAML, "json"))

    @unittest.skipUnless(tomllib, "needs Python 3.11")
    def test_a_value_comes_back_from_toml(self):
        words = self.converted(json.dumps(VALUE), JSON, "toml")
        self.assertEqual(tomllib.loads(words), VALUE)
        self.assertEqual(json.loads(self.converted(words, TOML, "json")), VALUE)

    def test_rows(self):
        self.assertEqual(
            json.loads(self.converted('\ufeffname;n;n;\n"a;b";007;x;y\nc\n', CSV, "json")),
            [{"name": "a;b", "n": "007", "n 3": "x", "4": "y"}, {"name": "c", "n": "", "n 3": "", "4": ""}],
        )
        self.assertEqual(json.loads(self.converted("a\tb,c\n1\t2", "public.tab-separated-values-text", "json")), [{"a": "1", "b,c": "2"}])
        self.assertEqual(self.converted("", CSV, "csv"), "")

    def test_a_table_is_aligned(self):
        rows = '{"items":[{"name":"日本","n":1},{"name":"a\\nb","n":22}]}'
        self.assertEqual(self.converted(rows, JSON, "table"), "name  n\n────  ──\n日本  1\na b   22\n")

    def test_the_only_list_of_objects_is_the_rows(self):
        rows = '{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","n":1},{"kind":"Pod","n":2}],"metadata":{"resourceVersion":""}}'
        self.assertEqual(self.converted(rows, JSON, "csv"), "kind,n\nPod,1\nPod,2\n")
        self.assertEqual(self.converted('{"kind":"List","items":[],"metadata":{}}', JSON, "csv"), "")
        rows = '{"kind":"PodList","items":[{"n":1}],"remainder":[{"n":2}]}'
        self.assertEqual(self.converted(rows, JSON, "csv"), "n\n1\n")
        # Of one object with two lists, or with one of texts, it is one row.
        for text in ('{"a":[{"n":1}],"b":[{"n":2}]}', '{"a":["x"],"b":1}'):
            self.assertEqual(len(self.converted(text, JSON, "csv").splitlines()), 2)

    def test_what_cannot_be_converted_is_named(self):
        for content, type, to, words in (
            ("{", JSON, "yaml", "Expecting property name"),
            ("[1]", JSON, "toml", "TOML has a table at its top"),
            ('{"a":{"b":null}}', JSON, "toml", "TOML has no null, which a.b is"),
            ("1", JSON, "csv", "it has no rows"),
            ("[NaN]", JSON, "yaml", "it has the number nan"),
            ("[NaN]", JSON, "json", "not JSON compliant"),
            ("[" * 100000, JSON, "json", "recursion"),
            ('"\\ud800"', JSON, "yaml", "surrogates not allowed"),
            (b'"\xff"', JSON, "yaml", "can't decode"),
            ('a,b\n"c', CSV, "json", "line 2: unexpected end of data"),
        ):
            with self.subTest(words):
                self.assertIn(words, self.refused(content, type, to))


class ConvertPictureTests(unittest.TestCase):
    def setUp(self):
        self.convert = Extension(self, "convert-picture.sh")

    def run_alone(self, **options):
        return self.convert.run(b"picture", "public.png", path=self.convert.programs.path, **options)

    def test_the_first_program_that_there_is_converts_it(self):
        programs = self.convert.programs
        self.assertIn(b"apt install imagemagick", self.run_alone().stderr)
        programs.add("vipsthumbnail", ("*", "v"))
        self.assertEqual(self.run_alone(to="webp", width="80").stdout, b"v")
        self.run_alone()
        self.assertEqual(
            programs.calls("vipsthumbnail"),
            ["stdin --size 80x65500> -o .webp", "stdin --size 65500x65500> -o .png"],
        )
        programs.add("convert", ("*", "c"))
        self.assertEqual(self.run_alone(to="jpeg").stdout, b"c")
        programs.add("magick", ("*", "m"))
        self.assertEqual(self.run_alone(to="jpeg", width="80").stdout, b"m")
        self.assertEqual(programs.calls("convert"), ["-[0] -auto-orient jpeg:-"])
        self.assertEqual(programs.calls("magick"), ["-[0] -auto-orient -resize 80x> jpeg:-"])

    def test_a_wrong_width_and_a_failure_return_nothing(self):
        done = self.run_alone(width="wide")
        self.assertEqual((done.stderr, done.returncode), (b"the width is a number of pixels, not wide\n", 64))
        self.convert.programs.add("magick", ("*", "no such format", 1))
        done = self.run_alone()
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"no such format", 1))


if __name__ == "__main__":
    unittest.main()
