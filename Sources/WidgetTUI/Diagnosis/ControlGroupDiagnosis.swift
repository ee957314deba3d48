import WidgetKitCore
import WidgetPlatform

/// Whether widgets get control groups, found as the dashboard finds it.
enum ControlGroupDiagnosis {
  static func finding(isWanted: Bool, environment: [String: String]) async -> Finding {
    guard isWanted else {
      return Finding(.sandbox, .ok, "no control groups, as the setting “controlGroups” is false")
    }
    await withCheckedContinuation { continuation in
      ControlGroupScope.prepare(environment: environment) { continuation.resume() }
    }
    return Finding(.sandbox, .ok, "control groups of widgets: \(ControlGroups.words)")
  }
}
