package import WidgetKitCore
package import WidgetPlatform

/// The connections of this process to other machines.
///
/// A class because all widgets of a machine share one.
@MainActor package final class RemoteHosts {
  /// The connections of the program.
  package static let shared = RemoteHosts()

  /// Called with each connection as soon as it is made.
  package var onConnect: ((RemoteDestination, RemoteCommand) -> Void)?
  /// The names that the user has given to machines.
  package var names = HostNames()

  /// By where ssh finds them, so that two names of a machine share one.
  private var hosts: [RemoteDestination: RemoteHost] = [:]
  private let gate = ConnectionGate(clock: SystemClock())

  /// The connection to a machine, which is made when it is first used.
  package func host(_ destination: RemoteDestination, environment: [String: String]) -> RemoteHost {
    let address = names.address(of: destination)
    if let host = hosts[address] { return host }
    let host = RemoteHost(address, environment: environment, clock: SystemClock(), gate: gate) {
      [weak self] in self?.onConnect?(address, $0)
    }
    hosts[address] = host
    return host
  }

  /// The seconds between two updates of several machines for a widget that says nothing of them, as it is live where it
  /// is a card of its own.
  private static let pauseOfFleet = 30.0

  /// Starts a widget on the machine, or the machines, that a destination stands for.
  package func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    on destination: RemoteDestination,
    environment: [String: String],
    limits: HostLimits,
    report: @escaping (WidgetReport) -> Void
  ) -> any WidgetConnection {
    func start(_ machine: RemoteDestination, _ report: @escaping (WidgetReport) -> Void)
      -> any WidgetConnection
    {
      let host = host(machine, environment: environment)
      return RemoteWidget(id, on: host, environment: environment, limits: limits, report: report)
    }
    guard names.isFleet(destination) else { return start(destination, report) }
    return FleetConnection(
      names.machines(of: destination),
      form: .table,
      refreshAfter: bundle.infoPlist.widgetExtension?.refreshInterval == nil
        ? Self.pauseOfFleet : nil,
      limits: limits,
      start: { start($0, $1) },
      report: report
    )
  }

  /// The way to run commands on a machine, if there is a connection.
  package func connection(to destination: RemoteDestination) -> RemoteCommand? {
    hosts[names.address(of: destination)]?.connection
  }

  /// Ends all connections, as the program ends.
  package func close() {
    for host in hosts.values { host.close() }
  }

  /// The user wants something of a machine, or of several: if one could not be reached, the next use tries at once.
  package func endPause(of destination: RemoteDestination) {
    for machine in names.machines(of: destination) { hosts[names.address(of: machine)]?.endPause() }
  }
}
