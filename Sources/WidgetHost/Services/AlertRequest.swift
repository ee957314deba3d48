package import WidgetKitCore

/// Tells the user that the number of a script is worth it; only the connection of a script can request it.
///
/// `{"jsonrpc":"2.0","method":"org.today.alert","params":{"text":"92, which is >90"}}`
package nonisolated struct AlertRequest: RequestMessage, Hashable {
  /// The method is `org.today.alert`.
  package static let method = "org.today.alert"
  /// Nothing.
  package typealias Reply = NoMembers

  /// What is said, behind the name of the card.
  package var text: String
}
