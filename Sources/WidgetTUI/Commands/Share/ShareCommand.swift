import ExtensionContent
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// `today share`: content to a share extension.
struct ShareCommand: Command {
  static let name = "share"
  static let syntax = CommandSyntax<ShareCommand>(
    name,
    "share content through an extension",
    expected: "files, - for standard input, --text, --card or --as",
    details: """
      Gives standard input, files or a text to a share extension, which sends or stores it: a list below the prompt
      has those that accept the content, and a sheet shows what is sent; nothing leaves before Post. What the extension
      returns, such as an address, is printed on standard output, and nothing else.
      """,
    operands: [.many("FILE", .path, \.files)],
    options: [
      .value("--with ID", .text, \.with):
        "the share extension: its identifier, the last part of that, or its name",
      .values("--option KEY=VALUE", .text, \.given):
        "an option of the extension; may be given several times",
      .value("--type UTI", .uniformType, \.type): """
      the type of the content, such as public.json, in place of the one that is found
      """,
      .value("--charset NAME", .charset, \.charset): "the charset of text that is not in UTF-8",
      .value("--title TITLE", .text, \.title):
        "the title of the post, for an extension that has one; an error for a script without it",
      .value("--text TEXT", .text, \.named.text): """
      without other content the content; else the comment to it, for an extension that has one; an error for a script without it; beside it, standard input is read only as the file -
      """,
      .value("--card ID", .widget, \.named.card): "the stored text of a card, as the content",
      .values("--as TYPE=FILE", .text, \.named.representations): """
      the content in one of several types, the most faithful first; an extension gets the one that it accepts
      """,
      .flag("--separate", \.isSeparate): "each file is an item of its own, as for a post each",
      .flag("--yes", \.isAgreed): """
      post at once; an extension that sends content to other machines must have been used with its sheet before
      """,
      .flag("--popup", \.opensPopup): """
      ask in a popup of tmux, zellij or kitty, as it is done within them where there is no terminal, such as in key \
      bindings
      """,
      .flag("--look-up", \.looksUp): """
      choose among the links, lines of files, commits, issues, dates and others that the content names, and what is
      done with it; with --json they are printed
      """,
      .flag("--json", \.isJSON): "print what the extension returns as JSON",
    ],
    notes: """
      Exits with 1 if the extension fails, with 65 if it does not accept the content, with 66 if there is no such file
      or extension, with 69 if there is no terminal to show the sheet on, with 77 if --yes is not permitted yet, and with 130 if
      it is cancelled.
      """,
    isWord: { argument, _ in argument == "-" }
  )

  var options = CommonOptions()
  private var files: [String] = []
  private var with: String?
  private var given: [String] = []
  private var type: UniformType?
  private var charset: TextCharset?
  private var title: String?
  private var named = NamedContent()
  private var isSeparate = false
  private var isAgreed = false
  private var opensPopup = false
  private var looksUp = false
  private var isJSON = false

  private struct Answer: Encodable {
    var identifier: String
    var output: [String]
  }

  mutating func validate() throws(CommandError) {
    if files.count(where: { $0 == "-" }) > 1 { throw Self.misused("standard input is given twice") }
    if isAgreed, opensPopup { throw Self.misused("expected --yes or --popup") }
    try named.check(with: files, textIsComment: true)
    if looksUp, with != nil { throw Self.misused("expected --look-up or --with") }
    if isAgreed, with == nil { throw Self.misused("--yes needs --with") }
    _ = try RequestOptions(given)
  }

