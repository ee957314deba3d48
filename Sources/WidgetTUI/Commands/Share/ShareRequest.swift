import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// Content on its way to an extension: the choice, the sheet, and the post.
struct ShareRequest {
  let content: SharedContent
  let preview: ContentPreview
  let table: TypeTable
  let limits: HostLimits
  let environment: [String: String]
  /// The charset of text that is not in UTF-8.
  let charset: TextCharset?
  /// The title and the text that the user has given, for a bundle.
  let title: String?
  let text: String?
  /// What extensions need to be in the list.
  let needs: ExtensionNeeds
  /// Makes what starts bundles.
  let host: () throws(CommandError) -> RequestHost

  /// What an extension has returned.
  struct Result {
    var target: ContentExtension
    var output: [RequestSpool]
  }

  /// What a person has chosen.
  private enum Choice {
    case target(ContentExtension)
    case lookUp(LookUpAction)
  }

  /// What became of the content.
  enum Outcome {
    case returned(Result)
    /// A person wants to see something that the content names.
    case looksUp(LookUpAction)
  }

  /// Lets a person choose and post, or posts at once.
  ///
  /// - Parameters:
  ///   - named: The extension; nil if it is to be chosen.
  ///   - pane: Where the person is asked; nil if the person has agreed.
  ///   - extensions: All that are installed.
  ///   - options: The options that were given for an extension.
  /// - Returns: What was returned; nil if the person has cancelled.
  /// - Throws: ``CommandError`` if nothing accepts the content, or the extension fails.
  func run(
    _ named: ContentExtension?,
    _ pane: SharePane?,
    among extensions: [ContentExtension],
    options: (ContentExtension) throws(CommandError) -> RequestOptions
  ) async throws(CommandError) -> Outcome? {
    defer { pane?.close() }
    switch try await choice(named, pane, extensions) {
    case nil: return nil
    case .lookUp(let action): return .looksUp(action)
    case .target(let target):
      return try await share(with: target, pane, options: options).map { .returned($0) }
    }
  }

  private func share(
    with target: ContentExtension,
    _ pane: SharePane?,
    options: (ContentExtension) throws(CommandError) -> RequestOptions
  ) async throws(CommandError) -> Result? {
    let given = try options(target)
    try given.check(with: [target])
    var values = given.values
    guard target.script != nil else { return try await post(toBundle: target, values, pane) }
    guard let pane, target.shares || target.script?.options.isEmpty == false else {
      return try await post(to: target, values, pane).result(of: target)
    }
    let sheet = ScriptSheet.sheet(for: target, preview, values)
    values = ScriptSheet.values(of: sheet)
    guard var posted = await pane.compose(sheet) else { return nil }
    while true {
      let typed = ScriptSheet.values(of: posted)
      let end = try await post(to: target, typed, pane)
      guard case .failed(let reason) = end, typed != values,
        let again = await pane.retry(posted, after: reason)
      else { return try end.result(of: target) }
      posted = again
    }
  }

  /// What became of a post.
  private enum Posted {
    case returned(Result)
    case cancelled
    case failed(SafeText)

    /// What the extension has returned; nil if a person has cancelled.
    func result(of target: ContentExtension) throws(CommandError) -> Result? {
      switch self {
      case .returned(let result): result
      case .cancelled: nil
      case .failed(let reason): throw .failure("\(target.bundle.displayName): \(reason)")
      }
    }
  }

  private func choice(
    _ named: ContentExtension?,
    _ pane: SharePane?,
    _ extensions: [ContentExtension]
  ) async throws(CommandError) -> Choice? {
    if let named { return .target(named) }
    let list = ExtensionList(
      extensions,
      for: content.items,
      table,
      ExtensionUses(environment: environment),
      needs
    ) { $0.script != nil || $0.shares || $0.hasView }
    // The list does not wait for the whole text, unless there is nothing else in it.
    var namesAnything = LookUp.namesAnything(content, charset: charset)
    if namesAnything == nil, list.extensions.isEmpty { namesAnything = await namesAnythingAtAll() }
    guard let pane, !list.extensions.isEmpty || namesAnything == true else {
      throw CommandError(
        exitCode: .dataRefused,
        description: """
          no extension accepts \(content.typeNames); “today extensions --why” says why, and Docs/Sharing.md how to write one
          """
      )
    }
    let lookUp = ExtensionChooser.Item(name: "Look Up", detail: "what it names")
    while true {
      let rows = list.items + (namesAnything == true ? [lookUp] : [])
      let chooser = ExtensionChooser(title: "Share", rows, preview: preview)
      let later = namesAnything == nil ? { await namesAnythingAtAll() ? [lookUp] : [] } : nil
      guard let row = await pane.choose(chooser, adding: later) else { return nil }
      if list.extensions.indices.contains(row) { return .target(list.extensions[row]) }
      namesAnything = true
      let found = await LookUp.items(in: content, charset: charset)
      let results = await LookUp(environment: environment).results(for: found)
      if let action = await LookUpPane(pane: pane, preview: preview).choose(among: results) {
        return .lookUp(action)
      }
    }
  }

