import WidgetKitCore

/// What is different between two values, by the place in them.
enum JSONDifference {
  /// A line for each place: `result.view.children[0].text: “a” was recorded, “b” came`.
  static func between(_ old: JSONTree, _ new: JSONTree, at path: String = "") -> [String] {
    guard old != new else { return [] }
    switch (old, new) {
    case (.array(let left), .array(let right)):
      var lines: [String] = []
      for index in 0..<max(left.count, right.count) {
        lines += compare(left[safe: index], right[safe: index], at: "\(path)[\(index)]")
      }
      return lines
    case (.object(let left), .object(let right)):
      var names: [String] = []
      for name in (left + right).map(\.name) where !names.contains(name) { names.append(name) }
      return names.flatMap { name in
        compare(old[name], new[name], at: path.isEmpty ? name : "\(path).\(name)")
      }
    default: return ["\(path): \(shown(old)) was recorded, \(shown(new)) came"]
    }
  }

  private static func compare(_ old: JSONTree?, _ new: JSONTree?, at path: String) -> [String] {
    switch (old, new) {
    case (let old?, let new?): between(old, new, at: path)
    case (let old?, nil): ["\(path): \(shown(old)) was recorded, and is missing"]
    case (nil, let new?): ["\(path): \(shown(new)) is new"]
    case (nil, nil): []
    }
  }

  private static func shown(_ tree: JSONTree) -> String {
    let words = SafeText(String(decoding: tree.json, as: UTF8.self)).string
    return words.count > 60 ? "\(words.prefix(59))…" : words
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
