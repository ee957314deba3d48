import Glibc
import WidgetPlatform

/// The description of the terminal, with what the terminal can do besides: colours of 24 bits, and presses
/// of the mouse right of column 223.
enum TerminalDescription {
  /// What the screen was opened with.
  enum Opening {
    case failed
    case asDescribed
    case withDirectColors
  }

  /// Opens the screen.
  ///
  /// - Parameters:
  ///   - environment: The environment of the program.
  ///   - refusesColors: Whether the user wants no colours.
  ///   - body: Opens the screen with the description that is in force; whether it could.
  /// - Returns: What it was opened with.
  static func open(
    _ environment: [String: String],
    refusesColors: Bool,
    _ body: () -> Bool
  ) -> Opening {
    if let entry = entry(environment) {
      let isDirect =
        !refusesColors && entry.colors >= 8
        && (entry.claimsDirectColors || isClaimed(environment))
      let direct = isDirect ? entry.withDirectColors() : nil
      var best = direct ?? entry
      let hasMouse = reportsWideMouse(environment) ? best.withWideMouse() : nil
      best = hasMouse ?? best
      let common = best.withCommonSequences()
      best = common ?? best
      if direct != nil || hasMouse != nil || common != nil, open(best, body) {
        return direct == nil ? .asDescribed : .withDirectColors
      }
    }
    return body() ? .asDescribed : .failed
  }

  /// How many colours the terminal has, without opening a screen.
  ///
  /// - Parameters:
  ///   - environment: The environment of the program.
  ///   - refusesColors: Whether the user wants no colours.
  /// - Returns: The colours of its description, or 24 bits where it says that it has them.
  static func depth(_ environment: [String: String], refusesColors: Bool) -> ColorDepth {
    guard !refusesColors, let entry = entry(environment) else { return .none }
    let isDirect = entry.colors >= 8 && (entry.claimsDirectColors || isClaimed(environment))
    return isDirect ? .full : ColorDepth(colors: entry.colors)
  }

  /// Runs `body` with another description than that of the terminal.
  ///
  /// ncurses takes a description from the environment instead of a file: `hex:` in `TERMINFO`
  /// (ncurses(3X), “TERMINFO”). The variable is as before afterwards.
  private static func open(_ entry: TerminfoEntry, _ body: () -> Bool) -> Bool {
    let digits = Array("0123456789ABCDEF".utf8)
    let text = entry.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return EnvironmentChange.with("TERMINFO", "hex:" + String(decoding: text, as: UTF8.self), body)
  }

  /// The description of the terminal; nil if it cannot be read.
  private static func entry(_ environment: [String: String]) -> TerminfoEntry? {
    guard let term = environment["TERM"], let first = term.unicodeScalars.first,
      !term.contains("/"), first != "."
    else { return nil }
    for folder in folders(environment) {
      // On file systems that ignore case, the folder is the letter's code.
      for part in [String(first), String(first.value, radix: 16)] {
        guard let bytes = UserFile.bytes("\(folder)/\(part)/\(term)", byteLimit: 64 * 1024) else {
          continue
        }
        // ncurses takes the first file that there is.
        return TerminfoEntry(bytes)
      }
    }
    return nil
  }

  /// Whether the environment says that the terminal has colours of 24 bits.
  ///
  /// GNU screen passes the variable on from the terminal around it, and does not have such colours.
  static func isClaimed(_ environment: [String: String]) -> Bool {
    let value = environment["COLORTERM"]?.lowercased() ?? ""
    return (value == "truecolor" || value == "24bit") && (environment["STY"] ?? "").isEmpty
  }

  /// Whether the terminal is a tmux, which reports the mouse in the wide form (mode 1006) although its
  /// description does not say so.
  ///
  /// Old descriptions of screen are used in it too. In the narrow form there are no columns beyond 223.
  static func reportsWideMouse(_ environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    return term.hasPrefix("tmux")
      || term.hasPrefix("screen") && !(environment["TMUX"] ?? "").isEmpty
        && (environment["STY"] ?? "").isEmpty
  }

  /// Where ncurses looks for descriptions, in order (terminfo(5), “Fetching Compiled Descriptions”).
  private static func folders(_ environment: [String: String]) -> [String] {
    let standard = [
      "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
      "/usr/local/share/terminfo",
    ]
    let named = (environment["TERMINFO_DIRS"] ?? "").split(
      separator: ":",
      omittingEmptySubsequences: true
    )
    let own = [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }]
    return (own.compactMap(\.self) + named.map(String.init)).filter { $0.hasPrefix("/") } + standard
  }
}