  /// Whether the content names anything that can be looked up, which takes a while for a long text that does not.
  private func namesAnythingAtAll() async -> Bool {
    await !LookUp.items(in: content, charset: charset, limit: 1).isEmpty
  }

  /// Refuses content that an extension does not accept.
  func check(_ target: ContentExtension) throws(CommandError) {
    guard case .refused(let words) = target.verdict(on: content.items, table) else { return }
    throw CommandError(
      exitCode: .dataRefused,
      description: "\(target.bundle.displayName) does not accept \(content.typeNames): \(words)"
    )
  }

  private func post(
    to target: ContentExtension,
    _ values: [String: String],
    _ pane: SharePane?
  ) async throws(CommandError) -> Posted {
    let share = ScriptShare(target, environment: environment, limits: limits, table: table)
    // A pane has the signals.
    let interruption = pane == nil ? Interruption { share.cancel() } : nil
    defer { withExtendedLifetime(interruption) {} }
    var isCancelled = false
    pane?.onInterruption = { share.cancel() }
    pane?.whilePosting {
      isCancelled = true
      share.cancel()
    }
    switch await share.post(content, options: values) {
    case .completed(let output):
      try note(target, pane)
      return .returned(Result(target: target, output: output))
    case .cancelled where isCancelled: return .cancelled
    case .cancelled(let reason): return .failed(reason)
    }
  }

  /// Notes that an extension was used, and whether a person has seen its sheet.
  private func note(_ target: ContentExtension, _ pane: SharePane?) throws(CommandError) {
    try CommandError.from { () throws(HostError) in
      try ExtensionUses.note(
        target.identifier,
        sheetAt: pane == nil ? nil : target.bundle.path,
        environment: environment
      )
    }
  }

  private func post(
    toBundle target: ContentExtension,
    _ options: [String: String],
    _ pane: SharePane?
  ) async throws(CommandError) -> Result? {
    var typed = text
    while true {
      let (end, sheet) = try await post(toBundle: target, options, pane, typed)
      guard case .failed(let reason) = end, let sheet,
        let again = await pane?.retry(sheet, after: reason)
      else { return try end.result(of: target) }
      typed = again.text?.text
    }
  }

  /// Posts once.
  ///
  /// - Returns: What became of it, and the sheet to try again with; nil if nothing was typed or it has not failed.
  private func post(
    toBundle target: ContentExtension,
    _ options: [String: String],
    _ pane: SharePane?,
    _ typed: String?
  ) async throws(CommandError) -> (Posted, PaneSheet?) {
    let host = try host()
    let share = try CommandError.from { () throws(HostError) in
      try BundleShare(
        target,
        content,
        title: title,
        text: text,
        options: options,
        host,
        on: pane,
        types: (table, charset)
      )
    }
    // A pane has the signals.
    let interruption = pane == nil ? Interruption { share.cancel() } : nil
    defer { withExtendedLifetime(interruption) {} }
    pane?.onInterruption = { share.cancel() }
    let outcome: ExtensionRequest.Outcome
    if let pane {
      outcome = await share.compose(on: pane, preview, text: typed)
      if !outcome.hasFailed || share.typedSheet == nil { pane.close() }
    } else {
      outcome = await share.post(typed)
    }
    await share.finish()
    switch outcome {
    case .completed(let items):
      try note(target, pane)
      let result = Result(target: target, output: items.joined().map(\.content))
      return (.returned(result), nil)
    case .cancelled where pane == nil:
      return (.failed("its content could not be posted as it is"), nil)
    case .cancelled: return (.cancelled, nil)
    case .failed(let reason): return (.failed(reason), share.typedSheet)
    }
  }
}

extension ExtensionRequest.Outcome {
  fileprivate var hasFailed: Bool { if case .failed = self { true } else { false } }
}
