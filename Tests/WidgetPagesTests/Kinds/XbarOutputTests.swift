import Testing
import WidgetKitCore

@testable import WidgetPlatform
@testable import WidgetScripts

/// What plugins of xbar and SwiftBar print besides plain menus.
@Suite struct XbarOutputTests {
  // MARK: - Streams

  private func stream(isTrailing: Bool) -> XbarAdapter {
    var options = ScriptOptions()
    options.format = .swiftbar
    options.follow = true
    options.endsBlocks = isTrailing
    return XbarAdapter(.swiftbar, ScriptProgram(path: "/x/script.sh", options: options))
  }

  /// What is shown after each piece of output; the last one without an end is at the end of the run.
  private func shown(
    _ pieces: [String],
    isTrailing: Bool,
    end: TerminationStatus? = nil,
    cut: Int = .max
  ) -> [String] {
    var adapter = stream(isTrailing: isTrailing)
    adapter.begin()
    return pieces.enumerated().map { index, piece in
      let bytes = Array(piece.utf8)
      for start in stride(from: 0, to: bytes.count, by: min(cut, max(1, bytes.count))) {
        adapter.append(Array(bytes[start..<min(bytes.count, start + min(cut, bytes.count))]))
      }
      let content = adapter.content(index == pieces.count - 1 ? end : nil, at: .now)
      if case .nothing = content { return "" }
      return content.rows().filter { !$0.hasPrefix("─") }.joined(separator: " ")
    }
  }

