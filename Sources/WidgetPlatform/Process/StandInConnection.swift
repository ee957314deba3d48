/// A run of a widget without a process: in a test, in a replay, or while its program is being built.
///
/// Its standard input is closed, and it is ended by signals, as a process that does what it is asked.
@MainActor package protocol StandInConnection: WidgetConnection {
  /// Ends it, once; that is reported in the next turn.
  func end(_ status: TerminationStatus)
  /// It goes on after it was suspended.
  func resume()
}

extension StandInConnection {
  package func closeInput() { end(.exited(0)) }

  package func signal(_ signal: ProcessSignal) {
    switch signal {
    case .resume: resume()
    case .terminate: end(.exited(0))
    case .kill: end(.signaled(9))
    }
  }

  package func resume() {}
  package func suspend() -> String? { nil }
  package var processRun: ProcessRun? { nil }
}
