import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

@Suite(.timeLimit(.minutes(1))) struct SandboxTests {
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
    let level = Sandbox(.automatic, environment: ["PATH": "/nowhere"]).level
    #expect(level == .none("bubblewrap is not installed (bwrap is not in PATH)"))
  }

  @Test func `what bwrap says about a failure is the reason`() throws {
    let (world, environment) = try withProgram(
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    let level = Sandbox(.automatic, environment: environment).level
    #expect(level == .none("bwrap: No permissions to create new namespace"))
    #expect(world.processesLeft() == [])
  }

  @Test func `a bwrap that hangs is given up`() throws {
    let (world, environment) = try withProgram("#!/bin/sh\nexec /bin/sleep 600\n")
    let level = Sandbox(.automatic, environment: environment).level
    guard case .none(let reason) = level else {
      Issue.record("\(level)")
      return
    }
    #expect(reason.hasSuffix("/bwrap did not answer within 2 s"))
    #expect(world.processesLeft() == [])
  }
}
