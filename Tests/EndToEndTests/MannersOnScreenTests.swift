import Testing
import WidgetTestSupport

/// Terminals that can show little.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct MannersOnScreenTests {
  @Test func `a locale without UTF-8 has a page in ASCII`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(variables: ["LANG": "C", "LC_ALL": "C"])
    try terminal.waitForText("updates: 1")
    try terminal.type("i")
    try terminal.waitForText("Inspector")
    try terminal.type("q?")
    try terminal.waitForText("Keys")
    try terminal.type("qq")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.screen.bytes.allSatisfy { $0 < 0x80 })
  }
}
