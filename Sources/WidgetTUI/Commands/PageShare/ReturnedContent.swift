import ExtensionContent
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// What an action on the page has returned.
struct ReturnedContent {
  let content: RequestSpool
  /// The action.
  let target: ContentExtension
  /// The result as a text; nil if it is none, or too long to be copied.
  let text: String?
  let preview: ContentPreview
  /// What was given to the action, which a file that is replaced is noted with.
  let source: ActSource
  /// The heading of a card with the result.
  let title: String
  /// The name that is suggested for a file: a whole path if the content was that of a file.
  let fileName: String

  /// The most bytes of a text that is copied.
  private static let byteLimit = 1 << 20

  /// Fails if nothing was returned.
  ///
  /// - Parameters:
  ///   - parts: What was returned, which belongs together.
  ///   - target: The action.
  ///   - shared: What was shared.
  ///   - source: The same as it was given to the action.
  ///   - terms: The types that are known.
  /// - Throws: ``CommandError`` if the parts cannot be put together.
  init?(
    _ parts: [RequestSpool],
    of target: ContentExtension,
    _ shared: PageShareContent,
    _ source: ActSource,
    _ terms: PageShareTerms
  ) throws(CommandError) {
    let content = try CommandError.from { () throws(HostError) in
      try Self.joined(parts, in: terms.content.folder)
    }
    guard content.size > 0 else { return nil }
    (self.content, self.target, self.source) = (content, target, source)
    let table = terms.content.table
    let types = ActSource.types(of: content, name: nil, declared: nil, nil, table)
    text =
      content.size <= Self.byteLimit
      ? TextCharset.text(content.beginning(content.size)[...], isWhole: true) : nil
    preview = ContentPreview(
      [ItemAttachment(id: "a1", types: types, size: content.size)],
      [content.beginning(ContentSample.byteLimit)],
      table
    )
    title = "\(target.bundle.displayName): \(source.name ?? shared.cardName.string)"
    fileName = Self.fileName(shared, source, types, table)
  }

  private static func joined(
    _ parts: [RequestSpool],
    in folder: String
  ) throws(HostError) -> RequestSpool {
    if let first = parts.first, parts.count == 1 { return first }
    let whole = try RequestSpool(in: folder)
    for part in parts {
      var failure: HostError?
      part.forEachPart { bytes in
        do throws(HostError) {
          try whole.append(bytes)
        } catch {
          failure = error
        }
        return failure == nil
      }
      if let failure { throw failure }
    }
    return whole
  }

  /// The file beside the one that was shared, or one that is called like the card, with the extension of the type; with
  /// a number if there is one of that name.
  private static func fileName(
    _ shared: PageShareContent,
    _ source: ActSource,
    _ types: [UniformType],
    _ table: TypeTable
  ) -> String {
    var (folder, base, ending) = ("", plain(shared.cardName.string), table.ending(of: types))
    if case .file(let path) = shared.origin, let name = source.name {
      folder = String(path.dropLast(name.count))
      let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
      base = String(name[..<(dot ?? name.endIndex)])
      // What is still of its type keeps its ending.
      if let dot, let type = table.type(forName: name), let new = types.first,
        table.conforms(type, to: new)
      {
        ending = String(name[dot...])
      }
    }
    let names = [""] + (2...99).map { "-\($0)" }
    let free = names.first { !SavedFile.exists("\(folder)\(base)\($0)\(ending)") } ?? ""
    return "\(folder)\(base)\(free)\(ending)"
  }

  /// A name of letters and digits, with hyphens between words.
  private static func plain(_ name: String) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "result" : String(words.joined(separator: "-").prefix(64))
  }
}

extension TypeTable {
  /// The end of the name of a file of a type, with its dot; empty if it has none.
  fileprivate func ending(of types: [UniformType]) -> String {
    types.lazy.compactMap { self.fileExtension(of: $0) }.first.map { ".\($0)" } ?? ""
  }
}
