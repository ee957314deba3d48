/// The time from one moment to another in one unit, and how long that text is valid.
///
/// Past times are counted in full units (`1 h ago` until two are full), future times in the nearest
/// (`in 2 h` from one and a half on). Less than a minute is `now`.
struct TimeSpan: Hashable {
  private enum Unit: Int, CaseIterable {
    case second = 1
    case minute = 60
    case hour = 3600
    case day = 86_400

    var name: String {
      switch self {
      case .second: "s"
      case .minute: "min"
      case .hour: "h"
      case .day: "d"
      }
    }
  }

  /// Seconds from the current time; negative for past times.
  private let seconds: Int
  private let unit: Unit
  private let count: Int

  init(from present: Int, to moment: Int) {
    seconds = moment - present
    (unit, count) = Self.measure(seconds)
  }

  private static func measure(_ seconds: Int) -> (Unit, Int) {
    let distance = abs(seconds)
    for (unit, next) in [(Unit.second, Unit.minute), (.minute, .hour), (.hour, .day)] {
      let count = count(distance, unit, isAhead: seconds > 0)
      if count < next.rawValue / unit.rawValue { return (unit, count) }
    }
    return (.day, count(distance, .day, isAhead: seconds > 0))
  }

  private static func count(_ distance: Int, _ unit: Unit, isAhead: Bool) -> Int {
    isAhead ? (distance + unit.rawValue / 2) / unit.rawValue : distance / unit.rawValue
  }

  /// The number and its unit: `4 min`.
  var amount: String { "\(count) \(unit.name)" }

  /// The span as text: `4 min ago`, `in 2 h`, or `now`.
  var relative: String {
    if unit == .second { return "now" }
    return seconds < 0 ? "\(amount) ago" : "in \(amount)"
  }

  /// Seconds until ``relative`` changes.
  var nextRelativeChange: Int { unit == .second ? seconds + 60 : nextChange }

  /// Seconds until ``amount`` changes.
  var nextChange: Int {
    if seconds <= 0 {
      return (count + 1) * unit.rawValue + seconds
    }
    guard unit != .second else { return 1 }
    // This is the last second in which the count is still the nearest one; then comes the next one.
    let last = count * unit.rawValue - unit.rawValue / 2
    let smaller = Unit.allCases.last { $0.rawValue < unit.rawValue } ?? .second
    // Below one unit, the smaller unit is used as soon as its count is not full.
    let border = unit.rawValue - smaller.rawValue / 2
    let lowest = count == 1 ? max(last, border) : last
    return seconds - lowest + 1
  }
}
