import Testing

@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite struct BubblewrapCommandTests {
  private func options(_ change: (inout SandboxProfile) -> Void = { _ in }) -> [String] {
    var profile = SandboxProfile(folder: "/w/A.widget", home: "/home/a")
    change(&profile)
    let command = BubblewrapCommand("/w/A.widget/a", ["b c"], in: profile, SystemView())
    #expect(command.arguments.prefix(2) == ["--args", "3"])
    #expect(command.arguments.suffix(3) == ["64", "/w/A.widget/a", "b c"])
    return command.inputs[0].split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func contains(_ options: [String], _ part: [String]) -> Bool {
    options.indices.contains { options[$0...].starts(with: part) }
  }

  @Test func `without entitlements it shares neither network nor processes`() {
    let options = options {
      $0.readable = ["/w/A.widget"]
      $0.writable = ["/data/A"]
    }
    #expect(contains(options, ["--unshare-net"]))
    #expect(contains(options, ["--proc", "/proc"]))
    #expect(contains(options, ["--ro-bind", "/w/A.widget", "/w/A.widget"]))
    #expect(contains(options, ["--bind", "/data/A", "/data/A"]))
    #expect(contains(options, ["--ro-bind", "/usr", "/usr"]))
    #expect(contains(options, ["--remount-ro", "/", "--chdir", "/w/A.widget"]))
    // Nothing else is shown.
    let shown = options.indices.filter { options[$0].hasSuffix("bind") }.map { options[$0 + 2] }
    let system = ["/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/nix", "/gnu", "/run/current"]
    let others = shown.filter { path in !system.contains { path.hasPrefix($0) } }
    #expect(others == ["/w/A.widget", "/data/A"])
    #expect(!options.contains { $0.hasPrefix("--dev-bind") || $0 == "--die-with-parent" })
  }

  @Test func `a file in place can be read, and nothing else of its folder`() {
    let options = options { $0.readableFiles = ["/home/a/notes/list.txt"] }
    let path = "/home/a/notes/list.txt"
    #expect(contains(options, ["--ro-bind-try", path, path]))
    #expect(!options.contains("/home/a/notes"))
  }

  @Test func `entitlements add what they are for`() {
    let options = options {
      $0.usesNetwork = true
      $0.seesProcesses = true
      $0.devices = ["/dev/dri"]
      $0.readableIfThere = ["/home/a"]
      $0.writableIfThere = ["/home/a/list"]
      $0.hidden = ["/home/a/.local/state/today", "/elsewhere"]
    }
    #expect(!options.contains("--unshare-net"))
    #expect(contains(options, ["--ro-bind", "/proc", "/proc"]))
    #expect(contains(options, ["--ro-bind-try", "/run/systemd/users", "/run/systemd/users"]))
    #expect(contains(options, ["--dev-bind-try", "/dev/dri", "/dev/dri"]))
    // The outer folder first, and the program's own files hidden in it.
    #expect(
      contains(
        options,
        [
          "--ro-bind-try", "/home/a", "/home/a", "--bind-try", "/home/a/list", "/home/a/list",
          "--ro-bind-try", "/home/a/.local", "/home/a/.local",
          "--ro-bind-try", "/home/a/.local/state", "/home/a/.local/state",
          "--tmpfs", "/home/a/.local/state/today", "--remount-ro", "/home/a/.local/state/today",
        ]
      )
    )
    #expect(!options.contains("/elsewhere"))
  }

  @Test func `the user's name and home cannot add lines to passwd`() {
    let profile = SandboxProfile(folder: "/", home: "/home/a:b\nroot:x:0:0::/:/bin/sh")
    let command = BubblewrapCommand("/bin/true", [], in: profile, SystemView())
    let lines = String(decoding: command.inputs[1], as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.allSatisfy { $0.split(separator: ":", omittingEmptySubsequences: false).count == 7 }
    )
  }

  @Test func `small files of the system are copied, read-only`() {
    let system = SystemView()
    let command = BubblewrapCommand(
      "/bin/true",
      [],
      in: SandboxProfile(folder: "/", home: "/h"),
      system
    )
    let options = options()
    let files = ["/etc/passwd", "/etc/group"] + system.copiedFiles
    for (index, path) in files.enumerated() {
      #expect(contains(options, ["--perms", "0444", "--file", "\(4 + index)", path]))
    }
    #expect(command.inputs.count <= 16)
    if let path = system.copiedFiles.first {
      #expect(command.inputs[3] == UserFile.bytes(path, byteLimit: 1 << 20))
    }
    #expect(contains(options, ["--seccomp", "\(4 + files.count)"]))
    #expect(command.inputs.last?.isEmpty == false)
  }
}
