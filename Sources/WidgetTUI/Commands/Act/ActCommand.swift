import ExtensionContent
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// `today act`: content in, what an action makes of it out.
struct ActCommand: Command {
  enum FailureOutput: String, CaseIterable {
    case input
    case empty
  }

  static let name = "act"
  static let syntax = CommandSyntax<ActCommand>(
    name,
    "pass content through actions, as a filter or in place",
    expected: "files, - for standard input, --text, --card or --as",
    details: """
      Passes standard input, or each file, through an action, and prints what the action returns. All input is read
      before the first byte is printed. If the action fails or is cancelled, the content is unchanged: input that came
      from a pipe is printed as it was, so that an editor which filters a selection keeps it.
      """,
    operands: [.many("FILE", .path, \.files)],
    options: [
      .value("--with ID[,ID...]", .text, \.with): """
      the actions in their order: identifiers, their last parts, or names; each must accept what the one before \
      returns; without it, a list below the prompt has those that accept the content
      """,
      .values("--option KEY=VALUE", .text, \.given):
        "an option of the actions; may be given several times",
      .flag("--in-place", \.isInPlace).or("-i"): """
      replace each file, whole or not at all; its original is kept for --undo
      """,
      .value("--output OUT", .path, \.output).or("-o"): """
      write to a file, or for several files into a folder
      """,
      .choice("--on-failure", \.onFailure): """
      what is printed if an action fails and the content came from a pipe
      """,
      .flag("--undo", \.undoes): """
      take back the last replacement of the files, or of the last command, if they are as it has written them
      """,
      .flag("--redo", \.redoes): """
      run the last actions on the kept originals again, with other options
      """,
      .value("--type UTI", .uniformType, \.type): """
      the type of the content, such as public.json, in place of the one that is found
      """,
      .value("--title TITLE", .text, \.title): "the title of the content, which bundles get",
      .value("--text TEXT", .text, \.named.text): "the content",
      .value("--card ID", .widget, \.named.card): "the stored text of a card, as the content",
      .values("--as TYPE=FILE", .text, \.named.representations): """
      the content in one of several types, the most faithful first; an action gets the one that it accepts
      """,
      .flag("--popup", \.opensPopup): """
      ask in a popup of tmux, zellij or kitty, as it is done within them where there is no terminal
      """,
      .value("--charset NAME", .charset, \.charset): "the charset of text that is not in UTF-8",
    ],
    notes: """
      Exits with 1 if an action fails, with 65 if one does not accept the content, with 66 if there is no such file
      or action, with 69 if there is no terminal to choose an action or to show its view on, with 77 if a file must not be replaced, and with 130 if the request
      is cancelled by Ctrl-C.
      """,
    isWord: { argument, _ in argument == "-" }
  )

  var options = CommonOptions()
  private var files: [String] = []
  private var with: String?
  private var given: [String] = []
  private var isInPlace = false
  private var output: String?
  private var onFailure = FailureOutput.input
  private var undoes = false
  private var redoes = false
  private var type: UniformType?
  private var charset: TextCharset?
  private var title: String?
  private var named = NamedContent()
  private var opensPopup = false
  /// What is wrong with the arguments, which is said when the input was given back.
  private var misuse: CommandError?
  /// Whether each of the arguments was understood.
  private var isUnderstood = false

  func reporting(_ error: CommandError) -> ActCommand? {
    guard givesInputBack else { return nil }
    var command = self
    command.misuse = error
    return command
  }

  mutating func validate() throws(CommandError) {
    isUnderstood = true
    try named.check(with: files, textIsComment: false)
    if undoes, redoes || isInPlace || with != nil || output != nil || !named.isEmpty {
      throw Self.misused("--undo takes files alone")
    }
    if redoes, isInPlace || with != nil || output != nil || !named.isEmpty {
      throw Self.misused("--redo takes files and --option alone")
    }
    if isInPlace, output != nil { throw Self.misused("expected --in-place or --output") }
    if isInPlace, files.isEmpty || files == ["-"] { throw Self.misused("--in-place needs files") }
    if files.count > 1, files.contains("-") {
      throw Self.misused("standard input is a content of its own, without files")
    }
    _ = try RequestOptions(given)
  }

