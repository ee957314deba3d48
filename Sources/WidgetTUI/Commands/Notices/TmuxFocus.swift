import FoundationEssentials
import Notices
import WidgetPlatform

/// What a tmux knows of the focus of the terminals that show a pane.
struct TmuxFocus {
  private let pane: String
  private let environment: [String: String]

  /// Nil outside of tmux.
  init?(_ environment: [String: String]) {
    guard let pane = TerminalIdentity(environment: environment).pane, !pane.isEmpty else {
      return nil
    }
    (self.pane, self.environment) = (pane, environment)
  }

  /// How long tmux may take.
  private static let patience: Duration = .seconds(5)
  /// Both times are whole seconds, and the key that starts a command comes before it.
  private static let blur = 2.0

  private static let format = [
    "#{focus-events}", "#{client_termfeatures}", "#{client_flags}", "#{client_activity}",
    "#{pane_id}",
  ].joined(separator: "\t")

  /// Whether the pane had the focus for a time that ends now, as far as tmux knows.
  ///
  /// A terminal tells tmux when it gets and loses the focus, if it can and “focus-events” is on. Like a key, that is an
  /// activity of the client: one that has the focus, and that was not active, has had it all the time.
  func hadFocus(for time: Duration) async -> Bool {
    guard let program = ToolSearch.path(of: "tmux", in: environment) else { return false }
    let launch = LaunchDescription(
      program: program,
      arguments: ["list-clients", "-t", pane, "-F", Self.format],
      environment: environment,
      folder: "."
    )
    let terms = ChildRun.Terms(output: .kept(byteLimit: 16 << 10), time: Self.patience)
    let answer = (try? await ChildRun.end(of: launch, terms))?.output ?? []
    let start = Date().addingTimeInterval(-time.seconds).timeIntervalSince1970
    return Self.hadFocus(pane, since: start, clients: String(decoding: answer, as: UTF8.self))
  }

  /// Whether one of the clients that tmux lists has had the focus on a pane since a time in seconds since 1970.
  static func hadFocus(_ pane: String, since start: Double, clients: String) -> Bool {
    clients.split(separator: "\n").contains { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count == 5, ["1", "on"].contains(parts[0]), let activity = Double(parts[3]) else {
        return false
      }
      let (features, flags) = (parts[1].split(separator: ","), parts[2].split(separator: ","))
      return features.contains("focus") && flags.contains("focused") && parts[4] == pane
        && activity <= start + blur
    }
  }
}
