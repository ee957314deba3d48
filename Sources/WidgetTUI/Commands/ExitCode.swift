/// The exit status of the program, with the values of sysexits.h.
nonisolated enum ExitCode: Int32, Sendable {
  /// Success.
  case success = 0
  /// Failure: a widget failed, timed out or has nothing to show.
  case failure = 1
  /// Usage error (`EX_USAGE`).
  case usage = 64
  /// No such widget or file (`EX_NOINPUT`).
  case missing = 66
  /// A required service is missing (`EX_UNAVAILABLE`).
  case unavailable = 69
  /// Another program is changing the page; try again later (`EX_TEMPFAIL`).
  case tryAgain = 75
}

/// Why a command failed.
nonisolated struct CommandError: Error, CustomStringConvertible, Sendable {
  var exitCode: ExitCode
  /// What failed, on what, and what the user can do.
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

  static func tryAgain(_ text: String) -> CommandError {
    CommandError(exitCode: .tryAgain, description: text)
  }

  static func failure(_ text: String) -> CommandError {
    CommandError(exitCode: .failure, description: text)
  }
}