  /// Whether the content comes from standard input.
  private var readsInput: Bool { named.isEmpty && (files.isEmpty || files == ["-"]) }

  /// Whether standard input is printed as it was, where nothing was done with it.
  private var givesInputBack: Bool {
    guard onFailure == .input, !undoes, !redoes else { return false }
    // With a file, standard input belongs to somebody else; what is none may be the value of an option that there is not.
    return files.contains("-") || readsInput
      || !isUnderstood && named.isEmpty && files.allSatisfy { unsafe access($0, F_OK) != 0 }
  }

  private var temporary: String { TemporaryFolder.path(options.environment) }

  func run() async throws(CommandError) -> ExitCode {
    if let error = misuse ?? UnreadableNames.error(in: files + [output].compactMap(\.self)) {
      if givesInputBack { ResultOutput.passInput() }
      throw error
    }
    let history = ReplacementHistory(environment: options.environment)
    if undoes { return try history.undo(files) }
    if redoes {
      return try await history.redo(files, declared: type) { names throws(CommandError) in
        try chain(names)
      }
    }
    if readsInput { return try await filterInput() }
    let requested = try requested().map { names throws(CommandError) in try chain(names) }
    let limits = options.readSettings().limits
    var sources: [ActSource] = []
    for path in files {
      let source = try ActSource.file(
        path,
        isReplaced: isInPlace,
        in: temporary,
        byteLimit: limits.requestBytes
      )
      // A file that is named twice, or with a link to it, is replaced once.
      if !isInPlace || !sources.contains(where: { $0.isSameFile(as: source) }) {
        sources.append(source)
      }
    }
    if let source = try await named.source(options, byteLimit: limits.requestBytes) {
      sources.append(source)
    }
    try results.check(sources)
    let actions = if let requested { requested } else { try await choose(for: sources) }
    actions.interruption = Interruption { [weak actions] in actions?.cancel() }
    var results: [RequestSpool] = []
    for source in sources {
      switch await actions.pass(source, declared: type) {
      case .completed(let result): results.append(result)
      case .cancelled(let error):
        await actions.finish()
        throw error
      }
    }
    try self.results.write(results, of: sources, by: actions.identifiers)
    await actions.finish()
    return .success
  }

  /// What becomes of what the actions return.
  private var results: ActResults {
    ActResults(
      environment: options.environment,
      isInPlace: isInPlace,
      // As for other programs, “-” is standard output.
      output: output == "-" ? nil : output
    )
  }

  // MARK: - Actions

