import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct KeyMapTests {
  @Test func `every intent has a key, and no key has two`() {
    let pairs = KeyMap.lines.flatMap(\.intents)
    #expect(Set(pairs.map(\.intent)) == Set(Intent.allCases))
    let keys = pairs.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    for pair in pairs {
      for key in pair.keys { #expect(KeyMap.intent(of: key) == pair.intent) }
    }
  }

  @Test func `a key without a meaning asks for nothing`() {
    #expect(KeyMap.intent(of: .character("x")) == nil)
    #expect(KeyMap.intent(of: .escape) == nil)
  }

  /// The names of all keys in the list: `PgUp`, `j`, `Ctrl-L`; arrows by their symbols.
  private var names: Set<String> {
    Set(KeyMap.lines.flatMap { $0.names.string.split(separator: " ").map(String.init) })
  }

  private func page(_ path: String) throws -> String {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: package.appending(path: path)), as: UTF8.self)
  }

  @Test func `Configuration.md lists the same keys`() throws {
    let text = try page("Docs/Configuration.md")
    let start = try #require(text.firstRange(of: "## Keys")).upperBound
    let end = try #require(text.firstRange(of: "## Commands")).lowerBound
    var listed: Set<String> = []
    for line in text[start..<end].split(separator: "\n") where line.hasPrefix("| ") {
      let cell = line.split(separator: "|").first ?? ""
      listed.formUnion(cell.split { " ,`".contains($0) }.map(String.init))
    }
    #expect(names.subtracting(["Esc"]).isSubset(of: listed))
    #expect(listed.subtracting(names) == ["key", "---", "g", "G"])
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
      }
      isName = line == ".TP"
    }
    let arrows: [String: String] = ["↓": "Down", "↑": "Up", "←": "Left", "→": "Right"]
    let wanted = Set(names.subtracting(["Esc"]).map { arrows[$0] ?? $0 })
    #expect(wanted.isSubset(of: listed), "\(wanted.subtracting(listed))")
    #expect(listed.subtracting(wanted) == ["g", "G"])
  }
}
