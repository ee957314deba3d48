import Testing
import WidgetKitCore

@testable import Registries
@testable import WidgetExtensions

/// Entries, versions and permissions as they are read.
@Suite struct RegistryEntryTests {
  private func entry(_ changes: [String: String?] = [:]) throws -> RegistryEntry {
    var members: [String: String?] = [
      "id": "\"com.example.a\"", "name": "\"A\"", "description": "\"B\"", "version": "\"1.2\"",
      "license": "\"MIT\"", "source": #"{"path": "scripts/a.sh"}"#,
    ]
    members.merge(changes) { $1 }
    let text = members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
    return try RegistryEntry(JSONTree(Array("{\(text.joined(separator: ","))}".utf8)))
  }

  private func fault(_ name: String, _ value: String?) -> String {
    do {
      _ = try entry([name: value])
      return "read"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("id", nil, "id: missing"),
    ("id", "\"../x\"", "id: expected letters, digits, - and single dots"),
    ("id", "\"a..b\"", "id: expected letters, digits, - and single dots"),
    ("version", "\"1.x\"", "version: expected one to four numbers with dots, such as 1.4.2"),
    ("name", "7", "name: expected a text of 1 to 120 bytes"),
    (
      "source", #"{"path": "../../etc/passwd"}"#,
      "source.path: expected a path that does not lead elsewhere"
    ),
    (
      "source", #"{"path": "/etc/passwd"}"#,
      "source.path: expected a path that does not lead elsewhere"
    ),
    ("source", #"{"path": "-x"}"#, "source.path: expected a path that does not lead elsewhere"),
    (
      "source", #"{"path": ":(glob)*"}"#,
      "source.path: expected a path that does not lead elsewhere"
    ),
    (
      "source", #"{"path": "a\u001bb"}"#,
      "source.path: expected a path that does not lead elsewhere"
    ),
    (
      "source", #"{"path": "a", "repository": "https://e.org/x", "commit": "main"}"#,
      "source.commit: expected a whole commit of 40 or 64 digits, not a branch or a tag"
    ),
    (
      "source", #"{"path": "a", "repository": "ext::sh", "commit": "main"}"#,
      "source.repository: expected an address such as https://example.org/widgets.git, ssh:// or file://"
    ),
    ("sha256", "\"00\"", "sha256: expected 64 hexadecimal digits in lower case"),
    ("permissions", #"{"com.example": true}"#, "permissions: “com.example” is not an entitlement"),
    ("kind", "\"kernel\"", "kind: expected widget, app, extension or script"),
  ])
  func `what is wrong is named`(name: String, value: String?, words: String) {
    #expect(fault(name, value) == words)
  }

  @Test func `texts cannot act on a terminal`() throws {
    let entry = try entry([
      "name": #""a\u001b[2Jb\nc""#, "description": #""x\u202Ey""#, "license": #""\u009b1m""#,
      "picture": #"["\u001b]0;evil\u0007", "two\nlines"]"#, "categories": #"["\u001b[1m"]"#,
    ])
    let texts =
      [entry.name, entry.description, entry.license] + entry.picture + entry.categories
    for text in texts {
      #expect(text.string.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
      #expect(!text.string.contains("\u{202E}"))
    }
  }

  @Test func `versions are ordered by their numbers`() {
    let versions = ["1", "1.0.1", "1.2", "1.10", "2"].compactMap(EntryVersion.init)
    #expect(versions == versions.sorted() && versions.count == 5)
    #expect(EntryVersion("1.0") == EntryVersion("1") && EntryVersion("1.-1") == nil)
    #expect(EntryVersion("") == nil && EntryVersion("1.2.3.4.5") == nil)
  }

  @Test func `a search needs each of its words, and prefers names`() throws {
    let entry = try entry(["name": "\"Sites\"", "description": "\"uptime of servers\""])
    #expect(entry.score(of: ["SITES"]) == 2 && entry.score(of: ["uptime"]) == 1)
    #expect(entry.score(of: ["sites", "tides"]) == nil && entry.score(of: []) == 0)
  }

  @Test func `more of a list is more permission`() {
    let small = PermissionSet([EntitlementRequest(.sockets, items: ["/run/a"])])
    let large = PermissionSet([
      EntitlementRequest(.network), EntitlementRequest(.sockets, items: ["/run/a", "/run/b"]),
    ])
    #expect(small.beyond(large) == [])
    #expect(
      large.beyond(small) == [
        EntitlementRequest(.network), EntitlementRequest(.sockets, items: ["/run/b"]),
      ]
    )
    #expect((try? PermissionSet(large.json)) == large)
  }
}
