import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// What `today share` was given: its sources, and what extensions are told of them.
struct SharedContent {
  /// One source for each attachment.
  let sources: [ActSource]
  /// What there is of each source, in its types.
  let representations: [[ActSource.Representation]]
  let items: [ExtensionItem]

  /// How content is to be understood.
  struct Terms {
    var declared: UniformType?
    var charset: TextCharset?
    var table: TypeTable
    /// Whether each source is an item of its own.
    var isSeparate = false
    /// Where copies are made.
    var folder: String
    var byteLimit: Int
  }

  /// Recognizes the types of sources.
  init(_ sources: [ActSource], _ terms: Terms) {
    self.sources = sources
    let all = sources.map {
      $0.representations(declared: terms.declared, terms.charset, terms.table)
    }
    representations = all
    let attachments = zip(sources, all).enumerated().map { index, pair in
      let (source, representations) = pair
      return ItemAttachment(
        id: "a\(index + 1)",
        types: representations.allTypes,
        size: source.content.size,
        suggestedName: source.name
      )
    }
    items =
      terms.isSeparate
      ? attachments.map { ExtensionItem(attachments: [$0]) }
      : [ExtensionItem(attachments: attachments)]
  }

  /// Reads files.
  ///
  /// - Throws: ``CommandError`` with the file and the reason.
  static func read(
    _ files: [String],
    _ terms: Terms
  ) async throws(CommandError) -> SharedContent {
    var sources: [ActSource] = []
    for path in files {
      if path == "-" {
        sources.append(try await standardInput(terms))
      } else {
        sources.append(
          try .file(path, isReplaced: false, in: terms.folder, byteLimit: terms.byteLimit)
        )
      }
    }
    return SharedContent(sources, terms)
  }

  private static func standardInput(_ terms: Terms) async throws(CommandError) -> ActSource {
    try StandardInput.check()
    let spool = try CommandError.from { () throws(HostError) in
      try RequestSpool(in: terms.folder)
    }
    let isWhole = try await StandardInput.read(into: spool, byteLimit: terms.byteLimit)
    guard isWhole else {
      throw .failure("the input is larger than limits.requestBytes, \(terms.byteLimit) bytes")
    }
    return ActSource(origin: .standardInput, content: spool, name: nil)
  }
}

extension [ActSource.Representation] {
  /// All types of one content, the most faithful first.
  var allTypes: [UniformType] {
    flatMap(\.types).reduce(into: [UniformType]()) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The content in a type; the most faithful one if none has it.
  func content(as type: UniformType) -> RequestSpool? {
    // A text that is also plain text is less so than one that is called that.
    (first { $0.types.first == type } ?? first { $0.types.contains(type) } ?? first)?.content
  }
}

extension SharedContent {
  /// What a person sees of it.
  func preview(_ table: TypeTable, charset: TextCharset?) -> ContentPreview {
    ContentPreview(
      items.flatMap(\.attachments),
      sources.map { $0.content.beginning(ContentSample.byteLimit) },
      table,
      charset: charset ?? .ofLocale
    )
  }

  /// The types of its attachments, for a message.
  var typeNames: String {
    let types = items.flatMap(\.attachments).map { $0.types[0].identifier }
    return types.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .joined(separator: ", ")
  }
}
