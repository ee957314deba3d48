import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetScripts

/// The menus that plugins of xbar, SwiftBar and Argos print.
@Suite struct XbarMenuTests {
  /// A menu as text: a title in brackets, entries with their depth as dots, `=` for a separator.
  private func outline(_ text: String, _ dialect: XbarDialect = .xbar) -> String {
    let menu = XbarMenu(text, dialect)
    func lines(_ items: [XbarMenu.Item], _ depth: Int) -> [String] {
      items.flatMap { item in
        let words =
          switch item.kind {
          case .separator: "="
          case .line(let line): line.text
          }
        return [String(repeating: ".", count: depth) + words] + lines(item.children, depth + 1)
      }
    }
    return (menu.titles.map { "[\($0.text)]" } + lines(menu.items, 0)).joined(separator: " ")
  }

  @Test(arguments: [
    ("a\n---\nb\nc\n", "[a] b c"), ("a\nb\n---\nc", "[a] [b] c"), ("a", "[a]"), ("", ""),
    ("---\na", "a"), ("a\r\n---\r\nb\r\n", "[a] b"),
    ("t\n---\na\n--b\n----c\n--d\ne", "[t] a .b ..c .d e"),
    ("t\n---\na\n----b\n--c", "[t] a .b .c"), ("t\n---\n--a\nb", "[t] a b"),
    ("t\n---\na\n---\nb", "[t] a = b"), ("t\n---\na\n--b\n-----\n--c", "[t] a .b .= .c"),
    ("t\n---\na\n---\n--b", "[t] a .b ="), ("t\n---\na\n-b\n", "[t] a -b"),
    ("t | x=1\n --- | y=2\na", "[t ] a"),
    ("t\n---\na\n--- | x=1\nb\n--c\n-----|x=1", "[t] a = b .c .="),
    ("t\n---\na\n--| x=1\n--- b", "[t] a . .- b"),
  ])
  func `a title, a separator and a menu with submenus`(text: String, outline: String) {
    #expect(self.outline(text) == outline)
  }

  @Test(arguments: [XbarDialect.xbar, .swiftbar, .argos])
  func `a line can begin with control sequences, also a separator`(dialect: XbarDialect) {
    let escape = "\u{1B}]697;OSCLock=x\u{1B}\\\u{1B}]697;PreExec\u{7}"
    let text = "\(escape)t\n\(escape)---\n\(escape)a\n\u{1B}[2K--b\n\(escape)---\nc\n"
    #expect(outline(text, dialect) == "[t] a .b = c")
    let link = XbarMenu("\u{1B}]8;;https://x/?a=1|b=2\u{7}a\u{1B}]8;;\u{7} | color=red", dialect)
    #expect(link.titles.map(\.text) == ["a "])
    #expect(link.titles.first?.parameters == ["color": "red"])
    let styled = XbarMenu("\u{1B}[31mred\u{1B}[0m\u{1B}]0;never ends", dialect)
    #expect(styled.titles.first?.text == "\u{1B}[31mred\u{1B}[0m0;never ends")
  }

  @Test func `the hosts differ in the first separator and in empty lines`() {
    #expect(outline("t\n---x\na\n\nb") == "[t] [---x] [a] [b]")
    #expect(outline("t\n---x\na\n\nb", .swiftbar) == "[t] a b")
    #expect(outline("t\n-----\na\n\nb", .argos) == "[t] a b")
    #expect(outline("t\n---\na\n--b\n-----\nc", .argos) == "[t] a .b = c")
    #expect(outline("t\n---\na\n\nb") == "[t] a  b")
  }

  private func parameters(_ line: String, _ dialect: XbarDialect = .xbar) -> [String: String] {
    XbarMenu("\(line)", dialect).titles.first?.parameters ?? [:]
  }

