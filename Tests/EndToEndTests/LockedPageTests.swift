import FoundationEssentials
import Testing
import WidgetTestSupport

/// A locked page of the bundled widgets and of a script, each with texts of its user.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct LockedPageTests {
  /// A word of the user that each widget shows.
  private static let secret = "zanzibar"

  /// A home in which what the widgets show has the word.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    let word = Self.secret
    let files = FileManager.default
    for folder in ["data/today/calendars", "config/today/scripts", "home/\(word)/.git"] {
      try files.createDirectory(
        atPath: "\(world.path)/\(folder)",
        withIntermediateDirectories: true
      )
    }
    try world.write("Buy \(word)\n", to: "\(world.path)/home/todo.txt")
    try world.write("\(word)\n", to: "\(world.path)/home/notes.txt")
    try world.write(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//test//EN
      BEGIN:VEVENT
      UID:1
      DTSTART;VALUE=DATE:20200101
      RRULE:FREQ=DAILY
      SUMMARY:\(word)
      END:VEVENT
      END:VCALENDAR

      """.replacing("\n", with: "\r\n"),
      to: "\(world.path)/data/today/calendars/own.ics"
    )
    _ = try world.installed(["post", word, word, "--app", word])
    let script = "\(world.path)/config/today/scripts/own.1m.sh"
    try world.write("#!/bin/sh\necho \(word)\n", to: script)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try world.saveConfiguration(
      """
      { widgets: {
        "org.today.Git": { repositories: ["~/\(word)"] },
        "org.today.Notes": { file: "~/notes.txt" },
        "org.today.Feeds": { feeds: ["file:///\(word)", "http://127.0.0.1:9/\(word)"] },
        "org.today.Clock": { zones: ["\(word)"] },
        "org.today.Fortune": { file: "~/\(word)" } } }
      """
    )
    return world
  }

  /// What a picture shows that is neither a frame with a name, nor the first or the last line.
  private func texts(_ rows: some Sequence<some StringProtocol>) -> [String] {
    rows.filter { row in
      row.contains { !" │╭╮╰╯─".contains($0) } && !row.contains("╭") && !row.contains("╮")
    }.map { String($0) }
  }

  @Test func `today snapshot --locked prints the names of all widgets and of a script alone`()
    throws
  {
    let world = try world()
    let open = try world.installed(["snapshot", "--all", "--width", "60"])
    #expect(open.outputText.contains(Self.secret), "\(open.outputText)")
    for format in [["--format", "text"], ["--format", "json"], ["--plain"], ["--cached"]] {
      let run = try world.installed(["snapshot", "--all", "--locked", "--width", "60"] + format)
      #expect(!run.outputText.contains(Self.secret), "\(run.outputText)")
      #expect(!run.errorText.contains(Self.secret), "\(run.errorText)")
      #expect(run.outputText.contains("Reminders") && run.outputText.contains("Mail"))
    }
    let run = try world.installed(["snapshot", "--all", "--locked", "--width", "60"])
    let rows = run.outputText.split(separator: "\n").dropFirst()
    #expect(texts(rows) == [], "\(run.outputText)")
  }

  @Test func `nothing of the widgets is on a page that L has locked, in none of its modes`() throws
  {
    let world = try world()
    for widget in ["Notes", "Feeds", "Git", "Mail", "Timer", "own"] {
      _ = try world.installed(["add", widget])
    }
    let terminal = try world.openInstalledPage()
    try terminal.wait(for: "the texts") { screen in
      screen.rows.count { $0.contains(Self.secret) } >= 4
    }
    try terminal.type("/\(Self.secret)\r")
    try terminal.settle()
    try terminal.type("L")
    try terminal.wait(for: "the names alone") {
      !$0.contains(Self.secret) && $0.contains(" Reminders ─") && $0.contains("L unlock")
    }
    #expect(texts(terminal.screen.rows.dropFirst().dropLast()) == [])
    // The inspector and its leaves, one card alone, the palette, letters, finding, edit mode and settings.
    for keys in [
      "i", "\t", "\t", "\u{1B}", "z", "m", "z", ":\(Self.secret.prefix(3))", "\u{1B}", "f", "e",
      ",",
      "u", "y", "r", "R", "\r", "\t",
    ] {
      if keys == "\u{1B}" { try terminal.press(.escape) } else { try terminal.type(keys) }
      try terminal.settle()
      #expect(!terminal.screen.contains(Self.secret), "after \(keys)")
    }
    try terminal.type("e")
    try terminal.waitForText("The page is locked. L unlocks it.")
    try terminal.type("L")
    try terminal.waitForText("Buy \(Self.secret)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
