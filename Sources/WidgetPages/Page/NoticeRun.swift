import Notices
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Does what an action of a notice offers, from the page: opens a URL, runs a command, or goes to a pane of tmux.
struct NoticeRun {
  let urls: PageURLs
  let environment: [String: String]
  let standIns: StandIns?

  /// Does it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - source: How its notice came. What the user's own programs have posted is opened as by the user, all else as for
  ///     a widget.
  ///   - card: The card on which the action was chosen.
  ///   - completion: Called once, with the reason if it was not done.
  func perform(
    _ action: NoticeAction,
    from source: NoticeContent.Source,
    for card: CardRuntime,
    completion: @escaping (SafeText?) -> Void
  ) {
    if let url = action.url {
      let done = { (refusal: URLRefusal?) in
        completion(refusal.map { SafeText("not opened: \($0)") })
      }
      return source == .post
        ? urls.open(url, completion: done) : card.open(url, completion: done)
    }
    // In a test nothing is started.
    guard standIns == nil else { return completion(nil) }
    if let command = action.command {
      completion(start(command))
    } else if let pane = action.pane {
      go(to: pane, on: action.server, completion)
    } else {
      completion(nil)
    }
  }

  private func launch(_ command: [String]) -> LaunchDescription? {
    guard let name = command.first else { return nil }
    let path = name.contains("/") ? name : ToolSearch.path(of: name, in: environment)
    return path.map {
      LaunchDescription(
        program: $0,
        arguments: Array(command.dropFirst()),
        environment: environment
      )
    }
  }

  /// Starts a command without a terminal, which the page has.
  private func start(_ command: [String]) -> SafeText? {
    guard let launch = launch(command) else {
      return SafeText("“\(SafeText(lineOf: command.first ?? ""))” was not found")
    }
    do throws(HostError) {
      try ChildRun(launch, ChildRun.Terms(isolation: .detached))
      return nil
    } catch {
      return SafeText("\(error)")
    }
  }

  // MARK: - Panes of tmux

  /// Shows a pane: the client of the page goes there, or the page makes room for a client.
  private func go(to pane: String, on server: String?, _ completion: @escaping (SafeText?) -> Void)
  {
    guard Self.isPane(pane) else { return completion("it has no pane of tmux") }
    let socket = server.map { ["-S", $0] } ?? []
    // tmux finds the client by the pane in which the page is.
    let isInside = environment["TMUX"]?.isEmpty == false
    let verb = isInside ? "switch-client" : "attach-session"
    guard let launch = launch(["tmux"] + socket + [verb, "-t", pane]) else {
      return completion("tmux was not found")
    }
    guard !isInside else { return goInside(launch, pane, on: server, completion) }
    guard let handover = urls.terminalHandover else { return completion("there is no terminal") }
    handover(
      TerminalProgram(
        launch,
        didStart: { hasStarted in if !hasStarted { completion("tmux was not started") } },
        didEnd: { completion($0 == .exited(0) ? nil : Self.gone) }
      )
    )
  }

  private static let gone: SafeText = "the pane has gone"

  private func goInside(
    _ launch: LaunchDescription,
    _ pane: String,
    on server: String?,
    _ completion: @escaping (SafeText?) -> Void
  ) {
    run(launch) { end in
      if end?.status == .exited(0) {
        completion(nil)
      } else {
        explain(pane, on: server, completion)
      }
    }
  }

  /// Says why the client cannot go to a pane: there is none in its tmux, or the pane has gone.
  private func explain(
    _ pane: String,
    on server: String?,
    _ completion: @escaping (SafeText?) -> Void
  ) {
    let socket = server.map { ["-S", $0] } ?? []
    let question = ["display-message", "-p", "-t", pane, "#{pane_id}"]
    guard let launch = launch(["tmux"] + socket + question) else { return completion(Self.gone) }
    run(launch) { end in
      guard let end, end.status == .exited(0), !end.output.isEmpty else {
        return completion(Self.gone)
      }
      let command = TmuxAttachment.command(to: pane, on: server)
      completion("in another terminal: \(SafeText(lineOf: command))")
    }
  }

  /// Runs tmux; nil if it could not be started.
  private func run(_ launch: LaunchDescription, _ completion: @escaping (ChildRun.End?) -> Void) {
    let terms = ChildRun.Terms(
      isolation: .command,
      output: .kept(byteLimit: 4096),
      time: Self.patience
    )
    do throws(HostError) {
      try ChildRun(launch, terms) { completion($0) }
    } catch {
      completion(nil)
    }
  }

  /// How long tmux may take.
  private static let patience: Duration = .seconds(5)

  /// Whether a text is the number of a pane, which cannot be an option.
  private static func isPane(_ text: String) -> Bool {
    text.first == "%" && text.count > 1 && text.dropFirst().allSatisfy { ("0"..."9") ~= $0 }
  }
}
