import Glibc
import WidgetKitCore

/// What `today install` and `today uninstall` say, and the question whether to go on.
struct InstallQuestion {
  /// Whether the user has agreed on the command line.
  var isAgreed = false

  /// Writes a paragraph: what a name in it has of line breaks makes no other one.
  func say(_ words: SafeText) {
    StandardStreams.writeParagraph(words.onOneLine)
  }

  /// Whether somebody can answer on a terminal.
  var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Asks on the terminal; without one only `--yes` agrees.
  func agrees(to question: String) -> Bool {
    if isAgreed { return true }
    guard hasTerminal else {
      StandardStreams.writeError("nothing was changed; --yes agrees without a terminal")
      return false
    }
    StandardStreams.write(text: "\(question) [y/N] ")
    return ["y", "yes"].contains(readLine(strippingNewline: true)?.lowercased() ?? "")
  }
}
