package import WidgetKitCore

/// Runs a command that the output of a script names; only what answers in the place of a script requests it, as the
/// other requests of this file, which are not part of the protocol: the page refuses them to all others.
///
/// `{"jsonrpc":"2.0","id":1,"method":"org.today.runCommand","params":{"words":["./stop.sh","web"],…}}`
package struct RunCommandRequest: RequestMessage, Hashable {
  package static let method = "org.today.runCommand"
  /// Nothing; it is answered when the command has ended with the exit status 0.
  package typealias Reply = NoMembers

  /// The program and its arguments.
  package var words: [String]
  /// The folder in which it runs.
  package var folder: String
  /// Whether it uses the terminal.
  package var terminal: Bool

  /// Creates it with its values.
  package init(words: [String], folder: String, terminal: Bool) {
    self.words = words
    self.folder = folder
    self.terminal = terminal
  }
}

/// Asks for an update at once, when a script that keeps printing has failed between two updates.
package struct RequestUpdateRequest: RequestMessage, Hashable {
  /// Creates it with its values.
  package init() {}
  package static let method = "org.today.requestUpdate"
  /// Nothing; the update follows.
  package typealias Reply = NoMembers
}

/// Has the page search for scripts again, when a status command has printed blocks that have no cards yet.
package struct SearchScriptsRequest: RequestMessage, Hashable {
  /// Creates it with its values.
  package init() {}
  package static let method = "org.today.searchScripts"
  /// Nothing; the cards are on the page then.
  package typealias Reply = NoMembers
}
