import CTestPlatform
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetTestSupport

/// Two writers of shared defaults, which are killed at any point and started again, and a reader.
///
///     SnapshotTorture defaults CONTAINER COUNT SEED
///
/// Each writer sets COUNT values, under a hundred keys of its own, and reports each one that is written.
/// Prints `values V, kills K, readings R`; exits 1 if a value is torn, or older than one that was reported.
enum DefaultsTorture {
  private static let keys = 100

  /// One of the writers, and what it has reported.
  private struct Writer {
    let name: String
    var pid: pid_t = 0
    var reports: Int32 = -1
    /// The number of values that it has reported.
    var count = 0

    mutating func start(_ file: DefaultsFile, until end: Int) {
      var ends: [Int32] = [0, 0]
      precondition(unsafe pipe(&ends) == 0)
      pid = test_fork()
      precondition(pid >= 0, "no process could be made")
      if pid == 0 {
        for number in count..<end { DefaultsTorture.write(number, name, file, reportTo: ends[1]) }
        _exit(0)
      }
      close(ends[1])
      reports = ends[0]
      _ = fcntl(reports, F_SETFL, O_NONBLOCK)
    }

    /// Counts what was reported so far.
    mutating func hear() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let read = unsafe Glibc.read(reports, &buffer, buffer.count), read > 0 {
        count += read
      }
    }

    /// Whether it has ended by itself.
    mutating func hasEnded() -> Bool {
      var status: Int32 = 0
      return unsafe waitpid(pid, &status, WNOHANG) == pid
    }

    mutating func kill() {
      Glibc.kill(pid, SIGKILL)
      var status: Int32 = 0
      _ = unsafe waitpid(pid, &status, 0)
      end()
    }

    mutating func end() {
      hear()
      close(reports)
      // The number of the descriptor can be that of another one now.
      reports = -1
    }
  }

  static func run(_ container: String, count: Int, seed: UInt64) -> Never {
    let file = DefaultsFile(container: container, suite: "group.a")
    var random = SeededGenerator(seed: seed)
    var kills = 0
    var readings = 0
    var writers = ["a", "b"].map { Writer(name: $0) }
    for index in writers.indices { writers[index].start(file, until: count) }
    while writers.contains(where: { $0.count < count }) {
      usleep(UInt32.random(in: 200...10_000, using: &random))
      for index in writers.indices { writers[index].hear() }
      check(file, writers)
      readings += 1
      for index in writers.indices where writers[index].count < count {
        if writers[index].hasEnded() {
          writers[index].end()
        } else if Int.random(in: 0..<4, using: &random) == 0 {
          writers[index].kill()
          kills += 1
        } else {
          continue
        }
        if writers[index].count < count { writers[index].start(file, until: count) }
      }
    }
    check(file, writers)
    print("values \(writers.map(\.count).reduce(0, +)), kills \(kills), readings \(readings)")
    exit(0)
  }

  private static func write(
    _ number: Int,
    _ name: String,
    _ file: DefaultsFile,
    reportTo reports: Int32
  ) {
    let key = "\(name).\(number % keys)"
    do {
      try file.write([key: .string(text(number))], waitsForDisk: false)
    } catch {
      print("\(error)")
      _exit(2)
    }
    var byte: UInt8 = 1
    _ = unsafe Glibc.write(reports, &byte, 1)
  }

  private static func text(_ number: Int) -> String {
    "\(number):\(String(repeating: "\(number % 10)", count: number % 300))"
  }

  /// Ends the program if a value is torn, or older than what was reported before it was read.
  private static func check(_ file: DefaultsFile, _ writers: [Writer]) {
    do {
      let values = try file.read()
      for writer in writers {
        for slot in 0..<min(keys, writer.count) {
          let reported = (writer.count - 1 - slot) / keys * keys + slot
          let key = "\(writer.name).\(slot)"
          guard let found = values[key]?.string, let number = Int(found.prefix { $0 != ":" }),
            found == text(number), number >= reported, number % keys == slot
          else {
            let text = values[key]?.string ?? "nothing"
            print("\(key): expected \(reported) or later, found \(text)")
            exit(1)
          }
        }
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }
}
