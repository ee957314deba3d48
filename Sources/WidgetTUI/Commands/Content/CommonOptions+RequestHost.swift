import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

extension CommonOptions {
  /// What starts the bundles of share extensions and actions.
  ///
  /// - Parameters:
  ///   - settings: The settings of the user.
  ///   - isBesidePage: Whether this program has a page, which has prepared its control groups.
  /// - Returns: The host.
  /// - Throws: ``CommandError`` if the trace of the messages cannot be written.
  func requestHost(
    _ settings: Settings,
    isBesidePage: Bool = false
  ) throws(CommandError) -> RequestHost {
    var configuration = CenterConfiguration(
      environment: environment,
      executablePath: HostProcess.executablePath()
    )
    settings.apply(to: &configuration)
    if settings.usesControlGroups, !isBesidePage { ControlGroups.divideOwn() }
    configuration.widgetFolders = widgetFolders
    configuration.tracePath = tracePath
    configuration.schedulesUpdates = false
    return try CommandError.from { () throws(HostError) in try RequestHost(configuration) }
  }
}
