import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts
@testable import WidgetSessions

/// Programs that a machine for tests has; `Scripts/setup test` installs them.
private nonisolated enum RealProgram {
  static let plugins = "/usr/lib/nagios/plugins"
  static let hasStatus = isThere("/usr/bin/i3status")
  static let hasPlugins = isThere("\(plugins)/check_disk")

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }
}

/// Programs of others as scripts, as Debian has them.
@Suite(.timeLimit(.minutes(5))) struct `A real program as a script` {
  /// What the card of a script shows, row by row.
  private func rows(_ name: String, _ scripts: ScriptWorld) throws -> [String] {
    guard let view = try scripts.card(name).view else { return [] }
    return ScriptContent.picture(ScriptPicture(view: view)).rows(60)
  }

  @Test(.enabled(if: RealProgram.hasStatus, "i3status is not installed"))
  func `i3status has a row for each of its modules, which change`() async throws {
    let scripts = try ScriptWorld([
      "status.sh": "#!/bin/sh\n# today: format=i3bar\nexec i3status -c \"$HOME/i3status.conf\"\n"
    ])
    try scripts.world.write(
      """
      general { output_format = "i3bar"
                colors = true
                interval = 1 }
      order += "load"
      order += "tztime local"
      load { format = "load %1min"
             max_threshold = "0"
             format_above_threshold = "busy %1min" }
      tztime local { format = "%H:%M:%S" }

      """,
      to: "\(scripts.world.path)/home/i3status.conf"
    )
    try scripts.open()
    try await eventually("two rows") { try rows("status", scripts).count == 2 }
    let first = try rows("status", scripts)
    try #require(first.count == 2)
    #expect(first[0].hasPrefix("load ") || first[0].hasPrefix("busy "), "\(first)")
    #expect(first[1].count == 8 && first[1].split(separator: ":").count == 3, "\(first)")
    try await eventually("the next second") { try rows("status", scripts).last != first[1] }
    #expect(try scripts.card("status").state == .live)
    await scripts.end()
  }

  @Test(.enabled(if: RealProgram.hasStatus, "i3status is not installed"))
  func `i3status can be split, and each of its modules is a card`() async throws {
    let scripts = try ScriptWorld([
      "status.sh":
        "#!/bin/sh\n# today: format=i3bar split=true\nexec i3status -c \"$HOME/i3status.conf\"\n"
    ])
    try scripts.world.write(
      """
      general { output_format = "i3bar"
                interval = 1 }
      order += "disk /"
      order += "load"
      order += "tztime local"
      disk "/" { format = "%avail" }
      load { format = "load %1min" }
      tztime local { format = "%H:%M:%S" }

      """,
      to: "\(scripts.world.path)/home/i3status.conf"
    )
    try scripts.open()
    let names = ["status.disk-info", "status.load", "status.tztime.local"]
    await eventually("a card for each module") {
      scripts.center?.page.all.map(\.id.bundleIdentifier) == names.map { "script.\($0)" }
    }
    scripts.center?.screen.setVisible(Set((scripts.center?.page.all ?? []).map(\.id)))
    try await eventually("their rows") { try names.allSatisfy { try rows($0, scripts).count == 1 } }
    let first = try rows(names[2], scripts)
    #expect(try rows(names[1], scripts)[0].hasPrefix("load "))
    try await eventually("the next second") { try rows(names[2], scripts) != first }
    #expect(try names.allSatisfy { try scripts.card($0).state == .live })
    await scripts.end()
  }

  @Test(.enabled(if: RealProgram.hasPlugins, "monitoring-plugins-basic is not installed"))
  func `plugins of Nagios have their state, their text and their data`() async throws {
    func script(_ command: String) -> String {
      "#!/bin/sh\n# today: format=nagios\nexec \(RealProgram.plugins)/\(command)\n"
    }
    let scripts = try ScriptWorld([
      "load.sh": script("check_load -w 9000,9000,9000 -c 9001,9001,9001"),
      "disk.sh": script("check_disk -w 0% -c 0% -p /"),
      "procs.sh": script("check_procs -w 1000000"),
      "critical.sh": script("check_dummy 2 'all is lost'"),
      "unknown.sh": script("check_dummy 3"),
      "usage.sh": script("check_disk --no-such-option"),
    ])
    try scripts.open()
    let expected = [
      "load": "● OK  LOAD OK - ", "disk": "● OK  DISK OK - free space: /",
      "procs": "● OK  PROCS OK: ", "critical": "● CRITICAL  CRITICAL: all is lost",
      "unknown": "● UNKNOWN  UNKNOWN", "usage": "● UNKNOWN  ",
    ]
    for (name, row) in expected {
      try await eventually("the state of \(name)") {
        try rows(name, scripts).first?.hasPrefix(row) == true
      }
      #expect(try scripts.card(name).state == .live)
    }
    let load = try rows("load", scripts)
    #expect(
      ["load1 ", "load5 ", "load15 "].allSatisfy { name in load.contains { $0.hasPrefix(name) } }
    )
    let disk = try #require(try rows("disk", scripts).last)
    #expect(disk.hasPrefix("/ ") && disk.hasSuffix("B"), "\(disk)")
    await scripts.end()
  }
}
