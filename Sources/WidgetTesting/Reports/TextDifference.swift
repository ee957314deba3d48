/// The difference between two texts, row by row.
nonisolated enum TextDifference {
  /// The rows around a difference that are shown too.
  private static let context = 2
  /// The most rows of a difference.
  private static let limit = 60

  /// Rows with a mark: `-` for one that is only in the first text, `+` for one that is only in the second.
  ///
  /// - Parameters:
  ///   - old: The rows that were expected.
  ///   - new: The rows that were found.
  /// - Returns: The rows of the difference; none if both are equal.
  static func words(_ old: [String], _ new: [String]) -> [String] {
    guard old != new else { return [] }
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var rows: [(mark: String, text: String)] = []
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      if first < old.count, removed.contains(first) {
        rows.append(("-", old[first]))
        first += 1
      } else if second < new.count, inserted.contains(second) {
        rows.append(("+", new[second]))
        second += 1
      } else {
        rows.append((" ", first < old.count ? old[first] : ""))
        (first, second) = (first + 1, second + 1)
      }
    }
    let changed = rows.indices.filter { rows[$0].mark != " " }
    let shown = rows.indices.filter { index in changed.contains { abs($0 - index) <= context } }
    let words = shown.prefix(limit).map { "\(rows[$0].mark) \(rows[$0].text)" }
    return words + (shown.count > limit ? ["  and \(shown.count - limit) more rows"] : [])
  }
}