  @Test(arguments: [
    ("a | color=red", ["color": "red"]), ("a|color=red|size=12", ["color": "red", "size": "12"]),
    (
      "a | bash='/bin/a b' param1=\"c d\" terminal=false",
      ["bash": "/bin/a b", "param1": "c d", "terminal": "false"]
    ),
    ("a | Color=red color=blue", ["color": "blue"]),
    ("a | href=https://x/?a=b&c=d", ["href": "https://x/?a=b&c=d"]),
    (
      "a | href=https://x/?a|b=1|c size=12|font=x",
      ["href": "https://x/?a|b=1|c", "size": "12", "font": "x"]
    ),
    ("a | href=https://x/?a|b", ["href": "https://x/?a|b"]),
    ("a | bash=x|param1=y|param2=z", ["bash": "x", "param1": "y", "param2": "z"]),
    ("a | refresh", [:]), ("a | refresh=", ["refresh": ""]), ("a | = b =c d=e", ["d": "e"]),
    ("a | x='never ends", ["x": "never ends"]), ("a | href:https://x", [:]), ("a |", [:]),
    ("a | ü=1 ok=2", ["ok": "2"]),
  ])
  func `parameters are read, and what cannot be read is skipped`(
    line: String,
    expected: [String: String]
  ) {
    #expect(parameters(line) == expected)
  }

