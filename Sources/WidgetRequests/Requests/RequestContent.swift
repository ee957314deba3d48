package import ExtensionContent
import WidgetKitCore

/// The content of a request: its items, and where the bytes of their attachments come from.
package struct RequestContent: Sendable {
  /// The logical units, with the types and sizes that an extension is told.
  package private(set) var items: [ExtensionItem] = []
  /// The types that are known.
  package let table: TypeTable
  /// The charset of text that is not UTF-8.
  package var charset: TextCharset?
  private var providers: [String: ItemProvider] = [:]

  package init(_ table: TypeTable, charset: TextCharset? = nil) {
    (self.table, self.charset) = (table, charset)
  }

  /// Adds an item with attachments.
  ///
  /// - Parameters:
  ///   - item: The item; its attachments are replaced.
  ///   - providers: Its attachments, whose identifiers follow those of the items before.
  package mutating func add(_ item: ExtensionItem, _ providers: [ItemProvider]) {
    var item = item
    item.attachments = providers.map { provider in
      let id = "a\(self.providers.count + 1)"
      self.providers[id] = provider
      return ItemAttachment(
        id: id,
        types: provider.types,
        size: provider.size,
        suggestedName: provider.suggestedName
      )
    }
    items.append(item)
  }

  /// The files that an editor may read in place.
  var filesInPlace: [EditedFile] { providers.values.compactMap(\.file) }

  /// Counts the bytes of all representations.
  ///
  /// - Parameter unknown: What counts for one from a pipe, whose size is not known.
  /// - Returns: Their sum.
  func byteCount(unknown: Int) -> UInt64 {
    providers.values.flatMap(\.representations).reduce(0) { sum, one in
      sum.addingSaturated(UInt64(clamping: one.source.byteCount ?? unknown))
    }
  }

  /// The attachment with an identifier; nil if there is none.
  package func provider(_ id: String) -> ItemProvider? { providers[id] }

  /// What an extension is told before it loads anything.
  var context: ExtensionContext {
    ExtensionContext(
      inputItems: items.map { item in
        ExtensionContext.InputItem(
          attributedTitle: item.title,
          attributedContentText: item.contentText,
          userInfo: item.userInfo.isEmpty ? nil : item.userInfo,
          attachments: item.attachments.map { attachment in
            ExtensionContext.InputAttachment(
              id: attachment.id,
              registeredTypeIdentifiers: attachment.types.map(\.identifier),
              size: attachment.size,
              suggestedName: attachment.suggestedName
            )
          }
        )
      }
    )
  }
}
