import FoundationEssentials
import Testing
import WidgetTestSupport

@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DashboardTests {
  @Test func `the first picture is the card with its heading`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("All is well")
    try terminal.waitForText("updates: 1")
    let screen = terminal.screen
    let heading = try #require(screen.row(of: "Good"))
    let body = try #require(screen.row(of: "All is well"))
    #expect(heading < body)
    #expect(screen.isAlternate)
    #expect(!screen.isCursorVisible)
    #expect(screen.reportsMouse)
    #expect(screen.bellCount == 0)
  }

  @Test func `More grows the card by steps that never go back`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    try terminal.press(.tab)
    try terminal.press(.enter)
    var heights = [0]
    try terminal.wait(for: "all eight rows") { screen in
      let height = screen.rows.count { $0.contains("extra row") }
      heights.append(height)
      return height == 8 && screen.contains("Less")
    }
    #expect(heights == heights.sorted())
  }

  @Test func `a click presses a button and space presses it again`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    try terminal.click("More")
    try terminal.waitForText("extra row 8")
    try terminal.waitForText("Less")
    try terminal.settle()
    try terminal.press(.tab)
    try terminal.type(" ")
    try terminal.wait(for: "the short card") { !$0.contains("extra row") && $0.contains("More") }
  }

  @Test func `a second press during the animation reverses it`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("extra row 1")
    try terminal.press(.enter)
    try terminal.wait(for: "the short card") { !$0.contains("extra row") && $0.contains("More") }
  }

  @Test func `every size lays the page out again`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking"])
    let terminal = try world.openDashboard(columns: 120, rows: 40)
    let wide = { (screen: TestScreen) in
      screen.contains("All is well") && screen.row(of: "tick ") == screen.row(of: "All is well")
    }
    let narrow = { (screen: TestScreen) in
      guard let good = screen.row(of: "All is well"), let ticking = screen.row(of: "tick ")
      else { return false }
      return good != ticking
    }
    try terminal.wait(for: "two columns", until: wide)
    try terminal.resize(columns: 40, rows: 20)
    try terminal.wait(for: "one column", until: narrow)
    let before = terminal.screen.bytes.count
    try terminal.resize(columns: 1, rows: 1)
    try terminal.wait(for: "a picture of one cell") { $0.bytes.count > before }
    try terminal.settle()
    #expect(terminal.status == .running)
    try terminal.resize(columns: 120, rows: 40)
    try terminal.wait(for: "two columns again", until: wide)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: [(1, 1), (2, 2), (20, 5), (400, 120)])
  func `it starts at any size`(columns: Int, rows: Int) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: columns, rows: rows)
    try terminal.wait(for: "a picture") { $0.isAlternate }
    if columns >= 20 { try terminal.waitForText("All is well") }
    try terminal.settle()
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "linux", "vt100"])
  func `it draws on every kind of terminal`(term: String) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(term: term)
    try terminal.waitForText("All is well")
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(terminal.screen.isCursorVisible)
  }

  @Test func `NO_COLOR is without colour, and colour is there without it`() throws {
    for (variables, hasColor) in [(["NO_COLOR": "1"], false), ([:], true)] {
      let world = try TestWorld(fixtures: ["Good"])
      let terminal = try world.openDashboard(variables: variables)
      try terminal.waitForText("updates: 1")
      try terminal.settle()
      let screen = terminal.screen
      let colored = (0..<screen.lineCount).contains { row in
        (0..<screen.columns).contains { column in
          let cell = screen.cell(column: column, row: row)
          return cell.foreground != .standard || cell.background != .standard
        }
      }
      #expect(colored == hasColor, "with \(variables)")
    }
  }

  @Test func `the question mark opens the list of keys, any key closes it`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    let page = terminal.screen.rows
    try terminal.type("?")
    try terminal.wait(for: "the list of keys") { screen in
      zip(page, screen.rows).count { $0 != $1 } > 5 && screen.contains("refresh")
    }
    try terminal.press(.escape)
    try terminal.wait(for: "the page again") { screen in
      zip(page, screen.rows).count { $0 != $1 } < 3 && screen.contains("All is well")
    }
  }

  @Test("ten thousand bundles do not delay the start")
  func manyBundles() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let list = """
      { CFBundleIdentifier = "com.example.broken"; CFBundleExecutable = missing; }
      """
    for number in 0..<10_000 {
      let bundle = "\(world.widgets)/W\(number).widget"
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: false)
      try world.write(list, to: "\(bundle)/Info.plist")
    }
    let run = try world.run(["list"])
    #expect(run.outputText.contains("com.example.fixture.good"))
    #expect(run.errorText.contains("bundles too many; expected at most"))
    let terminal = try world.openDashboard(columns: 80, rows: 24)
    try terminal.waitForText("All is well")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `keys and the wheel scroll a page that is longer than the screen`() throws {
    let world = try TestWorld(fixtures: ["Crashing", "Garbled", "Good", "Silent", "Ticking"])
    let terminal = try world.openDashboard(columns: 40, rows: 8)
    try terminal.wait(for: "the top") { $0.contains("Crashi") }
    try terminal.hold(Key.down.bytes, for: "the ticking card") { $0.contains("tick ") }
    try terminal.hold("k".utf8, for: "the top again") {
      !$0.contains("tick ") && $0.contains("Crashi")
    }
    let turn = terminal.screen.click(.wheelDown, column: 5, row: 4)
    try terminal.hold(turn, for: "the ticking card under the wheel") { $0.contains("tick ") }
  }
}
