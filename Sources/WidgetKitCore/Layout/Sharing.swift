/// Distributes the columns of a row or a grid, or the rows of a column, among children.
enum Sharing {
  /// The requirements of one child.
  struct Claim {
    var minimum: Int
    var ideal: Int
    /// The largest size if there is more room than all ideal sizes; `ideal` for a child with a fixed
    /// size.
    var maximum: Int
    /// The priority for the ideal size if there is too little room.
    var priority: Double = 0
    /// Whether it is a spacer, which grows last and has no spacing.
    var isSpacer = false
    /// The smallest size with which it shows anything; nil for 1, or for 0 if its minimum is 0.
    var least: Int?

    /// The smallest size with which it shows anything, at most what it needs.
    fileprivate var threshold: Int { least ?? min(1, minimum) }
  }

  /// Returns the size of each claim if claims with a size are separated by `spacing`; the total with
  /// spacing is at most `available`.
  ///
  /// If not all can have their minimum, as many as possible get enough to show something, in the order
  /// of their priorities; the others get nothing and have no spacing either.
  ///
  /// ```
  /// sixteen letters, spacing 1, in 16 columns        a b c d e f g h
  /// ```
  static func share(_ available: Int, spacing: Int, among claims: [Claim]) -> [Int] {
    let parted = claims.count { !$0.isSpacer && $0.maximum > 0 }
    let gaps = max(0, parted - 1) * spacing
    if !claims.contains(where: { $0.isSpacer || $0.maximum > $0.ideal }),
      claims.reduce(gaps, { $0 + $1.ideal }) <= available
    {
      return claims.map(\.ideal)
    }
    if claims.reduce(gaps, { $0 + $1.minimum }) <= available {
      let shares = share(available - gaps, among: claims)
      guard let last = leastUseful(shares, among: claims) else { return shares }
      var others = claims
      others[last] = Claim(minimum: 0, ideal: 0, maximum: 0)
      return share(available, spacing: spacing, among: others)
    }
    let order = byPriority(claims)
    var shown = claims.map(\.isSpacer)
    var count = 0
    var room = max(0, available)
    // First the claims that show something, then those that only might, such as an empty frame that
    // grows.
    for isVisible in [true, false] {
      for index in order where !shown[index] && claims[index].maximum > 0 {
        let least = claims[index].threshold
        let needed = least + (count > 0 ? spacing : 0)
        guard (least > 0) == isVisible, needed <= room else { continue }
        shown[index] = true
        room -= needed
        count += 1
      }
    }
    if count == 0, let first = order.first(where: { claims[$0].threshold > 0 }) {
      // No claim gets enough: a part of the first one is better than nothing.
      shown[first] = true
      count = 1
    }
    let members = claims.indices.filter { shown[$0] }
    let shares = share(
      available - max(0, count - 1) * spacing,
      among: members.map { claims[$0] }
    )
    var result = claims.map { _ in 0 }
    for (index, amount) in zip(members, shares) { result[index] = amount }
    return result
  }

  /// Returns the last claim that would be no more than the mark of a cut, a single column, while claims
  /// of a higher priority are shown; they have more use for the column and the spacing.
  private static func leastUseful(_ shares: [Int], among claims: [Claim]) -> Int? {
    let shown = claims.indices.filter { !claims[$0].isSpacer && shares[$0] > 0 }
    guard let highest = shown.map({ claims[$0].priority }).max() else { return nil }
    return shown.last { index in
      shares[index] == 1 && claims[index].ideal > 1 && claims[index].priority < highest
    }
  }

  /// Returns the size of each claim; the total is at most `available`.
  ///
  /// If there is enough for all ideal sizes, the rest goes to the claims that grow, or else to the
  /// spacers. If there is too little, all get their minimum, and the rest is distributed by priority;
  /// within the same priority, no claim gets more than another that still needs some.
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
    guard minimums.reduce(0, +) < available else { return squeeze(available, claims) }
    var result = minimums
    var left = available - minimums.reduce(0, +)
    let order = byPriority(claims)
    var start = 0
    while start < order.count, left > 0 {
      let priority = claims[order[start]].priority
      let end = order[start...].firstIndex { claims[$0].priority != priority } ?? order.count
      let members = order[start..<end]
      let least = members.map { minimums[$0] }
      let total = least.reduce(0, +) + left
      let filled = fill(total, from: least, to: members.map { ideals[$0] })
      for (index, amount) in zip(members, filled) { result[index] = amount }
      left = total - filled.reduce(0, +)
      start = end
    }
    return result
  }

  /// Distributes less than the sum of the minimum sizes: first what is needed to show something, then
  /// up to the minimum, each by priority and then by position.
  private static func squeeze(_ available: Int, _ claims: [Claim]) -> [Int] {
    var result = claims.map { _ in 0 }
    var left = max(0, available)
    let order = byPriority(claims)
    for index in order {
      result[index] = min(claims[index].threshold, claims[index].minimum, left)
      left -= result[index]
    }
    for index in order {
      let more = min(claims[index].minimum - result[index], left)
      result[index] += more
      left -= more
    }
    return result
  }

  /// Returns the claims from the highest to the lowest priority, in their order within a priority.
  private static func byPriority(_ claims: [Claim]) -> [Int] {
    claims.indices.sorted {
      let (left, right) = (claims[$0].priority, claims[$1].priority)
      return left == right ? $0 < $1 : left > right
    }
  }

  /// Raises all amounts from their lower bounds to a common level, but not above their upper bounds, so
  /// that their sum comes as close to `total` as possible without exceeding it.
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
