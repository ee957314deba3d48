import FoundationEssentials
import WidgetKitCore
import WidgetPages
import WidgetTesting

@testable import WidgetTUI

/// A dashboard with folders of its own, on a screen without a terminal, with a clock that the test advances.
final class DashboardWorld {
  let folder = "/tmp/today-dashboard-\(UInt64.random(in: 0 ... .max))"
  let clock = VirtualClock()
  let screen: FakeScreen
  let dashboard: Dashboard
  private(set) var hasEnded = false

  /// Opens it; `configure` may change what the page is made with.
  init(
    settings: String = "{}",
    size: Size = Size(columns: 60, rows: 20),
    _ configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws {
    for name in ["widgets", "home/.config/today"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try Data(settings.utf8).write(to: URL(filePath: "\(folder)/home/.config/today/config.json"))
    screen = FakeScreen(size)
    var configuration = CenterConfiguration(
      environment: ["HOME": "\(folder)/home", "TZ": "UTC"],
      executablePath: "\(folder)/bin/today"
    )
    configuration.widgetFolders = ["\(folder)/widgets"]
    configuration.clock = clock
    configure(&configuration)
    dashboard = try Dashboard(
      configuration,
      user: UserConfiguration(environment: configuration.environment),
      searchedFolders: [],
      screen: screen,
      events: screen
    )
    if configuration.role == .viewer { dashboard.center.load() }
    dashboard.run { [weak self] in self?.hasEnded = true }
    clock.advance(by: .seconds(1))
  }

  isolated deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Types a key, and lets a tenth of a second pass.
  func type(_ key: Key) {
    screen.type(key)
    clock.advance(by: .milliseconds(100))
  }
}
