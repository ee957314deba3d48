import ExtensionContent
import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// Content that arguments name, and that is no file by itself: a text, a card, or one content in several types.
struct NamedContent {
  /// The content itself; for a share extension beside other content the comment to that.
  var text: String?
  /// The card whose text it is.
  var card: String?
  /// Each is `TYPE=FILE`, the most faithful one first.
  var representations: [String] = []

  /// Whether there is no other content than files, or standard input.
  var isEmpty: Bool { text == nil && card == nil && representations.isEmpty }

  /// Checks that there is one content.
  ///
  /// - Parameters:
  ///   - files: The files that are named besides.
  ///   - textIsComment: Whether a text may go with other content.
  /// - Throws: ``CommandError`` for two contents, and for a representation that is not as expected.
  func check(with files: [String], textIsComment: Bool) throws(CommandError) {
    let isText = text != nil && !textIsComment
    let count = [!files.isEmpty, card != nil, !representations.isEmpty, isText].count { $0 }
    guard count <= 1 else {
      throw .usage(
        "expected one content: files, --card, --as" + (textIsComment ? "" : ", or --text")
      )
    }
    for representation in representations { _ = try Self.parts(of: representation) }
  }

  private static func parts(
    of representation: String
  ) throws(CommandError) -> (type: UniformType, path: String) {
    let parts = representation.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let type = UniformType(validating: parts[0]) else {
      throw .usage("--as \(representation): expected TYPE=FILE, such as public.html=page.html")
    }
    return (type, parts[1])
  }

  /// The content; nil if there is none.
  ///
  /// - Parameters:
  ///   - options: The options that all commands have.
  ///   - byteLimit: The most bytes.
  /// - Returns: The content.
  /// - Throws: ``CommandError`` with the file or the card, and the reason.
  func source(
    _ options: CommonOptions,
    byteLimit: Int
  ) async throws(CommandError) -> ActSource? {
    let folder = TemporaryFolder.path(options.environment)
    if !representations.isEmpty {
      var all: [(type: UniformType, source: ActSource)] = []
      for representation in representations {
        let (type, path) = try Self.parts(of: representation)
        let source = try ActSource.file(path, isReplaced: false, in: folder, byteLimit: byteLimit)
        all.append((type, source))
      }
      var source = all[0].source
      source.declared = all[0].type
      source.others = all.dropFirst().map {
        ActSource.Other(type: $0.type, content: $0.source.content)
      }
      return source
    }
    guard let words = if let card { try await Self.text(ofCard: card, options) } else { text }
    else {
      return nil
    }
    let spool = try CommandError.from { () throws(HostError) in
      let spool = try RequestSpool(in: folder)
      try spool.append(Array(words.utf8))
      return spool
    }
    return ActSource(origin: .text, content: spool, name: nil)
  }

  /// The text of the stored content of a card, as it is drawn with room for all of it; private views are not stored.
  private static func text(
    ofCard name: String,
    _ options: CommonOptions
  ) async throws(CommandError) -> String {
    let headless = try HeadlessCenter(options, naming: [name])
    let center = headless.center
    center.load()
    let ids = try headless.choose([name])
    let cards = center.page.all.filter { ids.contains($0.id) }
    var renderer = PageRenderer(width: 80, date: Date(), showsHeader: false)
    renderer.adopt(headless.settings.screen, isUTF8: true)
    _ = center.screen.setWidths(renderer.widths(cards, bodies: [:]))
    // Their views are there with the widths.
    let shown = center.page.all.filter { ids.contains($0.id) }
    let texts = shown.compactMap { card in
      center.drawing.body(of: card.id, at: .now).map { card.wholeText(of: $0) }
    }
    await headless.shutdown()
    let text = texts.filter { !$0.isEmpty }.joined(separator: "\n")
    guard !text.isEmpty else {
      throw .missing("the card “\(name)” has no stored content; “today refresh \(name)” gets some")
    }
    return text.hasSuffix("\n") ? text : text + "\n"
  }
}
