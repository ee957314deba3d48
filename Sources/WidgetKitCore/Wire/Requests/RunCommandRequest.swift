/// Runs a command that the output of a script names; only the connection of a script in the host requests it.
///
/// `{"jsonrpc":"2.0","id":1,"method":"org.today.runCommand","params":{"words":["./stop.sh","web"],…}}`
package struct RunCommandRequest: RequestMessage, Hashable {
  /// The method is `org.today.runCommand`.
  package static let method = "org.today.runCommand"
  /// Nothing; it is answered when the command has ended with the exit status 0.
  package typealias Reply = NoMembers

  /// The program and its arguments.
  package var words: [String]
  /// The folder in which it runs.
  package var folder: String
  /// Whether it uses the terminal.
  package var terminal: Bool

  /// Creates the request.
  package init(words: [String], folder: String, terminal: Bool) {
    (self.words, self.folder, self.terminal) = (words, folder, terminal)
  }
}
