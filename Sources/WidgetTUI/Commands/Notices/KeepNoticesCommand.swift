import Notices
import WidgetPages
import WidgetPlatform

/// The process that stores notices of the desktop while no page is open, which systemd starts.
struct KeepNoticesCommand: Command {
  static let name = "keep-notices"
  static let syntax = CommandSyntax<KeepNoticesCommand>(
    name,
    "store the notices of the desktop",
    expected: "nothing; “today notices on” lets systemd start this command",
    isHidden: true
  )

  var options = CommonOptions()

  func run() async throws(CommandError) -> ExitCode {
    let desktop = DesktopNotices(options, options.readSettings())
    guard desktop.canStart else {
      throw .unavailable(
        "there is no session bus, or notice-agent, which comes with today, is missing"
      )
    }
    desktop.onFault = { StandardStreams.writeError($0.description) }
    desktop.onState = { state, words in
      if state == .absent { StandardStreams.writeError(words) }
    }
    desktop.start()
    // Until a signal ends it; the agent ends with it.
    while true {
      try? await Task.sleep(for: .seconds(86_400))
      withExtendedLifetime(desktop) {}
    }
  }
}

extension DesktopNotices {
  /// Those of the desktop of the user.
  convenience init(_ options: CommonOptions, _ settings: Settings) {
    self.init(
      NoticeStore(StateFolders(environment: options.environment), settings: settings.notices),
      environment: options.environment,
      executable: HostProcess.executablePath(),
      version: HostVersion.current,
      mayOwn: settings.notices.ownsDesktop
    )
  }
}
