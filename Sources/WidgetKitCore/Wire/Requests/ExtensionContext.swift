/// What an extension was started for (NSExtensionContext): the content of the request.
///
/// `{"inputItems":[{"attachments":[{"id":"a1","registeredTypeIdentifiers":["public.patch-file",
/// "public.plain-text"],"size":4711,"suggestedName":"fix.diff"}],"userInfo":{"path":"/home/ann/fix.diff"}}]}`
///
/// A widget gets one without items.
package struct ExtensionContext: Codable, Hashable, Sendable {
  /// The logical units of the content, such as one for each post.
  package var inputItems: [InputItem]

  package init(inputItems: [InputItem] = []) { self.inputItems = inputItems }

  /// One logical unit: several pieces of content that belong together.
  package struct InputItem: Codable, Hashable, Sendable {
    package var attributedTitle: String?
    package var attributedContentText: String?
    /// Where the content is from, such as `workingDirectory`, `command` or `path`.
    package var userInfo: [String: String]?
    package var attachments: [InputAttachment]

    package init(
      attributedTitle: String? = nil,
      attributedContentText: String? = nil,
      userInfo: [String: String]? = nil,
      attachments: [InputAttachment] = []
    ) {
      (self.attributedTitle, self.attributedContentText) = (attributedTitle, attributedContentText)
      (self.userInfo, self.attachments) = (userInfo, attachments)
    }
  }

  /// One piece of content, of which nothing is sent before it is loaded.
  package struct InputAttachment: Codable, Hashable, Sendable {
    package var id: String
    /// The types in which it can be loaded, the most faithful first.
    package var registeredTypeIdentifiers: [String]
    /// Its size in bytes; null where it is not known, as of a pipe that has not ended.
    package var size: Int?
    package var suggestedName: String?

    package init(
      id: String,
      registeredTypeIdentifiers: [String],
      size: Int? = nil,
      suggestedName: String? = nil
    ) {
      (self.id, self.registeredTypeIdentifiers) = (id, registeredTypeIdentifiers)
      (self.size, self.suggestedName) = (size, suggestedName)
    }

    private enum CodingKeys: String, CodingKey {
      case id, registeredTypeIdentifiers, size, suggestedName
    }

    /// Writes the attachment; an unknown size is null, and not absent.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(registeredTypeIdentifiers, forKey: .registeredTypeIdentifiers)
      try container.encode(size, forKey: .size)
      try container.encodeIfPresent(suggestedName, forKey: .suggestedName)
    }
  }
}
