import Glibc
package import WidgetKitCore

/// What a process of a widget has of shared data when the host leaves it to another process.
package struct SharedDataHandover: Sendable, Codable {
  /// Whose data it may use.
  var scope: SharedDataScope
  /// Its accesses to coordinated files.
  var accesses: [Access] = []
  /// The accesses that it waits for.
  package var waits: [Wait] = []
  /// The number of its latest access.
  var lastToken = 0

  /// A coordinated access, with the descriptor of its lock.
  struct Access: Sendable, Codable {
    var token: Int
    var target: CoordinatedFile
    var intent: CoordinationIntent
    var lock: Int32
  }

  /// A request for a coordinated access that is not answered.
  package struct Wait: Sendable, Codable {
    package var id: MessageID
    var path: String
    var intent: CoordinationIntent
  }

  /// The descriptors that go with it.
  package var descriptors: [Int32] { accesses.map(\.lock) }

  /// Closes its descriptors.
  package func close() {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}

/// Which shared data a widget may use, and where it is.
struct SharedDataScope: Hashable, Sendable, Codable {
  /// The identifier of the widget, which is the name of its own suite.
  var bundleIdentifier: String
  /// The groups that it shares.
  var groups: [String]
  /// The folder of its own data.
  var data: String
}
