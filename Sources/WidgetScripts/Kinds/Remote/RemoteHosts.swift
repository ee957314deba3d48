package import WidgetKitCore
import WidgetPlatform

/// The connections of this process to other machines.
///
/// A class because all widgets of a machine share one.
@MainActor package final class RemoteHosts {
  /// The connections of the program.
  package static let shared = RemoteHosts()

  /// Called with each connection as soon as it is made.
  package var onConnect: ((RemoteDestination, RemoteCommand) -> Void)?

  private var hosts: [RemoteDestination: RemoteHost] = [:]

  /// The connection to a machine, which is made when it is first used.
  package func host(_ destination: RemoteDestination, environment: [String: String]) -> RemoteHost {
    if let host = hosts[destination] { return host }
    let host = RemoteHost(destination, environment: environment, clock: SystemClock()) {
      [weak self] in self?.onConnect?(destination, $0)
    }
    hosts[destination] = host
    return host
  }

  /// The way to run commands on a machine, if there is a connection.
  package func connection(to destination: RemoteDestination) -> RemoteCommand? {
    hosts[destination]?.connection
  }

  /// Ends all connections, as the program ends.
  package func close() {
    for host in hosts.values { host.close() }
  }

  /// The user wants something of a machine: if it could not be reached, the next use tries at once.
  package func endPause(of destination: RemoteDestination) { hosts[destination]?.endPause() }
}
