import CPlatform
import Glibc
import WidgetKitCore

/// Memory of a run that is in files: of memfd_create(2), shared memory, and a tmpfs of its sandbox.
///
/// None of it is in the resident pages of a process, unless it is mapped. What several processes share counts once.
nonisolated struct SharedMemory {
  private var files: [platform_shared_file] = []
  private var mounts: [Mount] = []

  /// A tmpfs that only the run has.
  private struct Mount {
    var device: String
    var bytes: UInt64
  }

  /// The most descriptors that are read in one pass for one run.
  ///
  /// Of a run that has more, others are read each time.
  private static let budget = 4_096
  /// The most files that are told from each other.
  private static let fileLimit = 1_024

  /// Looks at the processes of a run.
  init(of pids: [Int32]) {
    var pids = pids
    pids.shuffle()
    files = unsafe [platform_shared_file](unsafeUninitializedCapacity: Self.fileLimit) {
      buffer,
      count in
      guard let base = buffer.baseAddress else { return }
      count = unsafe platform_shared_files(pids, pids.count, Self.budget, base, Self.fileLimit)
    }
    mounts = Self.mounts(of: pids)
    let known = Set(mounts.map(\.device))
    files.removeAll { known.contains(Self.name(ofDevice: $0.device)) }
  }

  /// The bytes that all of it occupies.
  var bytes: UInt64 {
    files.reduce(mounts.reduce(0) { $0.addingSaturated($1.bytes) }) { $0.addingSaturated($1.bytes) }
  }

  /// The bytes of it that are also in the resident pages of a process.
  func mapped(by pid: Int32) -> UInt64 {
    guard bytes > 0 else { return 0 }
    let inodes = Set(files.map { "\(Self.name(ofDevice: $0.device)) \($0.inode)" })
    let devices = Set(mounts.map(\.device))
    var sum: UInt64 = 0
    var isCounted = false
    let text = ProcFile.text("/proc/\(pid)/smaps", limit: Self.mapBytes) ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 5)
      if words.count >= 5, words[0].contains("-"), !words[0].hasSuffix(":") {
        // START-END, permissions, offset, device, inode.
        isCounted = devices.contains(String(words[3])) || inodes.contains("\(words[3]) \(words[4])")
      } else if isCounted, words.count > 1, words[0] == "Pss:", let kibibytes = UInt64(words[1]) {
        sum = sum.addingSaturated(kibibytes.multipliedSaturated(by: 1_024))
      }
    }
    return sum
  }

  /// The most bytes that are read of the list of a process's mappings.
  private static let mapBytes = 1 << 20

  /// A device as /proc shows it, such as “00:2f”.
  private static func name(ofDevice device: UInt64) -> String {
    // makedev(3)
    name(
      UInt32(truncatingIfNeeded: device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000),
      UInt32(truncatingIfNeeded: device & 0xFF | device >> 12 & 0xFFFF_FF00)
    )
  }

  private static func name(_ major: UInt32, _ minor: UInt32) -> String {
    func digits(_ number: UInt32) -> String {
      let text = String(number, radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    return "\(digits(major)):\(digits(minor))"
  }

  // MARK: - Mounts

  /// The tmpfs of the namespaces of some processes that this process does not have.
  private static func mounts(of pids: [Int32]) -> [Mount] {
    let own = SymbolicLink.target("/proc/self/ns/mnt")
    var namespaces: Set<String?> = [own]
    var ownDevices: Set<String>?
    var mounts: [String: Mount] = [:]
    for pid in pids where namespaces.insert(SymbolicLink.target("/proc/\(pid)/ns/mnt")).inserted {
      let known = ownDevices ?? Set(memoryMounts("self").map(\.device))
      ownDevices = known
      for (device, place) in memoryMounts("\(pid)") where !known.contains(device) {
        guard mounts[device] == nil else { continue }
        let bytes = unsafe platform_used_bytes("/proc/\(pid)/root\(place)")
        mounts[device] = Mount(device: device, bytes: bytes)
      }
    }
    return Array(mounts.values)
  }

  /// The tmpfs that a process sees, with their places (proc_pid_mountinfo(5)).
  private static func memoryMounts(_ process: String) -> [(device: String, place: String)] {
    let text = ProcFile.text("/proc/\(process)/mountinfo") ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let end = words.firstIndex(of: "-"), words.count > end + 1, words.count > 4,
        words[end + 1] == "tmpfs"
      else { return nil }
      let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { return nil }
      return (name(numbers[0], numbers[1]), String(words[4]))
    }
  }
}
