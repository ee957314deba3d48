import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Tests of pages with cards of another machine.
protocol RemotePages {
  /// The folders of this machine.
  var world: TestWorld { get }
}

extension RemotePages {
  /// Writes a script of this machine.
  func write(_ name: String, _ text: String) throws {
    try write(name, text, in: "\(world.path)/config/today/scripts")
  }

  /// Writes a script of the folder `xbar` in the home of the other machine.
  func write(_ name: String, _ text: String, on server: SecureShellServer) throws {
    try write(name, text, in: "\(server.there.path)/home/xbar")
  }

  private func write(_ name: String, _ text: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(text, to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
  }

  func open(_ server: SecureShellServer) throws -> PseudoTerminal {
    try open(client: server.makeClient())
  }

  /// Opens a page for which `ssh` stands in a folder.
  func open(client folder: String, columns: Int = 110) throws -> PseudoTerminal {
    var environment = world.environment()
    environment["PATH"] = "\(folder):/usr/bin:/bin"
    return try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        [],
        environment: environment,
        directory: world.path
      ),
      columns: columns,
      rows: 60
    )
  }

  /// Prints the page once.
  func picture(_ server: SecureShellServer, _ arguments: [String] = []) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["PATH"] = "\(try server.makeClient()):/usr/bin:/bin"
    return try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "",
        ["snapshot"] + arguments,
        environment: environment,
        directory: world.path
      )
    )
  }

  /// Quits; nothing is left, neither here nor there.
  func quit(_ terminal: PseudoTerminal, _ server: SecureShellServer) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    #expect(server.there.processesLeft() == [])
    #expect(try sockets() == [])
    try expectNoFilesLeft(server)
  }

  /// The sockets of connections on this machine.
  func sockets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/run/today")
      .filter { $0.hasPrefix("ssh-") }
  }

  /// Waits until the files of all runs are removed there.
  func expectNoFilesLeft(_ server: SecureShellServer) throws {
    let folder = "\(server.there.path)/tmp"
    let deadline = ContinuousClock.now + .seconds(10)
    while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty,
      ContinuousClock.now < deadline
    { sched_yield() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }
}
