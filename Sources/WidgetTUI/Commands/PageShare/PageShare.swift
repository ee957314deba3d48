import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// Gives content of the page to extensions in the process of the page, with all that are installed.
///
/// A class because it owns what is on its way.
final class PageShare: PageSharing {
  private let options: CommonOptions
  /// Whether a card can be added to the page.
  private let canPin: Bool
  private var task: Task<Void, Never>?
  private var pane: SharePane?

  /// - Parameters:
  ///   - options: Those with which the page is opened.
  ///   - canPin: Whether a card can be added to the page.
  init(_ options: CommonOptions, canPin: Bool) {
    self.canPin = canPin
    var options = options
    // The extensions are those that the commands have; the trace is that of the page.
    (options.widgetFolders, options.tracePath) = ([], nil)
    self.options = options
  }

  func begin(
    _ content: PageShareContent,
    _ verb: PageShareVerb,
    on surface: any PaneSurface,
    completion: @escaping (PageShareOutcome, [Key]) -> Void
  ) {
    let pane = SharePane(on: surface)
    self.pane = pane
    task = Task {
      let result = await outcome(content, verb, on: pane)
      (task, self.pane) = (nil, nil)
      completion(result, pane.takeLeftKeys())
    }
  }

  func cancel() { pane?.interrupt() }

  private func outcome(
    _ content: PageShareContent,
    _ verb: PageShareVerb,
    on pane: SharePane
  ) async -> PageShareOutcome {
    do throws(CommandError) {
      let terms = PageShareTerms(options)
      let source = try terms.source(of: content)
      let shared = SharedContent([source], terms.content)
      let returned =
        switch verb {
        case .share: try await share(shared, terms, on: pane)
        case .act: try await act(shared, terms, on: pane)
        }
      switch returned {
      case .nothing: return .over
      case .words(let words): return .says(words)
      case .command(let launch): return .runs(launch)
      case .content(let parts, let target):
        guard let result = try ReturnedContent(parts, of: target, content, source, terms) else {
          return .says("\(target.bundle.displayName) has returned nothing.")
        }
        return await ResultChoice(result, pane, options.environment, canPin: canPin).outcome()
      }
    } catch {
      return switch error.exitCode {
      case .cancelled: .over
      case .dataRefused: .says("Nothing accepts this content; “today extensions --why” says why.")
      default: .says(SafeText(error.description))
      }
    }
  }

  /// What an extension has come to.
  private enum Returned {
    case nothing
    case words(SafeText)
    case command(LaunchDescription)
    case content([RequestSpool], of: ContentExtension)
  }

  private func share(
    _ content: SharedContent,
    _ terms: PageShareTerms,
    on pane: SharePane
  ) async throws(CommandError) -> Returned {
    let request = ShareRequest(
      content: content,
      preview: content.preview(terms.content.table, charset: nil),
      table: terms.content.table,
      limits: terms.settings.limits,
      environment: options.environment,
      charset: nil,
      title: nil,
      text: nil,
      needs: ExtensionNeeds(environment: options.environment, settings: terms.settings),
      host: { () throws(CommandError) in try self.host(terms) }
    )
    let outcome = try await request.run(nil, pane, among: terms.extensions) {
      _ throws(CommandError) in try RequestOptions([])
    }
    switch outcome {
    case nil: return .nothing
    case .looksUp(let action):
      return .command(try LookUpRun.launch(action, environment: options.environment))
    case .returned(let result):
      let target = result.target
      guard target.shares else {
        return target.role == .viewer ? .nothing : .content(result.output, of: target)
      }
      // Such as an address.
      let text = result.output.map { String(decoding: $0.beginning(4_096), as: UTF8.self) }
      guard let line = text.joined().split(whereSeparator: \.isNewline).first else {
        return .nothing
      }
      return .words(SafeText("\(target.bundle.displayName): \(line)"))
    }
  }

  private func act(
    _ content: SharedContent,
    _ terms: PageShareTerms,
    on pane: SharePane
  ) async throws(CommandError) -> Returned {
    let choice = try await ActionChoice(
      among: terms.extensions,
      for: content,
      terms.content.table,
      given: try RequestOptions([]),
      terms.settings,
      pane,
      environment: options.environment
    )
    let chain = ActChain(
      [choice.target],
      options: choice.options,
      environment: options.environment,
      limits: terms.settings.limits,
      table: terms.content.table,
      charset: nil,
      title: nil,
      host: choice.target.script == nil ? try host(terms) : nil,
      pane: pane
    )
    var isCancelled = false
    let cancel = { [weak chain] in
      isCancelled = true
      chain?.cancel()
    }
    if !choice.target.hasView { pane.showWork(choice.target.bundle.displayName, cancel: cancel) }
    let outcome = await chain.pass(content.sources[0], declared: nil)
    await chain.finish()
    switch outcome {
    case .completed(let result):
      return chain.hasReturned ? .content([result], of: choice.target) : .nothing
    case .cancelled where isCancelled: return .nothing
    case .cancelled(let error): throw error
    }
  }

  private func host(_ terms: PageShareTerms) throws(CommandError) -> RequestHost {
    try options.requestHost(terms.settings, isBesidePage: true)
  }
}
