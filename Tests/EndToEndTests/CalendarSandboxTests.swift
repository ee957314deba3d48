import Foundation
import Testing
import WidgetTestSupport

/// The calendar in the sandbox, which it is in with the setting `required`.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .enabled(if: FullSandbox.isThere, "bubblewrap or curl is missing, or makes no sandbox here"),
  .timeLimit(.minutes(5))
)
struct CalendarSandboxTests {
  private func calendar(_ settings: String) throws -> String {
    let world = try TestWorld()
    try world.write("p\"a\\ss wörd", to: "\(world.path)/password")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: "\(world.path)/password"
    )
    let settings = settings.replacing("FOLDER", with: world.path)
    try world.saveConfiguration(
      "{ sandbox: 'required', widgets: { 'org.today.Calendar': \(settings) } }"
    )
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/mine",
      withIntermediateDirectories: true
    )
    try world.write(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY\nSUMMARY:Feed the cat\n"
        + "END:VEVENT\nEND:VCALENDAR\n",
      to: "\(world.path)/mine/mine.ics"
    )
    let arguments = ["snapshot", "Calendar", "--width", "60"]
    let run = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments + ["--widgets", BundledWidgets.path ?? "/nowhere"],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    return run.outputText + run.errorText
  }

  @Test func `a folder of the settings is read in the sandbox`() throws {
    let shown = try calendar("{ folder: 'FOLDER/mine' }")
    #expect(shown.contains("Feed the cat"), "\(shown)")
  }

  @Test(arguments: [("ics", "/good.ics", "From the server"), ("caldav", "/dav/", "Tea & cake")])
  func `a calendar of a server is read in the sandbox`(
    kind: String,
    path: String,
    words: String
  ) throws {
    let server = try CalendarServerProcess()
    defer { server.end() }
    let login = "username: 'ida', password: { file: 'FOLDER/password' }"
    let url = "http://\(server.address)\(path)"
    let shown = try calendar("{ url: '\(url)', urlType: '\(kind)', \(login) }")
    #expect(shown.contains(words), "\(shown)")
  }
}

/// A server of calendars on an address that a network of its own reaches too.
private struct CalendarServerProcess {
  let address: String
  private let process = Process()
  private let input = Pipe()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B",
      URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/calendar_server.py").standardized.path,
      "--outside",
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      line += String(decoding: data, as: UTF8.self)
    }
    let words = line.split { $0.isWhitespace }
    address = try #require(words.count == 3 ? "\(words[2]):\(words[0])" : nil, "it said: \(line)")
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
