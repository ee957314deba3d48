import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPages

@testable import WidgetTUI

@Suite struct KeyMapTests {
  @Test func `every intent has a key, and no key has two`() {
    let pairs = KeyMap.standard.lines.flatMap(\.entries)
    #expect(Set(pairs.map(\.intent)).count == pairs.count && pairs.count == KeyCommand.all.count)
    #expect(pairs.allSatisfy { !$0.keys.isEmpty && KeyCommand.named($0.intent) != nil })
    let keys = pairs.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    for pair in pairs {
      for key in pair.keys { #expect(KeyMap.standard.intent(of: key) == pair.intent) }
    }
  }

  @Test func `a key without a meaning asks for nothing`() {
    #expect(KeyMap.standard.intent(of: .character("w")) == nil)
    #expect(KeyMap.standard.intent(of: .escape) == nil)
  }

  @Test func `keys of the user are laid over the others, also in the list and the footer`() throws {
    let map = KeyMap([
      "ctrl-r": .command("refreshAll"), "R": .nothing, "q": .nothing, "x": .command("quit"),
      "space": .command("pageDown"),
    ])
    #expect(map.intent(of: .control("r")) == "refreshAll")
    #expect(map.intent(of: .character("R")) == nil && map.intent(of: .character("q")) == nil)
    #expect(map.intent(of: .character("x")) == .quit && map.intent(of: .control("c")) == .quit)
    #expect(map.intent(of: .character(" ")) == .pageDown && map.intent(of: .enter) == .press)
    func line(_ intent: Intent) throws -> KeyMap.Line {
      try #require(KeyMap.standard.lines.first { $0.entries.contains { $0.intent == intent } })
    }
    #expect(map.names(of: try line("refreshAll")) == "r  Ctrl-R")
    #expect(map.names(of: try line(.quit)) == "Ctrl-C  x")
    #expect(map.names(of: try line(.inspect)) == "i")
    let frame = FrameGlyphs(.unicode)
    #expect(map.footerKey(of: try line(.quit), frame.name) == "Ctrl-C")
    #expect(map.footerKey(of: try line(.nextCard), frame.name) == "↑↓")
    let none = KeyMap(["i": .nothing])
    #expect(none.names(of: try line(.inspect)) == nil)
    #expect(none.footerKey(of: try line(.inspect), frame.name) == nil)
  }

  @Test func `every key has a name, and every name is the key again`() throws {
    for name in KeyName.named { #expect(Key(name: name) != nil, "\(name)") }
    for entry in KeyMap.standard.lines.flatMap(\.entries) {
      #expect(!entry.title.string.isEmpty)
      for key in entry.keys { #expect(!key.name.string.isEmpty, "\(key)") }
    }
  }

  @Test func `config.json accepts every command of the table, and no other`() {
    func read(_ command: String) -> UserConfiguration {
      UserConfiguration(
        bytes: Array("{ keys: { w: '\(command)' } }".utf8),
        path: "config.json",
        commands: KeyMap.standard.names
      )
    }
    for command in KeyCommand.all {
      let user = read(command.entry.intent.rawValue)
      #expect(user.problems.isEmpty, "\(user.problems)")
      let map = KeyMap(user.settings.screen.keys)
      #expect(map.intent(of: .character("w")) == command.entry.intent)
    }
    #expect(read("none").problems.isEmpty)
    let wrong = read("refreshAl")
    #expect(wrong.problems.first?.string.contains("did you mean “refreshAll”?") == true)
    #expect(wrong.settings.screen.keys.isEmpty)
  }

  /// The names of all keys in the list: `PgUp`, `j`, `Ctrl-L`; arrows by their symbols.
  private var names: Set<String> {
    Set(KeyMap.standard.lines.flatMap { $0.names.string.split(separator: " ").map(String.init) })
  }

  private func page(_ path: String) throws -> String {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: package.appending(path: path)), as: UTF8.self)
  }

  @Test func `texts name the keys that the user has`() {
    let map = KeyMap([
      "x": .command("retry"), "t": .nothing, "tab": .nothing, "shift-tab": .nothing,
    ])
    #expect(map.name(of: .retry) == "x")
    #expect(map.rowAdvice == "Select a row first.")
    #expect(KeyMap.standard.name(of: .retry) == "t")
    #expect(KeyMap.standard.rowAdvice == "Select a row with Tab first.")
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    model.keyMap = map
    #expect(model.look.retryKey == "x")
  }

  @Test func `Configuration.md lists the same keys`() throws {
    let text = try page("Docs/Configuration.md")
    let start = try #require(text.firstRange(of: "## Keys")).upperBound
    let end = try #require(text.firstRange(of: "### Other keys")).lowerBound
    var listed: Set<String> = []
    for line in text[start..<end].split(separator: "\n") where line.hasPrefix("| ") {
      let cell = line.split(separator: "|").first ?? ""
      listed.formUnion(cell.split { " ,`".contains($0) }.map(String.init))
      if cell.contains("`,`") { listed.insert(",") }
    }
    #expect(names.subtracting(["Esc"]).isSubset(of: listed))
    #expect(listed.subtracting(names) == ["key", "---", "g", "G"])
  }

  @Test func `Configuration.md lists every command that a key can be bound to`() throws {
    let text = try page("Docs/Configuration.md")
    for entry in KeyMap.standard.lines.flatMap(\.entries) {
      let title = entry.title.string
      let line =
        "| `\(entry.intent.rawValue)` | \(title.prefix(1).lowercased())\(title.dropFirst()) |"
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test func `the manual page lists the same keys`() throws {
    let text = try page("Docs/today.1").replacing("\\-", with: "-")
    let start = try #require(text.firstRange(of: ".SH KEYS")).upperBound
    let end = try #require(text.firstRange(of: ".SH CONFIGURATION")).lowerBound
    var listed: Set<String> = []
    var isName = false
    for line in text[start..<end].split(separator: "\n") {
      if isName {
        listed.formUnion(line.dropFirst(3).split { " ,\"".contains($0) }.map(String.init))
        if line == ".B ," { listed.insert(",") }
      }
      isName = line == ".TP"
    }
    let arrows: [String: String] = ["↓": "Down", "↑": "Up", "←": "Left", "→": "Right"]
    let wanted = Set(names.subtracting(["Esc"]).map { arrows[$0] ?? $0 })
    #expect(wanted.isSubset(of: listed), "\(wanted.subtracting(listed))")
    #expect(listed.subtracting(wanted) == ["g", "G"])
  }
}
