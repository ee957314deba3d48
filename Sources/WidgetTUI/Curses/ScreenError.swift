/// Why there is no screen to draw on.
nonisolated struct ScreenError: Error, CustomStringConvertible, Sendable {
  /// What is wrong, and what to do.
  let description: String

  private static let advice = "use “today snapshot” for the same page as text"

  static let noTerminal = ScreenError(
    description: "standard input and output are no terminal; \(advice)"
  )

  static let noDescriptors = ScreenError(
    description: "too many files are open in this system to open the screen; \(advice)"
  )

  static func cannotDraw(_ name: String) -> ScreenError {
    ScreenError(
      description: name.isEmpty
        ? "TERM is not set, so the terminal's kind is not known; \(advice)"
        : "a terminal of the kind “\(name)” cannot place text; \(advice)"
    )
  }

  static func unknownTerminal(_ name: String) -> ScreenError {
    ScreenError(
      description: "the terminal's kind “\(name)” is not known here; install ncurses-term, set "
        + "TERM to one that is known, or \(advice)"
    )
  }
}
