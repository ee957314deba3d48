import Testing
import WidgetKitCore

@testable import WidgetScripts

/// Plugins of Nagios, after the Monitoring Plugins Development Guidelines.
@Suite struct `A plugin of Nagios` {
  @Test(
    arguments: [
      (0, "● OK  fine"), (1, "● WARNING  fine"), (2, "● CRITICAL  fine"), (3, "● UNKNOWN  fine"),
      (4, "● UNKNOWN  fine"), (255, "● UNKNOWN  fine"),
    ] as [(Int32, String)]
  )
  func `says with its exit status how things are, and has not failed`(status: Int32, row: String) {
    var script = PrintedScript(.nagios)
    #expect(script.run("fine\n", status: status).rows() == [row])
  }

  @Test func `that cannot be run has failed`() {
    var script = PrintedScript(.nagios)
    #expect(script.run("", status: 127).failure == "exit 127")
  }

  @Test func `shows its text, more text, and gauges of what has a range`() {
    var script = PrintedScript(.nagios)
    let content = script.run(
      """
      DISK OK - free space | /=80%;70;90 'my disk'=5GB;8;9;0;10
      /home is fine
      /tmp too | users=3;5;10
      load=0.5 x=U
      """
    )
    let rows = content.rows(46)
    #expect(rows.prefix(3) == ["● OK  DISK OK - free space", "/home is fine", "/tmp too"])
    #expect(rows[3].hasPrefix("/") && rows[3].contains("80 %"))
    #expect(rows[4].hasPrefix("my disk") && rows[4].contains("5 GB"))
    #expect(rows.suffix(3) == ["users    3", "load     0.5", "x        unknown"])
    #expect(content.number == 80)
  }

  @Test(arguments: [
    ("OK | time=0.5s, size=10B", ["time  0.5 s", "size  10 B"]),
    ("OK | 'a b'=1,c=2,'d'=3", ["a b  1", "c    2", "d    3"]),
    ("OK | time=0,5s;1,0 size=1,024", ["time  0.5 s", "size  1024"]),
  ])
  func `has commas between its data, or in numbers`(output: String, rows: [String]) {
    var script = PrintedScript(.nagios)
    #expect(script.run(output).rows(20).dropFirst() == rows[...])
  }

  @Test func `with empty lines before its text has that text`() {
    var script = PrintedScript(.nagios)
    #expect(script.run("\n \nDISK OK | a=1\n").rows(20) == ["● OK  DISK OK", "a  1"])
  }

  @Test(arguments: [
    ("23007854592B", "23 GB"), ("74801MB", "74.8 GB"), ("2643MB", "2643 MB"), ("0.5s", "0.5 s"),
    ("9e307TB", "9"), ("12000000", "12M"), ("2EB", "2 EB"), ("3EiB", "3 EiB"), ("12EB", "12 EB"),
    ("20480KiB", "20 MiB"), ("20480kB", "20.5 MB"), ("5entries", "5 entries"),
    ("7errors", "7 errors"), ("5e3B", "5000 B"), ("1e-3s", "0.001 s"), (".75", "0.75"),
    ("-.5", "-0.5"), ("1,234", "1234"), ("1,234,567B", "1235 KB"), ("0,75", "0.75"),
    ("0,123s", "0.12 s"), ("1,234s", "1.23 s"), ("1,234;2,5", "1.23"), ("5ECONNREFUSED", "5 EC"),
    ("3connections", "3 connections"), ("7E", "7 E"), ("100dBm", "100 dBm"), ("2,5MB", "2.5 MB"),
  ])
  func `has numbers with units that can be read`(value: String, words: String) throws {
    var script = PrintedScript(.nagios)
    let row = try #require(script.run("ok | x=\(value)").rows().last)
    #expect(row.hasPrefix("x  \(words)"), "\(row)")
  }

  @Test func `with marks behind its signs is read by scalar values`() {
    let data = NagiosOutput("ok | a='\u{301}' '\u{301}b'=1 c=\u{301} d=2\u{301}x").data
    #expect(data.map(\.label) == ["\u{301}b", "d"])
    #expect(data.last?.unit == "\u{301}x")
    #expect(NagiosOutput("ok |\u{301} e=1").data.map(\.label) == ["e"])
  }

  @Test func `with a gauge in a large unit has its range`() {
    let data = NagiosOutput("OK - fine | pool=2EB;;;0;4 other=3EiB").data
    #expect(data.map(\.unit) == ["EB", "EiB"])
    #expect(data[0].maximum == 4 && data[0].value == 2)
  }

