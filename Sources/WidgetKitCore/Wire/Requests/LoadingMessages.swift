/// Loads an attachment in one of its types; the host makes the representation now, and not before.
///
/// `{"jsonrpc":"2.0","id":"l","method":"loadItem","params":{"attachment":"a1","type":"public.plain-text",
/// "as":"text"}}`
package struct LoadItemRequest: RequestMessage, Hashable {
  /// The method is `loadItem`.
  package static let method = "loadItem"

  /// How the representation is passed.
  package enum Form: String, CaseIterable, Codable, Hashable, Sendable {
    /// As valid UTF-8, in the answer.
    case text
    /// As a file.
    case path
    /// As an address.
    case url
    /// As bytes in base64, in the answer.
    case data

    package init(from decoder: any Decoder) throws {
      self = try WireWord.read(Self.self, from: decoder)
    }
  }

  package var attachment: String
  package var type: String
  package var form: Form

  package init(attachment: String, type: String, form: Form) {
    (self.attachment, self.type, self.form) = (attachment, type, form)
  }

  private enum CodingKeys: String, CodingKey {
    case attachment, type
    case form = "as"
  }

  /// The representation, in the form in which it was asked for.
  package struct Reply: Codable, Hashable, Sendable {
    package var text: String?
    package var url: String?
    /// The bytes in base64.
    package var data: String?
    package var path: String?
    /// The bytes of the file at the path.
    package var size: Int?
    /// Whether the path is the file that the user has named, and not a copy.
    package var isInPlace: Bool?

    package init(
      text: String? = nil,
      url: String? = nil,
      data: String? = nil,
      path: String? = nil,
      size: Int? = nil,
      isInPlace: Bool? = nil
    ) {
      (self.text, self.url, self.data) = (text, url, data)
      (self.path, self.size, self.isInPlace) = (path, size, isInPlace)
    }
  }
}

/// How far a load is that takes longer than 0.2 s; at most 10 a second.
package struct LoadProgressNotification: NotificationMessage, Hashable {
  /// The method is `loadProgress`.
  package static let method = "loadProgress"

  package var attachment: String
  package var bytes: Int
  /// Null where the size is not known.
  package var total: Int?

  package init(attachment: String, bytes: Int, total: Int?) {
    (self.attachment, self.bytes, self.total) = (attachment, bytes, total)
  }

  private enum CodingKeys: String, CodingKey { case attachment, bytes, total }

  /// Writes the message; an unknown total is null, and not absent.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(attachment, forKey: .attachment)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(total, forKey: .total)
  }
}

/// Gives up the loads of an attachment, which are answered with an error.
package struct CancelLoadNotification: NotificationMessage, Hashable {
  /// The method is `cancelLoad`.
  package static let method = "cancelLoad"

  package var attachment: String

  package init(attachment: String) { self.attachment = attachment }
}

/// Asks for the host's own small preview of an attachment.
package struct LoadPreviewRequest: RequestMessage, Hashable {
  /// The method is `loadPreview`.
  package static let method = "loadPreview"

  package var attachment: String

  package init(attachment: String) { self.attachment = attachment }

  /// The preview, of at most eight rows.
  package struct Reply: Codable, Hashable, Sendable {
    package var view: ViewNode

    package init(view: ViewNode) { self.view = view }
  }
}
