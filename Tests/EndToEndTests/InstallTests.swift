import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today install` and `today uninstall` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(1)))
struct InstallTests {
  private let good = "com.example.fixture.good"

  @Test func `without a terminal a bundle is installed only with --yes`() throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    let asked = try world.installed(["install", bundle])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.hasPrefix("Widget \(good) (Good.widget)\n"))
    #expect(asked.errorText == "today: nothing was changed; --yes agrees without a terminal\n")
    #expect(try !world.installed(["list"]).outputText.contains(good))

    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains(good))
    let again = try world.installed(["install", bundle, "--yes"])
    #expect(again.outputText.contains("  replaces "))

    #expect(try world.installed(["uninstall", good]).status == .exited(code: 1))
    #expect(try world.installed(["list"]).outputText.contains(good))
    #expect(try world.installed(["uninstall", good, "--yes"]).status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains(good))
    let gone = try world.installed(["uninstall", good, "--yes"])
    #expect(gone.status == .exited(code: 1))
    #expect(gone.errorText.hasPrefix("today: no widget or app “\(good)” is installed"))
  }

  @Test func `what a widget asks for is said before it is installed`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let bundle = "\(world.path)/widgets/Good.widget"
    try "{ com.apple.security.network.client = YES; }".write(
      toFile: "\(bundle)/Entitlements.plist",
      atomically: true,
      encoding: .utf8
    )
    let asked = try world.installed(["install", bundle])
    #expect(asked.outputText.contains("\n    asks to use the network\n"), "\(asked.outputText)")
    #expect(asked.status == .exited(code: 1))
  }

  @Test(arguments: [
    ["install"], ["install", "a", "b"], ["uninstall"], ["install", "--force", "a"],
  ])
  func `a wrong call is a usage error`(arguments: [String]) throws {
    let world = try TestWorld()
    #expect(try world.installed(arguments).status == .exited(code: 64))
  }
}
