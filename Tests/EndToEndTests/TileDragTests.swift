import Testing
import WidgetTestSupport

/// Tiles, which stand side by side in a strip, under the mouse.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TileDragTests {
  @Test func `a tile is dragged along its strip, and to the strip below, and stays there`() throws {
    let world = try TestWorld()
    let names = ["Ant", "Bee", "Cow", "Dog", "Eel", "Fox", "Gnu", "Hen"]
    for name in names { try world.script("\(name).sh", "echo \(name) is well") }
    for name in names {
      #expect(try world.installed(["add", "script.\(name)"]).status == .exited(code: 0))
    }
    // Nothing else moves the tiles while the pointer is on its way: no card that gets its first content, no glide.
    try world.saveConfiguration("{ motion: false }")
    for line in try world.installed(["list"]).outputText.split(separator: "\n") {
      guard let id = line.split(separator: " ").first, !id.hasPrefix("script."),
        !line.contains(" available ")
      else { continue }
      #expect(try world.installed(["remove", String(id)]).status == .exited(code: 0))
    }
    let program = ProgramDescription(
      BuiltProgram.path ?? "",
      [],
      environment: world.environment(),
      directory: world.path
    )
    let terminal = try PseudoTerminal(program, columns: 120, rows: 40)
    /// The tiles in the order in which they stand, row by row; nil while one is missing.
    func order(_ screen: TestScreen) -> [String]? {
      let places = names.compactMap { name in
        screen.position(of: "\(name) is well").map { (name, $0.row, $0.column) }
      }
      guard places.count == names.count else { return nil }
      return places.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
    }
    try terminal.wait(for: "all tiles") { order($0) != nil }
    let start = try #require(order(terminal.screen))
    let rows = names.compactMap { terminal.screen.position(of: "\($0) is well")?.row }
    #expect(Set(rows).count < names.count)
    try terminal.type("e")
    try terminal.waitForText("[ Done ]")
    // Along the strip.
    try terminal.drag("\(start[0]) is well", to: "\(start[2]) is well")
    try terminal.wait(for: "another order") { screen in
      order(screen).map { $0 != start && $0.firstIndex(of: start[0]) == 2 } ?? false
    }
    // To another strip: the last one comes to the front.
    let second = try #require(order(terminal.screen))
    try terminal.drag("\(second[7]) is well", to: "\(second[0]) is well")
    try terminal.wait(for: "the last one in front") { order($0)?.first == second[7] }
    let third = try #require(order(terminal.screen))
    // A tile that is let go where it was stays.
    try terminal.drag("\(third[1]) is well", to: "\(third[1]) is well")
    try terminal.click("[ Done ]")
    try terminal.wait(for: "the end of the mode") { !$0.contains("[ Done ]") }
    #expect(order(terminal.screen) == third)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let again = try PseudoTerminal(program, columns: 120, rows: 40)
    try again.wait(for: "the same order after a restart") { order($0) == third }
    try again.type("q")
    #expect(try again.waitForEnd() == .exited(code: 0))
  }
}
