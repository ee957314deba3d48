import FoundationEssentials
import WidgetKitCore

/// Ages as short texts.
nonisolated enum AgeWording {
  /// `now` below a minute, then `4 min`, `4 h`, `4 d`, so that an idle page is drawn once a minute.
  ///
  /// - Parameters:
  ///   - seconds: The age; a date in the future, or NaN, counts as 0.
  ///   - countsSeconds: Whether it is `25 s` below a minute, as after a missed update.
  /// - Returns: The words.
  static func words(for seconds: Double, countsSeconds: Bool = false) -> SafeText {
    let age = wholeSeconds(seconds)
    return switch age {
    case 1..<60 where countsSeconds: "\(age) s"
    case ..<60: "now"
    case ..<3600: "\(age / 60) min"
    case ..<86_400: "\(age / 3600) h"
    default: "\(age / 86_400) d"
    }
  }

  /// An age in a sentence: `3 min ago`, and `now` below a minute.
  static func ago(_ seconds: Double) -> SafeText {
    wholeSeconds(seconds) < 60 ? "now" : SafeText("\(words(for: seconds)) ago")
  }

  /// The time of an earlier moment: `14:30`, or `Fri 14:30` on another day than `now`.
  static func moment(_ date: Date, now: Date) -> SafeText {
    SafeText(LocalTime.moment(date, now: now))
  }

  /// When the text for the age of `date` will next change.
  static func nextChange(of date: Date, after now: Date, countsSeconds: Bool = false) -> Date {
    let age = wholeSeconds(now.timeIntervalSince(date))
    let next =
      switch age {
      case ..<60 where countsSeconds: age + 1
      case ..<60: 60
      case ..<3600: (age / 60 + 1) * 60
      case ..<86_400: (age / 3600 + 1) * 3600
      default: (age / 86_400 + 1) * 86_400
      }
    // A date in the future counts as now until it is a minute old.
    return date.addingTimeInterval(Double(next))
  }

  /// The age in whole seconds; 0 for a date in the future or NaN.
  private static func wholeSeconds(_ seconds: Double) -> Int {
    seconds.isFinite ? Int(min(max(0, seconds), 1e12)) : 0
  }
}
