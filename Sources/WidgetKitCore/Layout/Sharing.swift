/// Divides the columns of a row or of a grid, or the rows of a column, among those who want some.
enum Sharing {
  /// What one of them wants.
  struct Claim {
    var minimum: Int
    var ideal: Int
    /// The most it takes where there is more than everybody's ideal; `ideal` for one that has one.
    var maximum: Int
    /// Who gets up to its ideal first where there is too little.
    var priority: Double = 0
    /// Room and nothing else: grows last.
    var isSpacer = false
  }

  /// Returns what each claim gets; together at most `available`.
  ///
  /// Enough for all: everybody's ideal, and what is left goes to those that grow, or else to the
  /// spacers. Too little: everybody's minimum, and what is left goes by priority; within the same
  /// priority nobody gets more than another who still wants some.
  static func share(_ available: Int, among claims: [Claim]) -> [Int] {
    let ideals = claims.map(\.ideal)
    let minimums = claims.map(\.minimum)
    if ideals.reduce(0, +) <= available {
      let grow = claims.map { $0.isSpacer ? $0.ideal : max($0.ideal, $0.maximum) }
      let grown = fill(available, from: ideals, to: grow)
      guard claims.contains(where: \.isSpacer) else { return grown }
      let all = zip(claims, grown).map { $0.isSpacer ? max($0.ideal, $0.maximum) : $1 }
      return fill(available, from: grown, to: all)
    }
    let order = Set(claims.map(\.priority)).sorted(by: >)
    guard minimums.reduce(0, +) < available else {
      return squeeze(available, minimums, claims, order)
    }
    var result = minimums
    var left = available - minimums.reduce(0, +)
    for priority in order where left > 0 {
      let members = claims.indices.filter { claims[$0].priority == priority }
      let least = members.map { minimums[$0] }
      let total = least.reduce(0, +) + left
      let filled = fill(total, from: least, to: members.map { ideals[$0] })
      for (index, amount) in zip(members, filled) { result[index] = amount }
      left = total - filled.reduce(0, +)
    }
    return result
  }

  /// Not even the minimum for everybody: those of the highest priority first, each in its order.
  private static func squeeze(
    _ available: Int,
    _ minimums: [Int],
    _ claims: [Claim],
    _ order: [Double]
  ) -> [Int] {
    var result = minimums.map { _ in 0 }
    var left = max(0, available)
    for priority in order {
      for index in claims.indices where claims[index].priority == priority {
        result[index] = min(minimums[index], left)
        left -= result[index]
      }
    }
    return result
  }

  /// Raises all amounts from their lower bounds to a common level, nobody above its upper bound, so
  /// that together they come as near to `total` as they can without passing it.
  static func fill(_ total: Int, from lower: [Int], to upper: [Int]) -> [Int] {
    func amounts(_ level: Int) -> [Int] {
      zip(lower, upper).map { min(max(level, $0), max($0, $1)) }
    }
    var low = 0
    var high = Size.limit.upperBound
    guard amounts(high).reduce(0, +) > total else { return amounts(high) }
    while high - low > 1 {
      let middle = (low + high) / 2
      if amounts(middle).reduce(0, +) <= total { low = middle } else { high = middle }
    }
    var result = amounts(low)
    var left = total - result.reduce(0, +)
    for index in result.indices where left > 0 && result[index] == low && low < upper[index] {
      result[index] += 1
      left -= 1
    }
    return result
  }
}
