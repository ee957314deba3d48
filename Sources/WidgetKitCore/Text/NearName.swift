/// The known name that a wrong one was probably meant to be.
package enum NearName {
  /// The name among `names` that another name was probably meant to be; nil where none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let typed = name.lowercased()
    guard typed.contains(where: { !$0.isWhitespace }) else { return nil }
    let near = names.compactMap { other -> (name: String, rank: Int, distance: Int, length: Int)? in
      let known = other.lowercased()
      let distance = distance(typed, known)
      let length = abs(typed.count - known.count)
      if distance <= max(1, min(typed.count, known.count) * 2 / 5) {
        return (other, 0, distance, length)
      }
      // What was not typed to its end, or has something behind it.
      let isBeginning = known.hasPrefix(typed) && typed.count >= leastBeginning
      let isLonger = typed.hasPrefix(known) && known.count >= leastBeginning
      return isBeginning || isLonger ? (other, 1, distance, length) : nil
    }
    return near.min {
      ($0.rank, $0.distance, $0.length, $0.name) < ($1.rank, $1.distance, $1.length, $1.name)
    }?.name
  }

  /// The fewest characters of a name that stand for it.
  private static let leastBeginning = 3

  /// How many characters must be added, removed, replaced, or exchanged with the next one.
  ///
  /// The distance by Damerau and Levenshtein in its restricted form (optimal string alignment).
  package static func distance(_ first: String, _ second: String) -> Int {
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
