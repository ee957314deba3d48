package import WidgetKitCore

/// JSON for people: a member a line, in its order; what is short and has no objects in it stays on one line.
package nonisolated enum PrettyJSON {
  /// The text of a value, with a line feed at its end.
  package static func bytes(of tree: JSONTree) -> [UInt8] { text(tree, indent: "") + [0x0A] }

  private static let columns = 100

  private static func text(_ tree: JSONTree, indent: String) -> [UInt8] {
    let inside = indent + "  "
    let isFlat = tree.json.count + indent.utf8.count <= columns
    switch tree {
    case .object(let members) where !members.isEmpty && !(isFlat && !indent.isEmpty):
      let lines = members.map { member in
        Array(inside.utf8) + JSONTree.string(member.name).json + Array(": ".utf8)
          + text(member.value, indent: inside)
      }
      return block("{", lines, "}", indent)
    case .array(let items) where !isFlat && !items.isEmpty:
      return block("[", items.map { Array(inside.utf8) + text($0, indent: inside) }, "]", indent)
    default: return flat(tree)
    }
  }

  /// A value on one line.
  private static func flat(_ tree: JSONTree) -> [UInt8] {
    switch tree {
    case .object(let members) where !members.isEmpty:
      let parts = members.map { JSONTree.string($0.name).json + Array(": ".utf8) + flat($0.value) }
      return Array("{ ".utf8) + Array(parts.joined(separator: Array(", ".utf8)))
        + Array(" }".utf8)
    case .array(let items):
      return Array("[".utf8) + Array(items.map(flat).joined(separator: Array(", ".utf8)))
        + Array("]".utf8)
    default: return tree.json
    }
  }

  private static func block(
    _ start: String,
    _ lines: [[UInt8]],
    _ end: String,
    _ indent: String
  ) -> [UInt8] {
    Array("\(start)\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8)))
      + Array("\n\(indent)\(end)".utf8)
  }
}
