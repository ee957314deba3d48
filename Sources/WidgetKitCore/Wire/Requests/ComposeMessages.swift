/// What the host draws in the standard compose sheet; members that are absent stay as they are.
///
/// `{"jsonrpc":"2.0","method":"setCompose","params":{"placeholder":"What is it about?",
/// "configurationItems":[{"id":"expiry","title":"Expires","value":"1 day","choices":["1 hour","1 day"]}]}}`
package struct SetComposeNotification: NotificationMessage, Hashable {
  /// The method is `setCompose`.
  package static let method = "setCompose"

  /// A row with a title and a value, which the user changes.
  package struct ConfigurationItem: Codable, Hashable, Sendable {
    package var id: String
    package var title: String
    package var value: String?
    /// Whether the value is not known yet.
    package var valuePending: Bool?
    /// The values of which one is chosen; without them a press is reported alone.
    package var choices: [String]?

    package init(
      id: String,
      title: String,
      value: String? = nil,
      valuePending: Bool? = nil,
      choices: [String]? = nil
    ) {
      (self.id, self.title, self.value) = (id, title, value)
      (self.valuePending, self.choices) = (valuePending, choices)
    }
  }

  /// What can be inserted at the cursor.
  package struct Completion: Codable, Hashable, Sendable {
    package var text: String
    package var detail: String?
    /// How many characters before the cursor it replaces.
    package var replaces: Int?

    package init(text: String, detail: String? = nil, replaces: Int? = nil) {
      (self.text, self.detail, self.replaces) = (text, detail, replaces)
    }
  }

  package var placeholder: String?
  package var text: String?
  /// A view of at most eight rows in place of the host's preview.
  package var preview: ViewNode?
  package var configurationItems: [ConfigurationItem]?
  /// Null shows the items again.
  package var completions: Stated<[Completion]>

  package init(
    placeholder: String? = nil,
    text: String? = nil,
    preview: ViewNode? = nil,
    configurationItems: [ConfigurationItem]? = nil,
    completions: Stated<[Completion]> = .unstated
  ) {
    (self.placeholder, self.text, self.preview) = (placeholder, text, preview)
    (self.configurationItems, self.completions) = (configurationItems, completions)
  }

  private enum CodingKeys: String, CodingKey {
    case placeholder, text, preview, configurationItems, completions
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    placeholder = try container.decodeIfPresent(String.self, forKey: .placeholder)
    text = try container.decodeIfPresent(String.self, forKey: .text)
    preview = try container.decodeIfPresent(ViewNode.self, forKey: .preview)
    configurationItems = try container.decodeIfPresent(
      [ConfigurationItem].self,
      forKey: .configurationItems
    )
    completions = try container.decodeStated([Completion].self, forKey: .completions)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(placeholder, forKey: .placeholder)
    try container.encodeIfPresent(text, forKey: .text)
    try container.encodeIfPresent(preview, forKey: .preview)
    try container.encodeIfPresent(configurationItems, forKey: .configurationItems)
    try container.encodeStated(completions, forKey: .completions)
  }
}

/// The text of the sheet was changed; the answer says whether it can be posted.
package struct ContentDidChangeRequest: RequestMessage, Hashable {
  /// The method is `contentDidChange`.
  package static let method = "contentDidChange"

  package var text: String

  package init(text: String) { self.text = text }

  /// Whether the content can be posted.
  package struct Reply: Codable, Hashable, Sendable {
    package var isContentValid: Bool
    /// Null if no count is shown; negative if the text is too long.
    package var charactersRemaining: Int?

    package init(isContentValid: Bool, charactersRemaining: Int? = nil) {
      (self.isContentValid, self.charactersRemaining) = (isContentValid, charactersRemaining)
    }
  }
}

/// Whether the content can be posted has changed without a change of the text.
package struct ValidateContentNotification: NotificationMessage, Hashable {
  /// The method is `validateContent`.
  package static let method = "validateContent"

  package var isContentValid: Bool
  package var charactersRemaining: Int?

  package init(isContentValid: Bool, charactersRemaining: Int? = nil) {
    (self.isContentValid, self.charactersRemaining) = (isContentValid, charactersRemaining)
  }
}

/// The user has chosen a value of a configuration item, or has pressed one without choices.
package struct ConfigurationItemChosenRequest: RequestMessage, Hashable {
  /// The method is `configurationItemChosen`.
  package static let method = "configurationItemChosen"

  package var id: String
  package var value: String?

  package init(id: String, value: String? = nil) { (self.id, self.value) = (id, value) }

  /// A view that is pushed over the sheet, or nothing.
  package struct Reply: Codable, Hashable, Sendable {
    package var view: ViewNode?

    package init(view: ViewNode? = nil) { self.view = view }
  }
}

/// Removes the pushed view.
package struct PopConfigurationNotification: NotificationMessage, Hashable {
  /// The method is `popConfiguration`.
  package static let method = "popConfiguration"

  package init() {}
}

/// The sheet is up: heavy work from here on.
package struct PresentationAnimationDidFinishNotification: NotificationMessage, Hashable {
  /// The method is `presentationAnimationDidFinish`.
  package static let method = "presentationAnimationDidFinish"

  package init() {}
}

/// The user has posted the content.
package struct DidSelectPostRequest: RequestMessage, Hashable {
  /// The method is `didSelectPost`.
  package static let method = "didSelectPost"
  /// Nothing.
  package typealias Reply = NoMembers

  package var text: String

  package init(text: String) { self.text = text }
}

/// The user has cancelled the request.
package struct DidSelectCancelRequest: RequestMessage, Hashable {
  /// The method is `didSelectCancel`.
  package static let method = "didSelectCancel"
  /// Nothing.
  package typealias Reply = NoMembers

  package init() {}
}
