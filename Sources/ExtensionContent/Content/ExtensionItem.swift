/// What a person shares or acts on, as one logical unit: two pictures of one post are one item with two attachments.
package struct ExtensionItem: Hashable, Sendable {
  package var title: String?
  /// Text that goes with the attachments.
  package var contentText: String?
  /// Where the content is from, as far as the host knows, such as `workingDirectory`, `command` or `path`.
  package var userInfo: [String: String]
  package var attachments: [ItemAttachment]

  package init(
    title: String? = nil,
    contentText: String? = nil,
    userInfo: [String: String] = [:],
    attachments: [ItemAttachment] = []
  ) {
    (self.title, self.contentText) = (title, contentText)
    (self.userInfo, self.attachments) = (userInfo, attachments)
  }
}

/// One piece of content in the types in which it is there, as an extension sees it before it loads any of it.
package struct ItemAttachment: Hashable, Sendable {
  package let id: String
  /// The types in which it can be loaded, the most faithful first.
  package var types: [UniformType]
  /// Its size in bytes; nil if it is not known, as of a pipe that has not ended.
  package var size: Int?
  package var suggestedName: String?

  package init(id: String, types: [UniformType], size: Int? = nil, suggestedName: String? = nil) {
    (self.id, self.types) = (id, types)
    (self.size, self.suggestedName) = (size, suggestedName)
  }
}
