/// Why the screen could not be opened.
nonisolated struct ScreenError: Error, CustomStringConvertible, Sendable {
  /// What failed, and what the user can do.
  let description: String

  private static let advice = "use “today snapshot” for the same page as text"

  static let noTerminal = ScreenError(
    description: "standard input and output are not a terminal; \(advice)"
  )

  static let inBackground = ScreenError(
    description: "the terminal belongs to another program, as this one was started in the "
      + "background; start it in the foreground, or \(advice)"
  )

  static let noDescriptors = ScreenError(
    description: "too many open files; \(advice)"
  )

  static func cannotDraw(_ name: String) -> ScreenError {
    ScreenError(
      description: name.isEmpty
        ? "TERM is not set; \(advice)"
        : "terminal type “\(name)” cannot position text; \(advice)"
    )
  }

  static func unknownTerminal(_ name: String) -> ScreenError {
    ScreenError(
      description: "unknown terminal type “\(name)”; \(TerminalAdvice.remedy(forUnknown: name)), "
        + "or \(advice)"
    )
  }
}
