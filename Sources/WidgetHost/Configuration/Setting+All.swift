import WidgetKitCore

/// All settings; Docs/Configuration.md lists them with their defaults, and a test holds the two
/// against each other.
nonisolated extension Setting {
  static var all: [Setting] {
    limits + memory + deadlines + restarts + schedule + [
      .truth("developer", \.schedule.isDeveloper)
    ]
  }

  private static var limits: [Setting] {
    [
      .count("limits.lineBytes", 1024...16 << 20, \.limits.lineBytes),
      .count("limits.jsonDepth", 8...256, \.limits.jsonDepth),
      .count("limits.viewDepth", 4...64, \.limits.view.depth),
      .count("limits.viewNodes", 16...65_536, \.limits.view.nodes),
      .count("limits.gridRows", 1...10_000, \.limits.view.gridRows),
      .count("limits.gridColumns", 1...1_000, \.limits.view.gridColumns),
      .count("limits.textBytes", 64...1 << 20, \.limits.view.textBytes),
      .rate("limits.inputBytesPerSecond", 1024...1e9, \.limits.inputBytesPerSecond),
      .rate("limits.inputBurstBytes", 1024...1e9, \.limits.inputBurstBytes),
      .seconds("limits.inputEnduranceSeconds", 1...600, \.limits.inputEndurance),
      .rate("limits.picturesPerSecond", 1...120, \.limits.picturesPerSecond),
      .count("limits.queuedMessages", 4...10_000, \.limits.queuedMessages),
      .count("limits.queuedBytes", 4096...64 << 20, \.limits.queuedBytes),
      .count("limits.openRequests", 1...1_000, \.limits.openRequests),
      .count("limits.protocolErrorsPerMinute", 0...1_000, \.policy.protocolErrorsPerMinute),
      .count("limits.bodyRows", 4...1_000, \.limits.bodyRows),
      .count("limits.openPresses", 1...100, \.policy.openPresses),
      .count("limits.openActivities", 0...100, \.policy.openActivities),
      .count("limits.urlBytes", 64...65_536, \.limits.urlBytes),
      .count("limits.urlHops", 1...100, \.limits.urlHops),
      .seconds("limits.openURLSeconds", 0...3600, \.limits.openURLPause),
      .seconds("limits.heightChangeSeconds", 0...60, \.limits.heightPause),
      .count("limits.processes", 1...10_000, \.limits.resources.processes),
      .bytes("limits.containerBytes", 4096...1 << 40, \.limits.resources.containerBytes),
      .count("limits.widgets", 1...10_000, \.limits.bundles.widgets),
      .count("limits.bundles", 1...100_000, \.limits.bundles.bundles),
      .count("limits.propertyListBytes", 1024...16 << 20, \.limits.bundles.propertyListBytes),
      .count("limits.errorRingBytes", 1024...16 << 20, \.limits.errorRingBytes),
      .count("limits.logBytes", 4096...1 << 30, \.limits.logBytes),
      .count("limits.logLinesPerSecond", 1...10_000, \.limits.logLinesPerSecond),
    ]
  }

  private static var memory: [Setting] {
    [
      .bytes("memory.softBytes", 1 << 20...64 << 30, \.limits.resources.memory.softBytes),
      .bytes("memory.hardBytes", 1 << 20...64 << 30, \.limits.resources.memory.hardBytes),
      .bytes("memory.pageBytes", 1 << 20...256 << 30, \.limits.resources.memory.pageBytes),
      .bytes("memory.addressSpaceBytes", 32 << 20...1 << 40, \.limits.process.memoryBytes),
      .bytes("memory.fileBytes", 4096...1 << 40, \.limits.process.fileBytes),
      .bytes("memory.descriptors", 16...65_536, \.limits.process.descriptors),
    ]
  }

  private static var deadlines: [Setting] {
    [
      .seconds("deadlines.initializeSeconds", 0.1...600, \.policy.initialize),
      .seconds("deadlines.widgetMarginInsetsSeconds", 0.1...60, \.policy.widgetMarginInsets),
      .seconds("deadlines.viewWillAppearSeconds", 0.1...60, \.policy.viewWillAppear),
      .seconds("deadlines.viewWillDisappearSeconds", 0.1...60, \.policy.viewWillDisappear),
      .seconds("deadlines.widgetPerformUpdateSeconds", 1...3600, \.policy.widgetPerformUpdate),
      .seconds("deadlines.shutdownSeconds", 0.1...60, \.policy.shutdown),
      .seconds("deadlines.terminateSeconds", 0.1...60, \.policy.terminate),
      .seconds("deadlines.activityGraceSeconds", 0...600, \.policy.activityGrace),
      .seconds("deadlines.idleSeconds", 1...86_400, \.policy.idle),
    ]
  }

  private static var restarts: [Setting] {
    [
      .seconds("restarts.longestPauseSeconds", 0...3600, \.policy.restarts.longestPause),
      .count("restarts.failureLimit", 1...1_000, \.policy.restarts.failureLimit),
      .seconds("restarts.windowSeconds", 1...86_400, \.policy.restarts.window),
      .seconds("restarts.forgivenessSeconds", 1...86_400, \.policy.restarts.forgiveness),
    ]
  }

  private static var schedule: [Setting] {
    [
      .seconds("schedule.floorSeconds", 1...86_400, \.schedule.floor),
      .seconds("schedule.hiddenFloorSeconds", 1...86_400, \.schedule.hiddenFloor),
      .count("schedule.hiddenBudget", 0...100_000, \.schedule.hiddenBudget),
      .seconds("schedule.standardIntervalSeconds", 1...604_800, \.schedule.standardInterval),
      .seconds("schedule.longestIntervalSeconds", 60...31_536_000, \.schedule.longestInterval),
    ]
  }
}
