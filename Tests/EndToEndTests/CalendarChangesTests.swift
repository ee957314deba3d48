import FoundationEssentials
import Testing
import WidgetTestSupport

/// Changes of .ics files, which are on the page within a second.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5))
)
struct CalendarChangesTests {
  private func file(_ summary: String) -> String {
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY\n"
      + "SUMMARY:\(summary)\nEND:VEVENT\nEND:VCALENDAR\n"
  }

  private func page(_ world: TestWorld, sandbox: String, settings: String) throws -> PseudoTerminal
  {
    try world.saveConfiguration(
      "{ sandbox: '\(sandbox)', pages: [{ name: 'Home', cards: ['org.today.Calendar'] }], "
        + "widgets: { 'org.today.Calendar': \(settings) } }"
    )
    return try world.openInstalledPage()
  }

  /// Changes files of a folder in all ways, and returns how long each took to be on the page.
  private func changes(_ terminal: PseudoTerminal, in folder: String) throws -> [Duration] {
    func time(_ words: String, isThere: Bool = true, _ change: () throws -> Void) throws -> Duration
    {
      let start = ContinuousClock.now
      try change()
      try terminal.wait(for: "\(words): \(isThere)") { $0.contains(words) == isThere }
      return .now - start
    }
    func write(_ summary: String, to name: String) throws {
      try Data(file(summary).utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    func replace(_ summary: String, _ name: String) throws {
      try write(summary, to: "\(name).part")
      _ = try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      try FileManager.default.moveItem(
        atPath: "\(folder)/\(name).part",
        toPath: "\(folder)/\(name)"
      )
    }
    return [
      try time("Water the plants") { try write("Water the plants", to: "a.ics") },
      try time("Feed the fish") { try write("Feed the fish", to: "b.ics") },
      try time("Call the vet") {
        try Data(file("Call the vet").utf8).write(
          to: URL(filePath: "\(folder)/a.ics"),
          options: .atomic
        )
      },
      try time("Buy some hay") { try replace("Buy some hay", "a.ics") },
      try time("Feed the fish", isThere: false) {
        try FileManager.default.removeItem(atPath: "\(folder)/b.ics")
      },
    ]
  }

  private func check(sandbox: String) throws {
    let world = try TestWorld()
    let folder = "\(world.path)/mine"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(file("Feed the cat"), to: "\(folder)/a.ics")
    let terminal = try page(world, sandbox: sandbox, settings: "{ folder: '\(folder)' }")
    try terminal.waitForText("Feed the cat")
    let times = try changes(terminal, in: folder)
    // Files are looked at each minute, too; a machine under load delays some of the changes.
    #expect(times.filter { $0 < .seconds(1) }.count >= 2, "\(times)")
    #expect(terminal.screen.contains("Buy some hay") && !terminal.screen.contains("Feed the cat"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `new, changed, replaced and removed files are on the page within a second`() throws {
    try check(sandbox: "auto")
  }

  @Test(.enabled(if: FullSandbox.isThere, "bubblewrap is missing, or makes no sandbox here"))
  func `the same in the sandbox`() throws {
    try check(sandbox: "required")
  }

  @Test func `a folder that is made while the page is open is on it`() throws {
    let world = try TestWorld()
    let terminal = try page(world, sandbox: "auto", settings: "{}")
    try terminal.waitForText(".ics files go to")
    let folder = "\(world.path)/data/today/calendars"
    let start = ContinuousClock.now
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(file("Feed the cat"), to: "\(folder)/a.ics")
    try terminal.waitForText("Feed the cat")
    #expect(.now - start < .seconds(5))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
