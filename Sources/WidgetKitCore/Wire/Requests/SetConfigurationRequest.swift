/// Changes settings of the widget as the user would in the form, shortly after a press on the card: what was typed into a
/// field of the card is then in the settings, too.
///
/// `{"jsonrpc":"2.0","id":2,"method":"org.today.setConfiguration","params":{"values":{"place":"Berlin"}}}`
public struct SetConfigurationRequest: RequestMessage, Hashable {
  /// The method is `org.today.setConfiguration`, which is an addition of this host.
  public static let method = "org.today.setConfiguration"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The new values, by the names in the manifest.
  public var values: [String: WidgetConfiguration.Value]

  /// Creates the request.
  public init(values: [String: WidgetConfiguration.Value]) {
    self.values = values
  }
}
