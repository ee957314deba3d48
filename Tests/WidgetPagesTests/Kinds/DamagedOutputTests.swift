import Testing
import WidgetKitCore

@testable import WidgetScripts

/// What programs print that is nearly of its format.
@Suite struct `Damaged output of a script` {
  @Test func `of Prometheus keeps a backslash that is not escaped`() {
    let text = #"""
      m{a="C:\Windows\new\\x\"",b="1"} 1
      m{a="\q",b="2"} 2

      """#
    let samples = PrometheusText(text).samples
    #expect(samples.map { $0.labels["a"] } == ["C:\\Windows\new\\x\"", "\\q"])
  }
}
