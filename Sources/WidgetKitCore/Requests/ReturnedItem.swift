/// What an action returns in place of a logical unit of the content (NSExtensionItem).
public struct ReturnedItem: Hashable, Sendable {
  /// The pieces of content.
  public var attachments: [Attachment]

  /// Creates an item.
  public init(_ attachments: [Attachment]) {
    self.attachments = attachments
  }

  /// Creates an item of one text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: Its type, such as `public.json`.
  ///   - suggestedName: The name of a file for it.
  /// - Returns: An item with one attachment.
  public static func text(
    _ text: String,
    type: String = "public.plain-text",
    suggestedName: String? = nil
  ) -> ReturnedItem {
    ReturnedItem([Attachment(.text(text), type: type, suggestedName: suggestedName)])
  }

  /// One piece of content.
  public struct Attachment: Hashable, Sendable {
    /// Where the content is.
    public enum Content: Hashable, Sendable {
      /// In the answer.
      case text(String)
      /// In a file that the extension has written to one of its folders.
      case file(path: String)
    }

    /// Where the content is.
    public var content: Content
    /// Its type, such as `public.png`.
    public var type: String
    /// The name of a file for it; nil for none.
    public var suggestedName: String?

    /// Creates a piece of content.
    public init(_ content: Content, type: String, suggestedName: String? = nil) {
      (self.content, self.type, self.suggestedName) = (content, type, suggestedName)
    }
  }

  /// It as it is sent.
  var message: CompleteRequestRequest.Item {
    CompleteRequestRequest.Item(
      attachments: attachments.map { attachment in
        var message = CompleteRequestRequest.Attachment(
          type: attachment.type,
          suggestedName: attachment.suggestedName
        )
        switch attachment.content {
        case .text(let text): message.text = text
        case .file(let path): message.path = path
        }
        return message
      }
    )
  }
}
