import CPlatform
import Glibc
package import WidgetKitCore
import WidgetPlatform

/// A signal that a widget sends to a process which is not its own.
///
/// It may do so where the user permits it, shortly after a press on its card.
package struct SentSignal {
  private let request: SendSignalRequest

  /// A signal that is not sent yet.
  package init(request: SendSignalRequest) {
    self.request = request
  }

  /// Decides whether the widget may send it.
  ///
  /// - Parameters:
  ///   - isPermitted: Whether `org.today.process-signal` is requested and granted.
  ///   - sincePress: The time since the user acted on the card; nil if the user has not, or cannot.
  /// - Returns: Why it is not sent; nil if it may be.
  package func refusal(isPermitted: Bool, sincePress: Duration?) -> WireError? {
    let entitlement = Entitlement.processSignal.rawValue
    guard isPermitted else {
      return WireError(code: .notPermitted, message: "\(entitlement) is not granted")
    }
    guard let sincePress, sincePress < OpenURLPolicy.pressPatience else {
      let seconds = OpenURLPolicy.pressPatience.components.seconds
      return WireError(
        code: .notPermitted,
        message: "a signal is sent only within \(seconds) s of a press on the card"
      )
    }
    return fault
  }

  /// What is wrong with the request itself; nil if nothing is.
  package var fault: WireError? {
    if request.process < 1 {
      return WireError(
        code: .invalidParams,
        message: "params.process: expected a number of at least 1, found \(request.process)"
      )
    }
    guard !(1...64).contains(request.signal) else { return nil }
    return WireError(
      code: .invalidParams,
      message: "params.signal: expected 1 to 64, found \(request.signal)"
    )
  }

  /// Sends it; returns why that was not possible, or nil.
  package func send() -> WireError? {
    let failure = platform_signal_process(request.process, request.startTime, request.signal)
    switch failure {
    case 0: return nil
    case ESRCH:
      return WireError(
        code: .notFound,
        message: "no process \(request.process) was started at \(request.startTime)"
      )
    case EPERM:
      return WireError(
        code: .notPermitted,
        message: "process \(request.process) belongs to another user"
      )
    default:
      return WireError(
        code: .internalError,
        message: "process \(request.process): \(HostError.text(of: failure))"
      )
    }
  }
}