  @Test(arguments: [1, 2, 5, .max])
  func `a separator begins a menu, which is shown as it grows`(cut: Int) {
    let pieces = ["~~~\n", "one\n", "---\na\n", "~~~\ntwo\n", "---\nb\nhalf", " line\n"]
    #expect(
      shown(pieces, isTrailing: false, cut: cut)
        == ["", "one", "one a", "two", "two b", "two b half line"]
    )
  }

  @Test(arguments: [1, 2, 5, .max])
  func `a separator at the end shows the menu before it as a whole`(cut: Int) {
    let pieces = ["one\n", "---\na\n", "~~~\n", "two\n", "---\nb\n", "~~~\n"]
    // Before the first separator there is nothing else to show.
    #expect(
      shown(pieces, isTrailing: true, cut: cut)
        == ["one", "one a", "one a", "one a", "one a", "two b"]
    )
  }

  // MARK: - Light and dark

  @Test func `of two colours and pictures the one for the background is shown`() {
    var script = PrintedScript(.swiftbar)
    func shown(isDark: Bool) -> (Color?, String?) {
      script.appearanceDidChange(isDark: isDark)
      let text = "T\n---\nrow | color=#000000,#ffffff\n| image=AAAA,BBBB\nboth | color=red"
      guard case .vstack(let stack)? = script.run(text).view?.content, stack.children.count == 5,
        case .image(let image) = stack.children[3].content
      else { return (nil, nil) }
      #expect(stack.children[4].style.foreground == .red)
      return (stack.children[2].style.foreground, image.data)
    }
    #expect(shown(isDark: true) == (.rgb(red: 255, green: 255, blue: 255), "BBBB"))
    #expect(shown(isDark: false) == (.rgb(red: 0, green: 0, blue: 0), "AAAA"))
  }

  @Test(arguments: ["", ",", ",,", " , ", "red,", ",red"])
  func `an empty half of two colours is no colour`(color: String) {
    var script = PrintedScript(.swiftbar)
    #expect(script.run("T\n---\nrow | color='\(color)'").rows().last == "row")
  }

  @Test func `a menu is found by its separator, whatever its line ends are`() {
    var script = PrintedScript(nil)
    for end in ["\n", "\r\n", " \n"] {
      #expect(script.run("T\(end)---\(end)a | color=red\(end)").rows().last == "a")
    }
    #expect(script.run("T\n----\na | color=red").rows().last == "a | color=red")
    // A table is none, whatever stands in it.
    #expect(
      script.run("| a | b=1 |\n---\n| c | d |").rows() == ["| a | b=1 |", "---", "| c | d |"]
    )
  }

  @Test func `Argos shows the name of a file that prints nothing`() {
    var argos = PrintedScript(.argos)
    #expect(argos.run("\n").rows() == ["script.sh"])
    var xbar = PrintedScript(.xbar)
    #expect(xbar.run("").rows() == ["no output"])
  }

  @Test func `the names of symbols of a Mac are left out for SwiftBar`() {
    var script = PrintedScript(.swiftbar)
    #expect(script.run(":sun.max.fill: 21°").rows() == ["21°"])
    #expect(script.run(":sun.max.fill: 21° | symbolize=false").rows() == [":sun.max.fill: 21°"])
    #expect(script.run("12:30:45 a:b:c http://a.b:80:").rows() == ["12:30:45 a:b:c http://a.b:80:"])
    var xbar = PrintedScript(.xbar)
    #expect(xbar.run(":sun.max.fill: 21°").rows() == [":sun.max.fill: 21°"])
  }

  @Test func `the last line counts also without an end`() {
    #expect(shown(["one\n---\na\nb"], isTrailing: false, end: .exited(0)) == ["one a b"])
    #expect(shown(["one\n~~~"], isTrailing: true, end: .exited(0)) == ["one"])
  }

  @Test func `a separator of a stream can begin with control sequences`() {
    #expect(
      shown(["one\n\u{1B}]697;x\u{7}~~~\ntwo"], isTrailing: false, end: .exited(0)) == ["two"]
    )
  }

  @Test func `a stream that fails has failed, and begins anew`() {
    var adapter = stream(isTrailing: false)
    adapter.begin()
    adapter.append(Array("one\nhalf".utf8))
    #expect(adapter.content(.exited(2), at: .now).failure == "exit 2")
    adapter.begin()
    #expect(adapter.content(nil, at: .now) == .nothing)
    adapter.append(Array("two\n".utf8))
    #expect(adapter.content(nil, at: .now).rows() == ["two"])
  }

  @Test func `a stream without a separator keeps a limited part`() {
    var adapter = stream(isTrailing: false)
    adapter.begin()
    for _ in 0..<3_000 { adapter.append(Array((String(repeating: "x", count: 200) + "\n").utf8)) }
    #expect(adapter.content(nil, at: .now).view != nil)
    var stream = XbarStream(isTrailing: false)
    for _ in 0..<100 { stream.append([UInt8](repeating: 0x78, count: 10_000)) }
    stream.finish()
    #expect(stream.newest.map { $0.count <= 256 * 1024 } ?? true)
  }

  // MARK: - Text

  private func row(_ line: String, _ format: ScriptFormat = .xbar) throws -> ViewNode {
    var script = PrintedScript(format)
    let view = try #require(script.run("t\n---\n\(line)").view)
    guard case .vstack(let stack) = view.content else { throw TestFailure() }
    return try #require(stack.children.last)
  }

  private struct TestFailure: Error {}

  private func spans(_ line: String, _ format: ScriptFormat = .xbar) throws -> [TextSpan] {
    guard case .text(let text) = try row(line, format).content else { throw TestFailure() }
    return text.spans
  }

  @Test(arguments: [
    (":fire: hot", "🔥 hot"), (":sparkles: :house_with_garden:", "✨ 🏡"), (":us::de:", "🇺🇸🇩🇪"),
    (":sun_behind_cloud: :clock1: :heavy_dollar_sign:", "⛅ 🕐 💲"), (":one::1:", "1️⃣:1:"),
    (
      ":snow_cloud: :bitcoin: :digit_one: :latin_small_letter_a:",
      ":snow_cloud: :bitcoin: :digit_one: :latin_small_letter_a:"
    ),
    (":cloud_with_snow:", "🌨️"), ("at 12:17:22", "at 12:17:22"), (":nope: :heart:", ":nope: ❤️"),
    (":fire", ":fire"), ("a:fire:b", "a🔥b"), (":", ":"), ("::", "::"), (":+1::100:", "👍💯"),
    (":fire: | emojize=false", ":fire:"), ("\u{200D}:fire:\u{301}x", "\u{200D}🔥\u{301}x"),
    (":\u{301}:fire:", ":\u{301}🔥"), (":fire\u{301}:", ":fire\u{301}:"),
  ])
  func `names between colons are emoji`(line: String, words: String) throws {
    #expect(try spans(line).map(\.text.string).joined() == words)
  }

  @Test(arguments: [
    (":sun.max.fill: warm", "warm"), ("a:sun.max:\u{301}b", "a\u{301}b"),
    (":sun.max.fill", ":sun.max.fill"), ("12:17:22", "12:17:22"),
    (":sun.max\u{301}:", ":sun.max\u{301}:"),
  ])
  func `symbols of a Mac are left out by scalar values`(text: String, words: String) {
    let found = XbarEmoji.withoutSymbols(text)
    #expect(found.unicodeScalars.elementsEqual(words.unicodeScalars))
  }

  @Test(arguments: [
    (
      "a **b** *c* _d_ `e` f | md=true",
      [
        ("a ", TextStyle()), ("b", TextStyle(bold: true)), (" ", TextStyle()),
        ("c", TextStyle(italic: true)), (" ", TextStyle()), ("d", TextStyle(italic: true)),
        (" ", TextStyle()), ("e", TextStyle()), (" f", TextStyle()),
      ]
    ),
    (
      "~~a~~ __b__ [c](https://a.example/x_y_z) [d] (e) [f](g h) | md=true",
      [
        ("a", TextStyle(strikethrough: true)), (" ", TextStyle()), ("b", TextStyle(bold: true)),
        (" ", TextStyle()), ("c", TextStyle()), (" [d] (e) [f](g h)", TextStyle()),
      ]
    ),
    ("__init__x ~5 ~6 | md=true", [("__init__x ~5 ~6", TextStyle())]),
    ("**open *still | md=true", [("**open *still", TextStyle())]),
    ("**** ** | md=true", [("**** **", TextStyle())]),
    ("2 * 3 * 4 | md=true", [("2 * 3 * 4", TextStyle())]),
    ("snake_case_name | md=true", [("snake_case_name", TextStyle())]),
    ("**b** | md=false", [("**b**", TextStyle())]), ("**b**", [("**b**", TextStyle())]),
  ])
  func `marks are emphasis where the line says so`(
    line: String,
    expected: [(String, TextStyle)]
  ) throws {
    let spans = try spans(line)
    #expect(spans.map(\.text.string) == expected.map(\.0))
    #expect(spans.map(\.style) == expected.map(\.1))
  }

  @Test func `colours are shown in xbar and Argos, and where the line says so`() throws {
    let red = TextStyle(foreground: .indexed(1))
    let line = "\u{1B}[31mred"
    #expect(try spans(line).map(\.style) == [red])
    #expect(try spans(line, .argos).map(\.style) == [red])
    #expect(try spans(line, .swiftbar).map(\.style) == [TextStyle()])
    #expect(try spans(line + " | ansi=true", .swiftbar).map(\.style) == [red])
    #expect(try spans(line + " | ansi=false").map(\.style) == [TextStyle()])
    #expect(try spans(line, .swiftbar).map(\.text) == ["red"])
  }

  @Test func `markup is that of Pango in Argos, unless the line says no`() throws {
    let red = TextStyle(foreground: .rgb(red: 255, green: 0, blue: 0))
    let line = "<span color='#ff0000'>red &amp; <b>bold</b></span> plain"
    let spans = try spans(line, .argos)
    #expect(spans.map(\.text) == ["red & ", "bold", " plain"])
    #expect(spans[0].style == red && spans[1].style.bold == true && spans[2].style == TextStyle())
    for other in [line + " | useMarkup=false", line.replacing("&amp;", with: "\u{1B}[0m&amp;")] {
      #expect(try self.spans(other, .argos).map(\.text.string).joined().contains("<b>bold</b>"))
    }
    for dialect in [ScriptFormat.xbar, .swiftbar] {
      #expect(try self.spans(line, dialect).map(\.text.string) == [line])
    }
  }

  @Test(arguments: [
    (#"a\nb"#, ScriptFormat.argos, "a\nb"), (#"a\nb"#, .xbar, "a\nb"),
    (#"a\nb"#, .swiftbar, #"a\nb"#),
    (#"a\nb | unescape=false"#, .argos, #"a\nb"#), (#"a\nb | ansi=false"#, .xbar, #"a\nb"#),
    (#"\303\244 \q\\"#, .argos, #"ä q\"#), (#"\u00e4 \xc3\xa4 \141"#, .xbar, "ä ä a"),
    // What is no string of Go stays as it is.
    (#"C:\quit\now"#, .xbar, #"C:\quit\now"#), (#"say "a\nb""#, .xbar, #"say "a\nb""#),
    (#"\u12"#, .xbar, #"\u12"#), (#"\777"#, .xbar, #"\777"#), (#"end\"#, .xbar, #"end\"#),
    (#"end\"#, .argos, #"end\"#), (#"\U7fffffff"#, .xbar, #"\U7fffffff"#),
    (#"a\x00b"#, .xbar, "ab"),
    (#"\e[31mred | ansi=true"#, .swiftbar, "red"),
  ])
  func `escapes are read as the host reads them`(
    line: String,
    dialect: ScriptFormat,
    text: String
  ) throws {
    #expect(try spans(line, dialect).map(\.text.string).joined() == text)
  }

  @Test(arguments: [ScriptFormat.argos, .xbar])
  func `an escape makes no NUL and no control character`(dialect: ScriptFormat) throws {
    let text = try spans(#"a\000\007\033[2Jb"#, dialect).map(\.text.string).joined()
    #expect(text.first == "a" && text.last == "b")
    #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test func `a text of several lines takes several rows`() throws {
    guard case .text(let text) = try row(#"one\ntwo\nthree | color=red"#).content else {
      Issue.record("no text")
      return
    }
    #expect(text.lineLimit == 3)
  }

  // MARK: - Pictures

  @Test(arguments: ["image", "templateImage", "templateimage"])
  func `a picture is in the place of an empty text`(name: String) throws {
    guard case .image(let image) = try row(" | \(name)=aGVsbG8=").content else {
      Issue.record("no picture")
      return
    }
    #expect(image.alt == "(picture)" && image.height == 4)
    #expect(image.imageSource == .data("aGVsbG8="))
    #expect(try spans("text | \(name)=aGVsbG8=").map(\.text) == ["text"])
  }

  @Test func `a large picture has words`() throws {
    let picture = String(repeating: "QUJD", count: 3_000)
    guard case .image(let image) = try row("| image=d29ybGQ=,\(picture)").content else {
      Issue.record("no picture")
      return
    }
    #expect(image.imageSource == .data(picture))
    #expect(try spans("| image=\(picture)\(picture)").map(\.text) == ["(picture)"])
  }
}
