import Glibc
import Notices
import WidgetPlatform

/// Does what an action of a notice offers.
struct NoticeActionRun {
  private let action: NoticeAction
  private let options: CommonOptions

  init(_ action: NoticeAction, _ options: CommonOptions) {
    (self.action, self.options) = (action, options)
  }

  /// Whether a text is the number of a pane of tmux.
  static func isPane(_ text: String) -> Bool {
    text.first == "%" && text.count > 1 && text.dropFirst().allSatisfy { ("0"..."9") ~= $0 }
  }

  /// Does it.
  ///
  /// - Parameter note: Notes that it was done; called before a program takes the place of this one.
  /// - Returns: The exit status, if no program has taken the place of this one.
  /// - Throws: ``CommandError`` if it cannot be done, or `note` fails.
  func run(_ note: () throws(CommandError) -> Void) async throws(CommandError) -> ExitCode {
    if let url = action.url {
      let command = try CommandParser.parse(["open", "--", url], environment: options.environment)
      let code = try await command.run()
      try note()
      return code
    }
    if let advice = paneAdvice { throw .unavailable(advice) }
    guard let command = action.command ?? tmuxCommand else {
      try note()
      return .success
    }
    let name = command.first ?? ""
    guard name.contains("/") || ToolSearch.path(of: name, in: options.environment) != nil else {
      throw .missing("“\(name)” was not found; the action “\(action.name)” runs it")
    }
    try note()
    throw .missing(HostProcess.become(command).description)
  }

  /// What to do where the pane is in another tmux than this program: its terminal would be in both.
  private var paneAdvice: String? {
    guard action.command == nil, let pane = action.pane, Self.isPane(pane),
      let server = action.server,
      let own = options.environment["TMUX"]?.split(separator: ",").first,
      server != own
    else { return nil }
    return "the pane is in another tmux than this one; run in another terminal: "
      + TmuxAttachment.command(to: pane, on: server)
  }

  /// The command that goes to the pane.
  private var tmuxCommand: [String]? {
    guard let pane = action.pane, Self.isPane(pane) else { return nil }
    let server = action.server.map { ["-S", $0] } ?? []
    let isInside = options.environment["TMUX"]?.isEmpty == false
    let verb = isInside ? "switch-client" : "attach-session"
    return ["tmux"] + server + [verb, "-t", pane]
  }
}
