import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import WidgetExtensions

@Suite struct LauncherCommandTests {
  private let world: TestWorld
  private let system = SystemView()

  init() throws {
    world = try TestWorld()
  }

  /// The rules of a profile beyond those of every widget.
  private func rules(_ change: (inout SandboxProfile) -> Void) -> [String] {
    func all(_ profile: SandboxProfile) -> [String] {
      let command = LauncherCommand("/bin/a", ["b c"], in: profile, system)
      #expect(command.arguments == ["/bin/a", "b c"])
      #expect(command.inputs.count == 1)
      return command.inputs[0].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
    var profile = SandboxProfile(folder: "/", home: "/home/a")
    let usual = Set(all(profile))
    change(&profile)
    return all(profile).filter { !usual.contains($0) }
  }

  private func make(_ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(
        atPath: "\(world.path)/\(name)",
        withIntermediateDirectories: true
      )
    }
  }

  @Test func `without entitlements there are rules for its files and no others`() throws {
    let command = LauncherCommand("/a", [], in: SandboxProfile(folder: "/", home: "/h"), system)
    let rules = command.inputs[0].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let system = ["read-try:/usr", "read-try:/etc/ssl/certs", "device-try:/dev/null"]
    #expect(Set(system).isSubset(of: rules))
    #expect(!rules.contains { $0.hasPrefix("write") || $0.hasPrefix("network") })
    #expect(!rules.contains("read-try:/proc") && !rules.contains("read-try:/etc"))
    #expect(!rules.contains { $0.hasPrefix("device-try:/dev/pt") || $0 == "device-try:/dev/tty" })
    let own = self.rules {
      $0.readable = ["/w/A.widget"]
      $0.writable = ["/data/A"]
    }
    #expect(own == ["read:/w/A.widget", "write:/data/A"])
  }

  @Test func `entitlements add what they are for`() throws {
    try make("home/Documents", "home/Notes")
    let home = "\(world.path)/home"
    let rules = rules {
      $0.usesNetwork = true
      $0.seesProcesses = true
      $0.devices = ["/dev/dri"]
      $0.readableIfThere = ["\(home)/Documents", "\(home)/missing"]
      $0.writableIfThere = ["\(home)/Notes"]
    }
    #expect(
      Set(rules).isSuperset(of: [
        "network:", "read-try:/proc", "device-try:/dev/dri", "read-try:/etc/resolv.conf",
        "read-try:\(home)/Documents", "write-try:\(home)/Notes",
      ])
    )
    #expect(!rules.contains { $0.hasSuffix("missing") })
  }

  @Test func `a granted folder is divided around the files of the program`() throws {
    try make("home/.local/state/today", "home/.local/state/other", "home/Documents")
    let home = "\(world.path)/home"
    // A way around: a rule for it would be one for what it leads to.
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/link",
      withDestinationPath: "\(home)/.local"
    )
    let rules = rules {
      $0.readableIfThere = [home]
      $0.hidden = ["\(home)/.local/state/today"]
    }
    let expected = ["\(home)/.local/state/other", "\(home)/Documents"]
    #expect(rules.sorted() == expected.map { "read-try:\($0)" })
  }

  @Test func `what is in a folder that it may change has no rule of its own`() throws {
    try make("home/dev/A.widget", "home/dev/notes")
    let home = "\(world.path)/home"
    let rules = rules {
      $0.readable = ["\(home)/dev/A.widget"]
      $0.readableIfThere = ["\(home)/dev/notes"]
      $0.writableIfThere = ["\(home)/dev", "\(home)/dev/notes"]
    }
    #expect(rules == ["write-try:\(home)/dev"])
  }
}