  @Test(
    arguments: [
      (#"x="say \"hi\" now" y=1"#, ["x": #"say "hi" now"#, "y": "1"]),
      (#"x='it\'s' y=1"#, ["x": "it's", "y": "1"]),
      (#"x="a\'b\n\\" y=1"#, ["x": #"a\'b\n\\"#, "y": "1"]),
      (#"x="\"#, ["x": "\\"]), (#"x="\"" y=1"#, ["x": "\"", "y": "1"]),
      (#"x="\"\u{301}" y=1"#, ["x": "\"\u{301}", "y": "1"]),
      ("x='a|b'|y=1", ["x": "a|b", "y": "1"]),
      ("x=https://e.org/?a=1|2&b=3 y=1", ["x": "https://e.org/?a=1|2&b=3", "y": "1"]),
      ("x=a|y=1", ["x": "a|y=1"]), ("x=a | y=1", ["x": "a", "y": "1"]),
      ("x=a\ty=1", ["x": "a", "y": "1"]),
      (#"x=a\"b c y=1"#, ["x": #"a\"b"#, "y": "1"]), ("x= y=1", ["x": "", "y": "1"]),
    ] as [(String, [String: String])]
  )
  func `in quotes of SwiftBar a backslash keeps a quote, and without quotes a bar is a sign`(
    line: String,
    expected: [String: String]
  ) {
    let line = line.replacing("\\u{301}", with: "\u{301}")
    #expect(parameters("a | " + line, .swiftbar) == expected)
  }

  @Test(
    arguments: [
      (
        #"bash=/home/me/my\ tool/run.sh param1='a b'c"#,
        ["bash": "/home/me/my tool/run.sh", "param1": "a bc"]
      ),
      (#"href="https://e.org/"a\&b"#, ["href": "https://e.org/a&b"]),
      (
        "href=https://e.org/?a=1|2&b=3 color=red",
        ["href": "https://e.org/?a=1|2&b=3", "color": "red"]
      ),
      (#"x="a \"b\" \$c \d" y='\"'"#, ["x": #"a "b" $c \d"#, "y": #"\""#]),
      (#""x=a b" y=1"#, ["x": "a b", "y": "1"]),
      ("x='a'\"b\"c y=", ["x": "abc", "y": ""]), ("x=1 | y=2 | | z", ["x": "1", "y": "2"]),
      ("x=#fff # y=2", ["x": "#fff"]), ("x='never ends", ["x": "never ends"]),
      (#"x=a\"#, ["x": #"a\"#]),
      ("=1 'a b=2' x=3", ["x": "3"]),
      ("x='\u{301}a' y=\\\u{301}b", ["x": "\u{301}a", "y": "\u{301}b"]),
    ] as [(String, [String: String])]
  )
  func `parameters of Argos are words of a shell`(line: String, expected: [String: String]) {
    #expect(parameters("a | " + line, .argos) == expected)
  }

  @Test func `random menus are read in time, and their views stay within the limits`() {
    var random = SeededGenerator(seed: 9)
    let pieces = [
      "--", "---", "-", "a", "|", "=", "'", "\"", "\n", " ", "color=#12", "href=x", "\u{1B}[31m",
      "length=3",
    ]
    for _ in 0..<200 {
      let text = (0..<300).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      for dialect in [XbarDialect.xbar, .swiftbar, .argos] {
        let view = XbarView.picture(of: XbarMenu(text, dialect), dialect).view
        #expect(
          ViewLayout.layOut(view, width: 40, height: nil, in: LayoutEnvironment(now: .init())).size
            .columns == 40
        )
      }
    }
    let deep = (0..<3_000).map { String(repeating: "--", count: $0) + "x" }.joined(separator: "\n")
    let view = XbarView.picture(of: XbarMenu("t\n---\n" + deep, .xbar), .xbar).view
    #expect("\(view)".utf8.count < 1 << 20)
  }

  // MARK: - The view

  private func rows(_ text: String, _ dialect: XbarDialect = .xbar) -> [(
    words: String, style: TextStyle
  )] {
    let view = XbarView.picture(of: XbarMenu(text, dialect), dialect).view
    guard case .vstack(let stack) = view.content else { return [] }
    return stack.children.map { row in
      switch row.content {
      case .text(let text): (text.spans.map(\.text.string).joined(), row.style)
      case .divider: ("=", row.style)
      case .fold: (">", row.style)
      case .zstack: ("~", row.style)
      default: ("?", row.style)
      }
    }
  }

  @Test(arguments: [
    ("a | color=red", "a", TextStyle(foreground: .red)),
    ("a | color=#f80", "a", TextStyle(foreground: .rgb(red: 255, green: 136, blue: 0))),
    ("a | color=#11223344", "a", TextStyle(foreground: .rgb(red: 17, green: 34, blue: 51))),
    ("a | color=white,blue", "a", TextStyle(foreground: .blue)),
    ("a | color=nothing", "a", TextStyle()),
    ("a | font=Menlo-Bold", "a", TextStyle(bold: true)),
    ("a | size=18", "a", TextStyle(bold: true)),
    ("a | size=nan", "a", TextStyle()),
    ("a | disabled=true color=red", "a", TextStyle(foreground: .secondary)),
    ("  a  ", "a", TextStyle()), ("  a  | trim=false", "  a  ", TextStyle()),
    ("abcdef | length=4", "abc…", TextStyle()), ("abcd | length=4", "abcd", TextStyle()),
    ("abc | length=-1", "abc", TextStyle()), ("a | checked=true badge=2", "✓ a 2", TextStyle()),
    ("a\u{1B}[2Jb\u{7}", "ab", TextStyle()),
  ])
  func `parameters change how a row looks`(line: String, words: String, style: TextStyle) throws {
    let row = try #require(rows("t\n---\n\(line)").last)
    #expect(row.words == words)
    #expect(row.style == style)
  }

  @Test(
    arguments: [
      ("cornflowerblue", .rgb(red: 100, green: 149, blue: 237)),
      ("DarkSlateGrey", .rgb(red: 47, green: 79, blue: 79)),
      ("rebeccapurple", .rgb(red: 102, green: 51, blue: 153)),
      ("maroon", .rgb(red: 128, green: 0, blue: 0)), ("red", .red), ("transparent", nil),
      ("#12ab34cd56ef", .rgb(red: 0x12, green: 0x34, blue: 0x56)),
      ("#12a34b56c", .rgb(red: 0x12, green: 0x34, blue: 0x56)), ("#12345", nil), ("#gggggg", nil),
    ] as [(String, Color?)]
  )
  func `colours have the names of CSS, in every format`(name: String, color: Color?) {
    #expect(XbarColor.names.count == 148)
    #expect(rows("t\n---\na | color=\(name)").last?.style.foreground == color)
    #expect(PangoText.spans("<span color='\(name)'>a</span>").first?.style.foreground == color)
    #expect(
      BarBlock(
        .object([
          JSONTree.Member(name: "full_text", value: .string("a")),
          JSONTree.Member(name: "color", value: .string(name)),
        ])
      )?.color == color
    )
  }

  @Test func `titles are bold, submenus are folds, and what is for the title alone is left out`() {
    let rows = rows("t\n---\na\n--b\n---\nd | dropdown=false\ne")
    #expect(rows.map(\.words) == ["t", "=", ">", "=", "e"])
    #expect(rows[0].style.bold == true && rows[4].style.bold == nil)
  }

  /// The rows of a menu at a moment, as text.
  private func shown(
    _ text: String,
    _ dialect: XbarDialect = .xbar,
    at seconds: Double? = nil
  ) -> [String] {
    var script = PrintedScript(ScriptFormat(rawValue: dialect.rawValue))
    return script.run(text).rows(at: seconds)
  }

  @Test(arguments: [(XbarDialect.xbar, 5.0), (.swiftbar, 5), (.argos, 3)])
  func `lines of a title take turns, and without motion the first is shown`(
    dialect: XbarDialect,
    interval: Double
  ) {
    let text = "one\ntwo\nthree\n---\nmenu"
    let rest = dialect == .xbar ? ["menu"] : ["one", "two", "three", "menu"]
    func rows(_ seconds: Double?) -> [String] {
      shown(text, dialect, at: seconds).filter { !$0.hasPrefix("─") }
    }
    #expect(rows(nil) == ["one"] + rest)
    for (turn, title) in ["one", "two", "three", "one"].enumerated() {
      #expect(rows(Double(turn) * interval) == [title] + rest)
    }
  }

  @Test func `one line of a title can be pressed, and lines that take turns cannot`() {
    func targets(_ text: String) -> [String?] {
      let view = XbarView.picture(of: XbarMenu(text, .xbar), .xbar).view
      let environment = LayoutEnvironment(now: .init())
      return ViewLayout.layOut(view, width: 40, in: environment).targets.map(\.link)
    }
    #expect(targets("a | href=https://x") == ["https://x"])
    #expect(targets("a | href=https://x\nb\n---\nc | href=https://y") == ["https://y"])
  }

  @Test func `a menu of titles alone has a rule only where it is a menu`() {
    #expect(shown("one\ntwo") == ["one"])
    #expect(shown("one\ntwo", .argos).filter { !$0.hasPrefix("─") } == ["one", "one", "two"])
    #expect(shown("one | dropdown=false\ntwo | dropdown=false", .swiftbar) == ["one"])
  }

  // MARK: - What a key or the mouse shows elsewhere

  private func lastFold(_ text: String) -> FoldContent? {
    let view = XbarView.picture(of: XbarMenu("t\n---\n\(text)", .xbar), .xbar).view
    guard case .vstack(let stack) = view.content,
      case .fold(let fold)? = stack.children.last?.content
    else { return nil }
    return fold
  }

  private func words(_ node: ViewNode) -> String {
    switch node.content {
    case .text(let text): text.spans.map(\.text.string).joined()
    case .fold(let fold): "\(words(fold.label))[\(fold.children.map(words).joined(separator: " "))]"
    default: "?"
    }
  }

  @Test(arguments: [
    ("a\nb | alternate=true", "a[b]"),
    ("a\nb | alternate=true\nc | alternate=true", "a[b c]"),
    ("a\n--s\nb | alternate=true\n--x", "a[s b[x]]"),
    ("a\n--s\n--u | alternate=true", "a[s[u]]"),
  ])
  func `a row that is shown while a key is held is in a fold of the row before`(
    text: String,
    expected: String
  ) throws {
    let fold = try #require(lastFold(text))
    #expect(words(ViewNode(.fold(fold))) == expected)
  }

  @Test func `an alternate row without a row before it is an ordinary one`() {
    #expect(shown("t\n---\nb | alternate=true\nc").last == "c")
    #expect(shown("t\n---\nb | alternate=true\nc").contains("b"))
  }

  @Test func `a tooltip is the help of a row that can be pressed, and in a fold else`() throws {
    let fold = try #require(lastFold("a | tooltip='what it is'"))
    #expect(words(ViewNode(.fold(fold))) == "a[what it is]")
    let menu = XbarMenu("t\n---\na | tooltip='what it does' href=https://x", .xbar)
    let laidOut = ViewLayout.layOut(
      XbarView.picture(of: menu, .xbar).view,
      width: 40,
      in: LayoutEnvironment(now: .init())
    )
    #expect(laidOut.targets.map(\.help) == ["what it does"])
  }
}

nonisolated extension XbarView {
  /// The view of a menu that comes for the first time.
  fileprivate static func picture(of menu: XbarMenu, _ dialect: XbarDialect) -> ScriptPicture {
    var folds = XbarFolds()
    return picture(of: menu, dialect, &folds)
  }
}
