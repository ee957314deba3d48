import WidgetPlatform

/// The exit status of the program, with the values of sysexits.h.
nonisolated enum ExitCode: Int32, Sendable {
  /// Success.
  case success = 0
  /// Failure: a widget failed, timed out or has nothing to show.
  case failure = 1
  /// Usage error (`EX_USAGE`).
  case usage = 64
  /// No extension accepts the content (`EX_DATAERR`).
  case dataRefused = 65
  /// No such widget or file (`EX_NOINPUT`).
  case missing = 66
  /// A required service is missing (`EX_UNAVAILABLE`).
  case unavailable = 69
  /// It is not to be done with this file or extension (`EX_NOPERM`).
  case refused = 77
  /// A person has cancelled it, as after Ctrl-C.
  case cancelled = 130
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

extension CommandError {
  /// Waits for `body`, and converts an error of the engine.
  static func from<Result>(
    _ body: () async throws(HostError) -> Result
  ) async throws(CommandError) -> Result {
    do throws(HostError) {
      return try await body()
    } catch {
      return try from { () throws(HostError) in throw error }
    }
  }
}

nonisolated extension CommandError {
  /// Calls `body`, and converts an error of the engine; `busy` has the exit status for “try again”.
  static func from<Result>(
    _ body: () throws(HostError) -> Result
  ) throws(CommandError) -> Result {
    do throws(HostError) {
      return try body()
    } catch {
      switch error.code {
      case .busy: throw .tryAgain(error.description)
      case .missing: throw .missing(error.description)
      default: throw .failure(error.description)
      }
    }
  }
}
