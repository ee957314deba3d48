import FoundationEssentials
import Testing
import WidgetTestSupport

/// The settings of the calendar that ships with the program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5))
)
struct CalendarSettingsTests {
  private func run(_ arguments: [String], in world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments + ["--widgets", BundledWidgets.path ?? "/nowhere"],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  private func calendar(_ world: TestWorld) throws -> String {
    try run(["snapshot", "Calendar", "--width", "60"], in: world).outputText
  }

  @Test func `the folder of the settings is read, and a missing one is named`() throws {
    let world = try TestWorld()
    let folder = "\(world.path)/my calendars"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let event = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//test//EN
      BEGIN:VEVENT
      UID:1
      DTSTAMP:20200101T000000Z
      DTSTART;VALUE=DATE:20200101
      RRULE:FREQ=DAILY
      SUMMARY:Feed the cat
      END:VEVENT
      END:VCALENDAR

      """
    try world.write(event.replacing("\n", with: "\r\n"), to: "\(folder)/mine.ics")
    #expect(try !calendar(world).contains("Feed the cat"))
    let set = try run(["settings", "Calendar", "folder", folder], in: world)
    #expect(set.status == .exited(code: 0), "\(set.errorText)")
    let shown = try calendar(world)
    #expect(shown.contains("Today") && shown.contains("Feed the cat"), "\(shown)")
    _ = try run(["settings", "Calendar", "folder", "\(folder)/none"], in: world)
    let missing = try calendar(world)
    #expect(!missing.contains("Feed the cat"), "\(missing)")
    #expect(missing.contains("There is no folder"), "\(missing)")
  }

  @Test func `a first day of the week that is none is refused`() throws {
    let world = try TestWorld()
    let set = try run(["settings", "Calendar", "weekStart", "sunday"], in: world)
    #expect(set.status == .exited(code: 0), "\(set.errorText)")
    let wrong = try run(["settings", "Calendar", "weekStart", "friday"], in: world)
    #expect(wrong.status != .exited(code: 0) && wrong.errorText.contains("monday"))
  }
}
