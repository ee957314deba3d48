import WidgetExtensions
import WidgetKitCore
import WidgetSessions

/// The settings of deadlines, restarts and updates.
nonisolated enum TimeTable {
  /// All of them: deadlines, restarts, and the schedule of updates.
  static let all: [Setting] = [
    Setting(
      "deadlines.initializeSeconds",
      .seconds(0.1...600),
      \.policy.initialize,
      .nextStart,
      "answer to `initialize`"
    ),
    Setting(
      "deadlines.widgetMarginInsetsSeconds",
      .seconds(0.1...60),
      \.policy.widgetMarginInsets,
      .nextStart,
      "answer to `widgetMarginInsets`"
    ),
    Setting(
      "deadlines.viewWillAppearSeconds",
      .seconds(0.1...60),
      \.policy.viewWillAppear,
      .nextStart,
      "the live view; meanwhile the snapshot is shown"
    ),
    Setting(
      "deadlines.viewWillDisappearSeconds",
      .seconds(0.1...60),
      \.policy.viewWillDisappear,
      .nextStart,
      "saving state"
    ),
    Setting(
      "deadlines.widgetPerformUpdateSeconds",
      .seconds(1...3600),
      \.policy.widgetPerformUpdate,
      .nextStart,
      "an update; after it, the update has failed"
    ),
    Setting(
      "deadlines.shutdownSeconds",
      .seconds(0.1...60),
      \.policy.shutdown,
      .nextStart,
      "exit after `shutdown`, before SIGTERM"
    ),
    Setting(
      "deadlines.terminateSeconds",
      .seconds(0.1...60),
      \.policy.terminate,
      .nextStart,
      "exit after SIGTERM, before SIGKILL"
    ),
    Setting(
      "deadlines.activityGraceSeconds",
      .seconds(0...600),
      \.policy.activityGrace,
      .nextStart,
      "expiring activities after the view has gone"
    ),
    Setting(
      "deadlines.idleSeconds",
      .seconds(1...86_400),
      \.policy.idle,
      .nextStart,
      "how long a widget stays suspended before it is terminated"
    ),
    Setting(
      "restarts.longestPauseSeconds",
      .seconds(0...3600),
      \.policy.restarts.longestPause,
      .nextStart,
      "longest pause between two starts of a failing widget"
    ),
    Setting(
      "restarts.failureLimit",
      .whole(1...1_000),
      \.policy.restarts.failureLimit,
      .nextStart,
      "failures after which a widget is stopped"
    ),
    Setting(
      "restarts.windowSeconds",
      .seconds(1...86_400),
      \.policy.restarts.window,
      .nextStart,
      "period in which failures count"
    ),
    Setting(
      "restarts.forgivenessSeconds",
      .seconds(1...86_400),
      \.policy.restarts.forgiveness,
      .nextStart,
      "time without a failure after which earlier failures no longer count"
    ),
    Setting(
      "schedule.floorSeconds",
      .seconds(1...86_400),
      \.schedule.floor,
      .atOnce,
      "shortest time between two scheduled updates of a visible card"
    ),
    Setting(
      "schedule.hiddenFloorSeconds",
      .seconds(1...86_400),
      \.schedule.hiddenFloor,
      .atOnce,
      "the same for a card that is not visible"
    ),
    Setting(
      "schedule.hiddenBudget",
      .whole(0...100_000),
      \.schedule.hiddenBudget,
      .atOnce,
      "scheduled updates per 24 hours of a card that is not visible, spread over the day; 0 for none"
    ),
    Setting(
      "schedule.standardIntervalSeconds",
      .seconds(1...604_800),
      \.schedule.standardInterval,
      .atOnce,
      "interval of a widget that requests none"
    ),
    Setting(
      "schedule.longestIntervalSeconds",
      .seconds(60...31_536_000),
      \.schedule.longestInterval,
      .atOnce,
      "the longest interval that a widget may request"
    ),
    Setting(
      "schedule.savePower",
      .truth,
      \.schedule.savesPower,
      .atOnce,
      "whether the intervals of cards that are not visible double while the machine is on a battery, and after 30 minutes without a key or a click"
    ),
  ]
}
