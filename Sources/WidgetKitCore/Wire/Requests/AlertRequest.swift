/// Tells the user something that cannot wait until the page is looked at: as a notification of the desktop,
/// otherwise with the bell of the terminal, and in the line below the page.
///
/// `{"jsonrpc":"2.0","id":2,"method":"org.today.alert","params":{"text":"Work is over."}}`
public struct AlertRequest: RequestMessage, Hashable {
  /// The method is `org.today.alert`, which is an addition of this host.
  public static let method = "org.today.alert"
  /// Nothing.
  public typealias Reply = NoMembers

  /// What is said, behind the name of the card.
  public var text: String

  /// Creates the request.
  public init(text: String) {
    self.text = text
  }
}
