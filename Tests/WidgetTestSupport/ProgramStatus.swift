internal import CTestPlatform

/// The status of a program that a test started.
package enum ProgramStatus: Equatable, Sendable {
  case running
  case stopped(signal: Int32)
  case exited(code: Int32)
  case killed(signal: Int32)
  case couldNotStart(errno: Int32)

  package var hasEnded: Bool {
    switch self {
    case .running, .stopped: false
    case .exited, .killed, .couldNotStart: true
    }
  }

  init?(_ event: test_event) {
    switch UInt32(event.kind) {
    case TEST_EVENT_STARTED.rawValue, TEST_EVENT_CONTINUED.rawValue: self = .running
    case TEST_EVENT_STOPPED.rawValue: self = .stopped(signal: event.value)
    case TEST_EVENT_EXITED.rawValue: self = .exited(code: event.value)
    case TEST_EVENT_KILLED.rawValue: self = .killed(signal: event.value)
    case TEST_EVENT_FAILED.rawValue: self = .couldNotStart(errno: event.value)
    default: return nil
    }
  }
}
