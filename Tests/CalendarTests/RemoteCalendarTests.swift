import Foundation
import Testing

@testable import Calendar
@testable import CalendarFormats

private enum Curl {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
}

/// Calendars of a real server on the loopback, which also breaks off, redirects and lies.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Curl.isInstalled, "curl is not installed"))
final class RemoteCalendarTests {
  private let folder = NSTemporaryDirectory() + "remote-\(UUID().uuidString)"
  private let process = Process()
  private let input = Pipe()
  private let port: String
  private let now = Date(timeIntervalSince1970: 1_795_521_600)  // 24 November 2026, 12:00 UTC

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/calendar_server.py").standardized.path
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B", script]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = String(try #require(line.split(separator: " ").first))
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func calendar(
    _ path: String,
    kind: String = "ics",
    password: String? = nil
  ) throws -> RemoteCalendar {
    try #require(
      RemoteCalendar(
        url: "http://127.0.0.1:\(port)\(path)",
        kind: kind,
        user: password == nil ? nil : "ida",
        password: password,
        cache: folder
      )
    )
  }

  private let password = #"p"a\ss wörd"#

  private func requests() async throws -> [String] {
    let answer = try await CurlRun(url: "http://127.0.0.1:\(port)/requests").run()
    return String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `a file is read, kept, and asked for by its version`() async throws {
    var calendar = try calendar("/good.ics")
    #expect(calendar.file == nil && calendar.trouble == nil)
    let isNew = await calendar.refresh(now: now)
    #expect(isNew)
    #expect(calendar.trouble == nil)
    #expect(calendar.file?.events.map(\.summary) == ["From the server"])
    // Another process has the copy before it has asked.
    var next = try self.calendar("/good.ics")
    #expect(next.file == calendar.file && next.date == now)
    let later = now.addingTimeInterval(600)
    let isChanged = await next.refresh(now: later)
    #expect(!isChanged)
    #expect(next.date == later)
    let third = try self.calendar("/good.ics")
    #expect(third.date == later)
    #expect(
      try await requests() == [
        "GET /good.ics",
        #"GET /good.ics If-None-Match="version 1" If-Modified-Since=Mon, 23 Nov 2026 10:00:00 GMT"#,
      ]
    )
    // The copy of one address is not that of another.
    #expect(try self.calendar("/other.ics").file == nil)
  }

  @Test(
    arguments: [
      ("/private.ics", "the server refuses the user name or the password (401)"),
      ("/none.ics", "the server has no such calendar (404)"),
      ("/error.ics", "the server answered 500"),
      ("/page.ics", "the server sent no calendar (BEGIN:VCALENDAR is missing)"),
      ("/short.ics", "the server broke the connection off"),
      ("/cut.ics", "the server broke the connection off"),
      ("/long.ics", "the calendar is larger than 8 MiB"),
      ("/endless.ics", "the calendar is larger than 8 MiB"),
      ("/loop.ics", "the server redirects too often"),
    ]
  )
  func `what goes wrong is said in words`(path: String, words: String) async throws {
    var calendar = try calendar(path)
    let isChanged = await calendar.refresh(now: now)
    #expect(isChanged)
    #expect(calendar.trouble == words)
    #expect(calendar.file == nil)
  }

  @Test func `a server that does not answer is waited for in vain for a limited time`() async throws
  {
    let run = CurlRun(url: "http://127.0.0.1:\(port)/slow.ics", seconds: 1)
    await #expect(throws: ServerError.late(1)) { try await run.run() }
    let half = CurlRun(url: "http://127.0.0.1:\(port)/trickling.ics", seconds: 1)
    await #expect(throws: ServerError.late(1)) { try await half.run() }
  }

  @Test func `a redirection leads to no file of this machine`() async throws {
    var calendar = try calendar("/file.ics")
    _ = await calendar.refresh(now: now)
    #expect(calendar.file == nil)
    #expect(calendar.trouble?.contains("file") == true)
  }

  @Test func `credentials are sent to the server, and not along to another one`() async throws {
    var calendar = try calendar("/private.ics", password: password)
    _ = await calendar.refresh(now: now)
    #expect(calendar.file?.events.map(\.summary) == ["Private"], "\(calendar.trouble ?? "")")
    var moved = try self.calendar("/elsewhere.ics", password: password)
    _ = await moved.refresh(now: now)
    #expect(moved.file?.events.map(\.summary) == ["From the server"], "\(moved.trouble ?? "")")
    #expect(
      try await requests() == [
        "GET /private.ics with credentials", "GET /elsewhere.ics with credentials",
        "other GET /good.ics",
      ]
    )
  }

  @Test func `the last copy stays while the server is away`() async throws {
    var calendar = try calendar("/good.ics")
    _ = await calendar.refresh(now: now)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    _ = await calendar.refresh(now: now.addingTimeInterval(60))
    #expect(calendar.file?.events.count == 1)
    #expect(calendar.date == now)
    #expect(calendar.trouble == "there is no connection to the server")
  }

  @Test func `a hostile calendar is read within its limits`() async throws {
    var calendar = try calendar("/hostile.ics")
    _ = await calendar.refresh(now: now)
    #expect(calendar.trouble == nil)
    #expect(calendar.file != nil)
    let copy = try self.calendar("/hostile.ics")
    #expect(copy.file == calendar.file)
  }

  @Test(arguments: ["/dav/", "/dav/ida/", "/dav/home/", "/dav/work/"])
  func `the events of a CalDAV server are found from any of its addresses`(path: String)
    async throws
  {
    var calendar = try calendar(path, kind: "caldav", password: password)
    _ = await calendar.refresh(now: now)
    #expect(calendar.trouble == nil)
    #expect(calendar.file?.events.map(\.summary) == ["Tea & cake ☕", "Next <b>"])
    let requests = try await requests()
    #expect(requests.last == "REPORT /dav/work/ with credentials with a time range")
    #expect(requests.filter { $0.hasPrefix("other") }.isEmpty)
  }

  @Test func `a server that is none for CalDAV, or refuses, says so`() async throws {
    var none = try calendar("/nodav/", kind: "caldav", password: password)
    _ = await none.refresh(now: now)
    #expect(none.trouble == "the server does not speak CalDAV")
    var wrong = try calendar("/dav/", kind: "caldav", password: "wrong")
    _ = await wrong.refresh(now: now)
    #expect(wrong.trouble == "the server refuses the user name or the password (401)")
  }

  @Test(
    arguments: [
      "ftp://example.com/a.ics", "file:///etc/passwd", "example.com", "https://", "https://a b/",
      "https://ida:secret@example.com/", "https://example.com/\u{7}", "https://exämple.com/",
      "https://e.com/" + String(repeating: "a", count: 5000),
    ]
  )
  func `an address that is none is refused before anything is asked`(url: String) async throws {
    var calendar = try #require(
      RemoteCalendar(url: url, kind: nil, user: nil, password: nil, cache: folder)
    )
    #expect(calendar.trouble != nil)
    let isChanged = await calendar.refresh(now: now)
    #expect(!isChanged)
    #expect(RemoteCalendar(url: "", kind: nil, user: nil, password: nil, cache: folder) == nil)
  }

  @Test(arguments: ["", "{}", "[1]", #"{"url":"x","kind":"ics","date":1e300,"version":{}}"#])
  func `a description of the copy that is none is no copy`(text: String) throws {
    try Data("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8).write(
      to: URL(filePath: folder + "/server.ics")
    )
    try Data(text.utf8).write(to: URL(filePath: folder + "/server.json"))
    #expect(try calendar("/good.ics").file == nil)
  }
}
