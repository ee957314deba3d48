import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions

@Suite(.timeLimit(.minutes(5))) struct SandboxTests {
  private func withProgram(_ text: String) throws -> (TestWorld, [String: String]) {
    let world = try TestWorld()
    let path = "\(world.path)/home/bwrap"
    try world.write(text, to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return (world, world.environment().merging(["PATH": "\(world.path)/home"]) { $1 })
  }

  @Test func `the level is full where bubblewrap works`() throws {
    #expect(Sandbox(.automatic, environment: ["PATH": "/usr/bin"]).level == .full)
  }

  @Test func `off is a choice, also where there is one`() {
    #expect(Sandbox(.off, environment: ["PATH": "/usr/bin"]).level == .off)
  }

  @Test func `a missing program is named`() {
    let level = Sandbox(.automatic, environment: ["PATH": "/nowhere"], launcher: nil).level
    #expect(
      level
        == .none(
          "bubblewrap is not installed (bwrap is not in PATH); "
            + "sandbox-launcher, which comes with today, is not installed"
        )
    )
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `without bubblewrap the level is partial where the kernel has Landlock`() {
    let sandbox = Sandbox(.automatic, environment: ["PATH": "/nowhere"])
    #expect(sandbox.level == .partial("bubblewrap is not installed (bwrap is not in PATH)"))
    let withheld = sandbox.withheld(of: [
      EntitlementRequest(.sockets, items: ["/run/a"]), EntitlementRequest(.network),
    ])
    #expect(withheld == [.sockets: "the sandbox is partial"])
  }

  @Test func `what the launcher says about a failure is a reason too`() throws {
    let (world, environment) = try withProgram("#!/bin/sh\necho 'no namespaces' >&2\nexit 1\n")
    let launcher = "\(world.path)/home/launcher"
    try world.write("#!/bin/sh\necho 'this kernel has no Landlock' >&2\nexit 125\n", to: launcher)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: launcher)
    let level = Sandbox(.automatic, environment: environment, launcher: launcher).level
    #expect(level == .none("no namespaces; this kernel has no Landlock"))
  }

  @Test func `what bwrap says about a failure is the reason`() throws {
    let (world, environment) = try withProgram(
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    let level = Sandbox(.automatic, environment: environment, launcher: "/bin/true").level
    #expect(level == .partial("bwrap: No permissions to create new namespace"))
    #expect(world.processesLeft() == [])
  }

  @Test func `a bwrap that hangs is given up`() throws {
    let (world, environment) = try withProgram("#!/bin/sh\nexec /bin/sleep 600\n")
    let level = Sandbox(.automatic, environment: environment, launcher: "/bin/true").level
    guard case .partial(let reason) = level else {
      Issue.record("\(level)")
      return
    }
    #expect(reason.hasSuffix("/bwrap did not answer within 2 s"))
    #expect(world.processesLeft() == [])
  }
}
