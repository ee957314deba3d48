import WidgetTestSupport

/// What registries have: archives and entries.
extension Grammar {
  private static let paths = [
    "a", "a/b", "a/", "../x", "a/../../x", "/etc/x", "a//b", ".", "..", ".git/hooks/x", "a\\b", "",
    "é",
    "a/b/c/d/e/f/g", "-x", "a\n",
  ]
  private static let counts = [
    "00000000000", "00000000001", "00000001000", "77777777777", "x", "-1", "",
  ]
  private static let flags = ["0", "5", "x", "g", "1", "2", "3", "6", "7", "\0", "L"]
  private static let records = [
    "11 path=a/b\n", "13 path=../x\n", "9 path=\n", "999999999 path=a\n", "0 path=a\n", "path=a",
    "",
  ]

  /// A header of tar, without its checksum, and mostly contents.
  mutating func archiveMember() -> String {
    let (path, flag) = (random.one(of: Self.paths), random.one(of: Self.flags))
    let contents = flag == "x" ? random.one(of: Self.records) : random.one(of: ["", "text", path])
    let octal = String(contents.utf8.count, radix: 8)
    let honest = String(repeating: "0", count: 11 - octal.count) + octal
    let count = random.once(in: 5) ? random.one(of: Self.counts) : honest
    let fields = [
      (path, 100), (random.one(of: ["0000644", "0000755", "7777777", "9"]), 8), ("0000000", 8),
      ("0000000", 8), (count, 12), ("00000000000", 12), ("", 8), (flag, 1), ("", 100), ("ustar", 6),
      ("00", 2), ("", 64), ("", 16), (random.once(in: 4) ? random.one(of: Self.paths) : "", 155),
      ("", 12),
    ]
    let header = fields.map { Self.filled($0.0, to: $0.1) }.joined()
    return header + (contents.isEmpty ? "" : Self.filled(contents, to: 512))
  }

  private static func filled(_ text: String, to count: Int) -> String {
    text + String(repeating: "\0", count: max(0, count - text.utf8.count))
  }

  /// An entry or a list, in which members are missing, odd, or of others.
  mutating func registryEntry() -> String {
    let members = [
      #""id":"org.example.Tides""#, #""name":"Tides""#, #""description":"High water""#,
      #""version":"1.2""#, #""kind":"widget""#, #""license":"MIT""#, #""permissions":{}"#,
      #""format":1"#, #""serial":3"#, #""sha256":"\#(String(repeating: "0a", count: 32))""#,
      #""source":{"path":"Tides.widget"}"#,
      #""entries":[\#(random.once(in: 2) ? registryLine() : value())]"#,
    ]
    let kept = members.filter { _ in !random.once(in: 12) }
    let odd = random.once(in: 2) ? [#""\#(random.one(of: Self.entryMembers))":\#(value())"#] : []
    return "{\((kept + odd).joined(separator: ","))}"
  }

  private static let entryMembers = [
    "id", "name", "description", "version", "kind", "license", "permissions", "source", "sha256",
    "categories",
    "homepage", "serial", "entries", "requires",
  ]

  private func registryLine() -> String {
    #"{"id":"a.b","sha256":"\#(String(repeating: "0a", count: 32))"}"#
  }

  private mutating func value() -> String {
    random.one(
      of: Self.numbers + Self.members.map { "\"\($0)\"" } + ["{}", "[]", "null", "[[[]]]"]
    )
  }
}
