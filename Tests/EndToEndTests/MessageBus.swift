import Foundation
import Glibc
import WidgetTestSupport

/// The session bus of a world, of which programs find the address by themselves.
///
/// A class because it owns the process.
final class MessageBus {
  /// It could not be started.
  struct Failure: Error {}

  private let world: TestWorld
  private var process: Process?

  var socket: String { "\(world.path)/run/bus" }

  /// Starts it.
  init(_ world: TestWorld) throws {
    self.world = world
    try start()
  }

  deinit { stop() }

  /// Starts it, and waits until it can be used.
  func start() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    process.arguments = [
      "--session", "--nofork", "--print-address", "--address=unix:path=\(socket)",
    ]
    process.environment = world.environment()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    guard !output.fileHandleForReading.availableData.isEmpty else {
      throw Failure()
    }
  }

  func stop() {
    process?.killAtOnce()
    process = nil
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Starts a program of the fixtures with the socket of the bus and these arguments.
  func run(_ fixture: String, _ arguments: [String]) throws -> BusProgram {
    try BusProgram([TestWorld.fixtures + "/" + fixture, socket] + arguments)
  }
}

/// A program in Python that talks to the bus, line by line.
///
/// A class because it owns the process.
final class BusProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest: [UInt8] = []

  fileprivate init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B"] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { stop() }

  func stop() { process.killAtOnce() }

  func say(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

  /// Waits for the next line; empty if the program has ended, or says nothing until the deadline.
  func line() -> String {
    let deadline = TestDeadline.next
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let file = output.fileHandleForReading
      var ready = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let left = Int32(max(0, ContinuousClock.now.duration(to: deadline) / .milliseconds(1)))
      guard unsafe poll(&ready, 1, left) > 0 else { return "" }
      let data = file.availableData
      guard !data.isEmpty else { return "" }
      rest += data
    }
  }
}

extension Process {
  /// Kills it, and waits until it no longer runs.
  fileprivate func killAtOnce() {
    let pid = processIdentifier
    kill(pid, SIGKILL)
    while let state = ProcessList.state(of: pid), state != "Z" { sched_yield() }
  }
}
