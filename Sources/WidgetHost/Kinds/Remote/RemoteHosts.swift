import WidgetKitCore

/// The connections of this process to other machines.
///
/// A class because all widgets of a machine share one.
final class RemoteHosts {
  /// The connections of the program.
  static let shared = RemoteHosts()

  private var hosts: [RemoteDestination: RemoteHost] = [:]

  /// The connection to a machine, which is made when it is first used.
  func host(_ destination: RemoteDestination, environment: [String: String]) -> RemoteHost {
    if let host = hosts[destination] { return host }
    let host = RemoteHost(destination, environment: environment, clock: SystemClock())
    hosts[destination] = host
    return host
  }
}
