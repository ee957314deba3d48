import FoundationEssentials
import Testing
import WidgetTestSupport

/// The documentation beside the program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InstalledDocumentsTests {
  @Test func `each link of the installed introduction leads to an installed file`() throws {
    let program = try #require(BuiltProgram.path)
    let prefix = program.split(separator: "/").dropLast(2).joined(separator: "/")
    let folder = "/\(prefix)/share/doc/today"
    let text = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let links = text.split(separator: "](").dropFirst()
      .map { String($0.prefix { $0 != ")" && $0 != "#" }) }
      .filter { !$0.isEmpty && !$0.contains(":") }
    #expect(links.count > 10)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(link)"), "\(link)")
    }
  }
}
