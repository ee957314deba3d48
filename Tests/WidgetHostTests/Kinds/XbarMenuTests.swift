import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

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
  ])
  func `a title, a separator and a menu with submenus`(text: String, outline: String) {
    #expect(self.outline(text) == outline)
  }

  @Test func `the hosts differ in the first separator and in empty lines`() {
    #expect(outline("t\n---x\na\n\nb") == "[t] [---x] [a] [b]")
    #expect(outline("t\n---x\na\n\nb", .swiftbar) == "[t] a b")
    #expect(outline("t\n-----\na\n\nb", .argos) == "[t] a b")
    #expect(outline("t\n---\na\n\nb") == "[t] a  b")
  }

  private func parameters(_ line: String) -> [String: String] {
    XbarMenu("\(line)", .xbar).titles.first?.parameters ?? [:]
  }

  @Test(arguments: [
    ("a | color=red", ["color": "red"]), ("a|color=red|size=12", ["color": "red", "size": "12"]),
    (
      "a | bash='/bin/a b' param1=\"c d\" terminal=false",
      ["bash": "/bin/a b", "param1": "c d", "terminal": "false"]
    ),
    ("a | Color=red color=blue", ["color": "blue"]),
    ("a | href=https://x/?a=b&c=d", ["href": "https://x/?a=b&c=d"]),
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
      default: ("?", row.style)
      }
    }
  }

  @Test(arguments: [
    ("a | color=red", "a", TextStyle(foreground: .red)),
    ("a | color=#f80", "a", TextStyle(foreground: .rgb(red: 255, green: 136, blue: 0))),
    ("a | color=#11223344", "a", TextStyle(foreground: .rgb(red: 17, green: 34, blue: 51))),
    ("a | color=blue,white", "a", TextStyle(foreground: .blue)),
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

  @Test func `titles are bold, submenus are folds, and what stands for another row is left out`() {
    let rows = rows("t\nu\n---\na\n--b\n---\nc | alternate=true\nd | dropdown=false\ne")
    #expect(rows.map(\.words) == ["t", "u", "=", ">", "=", "e"])
    #expect(rows[0].style.bold == true && rows[5].style.bold == nil)
  }
}
