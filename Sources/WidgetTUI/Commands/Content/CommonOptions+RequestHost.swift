import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

extension CommonOptions {
  /// What starts the bundles of share extensions and actions.
  ///
  /// - Throws: ``CommandError`` if the trace of the messages cannot be written.
  func requestHost(_ settings: Settings) throws(CommandError) -> RequestHost {
    var configuration = CenterConfiguration(
      environment: environment,
      executablePath: HostProcess.executablePath()
    )
    settings.apply(to: &configuration)
    if settings.usesControlGroups { ControlGroups.divideOwn() }
    configuration.widgetFolders = widgetFolders
    configuration.tracePath = tracePath
    configuration.schedulesUpdates = false
    return try CommandError.from { () throws(HostError) in try RequestHost(configuration) }
  }
}
