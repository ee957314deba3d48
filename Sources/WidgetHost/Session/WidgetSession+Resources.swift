/// What ``ResourceWatch`` asks and tells a session.
extension WidgetSession: ResourceUser {
  var hasProcess: Bool { state.hasProcess }
  var isAtRest: Bool { state.isAtRest }
  var isAtWork: Bool { state.isAtWork }
  var isSuspended: Bool { state.rest == .suspended }

  func note(_ finding: ResourceFinding) {
    handle(.found(finding))
  }
}
