import Notices
import WidgetPlatform

/// Looks at the ways in which a person is told of notices.
struct DeliveryDiagnosis {
  private let settings: NoticeSettings
  private let environment: [String: String]
  /// The terminal that the command runs in; nil without one.
  private let identity: TerminalIdentity?

  init(_ settings: NoticeSettings, environment: [String: String], identity: TerminalIdentity?) {
    (self.settings, self.environment, self.identity) = (settings, environment, identity)
  }

  /// What there is to say: a line for each way, and one if a damaged journal was found.
  func findings() async -> [Finding] {
    guard !settings.ways.isEmpty else {
      let words = "you are told of none (notices.deliver in config.json)"
      return [Finding(.notices, .ok, words)] + damage
    }
    var findings = damage
    for way in settings.ways {
      switch way {
      case .terminal: if let identity { findings += await terminal(identity) }
      case .desktop: findings.append(desktop)
      case .bell: break
      }
    }
    return findings
  }

  /// What was lost with damaged lines of the journal.
  private var damage: [Finding] {
    let store = NoticeStore(StateFolders(environment: environment), settings: settings)
    guard let damage = store.damage else { return [] }
    let lines =
      damage.lineCount == 1 ? "a damaged line was" : "\(damage.lineCount) damaged lines were"
    return [
      Finding(
        .notices,
        .warning,
        "\(lines) left out of the journal on \(damage.day)",
        advice:
          "all lines are in \(store.folder)/\(JournalDamage.keptName); remove it when you do not need it"
      )
    ]
  }

  private func terminal(_ identity: TerminalIdentity) async -> [Finding] {
    guard settings.terminal != .none else {
      return [Finding(.notices, .ok, "the terminal shows none (notices.terminal in config.json)")]
    }
    guard let pane = identity.pane else {
      return [shown(settings.terminal.notifier(or: identity.notifier), by: "the terminal")]
    }
    return findings(of: await NoticeDelivery.client(of: pane, environment))
  }

  /// What there is to say of the tmux that the terminal is, whichever terminal shows it now.
  func findings(of client: TmuxClient) -> [Finding] {
    guard client.obstacle != .silent else {
      return [Finding(.notices, .warning, "tmux did not say which terminal it is in")]
    }
    var findings: [Finding] = []
    if client.allowsPassthrough == false {
      findings.append(
        Finding(
          .notices,
          .warning,
          "tmux does not pass them on to the terminal",
          advice: "put “set -g allow-passthrough on” into ~/.tmux.conf"
        )
      )
    }
    let notifier = settings.terminal.notifier(or: client.notifier)
    // What it could show says nothing as long as nothing reaches it.
    if findings.isEmpty || notifier == nil {
      let name = client.obstacle == .detached ? "the last terminal of tmux" : "the terminal of tmux"
      findings.append(shown(notifier, by: name))
    }
    return findings
  }

  private func shown(_ notifier: TerminalNotifier?, by name: String) -> Finding {
    guard let notifier else {
      return Finding(
        .notices,
        .ok,
        "\(name) is not known to show any; the next of notices.deliver is used",
        advice: "if it does, set notices.terminal in config.json"
      )
    }
    let number = notifier.rawValue.dropFirst("osc".count)
    return Finding(.notices, .ok, "\(name) shows them (OSC \(number))")
  }

  private var desktop: Finding {
    let isThere = ToolSearch.path(of: "notify-send", in: environment) != nil
    return isThere
      ? Finding(.notices, .ok, "notify-send is there, for a desktop that shows notifications")
      : Finding(.notices, .ok, "no notify-send for the desktop")
  }
}
