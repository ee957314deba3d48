import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetPlatform
@testable import WidgetScripts

/// A script of a format, without a process.
struct PrintedScript {
  private var adapter: any ScriptAdapter
  private var now = ContinuousClock.now

  init(_ format: ScriptFormat?, _ values: [String: String] = [:]) {
    var options = ScriptOptions()
    options.format = format
    for (name, value) in values { #expect(options.set(name, value) == nil, "\(name)") }
    adapter = ScriptProgram(path: "/x/script.sh", options: options).adapter
  }

  /// A run that prints something and ends.
  mutating func run(
    _ text: String,
    status: Int32 = 0,
    errors: [SafeText] = []
  ) -> ScriptContent {
    adapter.begin()
    adapter.append(Array(text.utf8))
    adapter.appendErrors(errors)
    return adapter.content(.exited(status), at: now)
  }

  /// A run that goes on, after having printed this.
  mutating func go(_ text: String, cut: Int = .max) -> ScriptContent {
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(cut, max(1, bytes.count))) {
      adapter.append(Array(bytes[start..<min(bytes.count, start + min(cut, bytes.count))]))
    }
    return adapter.content(nil, at: now)
  }

  mutating func begin() { adapter.begin() }
  mutating func appearanceDidChange(isDark: Bool) { adapter.appearanceDidChange(isDark: isDark) }
  mutating func wait(_ time: Duration) { now += time }
  mutating func press(_ action: String) -> ScriptPress { adapter.press(action) }
  var pauseSignals: PauseSignals? { adapter.pauseSignals }
}

extension ScriptContent {
  /// What a card of this width shows, row by row: at a moment, or without motion.
  func rows(_ width: Int = 40, at seconds: Double? = nil) -> [String] {
    guard case .picture(let picture) = self else { return ["\(self)"] }
    var environment = LayoutEnvironment(now: .init(timeIntervalSince1970: seconds ?? 0))
    environment.takesTurns = seconds != nil
    return ViewLayout.layOut(picture.view, width: width, height: nil, in: environment).words
  }

  var number: Double? { if case .picture(let picture) = self { picture.number } else { nil } }
  var failure: String? { if case .failure(let words) = self { words } else { nil } }
  var view: ViewNode? { if case .picture(let picture) = self { picture.view } else { nil } }

  /// The actions of its view, in their order.
  var actions: [String] { view.map(Self.actions) ?? [] }

  private static func actions(_ node: ViewNode) -> [String] {
    let own = node.action.map { [$0] } ?? []
    switch node.content {
    case .text(let text): return own + text.spans.compactMap(\.action)
    case .vstack(let stack), .hstack(let stack): return own + stack.children.flatMap(actions)
    case .fold(let fold): return own + actions(fold.label) + fold.children.flatMap(actions)
    default: return own
    }
  }
}

