import ExtensionContent
import WidgetExtensions
import WidgetKitCore

/// `today extensions`: the share and action extensions, and which of them accept some content.
struct ExtensionsCommand: Command {
  static let name = "extensions"
  static let syntax = CommandSyntax<ExtensionsCommand>(
    name,
    "list the share and action extensions, for some content",
    expected: "files, or - for standard input",
    details: """
      Lists the share extensions and the actions that accept the files, or all of them if there is no file; “-” is
      standard input, of which only the beginning is read. Those are left out that need something which is not there,
      such as a program. No extension is started.
      """,
    operands: [.many("FILE", .path, \.files)],
    options: [
      .flag("--why", \.explains):
        "list the others too, with the part of their rule that is not fulfilled, or what they need",
      .value("--type UTI", .uniformType, \.type): """
      the type of the content, such as public.json, in place of the one that is found
      """,
      .value("--charset NAME", .charset, \.charset): "the charset of text that is not in UTF-8",
      .flag("--separate", \.isSeparate): "each file is an item of its own, as for a post each",
      .flag("--json", \.isJSON): "print JSON",
    ],
    notes: """
      Exits with 65 if there is content that no extension accepts, and with 66 if there is no such file.
      """,
    isWord: { argument, _ in argument == "-" }
  )

  var options = CommonOptions()
  private var files: [String] = []
  private var type: UniformType?
  private var charset: TextCharset?
  private var explains = false
  private var isSeparate = false
  private var isJSON = false

  private struct Row: Encodable {
    var identifier: String
    var name: SafeText
    /// The identifier of the extension point.
    var point: String
    /// `share`, `action` or `filter`.
    var kind: String
    /// `editor` or `viewer`; nil for a share extension.
    var role: String?
    var glyph: SafeText?
    /// Whether it accepts the content; nil if there is none.
    var isOffered: Bool?
    /// Why it does not accept it.
    var reason: String?

    init(_ target: ContentExtension, _ verdict: ActivationVerdict?) {
      (identifier, name) = (target.identifier, target.bundle.displayName.onOneLine)
      point = target.point.identifier
      kind = target.shares ? "share" : target.hasView ? "action" : "filter"
      role = target.shares ? nil : target.role.rawValue
      (glyph, isOffered) = (target.glyph, verdict?.isOffered)
      if case .refused(let words) = verdict { reason = words }
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let settings = options.readSettings()
    let catalog = BundleCatalog.scan(.ofContent(options, settings))
    let (table, problems) = TypeTable.of(catalog.apps)
    let items = try items(table)
    let needs = ExtensionNeeds(environment: options.environment, settings: settings)
    let offers = ContentOffer.all(catalog.contentExtensions, for: items, table) {
      needs.lack(of: $0)
    }
    let rows = offers.map { offer in
      // Without content there is no verdict but on what it needs.
      Row(offer.target, items.isEmpty && offer.lack == nil ? nil : offer.verdict)
    }
    let listed = rows.filter { explains || $0.isOffered != false }
    if isJSON {
      StandardStreams.writeJSON(listed)
    } else {
      write(listed)
    }
    for problem in catalog.problems.map(\.description) + problems {
      StandardStreams.writeError(problem)
    }
    return rows.contains { $0.isOffered != false } || items.isEmpty ? .success : .dataRefused
  }

  /// The content, with the types that it has.
  private func items(_ table: TypeTable) throws(CommandError) -> [ExtensionItem] {
    guard !files.isEmpty else { return [] }
    let sniffer = ContentSniffer()
    var attachments: [ItemAttachment] = []
    for (index, path) in files.enumerated() {
      do throws(ContentFile.Fault) {
        let file = try ContentFile(path, charset: charset ?? .ofLocale)
        attachments.append(
          ItemAttachment(
            id: "a\(index + 1)",
            types: file.types(declared: type, table, sniffer),
            size: file.size,
            suggestedName: file.sample.name
          )
        )
      } catch {
        throw error.isMissing ? .missing(error.description) : .failure(error.description)
      }
    }
    return isSeparate
      ? attachments.map { ExtensionItem(attachments: [$0]) }
      : [ExtensionItem(attachments: attachments)]
  }

  private func write(_ rows: [Row]) {
    let cells = rows.map { row in
      [row.kind, "\(row.name)", row.identifier] + (row.reason.map { ["– \($0)"] } ?? [])
    }
    TextTable(cells).write()
  }
}

extension ArgumentType where Value == UniformType {
  /// A uniform type identifier.
  static var uniformType: Self {
    Self { argument throws(CommandError) in
      guard let type = UniformType(validating: argument.text) else {
        throw argument.expected("a type such as public.json")
      }
      return type
    }
  }
}

extension ArgumentType where Value == TextCharset {
  /// The name of a charset.
  static var charset: Self {
    Self { argument throws(CommandError) in
      guard let charset = TextCharset(argument.text) else {
        throw argument.expected("a charset that iconv knows, such as ISO-8859-1")
      }
      return charset
    }
  }
}
