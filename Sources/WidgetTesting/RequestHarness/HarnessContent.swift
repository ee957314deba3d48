package import ExtensionContent
import WidgetKitCore
import WidgetPlatform
package import WidgetRequests

/// The content of a request in a test: items with attachments, as a person shares them.
public nonisolated struct HarnessContent: Sendable {
  /// One piece of content.
  public struct Attachment: Sendable {
    /// Its bytes.
    public var data: [UInt8]
    /// Its type, such as `public.json`; nil to find it by the name and the bytes, as for a file that is shared.
    public var type: String?
    /// The name of its file; nil without one.
    public var suggestedName: String?
    /// Whether its size is known before it is loaded, as that of a pipe is not.
    public var hasKnownSize = true
    /// Whether it can be loaded; a file may be gone by then.
    public var isLoadable = true

    /// Creates an attachment of bytes.
    public init(_ data: [UInt8], type: String? = nil, suggestedName: String? = nil) {
      (self.data, self.type, self.suggestedName) = (data, type, suggestedName)
    }
  }

  /// The attachments by items; a new item is a separate post.
  public var items: [[Attachment]]
  /// The title of each item; nil for none.
  public var title: String?
  /// The text about the content; nil for none.
  public var contentText: String?
  /// Where the content is from, such as `workingDirectory` and `command`.
  public var userInfo: [String: String] = [:]

  /// Creates content of items.
  public init(items: [[Attachment]]) { self.items = items }

  /// A text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: Its type; nil to find it.
  ///   - name: The name of its file; nil without one.
  /// - Returns: One item with one attachment.
  public static func text(
    _ text: String,
    type: String? = nil,
    name: String? = nil
  ) -> HarnessContent {
    HarnessContent(items: [[Attachment(Array(text.utf8), type: type, suggestedName: name)]])
  }

  /// A file, which is read now.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - type: Its type; nil to find it.
  /// - Returns: One item with one attachment.
  /// - Throws: ``HarnessFailure`` if it cannot be read, or has more than 64 MiB.
  public static func file(_ path: String, type: String? = nil) throws(HarnessFailure)
    -> HarnessContent
  {
    guard let bytes = UserFile.bytes(path, byteLimit: fileLimit) else {
      throw HarnessFailure(unreadable: path, name: path, byteLimit: fileLimit)
    }
    let name = path.split(separator: "/").last.map(String.init)
    return HarnessContent(items: [[Attachment(bytes, type: type, suggestedName: name)]])
  }

  private static let fileLimit = 64 << 20
}

extension HarnessContent {
  /// The items as rules are evaluated on them.
  package func extensionItems(_ table: TypeTable) -> [ExtensionItem] {
    items.map { item in
      var result = ExtensionItem(title: title, contentText: contentText, userInfo: userInfo)
      result.attachments = item.enumerated().map { index, attachment in
        ItemAttachment(
          id: "a\(index + 1)",
          types: attachment.types(table),
          size: attachment.data.count,
          suggestedName: attachment.suggestedName
        )
      }
      return result
    }
  }

  /// The content of a request, whose bytes are in files without names.
  ///
  /// - Parameters:
  ///   - table: The types that are known.
  ///   - folder: Where the files are made.
  /// - Returns: The content.
  /// - Throws: ``HarnessFailure`` if there is no room for them.
  package func requestContent(_ table: TypeTable, in folder: String) throws(HarnessFailure)
    -> RequestContent
  {
    var content = RequestContent(table)
    for item in items {
      var providers: [ItemProvider] = []
      for attachment in item { providers.append(try attachment.provider(table, in: folder)) }
      content.add(
        ExtensionItem(title: title, contentText: contentText, userInfo: userInfo),
        providers
      )
    }
    return content
  }
}

extension HarnessContent.Attachment {
  fileprivate func types(_ table: TypeTable) -> [UniformType] {
    let sample = ContentSample(
      name: suggestedName,
      bytes: Array(data.prefix(ContentSample.byteLimit)),
      isWhole: data.count <= ContentSample.byteLimit
    )
    return sample.types(declared: type.map { UniformType($0) }, table, ContentSniffer())
  }

  fileprivate func provider(
    _ table: TypeTable,
    in folder: String
  ) throws(HarnessFailure) -> ItemProvider {
    let source: ItemProvider.Source
    if isLoadable {
      do throws(HostError) {
        let spool = try RequestSpool(in: folder)
        try spool.append(data)
        source = .spool(spool)
      } catch {
        throw HarnessFailure(error.description)
      }
    } else {
      source = .file("\(folder)/this file is gone")
    }
    return ItemProvider(
      [ItemProvider.Representation(types: types(table), source: source)],
      size: hasKnownSize ? data.count : nil,
      suggestedName: suggestedName
    )
  }
}
