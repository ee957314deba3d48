/// Asks for an update at once; only the connection of a script in the host requests it, when a script that keeps
/// printing has failed between two updates.
///
/// `{"jsonrpc":"2.0","id":1,"method":"org.today.requestUpdate","params":{}}`
package struct RequestUpdateRequest: RequestMessage, Hashable {
  /// The method is `org.today.requestUpdate`.
  package static let method = "org.today.requestUpdate"
  /// Nothing; the update follows.
  package typealias Reply = NoMembers

  /// Creates the request.
  package init() {}
}