  @Test func `has no colour sequences in its text`() {
    let output = NagiosOutput(
      "\u{1B}[32mOK\u{1B}[0m - fine | \u{1B}[1ma=1\n\u{1B}[31mmore\u{1B}[0m\n"
    )
    #expect(output.text == "OK - fine" && output.details == ["more"])
    #expect(output.data.map(\.label) == ["a"])
  }

  @Test(arguments: [
    (
      "<A HREF=\"http://a/?x=1&amp;y\" target=\"_blank\">HTTP OK: 5 &lt; 6 &amp; fine</A>",
      "HTTP OK: 5 < 6 & fine"
    ),
    ("<b>x</b><br/>y", "x y"), ("load < 5 and a <unknown> &amp;", "load < 5 and a <unknown> &amp;"),
    ("a<b and c>d", "a<b and c>d"),
  ])
  func `has no markup of a page in its text`(printed: String, shown: String) {
    #expect(NagiosOutput("\(printed) | x=1\n\(printed)").text == shown)
    #expect(NagiosOutput("ok\n\(printed)").details == [shown])
  }

  @Test func `has a table with bars below its text, which is no data`() {
    let output = NagiosOutput(
      """
      DISK OK | /=80%
      Mount | Size
      /home | 5 GB
      /tmp is fine | users=3
      load=0.5

      a b
      x=1
      """
    )
    #expect(output.details == ["Mount | Size", "/home | 5 GB", "/tmp is fine", "a b"])
    #expect(output.data.map(\.label) == ["/", "users", "load", "x"])
  }

  @Test func `without output shows what it has written on standard error`() {
    var script = PrintedScript(.nagios)
    let content = script.run("", status: 3, errors: ["Traceback:", "no such host"])
    #expect(content.rows() == ["● UNKNOWN  no such host", "Traceback:"])
    #expect(script.run("fine", errors: ["warning: x"]).rows() == ["● OK  fine"])
    #expect(script.run("").rows() == ["● OK  no output"])
  }

  @Test func `has the rate of a counter`() {
    var script = PrintedScript(.nagios)
    #expect(script.run("ok | in=100c").rows().last == "in  …")
    script.wait(.seconds(10))
    #expect(script.run("ok | in=1100c").rows().last == "in  100 /s")
    script.wait(.seconds(10))
    // It was set back to 0.
    #expect(script.run("ok | in=50c").rows().last == "in  5 /s")
  }

  @Test(arguments: [
    ("10", -1.0, true), ("10", 0, false), ("10", 10, false), ("10", 10.1, true), ("10:", 9, true),
    ("10:", 10, false), ("10:", 1e300, false), ("~:10", -1e300, false), ("~:10", 11, true),
    ("10:20", 9, true), ("10:20", 15, false), ("10:20", 21, true), ("@10:20", 9, false),
    ("@10:20", 10, true), ("@10:20", 20, true), ("@10:20", 21, false), ("0:0.5", 0.4, false),
  ])
  func `has ranges that alert`(range: String, value: Double, alerts: Bool) throws {
    #expect(try #require(NagiosRange(range)).alerts(value) == alerts)
  }

  @Test(
    arguments: [
      ("90%;80;90", .orange), ("91%;80;90", .red), ("80%;80;90", nil), ("3%;10:;5:;0;100", .red),
      ("7%;10:;5:;0;100", .orange), ("50%;10:;5:;0;100", nil),
      ("-12.5C;-10:30;-20:40;-40;60", .orange),
      ("5%;@1:10;@4:6", .red), ("5%;;", nil), ("5;;4", .red), ("5;5;", nil),
    ] as [(String, Color?)]
  )
  func `colours a value by its ranges, also as a gauge`(datum: String, color: Color?) throws {
    var script = PrintedScript(.nagios)
    guard case .vstack(let stack)? = script.run("ok | x=\(datum)").view?.content,
      case .grid(let grid)? = stack.children.last?.content
    else {
      Issue.record("no data")
      return
    }
    let shown = try #require(grid.rows.first?.last)
    guard case .gauge(let gauge) = shown.content else {
      #expect(shown.style.foreground == color)
      return
    }
    let reached = gauge.thresholds.filter { gauge.value >= $0.at }
    #expect(reached.max { $0.at < $1.at }?.foreground == color)
  }

