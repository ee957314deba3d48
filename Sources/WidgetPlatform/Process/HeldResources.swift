import CPlatform
import Glibc
import WidgetKitCore

/// What the processes of a run hold by their descriptors, and what neither their pages nor the names in their folders
/// tell of: files in memory, deleted files, and the buffers of sockets and pipes.
struct HeldResources {
  /// All of it, each thing once.
  private let held: [platform_held]
  /// How many processes hide their descriptors.
  let hiddenProcesses: Int
  /// How many descriptors wait in sockets.
  private let waiting: Int

  /// The most descriptors that are read in one pass for one run.
  ///
  /// Of a run that has more, others are read each time.
  private static let budget = 4_096
  /// What any run may have without its buffers being counted, which are almost empty.
  private static let free = (buffers: 16, waiting: 4)
  /// The bytes of a pipe (pipe(7)), which no sandbox can change.
  private static let pipeBytes: UInt64 = 64 << 10
  /// What a descriptor counts that waits in a socket: it may be of another socket, which holds others.
  private static let waitingBytes: UInt64 = 8 << 20
  /// The bytes of a socket in which something is waiting for the network.
  private static let queueBytes: UInt64 = 1 << 20
  /// The bytes that a socket holds at most, which no sandbox can change.
  private static let socketBytes: UInt64 = {
    let text = ProcFile.text("/proc/sys/net/core/wmem_default") ?? ""
    return UInt64(text.filter(\.isNumber)) ?? 212_992
  }()

  /// Looks at the processes of a run.
  init(of pids: [Int32]) {
    let pids = pids.shuffled()
    var holders = platform_holders()
    held = unsafe [platform_held](unsafeUninitializedCapacity: Self.budget) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = unsafe platform_held_by(
        pids,
        pids.count,
        Self.budget,
        base,
        Self.budget,
        &holders
      )
    }
    (hiddenProcesses, waiting) = (Int(holders.hidden), Int(holders.waiting))
  }

  private func all(_ kind: platform_held_kind) -> [platform_held] {
    held.filter { $0.kind == kind }
  }

  /// The files that are only in memory.
  var memoryFiles: [platform_held] { all(PLATFORM_HELD_MEMORY) }

  // MARK: - Buffers

  /// The bytes that the buffers of sockets and pipes can hold, beyond what any run may have.
  var bufferBytes: UInt64 {
    let (sockets, pipes) = (all(PLATFORM_HELD_SOCKET), all(PLATFORM_HELD_PIPE))
    var sizes = sockets.map { _ in Self.socketBytes } + pipes.map { _ in Self.pipeBytes }
    sizes = Array(sizes.dropFirst(Self.free.buffers))
    let unseen = UInt64(max(0, waiting - Self.free.waiting)).multipliedSaturated(
      by: Self.waitingBytes
    )
    let queues = sockets.count > Self.free.buffers ? Self.queues(of: sockets) : 0
    return sizes.reduce(unseen.addingSaturated(queues)) { $0.addingSaturated($1) }
  }

  /// The bytes of sockets of TCP with something in their queues, whose buffers the kernel makes larger.
  private static func queues(of sockets: [platform_held]) -> UInt64 {
    guard let pid = sockets.first?.pid else { return 0 }
    let inodes = Set(sockets.map(\.inode))
    var sum: UInt64 = 0
    for file in ["tcp", "tcp6"] {
      let text = ProcFile.text("/proc/\(pid)/net/\(file)", limit: 1 << 20) ?? ""
      for line in text.split(separator: "\n").dropFirst() {
        // The queues are “tx:rx” in the fifth field, the inode is the tenth.
        let words = line.split(separator: " ")
        guard words.count > 9, let inode = UInt64(words[9]), inodes.contains(inode) else {
          continue
        }
        let sizes = words[4].split(separator: ":").compactMap { UInt64($0, radix: 16) }
        let bytes = sizes.reduce(UInt64(0)) { $0.addingSaturated($1) }
        if bytes > 0 { sum = sum.addingSaturated(max(bytes, queueBytes)) }
      }
    }
    return sum
  }

  // MARK: - Deleted files

  /// What the kernel writes behind the path of a file without a name.
  private static let deletedMark = " (deleted)"

  /// The bytes on disk of files without a name that were made below some folders.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - pids: The processes, for files that they have only mapped.
  /// - Returns: The sum; a file that is only mapped counts as far as it is.
  func deletedBytes(below folders: [String], _ pids: [Int32]) -> UInt64 {
    let places = folders.flatMap { [$0, resolvedPath($0) ?? $0] }
    func isBelow(_ path: some StringProtocol) -> Bool {
      places.contains { path.hasPrefix($0 + "/") }
    }
    var sizes: [String: UInt64] = [:]
    for file in all(PLATFORM_HELD_DELETED) {
      let path = SymbolicLink.target("/proc/\(file.pid)/fd/\(file.descriptor)") ?? ""
      if isBelow(path) { sizes[Self.name(of: file)] = file.bytes }
    }
    let open = Set(sizes.keys)
    for pid in pids {
      let lines = ProcFile.lines("/proc/\(pid)/maps", with: Self.deletedMark, limit: 1 << 20)
      for line in lines where line.hasSuffix(Self.deletedMark) {
        // START-END, permissions, offset, device, inode, path.
        let words = line.split(separator: " ", maxSplits: 5)
        guard words.count == 6, isBelow(words[5].drop { $0 == " " }) else { continue }
        let name = "\(words[3]) \(words[4])"
        let range = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard !open.contains(name), range.count == 2, range[0] < range[1] else { continue }
        let end = (range[1] - range[0]).addingSaturated(UInt64(words[2], radix: 16) ?? 0)
        sizes[name] = max(sizes[name] ?? 0, end)
      }
    }
    return sizes.values.reduce(UInt64(0)) { $0.addingSaturated($1) }
  }

  /// A device and an inode as /proc/PID/maps shows them.
  static func name(of file: platform_held) -> String {
    "\(name(ofDevice: file.device)) \(file.inode)"
  }

  /// A device as /proc shows it, such as “00:2f”.
  static func name(ofDevice device: UInt64) -> String {
    // makedev(3)
    MemoryMounts.name(
      UInt32(truncatingIfNeeded: device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000),
      UInt32(truncatingIfNeeded: device & 0xFF | device >> 12 & 0xFFFF_FF00)
    )
  }
}
