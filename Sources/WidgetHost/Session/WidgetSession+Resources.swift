/// What ``ResourceWatch`` asks and tells a session.
extension WidgetSession: ResourceUser {
  var hasProcess: Bool { state.hasProcess }
  var isAtRest: Bool { state.isAtRest }
  var isAtWork: Bool { state.isAtWork }
  var isSuspended: Bool { state.rest == .suspended }

  func note(_ finding: ResourceFinding) {
    switch finding {
    case .memory(let bytes): handle(.memory(bytes))
    case .processes(let count): handle(.processes(count))
    case .storage(let bytes): handle(.storage(bytes))
    case .release(let reason): handle(.release(reason))
    }
  }
}