  func run() async throws(CommandError) -> ExitCode {
    if let error = UnreadableNames.error(in: files) { throw error }
    let settings = options.readSettings()
    let paths = SearchPaths.ofContent(options, settings)
    let catalog = BundleCatalog.scan(paths)
    let (table, known) = (TypeTable.of(catalog.apps).table, catalog.contentExtensions)
    let named = try with.map { name throws(CommandError) in
      try target(name, ExtensionChoice(catalog, paths))
    }
    if let named {
      try values(for: named).check(with: [named])
      if isAgreed { try checkAgreement(named) }
    }
    let pane = isAgreed || looksUp && isJSON ? nil : try pane(settings)
    let terms = SharedContent.Terms(
      declared: type,
      charset: charset,
      table: table,
      isSeparate: isSeparate,
      folder: TemporaryFolder.path(options.environment),
      byteLimit: settings.limits.requestBytes
    )
    let content: SharedContent
    if files.isEmpty, let source = try await self.named.source(options, byteLimit: terms.byteLimit)
    {
      content = SharedContent([source], terms)
    } else {
      content = try await SharedContent.read(files.isEmpty ? ["-"] : files, terms)
    }
    let request = ShareRequest(
      content: content,
      preview: content.preview(table, charset: charset),
      table: table,
      limits: settings.limits,
      environment: options.environment,
      charset: charset,
      title: title,
      text: comment,
      needs: ExtensionNeeds(
        environment: options.environment,
        settings: settings,
        given: try RequestOptions(given).values
      ),
      host: { () throws(CommandError) in try options.requestHost(settings) }
    )
    if looksUp { return try await lookUp(in: request, pane) }
    if let named { try request.check(named) }
    let outcome = try await request.run(named, pane, among: known) { target throws(CommandError) in
      try values(for: target)
    }
    pane?.close()
    switch outcome {
    case nil: return .cancelled
    case .looksUp(let action):
      return try await LookUpRun.run(action, environment: options.environment)
    case .returned(let result):
      try print(result.output, of: result.target)
      return .success
    }
  }

  /// Lets the person choose among what the content names, or prints that.
  private func lookUp(
    in request: ShareRequest,
    _ pane: SharePane?
  ) async throws(CommandError) -> ExitCode {
    let found = await LookUp.items(in: request.content, charset: charset)
    let results = await LookUp(environment: options.environment).results(for: found)
    guard let pane else {
      StandardStreams.writeJSON(results)
      return .success
    }
    defer { pane.close() }
    guard !results.isEmpty else {
      throw CommandError(
        exitCode: .dataRefused,
        description: "the content names nothing that can be looked up"
      )
    }
    let chosen = await LookUpPane(pane: pane, preview: request.preview).choose(among: results)
    pane.close()
    guard let chosen else { return .cancelled }
    return try await LookUpRun.run(chosen, environment: options.environment)
  }

  /// The text that goes with other content.
  private var comment: String? {
    files.isEmpty && self.named.card == nil && self.named.representations.isEmpty
      ? nil : self.named.text
  }

  private func pane(_ settings: Settings) throws(CommandError) -> SharePane {
    let readsInput = files.isEmpty && self.named.isEmpty || files.contains("-")
    let pane = try SharePopup.pane(
      of: Self.summary.name,
      isRequested: opensPopup,
      input: readsInput ? .standardInput : .unread,
      environment: options.environment,
      settings: settings.screen
    )
    if let pane { return pane }
    let obstacle = SharePane.obstacle(options.environment)
    throw .unavailable(
      with == nil
        ? "\(obstacle) to choose on; use --with ID --yes, and “today extensions FILE” to see what there is"
        : "\(obstacle) to show the sheet on; use --yes to post at once"
    )
  }

  // MARK: - The extension

  private func target(
    _ name: String,
    _ choice: ExtensionChoice
  ) throws(CommandError) -> ContentExtension {
    let target = try choice.named(name)
    guard target.shares else {
      throw .usage("\(target.identifier) is an action, and no share extension; use “today act”")
    }
    return target
  }

  /// The options that were given, with the title and the comment, which are options too.
  private func values(for target: ContentExtension) throws(CommandError) -> RequestOptions {
    var values = try RequestOptions(given)
    // A bundle gets them with the content.
    guard target.script != nil else { return values }
    if let title { values.set("title", title) }
    if let comment { values.set("text", comment) }
    return values
  }

  /// Refuses what leaves the machine without a person who has seen its sheet.
  private func checkAgreement(_ target: ContentExtension) throws(CommandError) {
    let uses = ExtensionUses(environment: options.environment)
    guard target.mayLeave,
      !uses.hasSeenSheet(of: target.identifier, at: target.bundle.path)
    else { return }
    throw CommandError(
      exitCode: .refused,
      description: """
        \(target.bundle.displayName) may send content to other machines; use it once without --yes, and look at \
        what is sent
        """
    )
  }

  // MARK: - Output

  private func print(_ results: [RequestSpool], of target: ContentExtension) throws(CommandError) {
    if isJSON {
      let output = results.map { String(decoding: $0.beginning($0.size), as: UTF8.self) }
      return StandardStreams.writeJSON(Answer(identifier: target.identifier, output: output))
    }
    for result in results { try ResultOutput.write(result) }
  }
}
