package import WidgetKitCore

/// The list of a registry, which is signed: its entries, each with the hash of its file.
package nonisolated struct RegistryIndex: Hashable, Sendable {
  /// A line of the list.
  package struct Line: Hashable, Sendable {
    package var id: String
    package var sha256: String

    package init(id: String, sha256: String) {
      (self.id, self.sha256) = (id, sha256)
    }
  }

  /// A number that grows with each change.
  package var serial: Int
  /// What the registry is called.
  package var name: SafeText
  /// The entries.
  package var lines: [Line]

  /// The largest file of a list, and the most entries.
  package static let byteLimit = 4 << 20
  package static let countLimit = 1_000
  private static let format = 1.0

  package init(serial: Int, name: SafeText, lines: [Line]) {
    (self.serial, self.name, self.lines) = (serial, name, lines)
  }

  /// Reads `index.json`.
  ///
  /// - Throws: ``EntryFault`` that names the member.
  package init(_ tree: JSONTree) throws(EntryFault) {
    guard tree["format"]?.number == Self.format else {
      throw EntryFault("format: expected 1; a newer version of today may read it")
    }
    guard let serial = tree["serial"]?.number.flatMap(Int.init(exactly:)), serial >= 0 else {
      throw EntryFault("serial: expected a whole number")
    }
    guard let items = tree["entries"]?.items, items.count <= Self.countLimit else {
      throw EntryFault("entries: expected at most \(Self.countLimit) entries")
    }
    self.serial = serial
    name = SafeText(try EntryReader(tree).optional("name", byteLimit: 120) ?? "").onOneLine
    lines = []
    var seen: Set<String> = []
    for item in items {
      let reader = EntryReader(item)
      let id = try reader.text("id", byteLimit: 255)
      guard RegistryEntry.isIdentifier(id), let digest = try reader.digest("sha256"),
        seen.insert(id).inserted
      else {
        throw EntryFault(
          "entries: “\(SafeText(id))” has no hash, no valid identifier, or is there twice"
        )
      }
      lines.append(Line(id: id, sha256: digest))
    }
  }

  /// The file of the list.
  package var json: JSONTree {
    let entries = lines.map { line in
      JSONTree.object([
        JSONTree.Member(name: "id", value: .string(line.id)),
        JSONTree.Member(name: "sha256", value: .string(line.sha256)),
      ])
    }
    // One without a name, as others write it, stays so: an empty text is not a name.
    let words =
      name.string.isEmpty ? [] : [JSONTree.Member(name: "name", value: .string(name.string))]
    return .object(
      [
        JSONTree.Member(name: "format", value: .number(Self.format)),
        JSONTree.Member(name: "serial", value: .number(Double(serial))),
      ] + words + [JSONTree.Member(name: "entries", value: .array(entries))]
    )
  }
}
