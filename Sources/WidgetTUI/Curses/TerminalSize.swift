import CPlatform
import Glibc
import WidgetKitCore

/// How many columns and rows of a terminal are drawn on.
///
/// A terminal may claim up to 65,535 of each. A page that large would take gigabytes, and ncurses
/// counts with 16 bits; what lies beyond the limits stays empty.
nonisolated enum TerminalSize {
  /// More than the largest screens have with the smallest fonts.
  static let columnLimit = 2_000
  static let rowLimit = 2_000
  static let cellLimit = 1_000_000

  /// The part of a terminal that is drawn on; nil if it has no size.
  static func drawable(columns: Int, rows: Int, cellLimit: Int = cellLimit) -> Size? {
    guard columns > 0, rows > 0 else { return nil }
    let columns = min(columns, columnLimit)
    return Size(columns: columns, rows: min(rows, rowLimit, cellLimit / columns))
  }

  /// The part of the terminal of a descriptor that is drawn on; nil if it does not know its size, as
  /// on a serial line.
  static func drawable(of descriptor: Int32, cellLimit: Int = cellLimit) -> Size? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard unsafe platform_terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
    return drawable(columns: Int(columns), rows: Int(rows), cellLimit: cellLimit)
  }

  /// Tells ncurses the size while `body` opens the screen.
  ///
  /// ncurses, which has neither the input nor the output of the terminal, takes the size from the
  /// environment or else that of the description. The variables are as before afterwards.
  static func announce<Result>(
    _ size: Size?,
    _ environment: [String: String],
    _ body: () -> Result
  ) -> Result {
    // Without a size, that which the user has set.
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 80
    let rows = environment["LINES"].flatMap { Int($0) } ?? 24
    let known = size ?? drawable(columns: columns, rows: rows) ?? Size(columns: 80, rows: 24)
    return EnvironmentChange.with("LINES", "\(known.rows)") {
      EnvironmentChange.with("COLUMNS", "\(known.columns)", body)
    }
  }
}

/// Variables of this process that a library reads from its environment.
nonisolated enum EnvironmentChange {
  /// Runs `body` with another value of a variable, which is as before afterwards.
  static func with<Result>(_ name: String, _ value: String, _ body: () -> Result) -> Result {
    let before = unsafe getenv(name).map { unsafe String(cString: $0) }
    unsafe setenv(name, value, 1)
    defer {
      if let before {
        unsafe setenv(name, before, 1)
      } else {
        unsafe unsetenv(name)
      }
    }
    return body()
  }
}
