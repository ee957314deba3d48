/// Completes the request: the pane closes at once, and the user goes on.
///
/// `{"jsonrpc":"2.0","id":"c","method":"completeRequest","params":{"returningItems":[{"attachments":[{
/// "type":"public.json","text":"{}"}]}]}}`
package struct CompleteRequestRequest: RequestMessage, Hashable {
  /// The method is `completeRequest`.
  package static let method = "completeRequest"
  /// Nothing.
  package typealias Reply = NoMembers

  /// What an editor returns in place of an item.
  package struct Item: Codable, Hashable, Sendable {
    package var attachments: [Attachment]

    package init(attachments: [Attachment] = []) { self.attachments = attachments }

    private enum CodingKeys: String, CodingKey { case attachments }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      attachments = try container.decodeIfPresent([Attachment].self, forKey: .attachments) ?? []
    }
  }

  /// One piece of content, as text or in a file of the extension.
  package struct Attachment: Codable, Hashable, Sendable {
    package var type: String
    package var text: String?
    package var path: String?
    package var suggestedName: String?

    package init(
      type: String,
      text: String? = nil,
      path: String? = nil,
      suggestedName: String? = nil
    ) {
      (self.type, self.text, self.path) = (type, text, path)
      self.suggestedName = suggestedName
    }
  }

  package var returningItems: [Item]

  package init(returningItems: [Item] = []) { self.returningItems = returningItems }

  private enum CodingKeys: String, CodingKey { case returningItems }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    returningItems = try container.decodeIfPresent([Item].self, forKey: .returningItems) ?? []
  }
}

/// Cancels the request: the content stays byte for byte as it was.
package struct CancelRequestNotification: NotificationMessage, Hashable {
  /// The method is `cancelRequest`.
  package static let method = "cancelRequest"

  /// Why, for the user.
  package var error: String?
  /// Why, by attachment.
  package var itemErrors: [String: String]?

  package init(error: String? = nil, itemErrors: [String: String]? = nil) {
    (self.error, self.itemErrors) = (error, itemErrors)
  }
}

/// How far the extension is; it restarts the time of a request without a view.
package struct ReportProgressNotification: NotificationMessage, Hashable {
  /// The method is `reportProgress`.
  package static let method = "reportProgress"

  package var completed: Double
  /// Null where it is not known.
  package var total: Double?

  package init(completed: Double, total: Double? = nil) {
    (self.completed, self.total) = (completed, total)
  }
}

/// The request is complete, and there is time for what is left; with `expired`, that time is over.
package struct RequestDidCompleteNotification: NotificationMessage, Hashable {
  /// The method is `requestDidComplete`.
  package static let method = "requestDidComplete"

  package var expired: Bool

  package init(expired: Bool) { self.expired = expired }
}
