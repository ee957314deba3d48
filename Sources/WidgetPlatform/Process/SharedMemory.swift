import CPlatform
import Glibc
import WidgetKitCore

/// Memory of a run that is in no process: in files of memfd_create(2), shared memory, a tmpfs of its sandbox, and
/// buffers.
///
/// None of it is in the resident pages of a process, unless it is mapped. What several processes share counts once.
struct SharedMemory {
  private let files: [platform_held]
  private let mounts: [MemoryMounts.Use]
  private let bufferBytes: UInt64
  /// How many processes hide what they hold.
  let hiddenProcesses: Int

  /// Looks at the processes of a run.
  init(of pids: [Int32], _ run: ProcessRun) {
    let held = HeldResources(of: pids)
    let mounts = MemoryMounts.shared.uses(of: pids, run)
    let known = Set(mounts.map(\.device))
    self.mounts = mounts
    files = held.memoryFiles.filter {
      !known.contains(HeldResources.name(ofDevice: $0.device))
    }
    (bufferBytes, hiddenProcesses) = (held.bufferBytes, held.hiddenProcesses)
  }

  /// The bytes that all of it occupies.
  var bytes: UInt64 {
    let sizes = files.map(\.bytes) + mounts.map(\.bytes)
    return sizes.reduce(bufferBytes) { $0.addingSaturated($1) }
  }

  /// The bytes of it that are also in the resident pages of a process.
  func mapped(by pid: Int32) -> UInt64 {
    guard bytes > 0 else { return 0 }
    let inodes = Set(files.map(HeldResources.name))
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
}