  /// The names of the actions; nil if the user has named none.
  private func requested() throws(CommandError) -> [String]? {
    guard let list = with else { return nil }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(
        name.trimmingPrefix(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
      )
    }
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw Self.misused(
        "--with “\(list)”: expected an action, or several with commas between them"
      )
    }
    return names
  }

  /// The actions that the user has named.
  ///
  /// - Parameters:
  ///   - names: What the user calls them.
  ///   - input: What becomes of standard input if a person is asked in a popup.
  /// - Returns: The actions in their order.
  /// - Throws: ``CommandError`` if there is none of a name, or nothing to show its view on.
  private func chain(
    _ names: [String],
    _ input: SharePopup.Input = .unread
  ) throws(CommandError) -> ActChain {
    let settings = options.readSettings()
    let paths = SearchPaths.ofContent(options, settings)
    let catalog = BundleCatalog.scan(paths)
    let choice = ExtensionChoice(catalog, paths)
    var actions: [ContentExtension] = []
    for name in names {
      let action = try choice.named(name)
      guard !action.shares else {
        throw .usage("\(action.identifier) is a share extension, and no action")
      }
      actions.append(action)
    }
    let values = try RequestOptions(given)
    try values.check(with: actions)
    var pane: SharePane?
    if let shown = actions.first(where: \.hasView) {
      pane = try self.pane(settings, input)
      guard pane != nil else {
        let obstacle = SharePane.obstacle(options.environment)
        throw .unavailable("\(shown.identifier) has a view, and \(obstacle) to show it on")
      }
    }
    return try chain(actions, values.values, settings, TypeTable.of(catalog.apps).table, pane)
  }

  private func chain(
    _ actions: [ContentExtension],
    _ values: [String: String],
    _ settings: Settings,
    _ table: TypeTable,
    _ pane: SharePane?
  ) throws(CommandError) -> ActChain {
    ActChain(
      actions,
      options: values,
      environment: options.environment,
      limits: settings.limits,
      table: table,
      charset: charset,
      title: title,
      host: actions.contains { $0.script == nil } ? try options.requestHost(settings) : nil,
      pane: pane
    )
  }

  /// Where a person is asked: on the terminal, else in a popup; nil if there is neither.
  private func pane(
    _ settings: Settings,
    _ input: SharePopup.Input
  ) throws(CommandError) -> SharePane? {
    try SharePopup.pane(
      of: Self.summary.name,
      isRequested: opensPopup,
      input: input,
      environment: options.environment,
      settings: settings.screen
    )
  }

  /// The action that a person chooses.
  private func choose(
    for sources: [ActSource],
    _ input: SharePopup.Input = .unread,
    onInterruption: @escaping () -> Void = {}
  ) async throws(CommandError) -> ActChain {
    let settings = options.readSettings()
    guard let pane = try pane(settings, input) else {
      throw .unavailable(
        """
        no action is named, and \(SharePane.obstacle(options.environment)) to choose one on; use --with ID, and \
        “today extensions FILE” to see which accept it
        """
      )
    }
    pane.onInterruption = onInterruption
    let catalog = BundleCatalog.scan(.ofContent(options, settings))
    let table = TypeTable.of(catalog.apps).table
    let terms = SharedContent.Terms(
      declared: type,
      charset: charset,
      table: table,
      folder: temporary,
      byteLimit: settings.limits.requestBytes
    )
    let choice = try await ActionChoice(
      among: catalog.contentExtensions,
      for: SharedContent(sources, terms),
      table,
      given: try RequestOptions(given),
      settings,
      pane,
      environment: options.environment
    )
    do throws(CommandError) {
      return try chain([choice.target], choice.options, settings, table, pane)
    } catch {
      pane.close()
      throw error
    }
  }

  // MARK: - Standard input

  private func filterInput() async throws(CommandError) -> ExitCode {
    guard isatty(STDIN_FILENO) == 0 else {
      throw Self.misused("standard input is the terminal; expected files, or a pipe")
    }
    let limit = options.readSettings().limits.requestBytes
    let filter: InputFilter
    do throws(CommandError) {
      filter = InputFilter(content: try spool(), givesBack: onFailure == .input)
    } catch {
      if givesInputBack { ResultOutput.passInput() }
      throw error
    }
    let interruption = Interruption { filter.cancel() }
    defer { withExtendedLifetime(interruption) {} }
    do throws(CommandError) {
      guard try await StandardInput.read(into: filter.content, byteLimit: limit) else {
        throw .failure("the input is larger than limits.requestBytes, \(limit) bytes")
      }
    } catch {
      filter.giveBack()
      if givesInputBack { ResultOutput.passInput() }
      throw error
    }
    do throws(CommandError) {
      try await pass(filter, interruption)
    } catch {
      filter.giveBack()
      await filter.chain?.finish()
      throw error
    }
    await filter.chain?.finish()
    return .success
  }

  /// Passes what was read through the actions, and prints what they return.
  private func pass(
    _ filter: InputFilter,
    _ interruption: Interruption
  ) async throws(CommandError) {
    let input = SharePopup.Input.content(filter.content, isGivenBack: filter.givesBack)
    let source = ActSource(origin: .standardInput, content: filter.content, name: nil)
    if let names = try requested() {
      // The user wants a popup also for actions that ask nobody.
      if opensPopup { _ = try pane(options.readSettings(), input) }
      filter.chain = try chain(names, input)
    } else {
      // The pane has the signals.
      interruption.pause()
      filter.chain = try await choose(
        for: [source],
        input,
        onInterruption: { filter.cancel() }
      )
      interruption.resume()
    }
    filter.chain?.interruption = interruption
    switch await filter.chain?.pass(source, declared: type) {
    case .completed(let result)?:
      try results.write([result], of: [source], by: filter.chain?.identifiers ?? [])
    case .cancelled(let error)?: throw error
    case nil: break
    }
  }

  private func spool() throws(CommandError) -> RequestSpool {
    try CommandError.from { () throws(HostError) in try RequestSpool(in: temporary) }
  }
}
