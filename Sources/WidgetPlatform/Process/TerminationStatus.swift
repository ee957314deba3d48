import CPlatform

/// How a process ended.
public enum TerminationStatus: Hashable, Sendable, CustomStringConvertible {
  /// The process returned this code.
  case exited(Int32)
  /// The process was ended by this signal.
  case signaled(Int32)
  /// The process has ended, but other code in this process collected it, so that its status is unknown.
  case unknown

  init(_ exit: platform_exit) {
    self = exit.signaled != 0 ? .signaled(exit.code) : .exited(exit.code)
  }

  /// `exit 3` or `SIGSEGV`, for a heading.
  public var description: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signaled(let number): Self.name(of: number)
    case .unknown: "unknown end"
    }
  }

  /// How the program has ended for which a process has waited that reports a signal as 128 and more, as
  /// shells do.
  var ofMonitoredProgram: TerminationStatus {
    if case .exited(let code) = self, (129...128 + 64).contains(code) {
      .signaled(code - 128)
    } else {
      self
    }
  }

  private static func name(of number: Int32) -> String {
    unsafe platform_signal_name(number).map { unsafe "SIG" + String(cString: $0) }
      ?? "signal \(number)"
  }
}
