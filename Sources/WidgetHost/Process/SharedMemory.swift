import CPlatform
import Glibc
import WidgetKitCore

/// Memory of a run that is in files: of memfd_create(2), shared memory, and a tmpfs of its sandbox.
///
/// None of it is in the resident pages of a process, unless it is mapped. What several processes share counts once.
nonisolated struct SharedMemory {
  private var files: [platform_shared_file] = []
  private var mounts: [MemoryMounts.Use] = []

  /// The most descriptors that are read in one pass for one run.
  ///
  /// Of a run that has more, others are read each time.
  private static let budget = 4_096
  /// The most files that are told from each other.
  private static let fileLimit = 1_024

  /// Looks at the processes of a run.
  init(of pids: [Int32], _ run: ProcessRun) {
    var pids = pids
    pids.shuffle()
    files = unsafe [platform_shared_file](unsafeUninitializedCapacity: Self.fileLimit) {
      buffer,
      count in
      guard let base = buffer.baseAddress else { return }
      count = unsafe platform_shared_files(pids, pids.count, Self.budget, base, Self.fileLimit)
    }
    mounts = MemoryMounts.shared.uses(of: pids, run)
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
    MemoryMounts.name(
      UInt32(truncatingIfNeeded: device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000),
      UInt32(truncatingIfNeeded: device & 0xFF | device >> 12 & 0xFFFF_FF00)
    )
  }
}
