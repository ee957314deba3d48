import FoundationEssentials
import WidgetKitCore

/// Why nothing can be run on another machine, in words for the user.
package struct RemoteFailure: Error {
  /// The words, with the machine or the file that they are about.
  package let description: String

  /// ssh is not installed.
  static let noProgram = RemoteFailure(
    description: "ssh is not installed; install it with: apt install openssh-client"
  )

  /// There is no folder for the socket of the connection, or its path is too long.
  static func noFolder(_ path: String) -> RemoteFailure {
    RemoteFailure(description: "\(path): no place for the socket of a connection")
  }

  /// No connection can be made; the words begin with what a narrow heading has room for, beside the name of
  /// the machine.
  static func unreachable(since date: Date, reason: String, now: Date = .now) -> RemoteFailure {
    RemoteFailure(
      description: "unreachable since \(LocalTime.moment(date, now: now)): \(reason)"
    )
  }

  /// Whether words are those of ``unreachable(since:reason:now:)``, as a script says them in its answer.
  static func isAbsence(_ words: String) -> Bool { words.hasPrefix("unreachable") }

  /// A script of this machine cannot be sent.
  static func unreadable(_ path: String, byteLimit: Int) -> RemoteFailure {
    RemoteFailure(
      description: "\(path) cannot be read, or has more than \(byteLimit / 1024) KiB"
    )
  }

  /// The connection has ended while something used it.
  static func lost(_ destination: RemoteDestination) -> RemoteFailure {
    RemoteFailure(description: "the connection to \(destination.machine) has ended")
  }
}
