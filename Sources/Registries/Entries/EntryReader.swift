import WidgetKitCore
import WidgetPlatform

/// Reads the members of an entry within limits.
nonisolated struct EntryReader {
  private let tree: JSONTree

  init(_ tree: JSONTree) { self.tree = tree }

  /// A text that there must be.
  func text(_ name: String, byteLimit: Int) throws(EntryFault) -> String {
    guard let text = try optional(name, byteLimit: byteLimit) else {
      throw EntryFault("\(name): missing")
    }
    return text
  }

  /// A text that there may be.
  func optional(_ name: String, byteLimit: Int) throws(EntryFault) -> String? {
    guard let value = tree[name] else { return nil }
    guard let text = value.string, !text.isEmpty, text.utf8.count <= byteLimit else {
      throw EntryFault("\(name): expected a text of 1 to \(byteLimit) bytes")
    }
    return text
  }

  /// Texts that there may be, each on one line.
  func list(
    _ name: String,
    countLimit: Int,
    byteLimit: Int
  ) throws(EntryFault) -> [SafeText] {
    guard let value = tree[name] else { return [] }
    guard let items = value.items, items.count <= countLimit,
      items.allSatisfy({ ($0.string?.utf8.count ?? .max) <= byteLimit })
    else {
      throw EntryFault(
        "\(name): expected at most \(countLimit) texts of at most \(byteLimit) bytes"
      )
    }
    return items.compactMap(\.string).map { SafeText($0).onOneLine }
  }

  /// A text on one line, in which each run of blanks is one: a wide one would look like the beginning of another line.
  func line(_ name: String, byteLimit: Int) throws(EntryFault) -> SafeText? {
    try optional(name, byteLimit: byteLimit).map { SafeText(lineOf: $0) }
  }

  /// A web page.
  func page(_ name: String) throws(EntryFault) -> SafeText? {
    guard let text = try optional(name, byteLimit: 1_024) else { return nil }
    guard text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw EntryFault("\(name): expected an address that begins with https://, without blanks")
    }
    return SafeText(text)
  }

  /// 64 hexadecimal digits that there may be.
  func digest(_ name: String) throws(EntryFault) -> String? {
    guard let text = try optional(name, byteLimit: 64) else { return nil }
    guard text.utf8.count == 64, Self.isHexadecimal(text) else {
      throw EntryFault("\(name): expected 64 hexadecimal digits in lower case")
    }
    return text
  }

  /// The member `source`.
  func source() throws(EntryFault) -> EntrySource {
    guard let source = tree["source"], source.members != nil else {
      throw EntryFault(
        "source: expected an object with “path”, or “repository”, “commit” and “path”"
      )
    }
    let reader = EntryReader(source)
    let path = try reader.text("path", byteLimit: 400)
    guard Self.isPath(path) else {
      throw EntryFault("source.path: expected a path that does not lead elsewhere")
    }
    guard let repository = try reader.optional("repository", byteLimit: 1_024) else {
      return .registry(path: path)
    }
    guard let address = RepositoryAddress(repository) else {
      throw EntryFault("source.repository: expected \(RepositoryAddress.rule)")
    }
    let commit = try reader.text("commit", byteLimit: 64)
    guard [40, 64].contains(commit.utf8.count), Self.isHexadecimal(commit) else {
      throw EntryFault(
        "source.commit: expected a whole commit of 40 or 64 digits, not a branch or a tag"
      )
    }
    return .repository(address, commit: commit, path: path)
  }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether a path stays where it begins, and is none that git or a shell reads as something else.
  private static func isPath(_ path: String) -> Bool {
    // By bytes, as the system splits it: a combining mark after "/" is one character with it.
    SafeText(path).string == path && !path.utf8.contains { $0 == 0x5C || $0 == 0x0A }
      && path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy { part in
        OwnPath.isPlain(Substring(part)) && part.first != 0x2D && part.first != 0x3A
          && Substring(part).lowercased() != ".git"
      }
  }
}
