/// The known name that a wrong one was probably meant to be.
package enum NearName {
  /// The name among `names` that another name was probably meant to be; nil where none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let near = names.map { ($0, distance(name.lowercased(), $0.lowercased())) }.filter {
      $0.1 <= max(1, min(name.count, $0.0.count) / 3)
    }
    return near.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

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
