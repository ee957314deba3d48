internal import CTestPlatform
internal import FoundationEssentials
internal import Glibc

/// The processes of this machine that use a folder, to check that tests leave none.
package enum ProcessList {
  package struct Entry: Equatable, Sendable, CustomStringConvertible {
    package var pid: Int32
    package var commandLine: String

    package var description: String { "\(pid): \(commandLine)" }
  }

  /// The processes whose command line names the folder or that work inside it, in order of pid.
  package static func entries(naming folder: String) -> [Entry] {
    entries { pid, commandLine in
      let directory = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(pid)/cwd"
      )
      return commandLine.contains(folder) || directory?.hasPrefix(folder) == true
    }
  }

  private static func entries(
    where isWanted: (_ pid: Int32, _ commandLine: String) -> Bool
  ) -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().compactMap { pid in
      guard pid != getpid() else { return nil }
      let words = contents(ofProcessFile: "/proc/\(pid)/cmdline")
      let commandLine = String(
        decoding: words.map { $0 == 0 ? UInt8(ascii: " ") : $0 },
        as: UTF8.self
      )
      return isWanted(pid, commandLine) ? Entry(pid: pid, commandLine: commandLine) : nil
    }
  }

  /// Waits until no process uses the folder; returns those that are left at the deadline.
  package static func waitUntilGone(naming folder: String) -> [Entry] {
    waitUntilGone { entries(naming: folder) }
  }

  private static func waitUntilGone(_ entries: () -> [Entry]) -> [Entry] {
    let deadline = TestDeadline.next
    while true {
      let left = entries()
      guard let first = left.first, ContinuousClock.now < deadline else { return left }
      let process = test_process_open(first.pid)
      guard process >= 0 else { continue }
      var watched = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&watched, 1, deadline.pollTimeout)
      close(process)
    }
  }

  /// Waits until no process has the folder in its environment; returns those that are left at the deadline.
  package static func waitUntilGone(withVariablesNaming folder: String) -> [Entry] {
    waitUntilGone { entries(withVariablesNaming: folder) }
  }

  /// The processes that have a variable with the folder in it, wherever their programs are.
  package static func entries(withVariablesNaming folder: String) -> [Entry] {
    entries { pid, _ in
      String(decoding: contents(ofProcessFile: "/proc/\(pid)/environ"), as: UTF8.self)
        .contains(folder)
    }
  }

  /// The children of a process that show this name, in order of pid.
  package static func children(of parent: Int32, named name: String) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().filter { pid in
      let text = String(decoding: contents(ofProcessFile: "/proc/\(pid)/status"), as: UTF8.self)
      let lines = text.split(separator: "\n")
      return lines.contains("Name:\t\(name)") && lines.contains("PPid:\t\(parent)")
    }
  }

  /// The processes that show this name, in order of pid.
  package static func all(named name: String) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().filter { pid in
      contents(ofProcessFile: "/proc/\(pid)/comm") == Array((name + "\n").utf8)
    }
  }

  /// The processes that show this name and descend from a process, such as a widget in its sandbox from
  /// the program.
  package static func descendants(of ancestor: Int32, named name: String) -> [Int32] {
    var found = children(of: ancestor, named: name)
    for tool in ["bwrap", "sh"] {
      found += children(of: ancestor, named: tool).flatMap { descendants(of: $0, named: name) }
    }
    return found
  }

  /// The state of a process: `S` sleeping, `T` stopped; nil if it has ended.
  package static func state(of pid: Int32) -> String? {
    let text = String(decoding: contents(ofProcessFile: "/proc/\(pid)/stat"), as: UTF8.self)
    // Its name in parentheses may hold anything.
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: end)...].split(separator: " ").first.map(String.init)
  }

  /// Kills the processes that use the folder.
  package static func killAll(naming folder: String) {
    for entry in entries(naming: folder) { kill(entry.pid, SIGKILL) }
  }

  /// Files under /proc have no size, so that reading them by size would return nothing.
  private static func contents(ofProcessFile path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 32_768)
    let count = unsafe read(file, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }
}
