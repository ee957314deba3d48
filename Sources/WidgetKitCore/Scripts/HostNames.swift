/// The names that the user has given to machines, and to several of them at once (`hosts` of config.json).
package struct HostNames: Hashable, Sendable {
  /// The machines of each name, in their order.
  package var machines: [String: [RemoteDestination]]

  /// The most machines of one name.
  package static let machineLimit = 200

  package init(_ machines: [String: [RemoteDestination]] = [:]) {
    self.machines = machines
  }

  /// The machines that a destination stands for, each once and in their order: those of a name, else itself.
  ///
  /// A name may stand for others, as in `{ fleet: ["nas", "web-1"], nas: "me@nas.local" }`; one among these is a
  /// machine, so that names cannot go round.
  package func machines(of destination: RemoteDestination) -> [RemoteDestination] {
    guard let own = machines[destination.description] else { return [destination] }
    var found: [RemoteDestination] = []
    var known: Set<RemoteDestination> = []
    for machine in own {
      let named = machine == destination ? nil : machines[machine.description]
      // The name is kept where it stands for one machine, as the user knows that.
      let members = named.map { $0.count == 1 ? [machine] : $0 } ?? [machine]
      for member in members where found.count < Self.machineLimit {
        // Two names of a machine are one machine.
        if known.insert(address(of: member)).inserted { found.append(member) }
      }
    }
    return found
  }

  /// Whether a destination stands for several machines, or for none.
  package func isFleet(_ destination: RemoteDestination) -> Bool {
    machines[destination.description].map { $0.count != 1 } ?? false
  }

  /// Where ssh finds one machine.
  package func address(of destination: RemoteDestination) -> RemoteDestination {
    guard let own = machines[destination.description], own.count == 1 else { return destination }
    return own[0]
  }
}
