/// What the program tells a script (DESIGN.md, The command).
nonisolated enum ExitCode: Int32, Sendable {
  /// Done.
  case success = 0
  /// It did not work: a widget failed, is hidden or timed out.
  case failure = 1
  /// Wrong usage (`EX_USAGE` of sysexits.h).
  case usage = 64
  /// No such widget or file (`EX_NOINPUT`).
  case missing = 66
  /// A needed service is missing (`EX_UNAVAILABLE`).
  case unavailable = 69
  /// Try again later (`EX_TEMPFAIL`).
  case tryAgain = 75
}

/// Why a command did not do what was asked.
nonisolated struct CommandError: Error, CustomStringConvertible, Sendable {
  var exitCode: ExitCode
  /// What went wrong, with what, and what to do.
  var description: String

  static func usage(_ text: String) -> CommandError {
    CommandError(exitCode: .usage, description: text)
  }

  static func missing(_ text: String) -> CommandError {
    CommandError(exitCode: .missing, description: text)
  }

  static func unavailable(_ text: String) -> CommandError {
    CommandError(exitCode: .unavailable, description: text)
  }

  static func failure(_ text: String) -> CommandError {
    CommandError(exitCode: .failure, description: text)
  }
}
