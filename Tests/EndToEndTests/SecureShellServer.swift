import Foundation
import Glibc
import WidgetTestSupport

/// A real sshd on the loopback, with keys, a home and folders of its own, as another machine.
///
/// A class because it owns the process.
final class SecureShellServer {
  /// Why it could not be started.
  struct Failure: Error {
    var words: String
  }

  /// Whether there is an sshd to run.
  static let isThere = FileManager.default.isExecutableFile(atPath: program)
  private static let program = "/usr/sbin/sshd"

  /// The folders of the other machine.
  let there: TestWorld
  /// The folder of the server itself.
  private let folder: TestWorld
  private let port: UInt16
  private var process: Process?

  /// Starts a server; `hasProgram` puts `today` in the PATH of the other machine, and `options` are further lines of its
  /// sshd_config.
  init(fixtures: [String] = [], hasProgram: Bool = true, options: [String] = []) throws {
    there = try TestWorld(fixtures: fixtures)
    try there.install()
    folder = try TestWorld()
    port = try Self.freePort()
    try FileManager.default.createDirectory(
      atPath: "\(there.path)/tmp",
      withIntermediateDirectories: true
    )
    // Where sshd of Debian keeps what is not for its users.
    if getuid() == 0 {
      try? FileManager.default.createDirectory(
        atPath: "/run/sshd",
        withIntermediateDirectories: false
      )
    }
    for name in ["host", "other", "user"] { try makeKey(name) }
    let own = (BuiltProgram.path ?? "/nowhere/today").split(separator: "/").dropLast()
    let path = (hasProgram ? "/\(own.joined(separator: "/")):" : "") + "/usr/bin:/bin"
    var variables = there.environment(term: nil)
    variables["PATH"] = path
    variables["TMPDIR"] = "\(there.path)/tmp"
    let list = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    try folder.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(folder.path)/host
      AuthorizedKeysFile \(folder.path)/user.pub
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PidFile none
      PermitRootLogin yes
      LogLevel VERBOSE
      SetEnv \(list.joined(separator: " "))
      \(options.joined(separator: "\n"))

      """,
      to: "\(folder.path)/sshd_config"
    )
    try start()
  }

  deinit { stop() }

  /// Starts it, and waits until it listens.
  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["-D", "-e", "-f", "\(folder.path)/sshd_config"]
    process.standardError = try FileHandle(forWritingTo: logFile())
    try process.run()
    self.process = process
    while !answers {
      guard process.isRunning else { throw Failure(words: log) }
      sched_yield()
    }
  }

  /// Ends it with all connections, as a machine does that loses its power.
  func stop() {
    guard let process else { return }
    let connections = ProcessList.children(of: process.processIdentifier, named: "sshd")
    let sessions = connections.flatMap { ProcessList.children(of: $0, named: "sshd") }
    for pid in sessions + connections + [process.processIdentifier] { kill(pid, SIGKILL) }
    let own = process.processIdentifier
    while let state = ProcessList.state(of: own), state != "Z" { sched_yield() }
    self.process = nil
  }

  /// Gives it another host key.
  func changeKey() throws {
    for suffix in ["", ".pub"] {
      try FileManager.default.removeItem(atPath: "\(folder.path)/host\(suffix)")
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/other\(suffix)",
        toPath: "\(folder.path)/host\(suffix)"
      )
    }
    stop()
    try start()
  }

  /// How many connections it has accepted.
  var acceptedCount: Int { log.components(separatedBy: "Accepted publickey").count - 1 }

  /// How often the program of ``makeClient()`` has tried to connect.
  var attemptCount: Int {
    let uses = try? String(contentsOf: URL(filePath: "\(folder.path)/uses"), encoding: .utf8)
    return (uses ?? "").split(separator: "\n").count { $0.contains(" -N ") }
  }

  /// Puts a program `ssh` into a folder, which knows this server as “there” and “host-N”, and a machine “gone” that is away; returns the folder.
  func makeClient() throws -> String {
    let bin = "\(folder.path)/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try folder.write(
      """
      Host gone
        HostName 127.0.0.1
        Port 1
      Host there host-*
        HostName 127.0.0.1
        Port \(port)
        IdentityFile \(folder.path)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(folder.path)/known
        StrictHostKeyChecking accept-new

      """,
      to: "\(folder.path)/ssh_config"
    )
    try folder.write(
      """
      #!/bin/sh
      echo "$*" >>\(folder.path)/uses
      exec /usr/bin/ssh -F \(folder.path)/ssh_config "$@"
      """,
      to: "\(bin)/ssh"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bin)/ssh")
    return bin
  }

  private var log: String { (try? String(contentsOf: logURL, encoding: .utf8)) ?? "" }
  private var logURL: URL { URL(filePath: "\(folder.path)/log") }

  private func logFile() throws -> URL {
    if !FileManager.default.fileExists(atPath: logURL.path()) { try Data().write(to: logURL) }
    return logURL
  }

  private func makeKey(_ name: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/ssh-keygen")
    process.arguments = ["-q", "-t", "ed25519", "-N", "", "-f", "\(folder.path)/\(name)"]
    try process.run()
    process.waitUntilExit()
  }

  /// Whether somebody listens at the port.
  private var answers: Bool {
    let socket = Self.socket()
    defer { close(socket) }
    return Self.withAddress(port) { unsafe connect(socket, $0, $1) } == 0
  }

  private static func socket() -> Int32 {
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  }

  private static func freePort() throws -> UInt16 {
    let socket = socket()
    defer { close(socket) }
    guard withAddress(0, { unsafe bind(socket, $0, $1) }) == 0 else {
      throw Failure(words: "bind: \(errno)")
    }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func withAddress(
    _ port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
