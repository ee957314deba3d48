import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Notices of the desktop, on a session bus of the test.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: access("/usr/bin/dbus-daemon", X_OK) == 0, "dbus-daemon is not installed"),
  .timeLimit(.minutes(5))
) struct DesktopNoticeTests {
  private let world: TestWorld
  private let bus: MessageBus

  init() throws {
    world = try TestWorld()
    bus = try MessageBus(world)
  }

  private func list() throws -> String {
    let run = try world.run(["notices", "--json"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    return run.outputText
  }

  /// Waits until the list of notices has words.
  private func waitForNotice(_ words: String, _ terminal: PseudoTerminal) throws {
    try terminal.wait(
      for: "a notice with \(words)",
      until: { _ in
        (try? list().contains(words)) == true
      }
    )
  }

  /// Waits until somebody is the daemon of notifications.
  private func waitForDaemon() throws {
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/gdbus",
        ["wait", "--session", "--timeout", "20", "org.freedesktop.Notifications"],
        environment: world.environment().merging([
          "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.socket)"
        ]) { $1 },
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
  }

  private func quit(_ page: PseudoTerminal) throws {
    try page.type("q")
    #expect(try page.waitForEnd() == .exited(code: 0))
  }

  @Test func `an open page is the daemon where nobody is, and tells what becomes of a notice`()
    throws
  {
    try world.saveConfiguration(#"{"notices": {"own": true}}"#)
    let page = try world.openDashboard()
    try waitForDaemon()
    let text = "a &amp; <b>b</b>\u{1B}]0;x\u{7}"
    let sender = try bus.run("notification_sender.py", ["Question", text, "yes", "Yes"])
    #expect(!sender.line().isEmpty)
    try waitForNotice("\"title\":\"Question\"", page)
    let json = try list()
    #expect(json.contains("\"source\":\"desktop\"") && json.contains("\"body\":\"a & b"))
    #expect(!json.contains("\u{1B}"))
    #expect(try !world.run(["notices"]).outputText.contains("\u{1B}"))
    #expect(try world.run(["notices", "act", "1", "Yes"]).status == .exited(code: 0))
    #expect(sender.line() == "acted yes" && sender.line() == "closed 2")
    let other = try bus.run("notification_sender.py", ["Other"])
    #expect(!other.line().isEmpty)
    try waitForNotice("Other", page)
    _ = try world.run(["notices", "dismiss", "--all"])
    #expect(other.line() == "closed 2")
    try quit(page)
    bus.stop()
    #expect(world.processesLeft() == [])
  }

  @Test func `what another daemon shows is stored, and is an earlier one when it was closed there`()
    throws
  {
    let daemon = try bus.run("notification_daemon.py", [])
    #expect(daemon.line() == "ready")
    try world.saveConfiguration(#"{"notices": {"own": true}}"#)
    let page = try world.openDashboard()
    // The first ones come before the agent listens.
    try page.wait(
      for: "a notice",
      until: { _ in
        guard let sender = try? bus.run("notification_sender.py", ["Shown"]) else { return false }
        _ = sender.line()
        return (try? list().contains("Shown")) == true
      }
    )
    let sender = try bus.run("notification_sender.py", ["Closed"])
    let number = sender.line()
    try waitForNotice("Closed", page)
    daemon.say("close \(number) 2")
    #expect(sender.line() == "closed 2")
    try page.wait(
      for: "an earlier notice",
      until: { _ in
        let waiting = (try? world.run(["notices", "--json", "--waiting"]).outputText) ?? ""
        return !waiting.contains("Closed") && waiting.contains("Shown")
      }
    )
    try quit(page)
  }

  @Test func `of two pages one stores, the other one goes on, and the bus can be started again`()
    throws
  {
    try world.saveConfiguration(#"{"notices": {"own": true}}"#)
    let pages = [try world.openDashboard(), try world.openDashboard()]
    try waitForDaemon()
    #expect(!(try bus.run("notification_sender.py", ["One"]).line().isEmpty))
    try waitForNotice("One", pages[0])
    try quit(pages[0])
    try waitForDaemon()
    #expect(!(try bus.run("notification_sender.py", ["Two"]).line().isEmpty))
    try waitForNotice("Two", pages[1])
    bus.stop()
    try bus.start()
    try waitForDaemon()
    #expect(!(try bus.run("notification_sender.py", ["Three"]).line().isEmpty))
    try waitForNotice("Three", pages[1])
    #expect(try list().split(separator: "\n").count { $0.contains("\"id\"") } == 3)
    try quit(pages[1])
    bus.stop()
    #expect(world.processesLeft() == [])
  }

  @Test func `the service stores without a page, and ends with its agent`() throws {
    try world.saveConfiguration(#"{"notices": {"own": true}}"#)
    let service = try PseudoTerminal(world.today(["keep-notices"]), columns: 80, rows: 24)
    try waitForDaemon()
    #expect(!(try bus.run("notification_sender.py", ["Kept"]).line().isEmpty))
    try waitForNotice("Kept", service)
    service.signal(SIGTERM)
    #expect(try service.waitForEnd() == .killed(signal: SIGTERM))
    bus.stop()
    #expect(world.processesLeft() == [])
  }

  @Test func `with the setting off a page leaves the desktop alone`() throws {
    try world.saveConfiguration(#"{"notices": {"own": true, "desktop": false}}"#)
    let page = try world.openDashboard()
    try page.settle()
    #expect(
      ProcessList.entries(naming: world.path).allSatisfy {
        !$0.commandLine.contains("notice-agent")
      }
    )
    try quit(page)
  }

  @Test func `the diagnosis says who shows notices of the desktop`() throws {
    #expect(
      try world.run(["doctor"]).outputText.contains("nobody shows those of the desktop; with")
    )
    let daemon = try bus.run("notification_daemon.py", [])
    #expect(daemon.line() == "ready")
    let found = try world.run(["doctor"]).outputText
    #expect(found.contains("shows those of the desktop; they are stored while"))
    // The name of its connection says nothing to a person.
    #expect(!found.contains(" :1."), "\(found)")
    bus.stop()
    #expect(try world.run(["doctor"]).outputText.contains("there is no session bus, and so"))
  }

  @Test func `notices on and off go through the user's systemd, and without it that is said`()
    throws
  {
    let log = "\(world.path)/systemctl.log"
    try world.write("#!/bin/sh\necho \"$@\" >> \(log)\n", to: "\(world.path)/systemctl")
    chmod("\(world.path)/systemctl", 0o755)
    func notices(_ word: String, path: String) throws -> ProgramRun {
      var program = world.today(["notices", word], term: nil)
      program.environment["PATH"] = path
      return try ProgramRun(program)
    }
    let unit = "\(world.path)/config/systemd/user/today-notices.service"
    #expect(try notices("on", path: "\(world.path):/usr/bin:/bin").outputText == "on\n")
    let bytes = try #require(FileManager.default.contents(atPath: unit))
    #expect(String(decoding: bytes, as: UTF8.self).contains("\" keep-notices\n"))
    #expect(try notices("off", path: "\(world.path):/usr/bin:/bin").outputText == "off\n")
    #expect(!FileManager.default.fileExists(atPath: unit))
    let calls = FileManager.default.contents(atPath: log).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(calls?.contains("--user enable --now today-notices.service") == true)
    #expect(calls?.contains("--user disable --now today-notices.service") == true)
    let refused = try notices("on", path: world.path + "/nowhere")
    #expect(refused.status == .exited(code: 69))
    #expect(refused.errorText.contains("the systemd user manager is not available"))
  }
}