extension LaidOutView {
  /// Its rows as text, without the blanks at their ends.
  fileprivate var words: [String] {
    var rows = [[String]](
      repeating: [String](repeating: " ", count: size.columns),
      count: size.rows
    )
    for run in runs {
      for (offset, cell) in run.cells.enumerated() where rows.indices.contains(run.position.row) {
        let column = run.position.column + offset
        guard rows[run.position.row].indices.contains(column) else { continue }
        rows[run.position.row][column] = cell.glyph.text
      }
    }
    return rows.map { row in
      var text = row.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

/// What every format promises.
@Suite struct `A script of any format` {
  @Test(arguments: ScriptFormat.allCases)
  func `can print anything, and shows no control sequence`(format: ScriptFormat) throws {
    var random = SeededGenerator(seed: 21)
    let pieces = [
      "{", "}", "[", "]", "\"full_text\":", "\"text\"", ":", ",", "\n", "|", "=", ";", "'", "---",
      "~~~", "a",
      "1", "1e999", "-", "%", "<span color='red'>", "</", "&#27;", "\u{1B}[2J", "\u{9B}5n", "\r",
      "\u{202E}",
      "NaN", "{\"version\":1,\"click_events\":true}\n[\n", "é", "\0",
    ]
    for round in 0..<60 {
      let values = [
        "metrics": "a, rate(a)", "rows": "$..*", "template": "{a}", "display": "{icon}{}",
      ]
      .filter { format.parameters.contains($0.key) && round % 2 == 0 }
      var script = PrintedScript(
        format,
        values.merging(round % 3 == 0 ? ["follow": "true"] : [:]) { $1 }
      )
      let text = (0..<200).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      script.begin()
      let contents = [
        script.go(text, cut: 1 + round), script.run(text), script.run(text, status: 2),
        script.run(""),
      ]
      for content in contents {
        guard let view = content.view else { continue }
        let line = OutgoingLine.notification(SetViewNotification(view: view))
        let read = try IncomingLine(line.dropLast()).decode(SetViewNotification.self).view
        let shown = ViewLayout.layOut(
          read,
          width: 40,
          height: nil,
          in: LayoutEnvironment(now: .init())
        )
        let rows = shown.words.joined()
        #expect(!rows.unicodeScalars.contains { $0.value < 32 || 0x7F...0x9F ~= $0.value })
        #expect(!rows.contains("\u{202E}"))
        for action in content.actions { _ = script.press(action) }
      }
    }
  }

  @Test(arguments: ScriptFormat.allCases.filter { $0 != .nagios && $0 != .argos && $0 != .waybar })
  func `has failed with another exit status than 0`(format: ScriptFormat) {
    var script = PrintedScript(format, format == .prometheus ? ["metrics": "a"] : [:])
    #expect(script.run("a 1\n", status: 3).failure == "exit 3")
  }

  @Test(
    arguments: [
      ("Load: 0.52, 1", 0.52), ("-3 °C", -3), ("eth0 12", 12), ("v1.2 ok 7%", 7), ("none", nil),
      ("\u{1B}[31m99\u{1B}[0m", 99), ("1,234 open", 1234), ("a5", nil), ("5.", 5), ("x_1 2", 2),
      ("1e999", 1), (".75", 0.75), ("load .5", 0.5), ("-.5", -0.5), ("−3", -3), ("0,75", 0.75),
      ("1,234,567", 1_234_567), ("12,34,567", 1_234_567), ("1.234,56 €", 1234.56),
      ("$1,234.50", 1234.5), ("1.234.567", 1_234_567), ("1'234", 1234),
      ("1\u{202F}234,5", 1234.5), ("1_234", 1234), ("0,123", 0.123), ("12,5 %", 12.5),
      ("1,2,3", 1), ("1.2.3", 1.2), ("1.500,2.500", 1.5), ("1e3 x", 1000), ("2.5E-3", 0.0025),
      ("5entries", 5), ("5e3a", 5), ("3 4", 3), ("1, 2", 1), ("covid-19: 30", 30),
      ("v1.2-3 4", 4), ("eth0:5", 5), ("5-3", 5), ("+7", 7), ("-1,234", -1234),
      ("\u{FEFF}8", 8), ("9\u{8}9%", 9), ("e\u{301}5 6", 6), ("192.168.178.34", 192.168),
      ("2026-11-25", 2026), ("1,2345", 1.2345), ("-", nil), (".", nil), ("1,", 1), ("a.5", nil),
    ] as [(String, Double?)]
  )
  func `has a number, which is the first in its text, in the forms of many countries`(
    text: String,
    number: Double?
  ) {
    var script = PrintedScript(.text)
    #expect(script.run(text).number == number)
  }

  @Test(arguments: [
    ("a\tb", "a       b"), ("12345678\tb", "12345678        b"), ("\t\tx", "                x"),
    ("\u{1B}]8;;https://example.com\u{1B}\\docs\u{1B}]8;;\u{1B}\\\tafter", "docs    after"),
    ("\u{1B}]8;;https://example.com\u{7}docs\u{1B}]8;;\u{7}\tafter", "docs    after"),
    ("\u{1B}[31mred\u{1B}[0m\tb", "red     b"), ("日本\tb", "日本    b"),
    ("e\u{301}\tb", "e\u{301}       b"), ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E", "NAME"),
    ("_\u{8}a_\u{8}b", "ab"), ("a\u{8}_b\u{8}_", "ab"), ("日\u{8}\u{8}日本\u{8}本x", "日本x"),
    ("abc\u{8}\u{8}XY", "aXY"), ("\u{8}\u{8}a", "a"), ("a\u{8}", "a"),
    ("a\u{8}a\u{8}a\u{8}a", "a"), ("ab\u{8}\u{8}\tc", "ab      c"),
    ("\u{1B}]8;;no end\tx", "8;;no end       x"), ("50 %\r100 %\tx", "100 %   x"),
    ("\u{1B}\ta", "        a"), ("x\u{1B}[\ty", "x       y"),
  ])
  func `of plain text has tabs and backspaces as a terminal has them`(text: String, row: String) {
    let rows = AnsiContent.rows(of: ScriptText.line(Array(text.utf8)[...]))
    #expect(rows.map { $0.spans.map(\.text.string).joined() } == [row])
  }

  @Test func `of plain text shows what is struck over as bold and underlined`() throws {
    let text = "N\u{8}NO\u{8}O x _\u{8}y\u{8}y _\u{8}_"
    let spans = AnsiContent.rows(of: TerminalLine.text(of: text))[0].spans
    #expect(spans.map(\.text.string) == ["NO", " x ", "y", " ", "_"])
    #expect(spans.map { $0.style.bold == true } == [true, false, true, false, true])
    #expect(spans.map { $0.style.underline == true } == [false, false, true, false, false])
  }

  @Test func `has no byte order mark, however it is cut`() {
    let all = Array("\u{FEFF}abc".utf8)
    for cut in 1...6 {
      var mark = ByteOrderMark()
      var bytes: [UInt8] = []
      for start in stride(from: 0, to: all.count, by: cut) {
        bytes += mark.rest(of: Array(all[start..<min(all.count, start + cut)])) ?? []
      }
      #expect(bytes == Array("abc".utf8))
    }
    var mark = ByteOrderMark()
    #expect(mark.rest(of: [0xEF]) == nil)
    #expect(mark.rest(of: [0x41]) == [0xEF, 0x41])
    #expect(mark.rest(of: Array("\u{FEFF}".utf8)) == Array("\u{FEFF}".utf8))
  }

  @Test(
    arguments: [
      (0, "0"), (0.123456, "0.12"), (0.01234, "0.0123"), (1, "1"), (-2.5, "-2.5"), (99.96, "100"),
      (1234, "1234"),
      (12_345, "12.3k"), (1e6, "1M"), (2.5e9, "2.5G"), (1e30, "1000000000000000P"), (.nan, "–"),
      (.infinity, "∞"),
      (-0.00001, "0"),
    ] as [(Double, String)]
  )
  func `shows numbers in few characters`(number: Double, words: String) {
    #expect(ScriptNumber.words(number) == words)
  }
}