  @Test(arguments: ["", "@", "a", "1:b", "nan", ":x"])
  func `can have something that is no range`(range: String) {
    #expect(NagiosRange(range) == nil)
  }

  @Test(
    arguments: [
      ("ok | 'it''s'=1", ["it's"]), ("ok | a=1 junk b=2;;;; =3 c", ["a", "b"]),
      ("ok |a=1|b=2", ["a"]),
      ("ok", []), ("a=1", []), ("ok\nb | c=1\nd=2", ["c", "d"]), ("ok | a=x b=1,5 c=1e999", ["b"]),
      ("ok\r\nlong\r\n", []),
    ] as [(String, [String])]
  )
  func `has performance data, of which what cannot be read is skipped`(
    text: String,
    labels: [String]
  ) {
    #expect(NagiosOutput(text).data.map(\.label) == labels)
  }
}

/// The text format 0.0.4 of Prometheus.
@Suite struct `Metrics of Prometheus` {
  private static let text = """
    # HELP node_load1 1m load average.
    # TYPE node_load1 gauge
    node_load1 0.52
    http_requests_total{method="post",code="200"} 1027 1395066363000
    http_requests_total{method="post",code="400"} 3 1395066363000
    path{p="C:\\\\DIR\\\\FILE.TXT",e="a \\"b\\"\\n"} 1.458255915e9
    odd -Inf
    not_a number
    nan NaN
    broken{a= 1
    """

