/// Has the page search for scripts again; only the connection of a script in the host requests it, when a status
/// command has printed blocks that have no cards yet.
///
/// `{"jsonrpc":"2.0","id":1,"method":"org.today.searchScripts","params":{}}`
package struct SearchScriptsRequest: RequestMessage, Hashable {
  /// The method is `org.today.searchScripts`.
  package static let method = "org.today.searchScripts"
  /// Nothing; the cards are on the page then.
  package typealias Reply = NoMembers

  /// Creates the request.
  package init() {}
}
