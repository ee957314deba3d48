import WidgetPlatform

/// The terminal of a program that tells of notices.
@MainActor package protocol NoticeTerminal: AnyObject {
  /// What is known of it.
  var identity: TerminalIdentity { get }
  /// Writes a whole sequence; false if it cannot be written.
  func send(_ bytes: [UInt8]) -> Bool
}

/// Tells a person of a notice, by the first way that works.
@MainActor package struct NoticeDelivery {
  /// What is done when the person presses the notification.
  package struct Press {
    package var words: String
    package var action: () -> Void

    /// Creates it with its words.
    package init(_ words: String, action: @escaping () -> Void) {
      (self.words, self.action) = (words, action)
    }
  }

  private let settings: NoticeSettings
  private let environment: [String: String]
  private let terminal: (any NoticeTerminal)?

  /// How long tmux and `notify-send` may take; one that waits for a press longer.
  private static let patience: Duration = .seconds(5)
  private static let pressTime: Duration = .seconds(600)

  /// Creates it for a terminal; nil for none.
  package init(
    _ settings: NoticeSettings,
    environment: [String: String],
    terminal: (any NoticeTerminal)?
  ) {
    (self.settings, self.environment, self.terminal) = (settings, environment, terminal)
  }

  /// Tells of a notice.
  ///
  /// - Parameters:
  ///   - notice: The notice.
  ///   - press: What a press of the notification does; nil for nothing.
  /// - Returns: The way that has worked; nil if none has.
  @discardableResult
  package func deliver(_ notice: Notice, press: Press? = nil) async -> NoticeWay? {
    for way in settings.ways {
      let hasWorked =
        switch way {
        case .terminal: await showOnTerminal(notice)
        case .desktop: await showOnDesktop(notice, press)
        case .bell: ring(notice)
        }
      if hasWorked { return way }
    }
    return nil
  }

  // MARK: - The terminal

  /// What is sent to a terminal for a notice without a question to another program; nil if nothing is, or if a tmux
  /// has to be asked.
  package static func sequence(
    for notice: Notice,
    _ settings: NoticeSettings,
    _ identity: TerminalIdentity
  ) -> [UInt8]? {
    guard identity.pane == nil else { return nil }
    return (settings.terminal.notifier(or: identity.notifier))?.bytes(for: notice)
  }

  private func showOnTerminal(_ notice: Notice) async -> Bool {
    guard let terminal, settings.terminal != .none else { return false }
    guard let pane = terminal.identity.pane else {
      let bytes = Self.sequence(for: notice, settings, terminal.identity)
      return bytes.map(terminal.send) ?? false
    }
    let client = await Self.client(of: pane, environment)
    guard client.obstacle == nil, let notifier = settings.terminal.notifier(or: client.notifier)
    else { return false }
    return terminal.send(TerminalNotifier.throughTmux(notifier.bytes(for: notice)))
  }

  /// Asks the tmux of a pane for its terminal.
  package static func client(
    of pane: String,
    _ environment: [String: String]
  ) async -> TmuxClient {
    guard let program = ToolSearch.path(of: "tmux", in: environment) else {
      return TmuxClient(answer: "")
    }
    let launch = LaunchDescription(
      program: program,
      arguments: TmuxClient.question(pane),
      environment: environment,
      folder: "."
    )
    let terms = ChildRun.Terms(output: .kept(byteLimit: 4096), time: patience)
    let end = try? await ChildRun.end(of: launch, terms)
    return TmuxClient(answer: String(decoding: end?.output ?? [], as: UTF8.self))
  }

  private func ring(_ notice: Notice) -> Bool {
    guard notice.content.urgency != .low else { return true }
    return terminal?.send([0x07]) ?? false
  }

  // MARK: - The desktop

  /// Whether `notify-send` has shown it: without a program that shows notifications it fails.
  private func showOnDesktop(_ notice: Notice, _ press: Press?) async -> Bool {
    guard let notification = NotifySendCall(notice, environment: environment) else {
      return false
    }
    if let press {
      let terms = ChildRun.Terms(output: .kept(byteLimit: 1024), time: Self.pressTime)
      let end = try? await ChildRun.end(of: notification.launch(action: press.words), terms)
      if let end, end.failure != nil || end.status == .exited(0) {
        if end.output.starts(with: "default".utf8) { press.action() }
        return true
      }
      // Old ones know no actions.
    }
    let terms = ChildRun.Terms(isolation: .detached, time: Self.patience)
    return (try? await ChildRun.end(of: notification.launch(), terms))?.succeeded ?? false
  }
}

extension ChildRun.End {
  /// Whether it has exited with 0 in time.
  fileprivate var succeeded: Bool { failure == nil && status == .exited(0) }
}

extension NoticeTerminalChoice {
  /// The sequence that the user has chosen, or else the one of the terminal.
  package func notifier(or known: TerminalNotifier?) -> TerminalNotifier? {
    switch self {
    case .automatic: known
    case .osc99: .osc99
    case .osc777: .osc777
    case .osc9: .osc9
    case .none: nil
    }
  }
}