  @Test func `are read with their labels, and a line that cannot be read costs that line alone`() {
    let samples = PrometheusText(Self.text).samples
    #expect(
      samples.map(\.name) == [
        "node_load1", "http_requests_total", "http_requests_total", "path", "odd", "nan",
      ]
    )
    #expect(samples[1].labels == ["method": "post", "code": "200"])
    #expect(samples[3].labels == ["p": "C:\\DIR\\FILE.TXT", "e": "a \"b\"\n"])
    #expect(samples[4].value == -.infinity && samples[5].value.isNaN)
  }

  @Test func `can have labels that begin with a mark, and are told apart by scalar values`() {
    let text = #"""
      m{a="\u{301}x",b="\u{E9}"} 8
      m{a="",b="e\u{301}"} 9
      n{c="a\\\u{301}\""} 1

      """#.replacing("\\u{301}", with: "\u{301}").replacing("\\u{E9}", with: "\u{E9}")
    let samples = PrometheusText(text).samples
    #expect(samples.map(\.value) == [8, 9, 1])
    #expect(samples[0].labels["a"] == "\u{301}x")
    var script = PrintedScript(.prometheus, ["metrics": "m{b=\"e\u{301}\"}"])
    #expect(script.run(text).number == 9)
  }

  @Test func `with a value that is none are not missing`() {
    var script = PrintedScript(.prometheus, ["metrics": "a, b, c"])
    #expect(
      script.run("a 1,5\nb 2\nb x\n").rows() == [
        "a  cannot be read", "b               2", "c       not found",
      ]
    )
  }

  @Test func `can have names and labels with any signs, in quotes`() {
    let text = #"""
      {"http.requests", method="get", "à.b"="c"} 5
      {"plain"} 6
      {method="get","last.one"} 7
      old{"http.code"="200"} 8
      both{"inner"} 9
      {"a","b"} 10
      {a="b"} 11
      """#
    let samples = PrometheusText(text).samples
    #expect(samples.map(\.name) == ["http.requests", "plain", "last.one", "old"])
    #expect(samples[0].labels == ["method": "get", "à.b": "c"])
    #expect(samples[3].labels == ["http.code": "200"])
    let metrics =
      #"{"http.requests", method="get"} as Requests, rate({"plain"}), old{"http.code"="200"}"#
    var script = PrintedScript(.prometheus, ["metrics": metrics])
    #expect(script.run(text).rows() == ["Requests  5", "plain     …", "old       8"])
  }

  @Test func `are numbers and rates, with names for a person`() {
    let metrics =
      #"node_load1 as Load, rate(http_requests_total{method="post"}), odd as "very odd", gone"#
    var script = PrintedScript(.prometheus, ["metrics": metrics])
    let first = script.run(Self.text)
    #expect(first.number == 0.52)
    #expect(
      first.rows(50) == [
        "Load                          0.52",
        "http_requests_total 200          …", "http_requests_total 400          …",
        "very odd                        −∞", "gone                     not found",
      ]
    )
    script.wait(.seconds(10))
    let second = script.run(
      Self.text.replacing(" 1027 ", with: " 1127 ").replacing("0.52", with: "0.9")
    )
    let rows = second.rows(50)
    #expect(rows[0].hasPrefix("Load                           0.9  "), "\(rows[0])")
    #expect(rows[1].hasPrefix("http_requests_total 200       10/s"), "\(rows[1])")
    #expect(rows[2].hasPrefix("http_requests_total 400        0/s"), "\(rows[2])")
  }

  @Test(arguments: [
    "", "1a", "rate(", "rate(a", "a{b}", "a{b=\"c}", "a as", "a b", "a,,b", "a,", "{}", "{a=\"b\"}",
    "a{\"b\"}", "{\"a\",\"b\"}", "rate({})",
  ])
  func `that cannot be read are a failure in words`(metrics: String) {
    var script = PrintedScript(.prometheus, ["metrics": metrics])
    #expect(script.run("a 1").failure?.hasPrefix("metrics: expected") == true)
  }

  @Test func `that are without a label are those with an empty one`() {
    var script = PrintedScript(.prometheus, ["metrics": #"x{a=""}"#])
    #expect(script.run("x{a=\"b\"} 1\nx 2\nx{a=\"\",c=\"d\"} 3").rows() == ["x    2", "x d  3"])
  }

  @Test func `that have no room are counted, and each metric has a row`() {
    let text = (1...9).map { "up{job=\"j\($0)\"} 1\n" }.joined() + "load 2\n"
    var script = PrintedScript(.prometheus, ["metrics": "up, gone, load", "lines": "4"])
    #expect(
      script.run(text).rows() == [
        "up j1          1", "up j2          1", "gone   not found", "load           2",
        "… 7 more lines",
      ]
    )
    var short = PrintedScript(.prometheus, ["metrics": "up, gone, load", "lines": "1"])
    #expect(short.run(text).rows() == ["up j1  1", "… 10 more lines"])
  }

  @Test func `must be named, and be there`() {
    var nameless = PrintedScript(.prometheus)
    #expect(nameless.run("a 1").failure?.contains("metrics=") == true)
    var empty = PrintedScript(.prometheus, ["metrics": "a"])
    #expect(empty.run("<html>").failure == "printed no metrics")
  }
}

/// JSON of which paths are shown.
@Suite struct `JSON of a script` {
  private static let text = """
    {"items": [{"name": "web", "price": 3, "state": {"up": true}}, {"name": "db", "price": 12.5, "state": null}],
     "count": 2}
    """

  private func rows(_ values: [String: String], _ text: String = text) -> [String] {
    var script = PrintedScript(.json, values)
    return script.run(text).rows()
  }

  @Test func `is a table of rows and columns, with numbers to the right`() {
    #expect(
      rows(["rows": "$.items[*]", "columns": "name, price as Price"])
        == ["name  Price", "web       3", "db     12.5"]
    )
    #expect(
      rows(["rows": "items", "columns": "$[0].name, [-1]['name'] as last"]) == [
        "$[0].name  last", "web        db",
      ]
    )
  }

  @Test func `without columns has those of its first row`() {
    #expect(rows(["rows": "$.items[*]"]).first == "name  price  state")
    #expect(rows(["rows": "$.items[*].name"]) == ["web", "db"])
  }

  @Test func `without rows has those of its array, and else a single one`() {
    let list = #"[{"a": 1, "b": "x"}, {"a": 20}]"#
    #expect(rows(["columns": "a, b as B"], list) == [" a  B", " 1  x", "20  –"])
    #expect(rows(["columns": "a", "lines": "1"], list) == ["a", "1", "… 1 more line"])
    #expect(rows(["columns": "a"], #"{"a": 1}"#) == ["a", "1"])
    #expect(rows(["columns": "a"], "[]") == ["nothing found"])
    #expect(rows(["template": "{$[*].a}"], list) == ["1, 20"])
  }

  @Test func `can be several values behind each other, as a line for each`() {
    let lines = "{\"a\": 1, \"b\": \"x}\"}\n{\"a\": 20}\n"
    #expect(rows([:], lines) == [" a  b", " 1  x}", "20  –"])
    #expect(rows(["columns": "a"], "{\n \"a\": 1\n}\r\n{\"a\": 2}") == ["a", "1", "2"])
    #expect(rows(["rows": "$[?@.a > 1].a"], "\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n") == ["2"])
    #expect(rows(["template": "{a}"], "{\"a\": 1}\n") == ["1"])
    for broken in [
      "{\"a\": 1}\n{\"a\": }", "{\"a\": 1}\nwarning", "{\"a\": 1}}", "{\"a\": 1}\n{", "1\n2",
    ] {
      var script = PrintedScript(.json)
      #expect(script.run(broken).failure?.hasPrefix("not JSON") == true, "\(broken)")
    }
  }

  @Test func `costs no more than a number that is none, half a character, or an encoding`() {
    let odd =
      #"{"a": NaN, "b": [-Infinity, 2, Infinity], "c": "NaN \ud800x\ud83d\ude00\udcff", "NaN": 5}"#
    #expect(rows(["template": "{a} {b[1]} {NaN}"], odd) == ["– 2 5"])
    #expect(rows(["template": "{c}"], odd) == ["NaN \u{FFFD}x😀\u{FFFD}"])
    var bar = PrintedScript(.waybar)
    #expect(bar.run(#"{"text": "a\udcffb", "percentage": NaN}"#).rows() == ["a\u{FFFD}b"])
    let wide = Array("\u{FEFF}{\"a\": \"é\"}".utf16)
    for isLittle in [true, false] {
      let bytes = wide.flatMap {
        isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
      }
      #expect((try? JSONTree(printed: bytes))?["a"]?.string == "é")
    }
    for broken in [#"{"a": nan}"#, #"{"a": "\u+123"}"#, #"{"a": NaNx}"#, "\u{FEFF}"] {
      var script = PrintedScript(.json)
      #expect(script.run(broken).failure?.hasPrefix("not JSON") == true, "\(broken)")
    }
  }

  @Test func `has the last value of a name that an object has twice`() {
    let twice = #"{"a": 1, "b": {"c": 2, "c": 3}, "a": 4, "é": 5, "e\u0301": 6}"#
    #expect(rows(["template": "{a} {b.c} {$.*}"], twice) == ["4 3 4, {…}, 5, 6"])
    var bar = PrintedScript(.waybar)
    #expect(bar.run(#"{"text": "old", "text": "new"}"#).rows() == ["new"])
  }

  @Test func `without anything is its members`() {
    #expect(rows([:], #"{"a": 1, "b": "x"}"#) == ["a  1", "b  x"])
    #expect(rows([:], #"["a", 2]"#) == ["a", "2"])
    #expect(rows([:], "7") == ["7"])
  }

  @Test func `can fill a template, for each row or once`() {
    #expect(
      rows(["rows": "$.items[*]", "template": "{name}: {price} €"]) == ["web: 3 €", "db: 12.5 €"]
    )
    #expect(
      rows(["template": "{count} items\\n{$.items[*].name}"]) == ["2 items", "web, db"]
    )
  }

  @Test func `shows at most as many rows as its lines`() {
    #expect(rows(["rows": "$.items[*].name", "lines": "1"]) == ["web", "… 1 more line"])
  }

  @Test(arguments: [
    "1234567890123456789", "12345678901234567890", "9007199254740993", "-9007199254740993",
    "9007199254740992", String(repeating: "7", count: 30),
  ])
  func `shows the digits of whole numbers as they were written`(digits: String) {
    #expect(rows(["template": "{id}"], "{\"id\": \(digits)}").joined() == digits)
    #expect(rows(["rows": "$[*]", "columns": "id"], "[{\"id\": \(digits)}]").last == digits)
    let filter = ["rows": "$[?@.id == \(digits)].name"]
    #expect(rows(filter, "[{\"id\": \(digits), \"name\": \"a\"}, {\"id\": 5}]") == ["a"])
  }

  @Test func `has the number of a path`() {
    var script = PrintedScript(.json, ["value": "$.count"])
    #expect(script.run(Self.text).number == 2)
  }

  @Test(
    arguments: [
      (["rows": "$["], "{}", "rows: $[: expected"),
      (["columns": "a,,b"], "{}", "columns: expected names"),
      (["template": "{a"], "{}", "template: expected }"), ([:], "{", "not JSON: "),
      (["rows": "$.items["], "{}", "rows: "),
    ] as [([String: String], String, String)]
  )
  func `that cannot be used is a failure in words`(
    values: [String: String],
    text: String,
    words: String
  ) {
    var script = PrintedScript(.json, values)
    let failure = script.run(text).failure ?? ""
    #expect(failure.hasPrefix(words), "\(failure)")
  }

  @Test func `that has nothing at a path says so`() {
    #expect(rows(["rows": "$.nothing[*]", "columns": "a"]) == ["nothing found"])
  }
}
