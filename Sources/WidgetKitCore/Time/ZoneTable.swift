/// The clocks of a time zone at all times.
///
/// Moments are in seconds since 1970 as the system counts them: without leap seconds, except in the
/// zones of the tz database that count them (`right/…`).
struct ZoneTable: Hashable, Sendable {
  /// When an offset begins.
  struct Transition: Hashable, Sendable {
    /// The first moment with the offset.
    var moment: Int
    /// Seconds east of UTC.
    var offset: Int
  }

  /// A leap second.
  struct LeapSecond: Hashable, Sendable {
    /// When the correction begins.
    var moment: Int
    /// The number of leap seconds up to now, to be subtracted.
    var correction: Int
  }

  /// The most leap seconds that are accepted; in 2026 there are 27.
  static let leapSecondLimit = 1000
  /// The offsets that are accepted (RFC 9636 §3.2).
  static let offsets = -89_999...93_599

  /// The offset before the first transition.
  var initialOffset: Int
  /// Changes of the offset, in ascending order.
  var transitions: [Transition] = []
  /// Leap seconds, in ascending order; usually none.
  var leapSeconds: [LeapSecond] = []
  /// The offsets from the last transition on; nil if the last offset continues.
  var rule: ZoneRule?

  /// UTC without leap seconds.
  static let utc = ZoneTable(initialOffset: 0)

  /// Returns the seconds east of UTC at a moment.
  func offset(at seconds: Int) -> Int {
    let next = transitions.firstIndex { $0.moment > seconds }
    if next == transitions.endIndex, let rule {
      return rule.offset(at: seconds - correction(at: seconds))
    }
    return next == 0 ? initialOffset : transitions[next - 1].offset
  }

  /// Returns the seconds from a moment to the same number in local time, also in zones that count
  /// leap seconds.
  func displacement(at seconds: Int) -> Int {
    offset(at: seconds) - correction(at: seconds)
  }

  /// Returns the local time at a moment; the second is 60 in a leap second.
  func time(at seconds: Int) -> CivilTime {
    var time = CivilTime(secondsSince1970: seconds + displacement(at: seconds))
    if isLeapSecond(seconds) { time.second += 1 }
    return time
  }

  /// Returns the moment at which clocks show a time, as seconds from 1970 in local time.
  ///
  /// Of a time that occurs twice, it is the first. A time that is skipped is counted from the last
  /// offset before the gap: half an hour into the gap is half an hour after it.
  func moment(ofLocalSeconds local: Int) -> Int {
    // More than any displacement, so that the moment is between these two.
    let margin = 100_000
    let changes = changes(from: local - margin, through: local + margin)
    let before = displacement(at: local - margin)
    let moments = ([before] + changes.map(displacement)).lazy
      .map { local - $0 }
      .filter { $0 + displacement(at: $0) == local }
    if let first = moments.min() { return first }
    for change in changes {
      let old = displacement(at: change - 1)
      if change + old <= local, local < change + displacement(at: change) { return local - old }
    }
    return local - before
  }

  // MARK: - Changes

  /// The moments within a range, in ascending order, at which the displacement changes.
  private func changes(from first: Int, through last: Int) -> [Int] {
    let begin = transitions.firstIndex { $0.moment >= first }
    let end = transitions.firstIndex { $0.moment > last }
    var moments = transitions[begin..<end].map(\.moment)
    moments += leapSeconds.map(\.moment).filter { (first...last).contains($0) }
    if let rule {
      let since = max(first, transitions.last?.moment ?? .min)
      let changes = rule.changes(around: last).map { $0 + correction(at: $0) }
      moments += changes.filter { $0 >= since && $0 <= last }
    }
    return moments.sorted()
  }

  private func correction(at seconds: Int) -> Int {
    leapSeconds.last { $0.moment <= seconds }?.correction ?? 0
  }

  /// Whether a moment is a second that was inserted.
  private func isLeapSecond(_ seconds: Int) -> Bool {
    guard let index = leapSeconds.firstIndex(where: { $0.moment == seconds }) else { return false }
    let before = index == 0 ? 0 : leapSeconds[index - 1].correction
    return leapSeconds[index].correction > before
  }
}

extension [ZoneTable.Transition] {
  /// Returns the index of the first transition with a property that all later ones have too.
  ///
  /// - Complexity: O(log *n*).
  fileprivate func firstIndex(_ isAfter: (ZoneTable.Transition) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isAfter(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
