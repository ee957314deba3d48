import Testing
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetKitCore
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts

/// What is too long for a text, or too much for a view.
@Suite(.timeLimit(.minutes(5))) struct `Long output of a script` {
  private nonisolated static let long = String(repeating: "b", count: 17_000)
  private nonisolated static let family = String(repeating: "👨‍👩‍👧", count: 1_000)

  /// Whether a view is within the limits when a connection has cut it, and has all texts that were kept whole.
  private func check(_ view: ViewNode?, keeps texts: [String]) throws {
    let view = FittedView.of(try #require(view), .standard)
    #expect(throws: Never.self) { try ViewBudget().check(view) }
    for text in texts { #expect(view.texts.contains { $0.contains(text) }, "\(text)") }
    for text in helps(view) + view.texts { #expect(text.utf8.count <= 17 * 1024) }
  }

  private func helps(_ view: ViewNode) -> [String] {
    [view.help?.string].compactMap(\.self) + view.children.flatMap(helps)
  }

  private nonisolated static let cases: [(ScriptFormat?, [String: String], String, [String])] = [
    (nil, [:], long + "\nend", ["bbb", "end"]), (nil, [:], family + "\nend", ["👨‍👩‍👧", "end"]),
    (
      .json, [:], #"[{"n":1,"t":"A","b":"\#(long)"},{"n":2,"t":"B","b":"c"}]"#,
      ["A", "bbb", "B", "c"]
    ),
    (.json, [:], #"[{"\#(long)":1,"b":"c"}]"#, ["bbb", "c"]),
    (.json, [:], #"{"\#(long)":"\#(long)","b":"c"}"#, ["bbb", "c"]),
    (.json, ["template": "{a} end\\n{b}"], #"{"a":"\#(long)","b":"c"}"#, ["bbb", "c"]),
    (.nagios, [:], "OK \(long) | a=1\nlong \(long)\nnext", ["OK", "bbb", "next", "a"]),
    (.nagios, [:], "OK fine | '\(long)'=5 c=6%", ["fine", "bbb", "c", "6 %"]),
    (
      .prometheus, ["metrics": "x, y"], "x{l=\"\(long)\"} 5\ny 6\nx{l=\"d\"} 7\n",
      ["x bbb", "5", "y", "6", "x d", "7"]
    ),
    (.waybar, ["escape": "true"], #"{"text":"\#(long)","tooltip":"t"}"#, ["bbb", "t"]),
    (.waybar, ["escape": "true"], #"{"text":"t","tooltip":"\#(long)\nc"}"#, ["t", "bbb", "c"]),
    (.waybar, [:], #"{"text":"\#(family)","tooltip":"t"}"#, ["👨‍👩‍👧", "t"]),
    (.i3blocks, [:], long, ["bbb"]), (.i3blocks, [:], family, ["👨‍👩‍👧"]),
  ]

  @Test(arguments: cases.indices)
  func `is cut, and everything else is shown`(index: Int) throws {
    let (format, values, output, texts) = Self.cases[index]
    var script = PrintedScript(format, values)
    try check(script.run(output).view, keeps: texts)
  }

  @Test(arguments: [ScriptFormat.xbar, .swiftbar, .argos])
  func `of a menu is cut in each of its parts`(format: ScriptFormat) throws {
    let zalgo = "z" + String(repeating: "\u{301}", count: 9_000)
    for text in [Self.long, Self.family, "<b>\(Self.long)</b>", zalgo, "𝔸\u{301}" + Self.long] {
      var script = PrintedScript(format)
      let menu = """
        T \(text) | color=red
        ---
        A \(text) | color=red
        B | tooltip='\(text)'
        C | tooltip='\(text)' href=https://example.com
        D | badge='\(text)'
        E
        --\(text)
        --F | alternate=true
        G
        """
      try check(script.run(menu).view, keeps: ["T", "A", "B", "C", "D", "E", "F", "G"])
    }
  }

  @Test(arguments: [long, family])
  func `of a block costs no other block`(text: String) throws {
    var script = PrintedScript(.i3bar)
    script.begin()
    let blocks = #"[{"full_text":"\#(text)"},{"full_text":"ok","name":"b"}]"#
    try check(script.go(#"{"version":1}"# + "\n[\n\(blocks),\n").view, keeps: ["ok"])
  }

  @Test func `with a change of colours at each character costs its own colours alone`() throws {
    let colors = (0..<400).map { "\u{1B}[3\($0 % 7 + 1)ma" }.joined()
    let markup = String(repeating: "<b>a</b>b", count: 400)
    var menu = PrintedScript(.xbar)
    let rows = (0..<300).map { "row \($0) | color=red" }.joined(separator: "\n")
    try check(
      menu.run("T\n---\n" + (0..<20).map { _ in colors + "\n" }.joined() + rows).view,
      keeps: ["row 0", "row 299"]
    )
    var argos = PrintedScript(.argos)
    try check(
      argos.run("T\n---\n" + (0..<20).map { _ in markup + "\n" }.joined() + rows).view,
      keeps: ["row 0", "row 299"]
    )
    var waybar = PrintedScript(.waybar, ["lines": "100"])
    let tooltip = (0..<60).map { "\(markup) \($0)" }.joined(separator: "\\n")
    try check(waybar.run(#"{"text":"t","tooltip":"\#(tooltip)"}"#).view, keeps: ["t"])
    // The sequences of a row count too.
    let styled =
      "\u{1B}[38;2;100;100;100;48;2;200;200;200m"
      + (0..<800).map { "\u{1B}[\($0 % 2)ma\u{1B}[3\($0 % 7)m" }.joined()
    var text = PrintedScript(.text)
    try check(text.run(styled + "\nend").view, keeps: ["end"])
  }

  @Test func `of a module is read as far from one that goes on as from one that ends`() throws {
    let text = #"{"text":"t","tooltip":"\#(String(repeating: "b", count: 100_000))"}"# + "\n"
    var polled = PrintedScript(.waybar)
    try check(polled.run(text).view, keeps: ["t", "bbb"])
    var lasting = PrintedScript(.waybar, ["follow": "true"])
    lasting.begin()
    try check(lasting.go(text).view, keeps: ["t", "bbb"])
  }

  @Test func `of many columns and rows has those for which there is room`() throws {
    let row = "{" + (0..<100).map { #""c\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    let columns = (0..<100).map { "c\($0)" }.joined(separator: ", ")
    var script = PrintedScript(.json, ["columns": columns, "lines": "100"])
    let content = script.run("[" + Array(repeating: row, count: 100).joined(separator: ",") + "]")
    try check(content.view, keeps: ["c0", "c63", "more lines"])
    let grid = GridContent(rows: Array(repeating: [ScriptWords.text("a")], count: 1_200))
    let view = ViewNode(.grid(grid))
    try check(view, keeps: ["… 201 more lines"])
    #expect(FittedView.of(view, .standard).children.count == 1_000)
  }

  @Test func `within the limits is not changed`() throws {
    let text = String(repeating: "a", count: 16_000)
    #expect(ScriptWords.beginning(text, bytes: 16_000) == text)
    #expect(ScriptWords.beginning(text, bytes: 15_999).utf8.count == 15_999)
    #expect(ScriptWords.beginning("äöü", bytes: 6) == "äöü")
    #expect(ScriptWords.beginning("äöü", bytes: 5) == "ä…")
    #expect(ScriptWords.beginning("👨‍👩‍👧x", bytes: 10) == "…")
    let stacked = "z" + String(repeating: "\u{301}", count: 200) + "y"
    #expect(ScriptWords.beginning(stacked, bytes: 100) == "z…")
    let view = ScriptWords.stack([ScriptWords.text(text)])
    #expect(FittedView.of(view, .standard) == view)
  }

  @Test func `is cut to the limits that config.json sets`() async throws {
    let scripts = try ScriptWorld([
      "a.1h.sh":
        "echo 'T | color=red'\necho ---\nseq 100\necho \(String(repeating: "b", count: 300))\n",
      "b.1h.sh": "# today: format=i3blocks\necho \(String(repeating: "b", count: 300))\n",
    ])
    try scripts.open {
      ($0.limits.view.textBytes, $0.limits.view.nodes) = (100, 40)
    }
    try await eventually("its rows") {
      try scripts.rows("a").count == 30 && scripts.rows("b").first?.utf8.count == 100
    }
    #expect(try scripts.rows("a").last == "… 74 more lines")
    #expect(try scripts.trouble("a").isEmpty && scripts.trouble("b").isEmpty)
    await scripts.end()
  }

  @Test func `keeps what is private, and what a press does`() throws {
    var secret = ScriptWords.text(Self.long)
    secret.privacySensitive = true
    secret.action = "press"
    let fitted = FittedView.of(ScriptWords.stack([secret]), .standard)
    let row = try #require(fitted.children.first)
    #expect(row.privacySensitive && row.action == "press" && fitted.hasPrivateContent)
  }
}
