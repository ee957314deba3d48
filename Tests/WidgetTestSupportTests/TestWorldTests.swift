import Testing
import WidgetTestSupport

@Suite(.timeLimit(.minutes(5)))
struct TestWorldTests {
  @Test func `a process of the test world is found until it has ended`() throws {
    let world = try TestWorld(fixtures: ["Ticking"])
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "\(world.widgets)/Ticking.widget/ticking",
        environment: world.environment()
      )
    )
    try terminal.waitForText("tick 1")
    let found = ProcessList.entries(naming: world.path)
    #expect(found.map(\.pid) == [terminal.pid])
    terminal.signal(9)
    #expect(world.processesLeft() == [])
  }

  @Test func `the environment has no other home`() throws {
    let world = try TestWorld()
    let variables = world.environment(term: nil)
    #expect(variables["TERM"] == nil)
    for (name, value) in variables where name.hasPrefix("XDG_") || name == "HOME" {
      #expect(value.hasPrefix(world.path))
    }
  }
}

@Suite struct TestSurroundingsTests {
  @Test func `a seed gives the same surroundings each time, and zero the usual ones`() {
    let seeds = (UInt64(1)...100).map { TestSurroundings(seed: $0) }
    #expect(seeds == (UInt64(1)...100).map { TestSurroundings(seed: $0) })
    #expect(Set(seeds).count > 20)
    let usual = TestSurroundings(seed: 0)
    #expect(usual.locale == "C.UTF-8" && usual.zone == "UTC" && usual.term == "xterm-256color")
  }

  @Test func `a program gets the surroundings of the run`() throws {
    let environment = try TestWorld().environment()
    #expect(environment["LANG"] == TestSurroundings.current.locale)
    #expect(environment["TZ"] == TestSurroundings.current.zone)
    #expect(environment["TERM"] == TestSurroundings.current.term)
  }
}
