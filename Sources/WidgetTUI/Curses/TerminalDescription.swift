import Glibc
import WidgetHost

/// Colours of 24 bits, for terminals that have them.
enum DirectColors {
  /// Runs `body`, which opens the screen, with a description of the terminal that has colours of 24
  /// bits, if the terminal has them; returns false if `body` was not run or failed with it.
  ///
  /// ncurses takes a description from the environment instead of a file: `hex:` in `TERMINFO`
  /// (ncurses(3X), “TERMINFO”). The variable is as before afterwards.
  static func open(_ environment: [String: String], _ body: () -> Bool) -> Bool {
    guard let entry = entry(environment) else { return false }
    let digits = Array("0123456789ABCDEF".utf8)
    let text = entry.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    let before = unsafe getenv("TERMINFO").map { unsafe String(cString: $0) }
    unsafe setenv("TERMINFO", "hex:" + String(decoding: text, as: UTF8.self), 1)
    defer {
      if let before {
        unsafe setenv("TERMINFO", before, 1)
      } else {
        unsafe unsetenv("TERMINFO")
      }
    }
    return body()
  }

  /// The description of the terminal with colours of 24 bits; nil if the terminal has none.
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
        guard let entry = TerminfoEntry(bytes), entry.colors >= 256,
          entry.claimsDirectColors || isClaimed(environment)
        else { return nil }
        return entry.withDirectColors()
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
