/// The known name that is nearest to one that is not known.
nonisolated enum SettingNames {
  /// The setting or group that an unknown path was probably meant to be; nil where none is near.
  ///
  /// A name that differs in a few characters, or the right name in another object.
  static func nearest(to path: MemberPath) -> MemberPath? {
    guard let name = path.name else { return nil }
    let known = Setting.all.map(\.path) + Setting.groups.filter { !$0.steps.isEmpty }
    let near = known.compactMap { candidate -> (path: MemberPath, distance: Int)? in
      guard let other = candidate.name else { return nil }
      let distance = distance(name.lowercased(), other.lowercased())
      let isSibling = candidate.parent == path.parent
      let limit = isSibling ? max(1, min(name.count, other.count) / 3) : 0
      // The right name elsewhere is nearer than one of two errors here.
      return distance <= limit ? (candidate, isSibling ? distance * 2 : 3) : nil
    }
    return near.min {
      ($0.distance, $0.path.description) < ($1.distance, $1.path.description)
    }?.path
  }

  /// How many characters must be added, removed, replaced, or exchanged with the next one.
  ///
  /// The distance by Damerau and Levenshtein in its restricted form (optimal string alignment).
  static func distance(_ first: String, _ second: String) -> Int {
    // A name of the file may be as long as the file.
    let (first, second) = (Array(first.prefix(100)), Array(second.prefix(100)))
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
      var next = [row + 1]
      for column in second.indices {
        let cost = first[row] == second[column] ? 0 : 1
        var least = min(last[column + 1] + 1, next[column] + 1, last[column] + cost)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        next.append(least)
      }
      (beforeLast, last) = (last, next)
    }
    return last[second.count]
  }
}
