import CPlatform
import Glibc
import Synchronization
import WidgetKitCore

/// The tmpfs that runs have for themselves, in a sandbox.
///
/// The list of mounts is long, and a process in a sandbox cannot change it: it is read once for each namespace of a
/// run, and again after a minute for a program outside of a sandbox.
///
/// This is a class because passes of all pages share it; any queue may call it.
final class MemoryMounts: Sendable {
  static let shared = MemoryMounts()

  /// A tmpfs that only one run has, and what it holds.
  struct Use {
    /// As /proc shows it, such as “00:2f”.
    var device: String
    var bytes: UInt64
  }

  private struct Mount {
    var device: String
    var place: String
  }

  private struct Namespace: Hashable {
    var run: ProcessRun
    /// The target of its link in /proc, which another namespace can have later.
    var name: String
  }

  private struct Reading {
    var mounts: [Mount]
    var date: ContinuousClock.Instant
    /// Whether there was one before, so that the sandbox was complete.
    var isRepeated: Bool
  }

  /// How long the first list of a namespace is used, whose sandbox may still be made, and each later one.
  private static let lifetimes: (first: Duration, later: Duration) = (.seconds(5), .seconds(60))
  private let readings = Mutex<[Namespace: Reading]>([:])

  /// Returns the tmpfs of the namespaces of a run's processes that this process does not have.
  func uses(of pids: [Int32], _ run: ProcessRun) -> [Use] {
    var seen: Set = [SymbolicLink.target("/proc/self/ns/mnt")]
    var uses: [String: Use] = [:]
    for pid in pids {
      let name = SymbolicLink.target("/proc/\(pid)/ns/mnt")
      guard seen.insert(name).inserted, let name else { continue }
      for mount in mounts(of: pid, in: Namespace(run: run, name: name))
      where uses[mount.device] == nil {
        let place = "/proc/\(pid)/root\(mount.place)"
        // Where another one is mounted over it, nobody can write to it.
        let bytes = device(of: place) == mount.device ? unsafe platform_used_bytes(place) : 0
        uses[mount.device] = Use(device: mount.device, bytes: bytes)
      }
    }
    return Array(uses.values)
  }

  /// The device of the file system that is seen at a place.
  private func device(of place: String) -> String? {
    var status = stat()
    guard unsafe stat(place, &status) == 0 else { return nil }
    return HeldResources.name(ofDevice: UInt64(status.st_dev))
  }

  private func mounts(of pid: Int32, in namespace: Namespace) -> [Mount] {
    let now = ContinuousClock.now
    let last = readings.withLock { $0[namespace] }
    if let last {
      let lifetime = last.isRepeated ? Self.lifetimes.later : Self.lifetimes.first
      if last.date.duration(to: now) < lifetime { return last.mounts }
    }
    let own = Set(Self.read("self").map(\.device))
    let mounts = Self.read("\(pid)").filter { !own.contains($0.device) }
    readings.withLock { readings in
      // Those of runs that have ended.
      readings = readings.filter { $0.value.date.duration(to: now) < Self.lifetimes.later * 2 }
      readings[namespace] = Reading(mounts: mounts, date: now, isRepeated: last != nil)
    }
    return mounts
  }

  /// The tmpfs that a process sees, with their places (proc_pid_mountinfo(5)).
  private static func read(_ process: String) -> [Mount] {
    ProcFile.lines("/proc/\(process)/mountinfo", with: " - tmpfs ").compactMap { line in
      let words = line.split(separator: " ")
      guard let end = words.firstIndex(of: "-"), words.count > end + 1, words.count > 4,
        words[end + 1] == "tmpfs"
      else { return nil }
      let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { return nil }
      return Mount(device: name(numbers[0], numbers[1]), place: String(words[4]))
    }
  }

  /// The name of a device as /proc/PID/maps shows it.
  static func name(_ major: UInt32, _ minor: UInt32) -> String {
    func digits(_ number: UInt32) -> String {
      let text = String(number, radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    return "\(digits(major)):\(digits(minor))"
  }
}
