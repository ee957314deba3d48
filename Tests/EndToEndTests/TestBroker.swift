import Foundation
import Glibc
import WidgetTestSupport

/// A Mosquitto on the loopback.
final class TestBroker {
  /// It could not be started.
  struct Failure: Error {}

  let port: Int
  private let world: TestWorld
  private var process: Process?
  private var hosts: [Process] = []

  static let program = "/usr/sbin/mosquitto"
  static var isThere: Bool {
    [program, "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_sub"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Starts one with these lines in its configuration.
  init(_ world: TestWorld, _ lines: [String] = ["allow_anonymous true"]) throws {
    self.world = world
    port = try Self.freePort()
    var text = ["listener \(port) 127.0.0.1", "max_queued_messages 0"] + lines
    if getuid() == 0 { text.append("user root") }
    try world.write(text.joined(separator: "\n") + "\n", to: configuration)
    try start()
  }

  deinit { stop() }

  var address: String { "mqtt://127.0.0.1:\(port)" }
  private var configuration: String { "\(world.path)/mosquitto-\(port).conf" }

  private static func freePort() throws -> Int {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        unsafe bind(listener, place, size) == 0 && getsockname(listener, place, &size) == 0
      }
    }
    guard result else { throw Failure() }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// The processes with connections to brokers that a program in a folder has started.
  static func agents(of folder: String) -> [Int32] {
    let files = FileManager.default
    return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
      .filter { pid in
        guard
          let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
          status.hasPrefix("Name:\tbroker-agent\n"),
          let parent = status.split(separator: "\n").first(where: { $0.hasPrefix("PPid:\t") })
        else { return false }
        let place = "/proc/\(parent.dropFirst("PPid:\t".count))/cwd"
        return (try? files.destinationOfSymbolicLink(atPath: place)) == folder
      }
  }

  /// Starts it, and waits until it answers.
  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["-c", configuration]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let deadline = TestDeadline.next
    while !answers {
      guard ContinuousClock.now < deadline, process.isRunning else { throw Failure() }
      sched_yield()
    }
  }

  private var answers: Bool {
    // Where nothing listens it is 1; a broker may want a password.
    (try? tool("mosquitto_pub", ["-t", "test", "-n"])).map { $0.status != .exited(code: 1) }
      ?? false
  }

  /// Kills it and the clients that it had; what it kept is lost.
  func stop() {
    for host in hosts {
      kill(host.processIdentifier, SIGKILL)
      host.waitUntilExit()
    }
    hosts = []
    guard let process else { return }
    process.terminate()
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Publishes a retained message with another program.
  func publish(_ topic: String, _ payload: String, _ options: [String] = []) throws {
    let run = try tool("mosquitto_pub", ["-r", "-q", "1", "-t", topic, "-m", payload] + options)
    guard run.status == .exited(code: 0) else { throw Failure() }
  }

  /// Publishes `Load 1`, `Load 2` and so on as retained messages, each under `today/NUMBER/System`.
  func publishLoads(_ count: Int) throws {
    let one =
      "mosquitto_pub -h 127.0.0.1 -p \(port) -r -q 1 -t today/{}/System -m 'Load {}' || exit 255"
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "seq \(count) | xargs -P 4 -I {} sh -c \"\(one)\""],
        environment: world.environment(),
        directory: world.path
      )
    )
    guard run.status == .exited(code: 0) else { throw Failure() }
  }

  /// The message that is retained under a topic; empty if none is.
  func message(_ topic: String) throws -> String {
    let text = try tool("mosquitto_sub", ["-t", topic, "-C", "1", "-W", "1"]).outputText
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Whether a message is retained under a topic in time that is as wanted.
  func next(_ topic: String, _ isWanted: (String) -> Bool) throws -> Bool {
    let deadline = TestDeadline.next
    while ContinuousClock.now < deadline { if isWanted(try message(topic)) { return true } }
    return false
  }

  /// Starts a client that has a will, and stays until it is killed.
  func startHost(_ name: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/mosquitto_sub")
    process.arguments = [
      "-h", "127.0.0.1", "-p", "\(port)", "-t", "none", "--will-topic", "today/\(name)/$state",
      "--will-payload", "offline", "--will-retain", "--will-qos", "1",
    ]
    try process.run()
    hosts.append(process)
    try publish("today/\(name)/$state", "online")
    return process
  }

  private func tool(_ name: String, _ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        "/usr/bin/\(name)",
        ["-h", "127.0.0.1", "-p", "\(port)"] + arguments,
        environment: world.environment(),
        directory: world.path
      )
    )
  }
}
