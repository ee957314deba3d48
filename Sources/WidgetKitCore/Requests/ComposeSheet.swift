/// What the standard compose sheet of a share extension shows (SLComposeServiceViewController).
///
/// The host draws it: the preview, the text with the count of characters, the items, Post and Cancel.
public struct ComposeSheet: Hashable, Sendable {
  /// A row with a title and a value.
  public struct ConfigurationItem: Hashable, Sendable, Identifiable {
    /// Its identifier.
    public var id: String
    /// The title, at the left.
    public var title: String
    /// The value, at the right; nil for none.
    public var value: String?
    /// Whether the value is not known yet.
    public var isValuePending: Bool
    /// The values of which the user chooses one; without them, a press is reported alone.
    public var choices: [String]

    /// Creates a row.
    public init(
      _ id: String,
      title: String,
      value: String? = nil,
      isValuePending: Bool = false,
      choices: [String] = []
    ) {
      (self.id, self.title, self.value) = (id, title, value)
      (self.isValuePending, self.choices) = (isValuePending, choices)
    }
  }

  /// A text that can be inserted at the cursor.
  public struct Completion: Hashable, Sendable {
    /// The text.
    public var text: String
    /// More about it; nil for nothing.
    public var detail: String?
    /// How many characters before the cursor it replaces.
    public var replaces: Int

    /// Creates a completion.
    public init(_ text: String, detail: String? = nil, replaces: Int = 0) {
      (self.text, self.detail, self.replaces) = (text, detail, replaces)
    }
  }

  /// What the empty text shows.
  public var placeholder: String?
  /// The text; nil to leave it to the user.
  ///
  /// A new one replaces what the user has typed.
  public var text: String?
  /// The rows with titles and values.
  public var configurationItems: [ConfigurationItem]
  /// A list in place of the rows; nil shows the rows.
  public var completions: [Completion]?
  /// A view of at most eight rows in place of the host's preview; nil for that of the host.
  var preview: ViewNode?

  /// Creates a sheet with the host's preview.
  public init(
    placeholder: String? = nil,
    text: String? = nil,
    configurationItems: [ConfigurationItem] = [],
    completions: [Completion]? = nil
  ) {
    (self.placeholder, self.text) = (placeholder, text)
    (self.configurationItems, self.completions) = (configurationItems, completions)
  }

  /// The sheet with another preview than the host's, of at most eight rows.
  public func preview(@ViewBuilder _ content: () -> some View) -> ComposeSheet {
    var sheet = self
    sheet.preview = content().node
    return sheet
  }

  /// What the host has to know of it that it does not know; nil if it knows all.
  ///
  /// - Parameter sent: The sheet that the host knows; nil if it knows none.
  /// - Returns: The members that differ.
  func message(after sent: ComposeSheet?) -> SetComposeNotification? {
    guard self != sent else { return nil }
    var message = SetComposeNotification()
    if placeholder != sent?.placeholder { message.placeholder = placeholder ?? "" }
    if text != sent?.text { message.text = text }
    if preview != sent?.preview { message.preview = preview }
    if configurationItems != sent?.configurationItems {
      message.configurationItems = configurationItems.map { item in
        SetComposeNotification.ConfigurationItem(
          id: item.id,
          title: item.title,
          value: item.value,
          valuePending: item.isValuePending ? true : nil,
          choices: item.choices.isEmpty ? nil : item.choices
        )
      }
    }
    if completions != sent?.completions {
      let list = completions?.map { completion in
        SetComposeNotification.Completion(
          text: completion.text,
          detail: completion.detail,
          replaces: completion.replaces
        )
      }
      message.completions = list.map(Stated.value) ?? .null
    }
    return message
  }
}
