import Glibc
import WidgetPlatform

/// Looks at the services that publish pages.
enum PublishDiagnosis {
  /// What there is to say of them; nothing if no page is published by a service.
  static func findings(environment: [String: String]) async -> [Finding] {
    var findings: [Finding] = []
    for unit in PublishUnit.installed(environment: environment) {
      let finding = finding(unit.name, await unit.state(), program: unit.installedProgram)
      findings.append(finding)
    }
    return findings
  }

  /// What there is to say of a service in a state that starts `program`.
  static func finding(_ name: String, _ state: UserUnits.State, program: String?) -> Finding {
    let isThere = program.map { unsafe access($0, X_OK) == 0 } ?? false
    guard isThere else {
      return Finding(
        .publishing,
        .wrong,
        "\(name) starts \(program ?? "nothing"), which cannot be run",
        advice: "run “today publish PAGE --to PLACE on” again"
      )
    }
    switch state {
    case .on: return Finding(.publishing, .ok, "\(name) runs")
    case .off:
      return Finding(
        .publishing,
        .wrong,
        "\(name) is installed and does not run",
        advice: "“journalctl --user -u \(name)” says why"
      )
    case .silent, .unavailable:
      return Finding(
        .publishing,
        .warning,
        "\(name) is installed, and systemctl --user does not answer",
        advice: "check whether the session bus works (DBUS_SESSION_BUS_ADDRESS)"
      )
    }
  }
}
