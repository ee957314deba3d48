import Testing
import WidgetKitCore

@testable import WidgetScripts

@Suite nonisolated struct ScriptVariablesTests {
  private func script(_ format: ScriptFormat) -> ScriptProgram {
    var options = ScriptOptions()
    options.format = format
    return ScriptProgram(path: "/plugins/a.1m.sh", options: options)
  }

  @Test(arguments: [
    (UpdateReason.appear, true, "FirstLaunch"), (.schedule, true, "FirstLaunch"),
    (.appear, false, "MenuOpen"), (.schedule, false, "Schedule"),
    (.user, false, "RefreshAllMenu"), (.user, true, "RefreshAllMenu"),
    (.event, false, "URLScheme"),
  ])
  func `a plugin of SwiftBar is told why it runs`(
    reason: UpdateReason,
    isFirst: Bool,
    words: String
  ) {
    let variables = script(.swiftbar).variables(for: reason, isFirst: isFirst)
    #expect(variables == ["SWIFTBAR_PLUGIN_REFRESH_REASON": words])
  }

  @Test func `after a press it is told so, and other scripts are told nothing`() {
    #expect(
      script(.swiftbar).variablesOfPress == ["SWIFTBAR_PLUGIN_REFRESH_REASON": "MenuAction"]
    )
    for format in [ScriptFormat.xbar, .argos, .text] {
      #expect(script(format).variables(for: .user, isFirst: false).isEmpty)
      #expect(script(format).variablesOfPress.isEmpty)
    }
  }
}
