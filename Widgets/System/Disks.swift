import Glibc

/// A mounted file system with a disk.
struct Mount: Hashable, Sendable {
  static let file = "mounts"

  /// The device: `/dev/sda1`.
  var device: String
  /// The mount point.
  var point: String

  /// Reads `/proc/mounts`, without file systems that have no disk or a disk that is listed already.
  ///
  /// Network file systems are omitted too: a server that does not answer would
  /// block the widget. The root is always included: in a container it is an overlay.
  static func disks(parsing text: String, path: String) throws(SourceError) -> [Mount] {
    var mounts: [Mount] = []
    for line in text.lines {
      let words = line.words
      guard words.count >= 3 else { continue }
      let mount = Mount(device: unescape(words[0]), point: unescape(words[1]))
      let isDisk = mount.device.hasPrefix("/dev/") && !mount.device.hasPrefix("/dev/loop")
      guard isDisk || mount.point == "/" || words[2] == "zfs" else { continue }
      // A later mount on the same point hides the earlier one.
      mounts.removeAll { $0.point == mount.point }
      mounts.append(mount)
    }
    guard !mounts.isEmpty else { throw .missing("line of a disk", in: path) }
    // Of several mounts of one disk, the one nearest to the root is used.
    mounts.sort { ($0.point.utf8.count, $0.point) < ($1.point.utf8.count, $1.point) }
    var seen: Set<String> = []
    return mounts.filter { seen.insert($0.device).inserted }
  }

  /// Spaces, tabs, line breaks and backslashes are escaped as `\040` and so on (getmntent(3)).
  private static func unescape(_ word: Substring) -> String {
    let bytes = Array(word.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count,
        let code = UInt8(String(decoding: bytes[index + 1...index + 3], as: UTF8.self), radix: 8)
      {
        result.append(code)
        index += 4
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The usage of a disk, in bytes.
struct DiskUsage: Hashable, Sendable {
  /// Where it is mounted.
  var mountPoint: String
  /// The space that is available to users in total.
  var total: UInt64 = 0
  /// The used bytes.
  var used: UInt64 = 0
  /// The error if it is unknown.
  var trouble: String?

  /// The used share, 0 to 1.
  var usedShare: Double { total == 0 ? 0 : Double(used) / Double(total) }

  /// Reads the file system at `mount`; nil if a single file is mounted.
  init?(asking mount: Mount) {
    var status = stat()
    if stat(mount.point, &status) == 0, status.st_mode & S_IFMT != S_IFDIR { return nil }
    var answer = statvfs()
    guard statvfs(mount.point, &answer) == 0 else {
      self.init(
        mountPoint: mount.point,
        trouble: "cannot be read (\(String(cString: strerror(errno))))"
      )
      return
    }
    self.init(
      mountPoint: mount.point,
      blockSize: UInt64(answer.f_frsize),
      blocks: UInt64(answer.f_blocks),
      free: UInt64(answer.f_bfree),
      available: UInt64(answer.f_bavail)
    )
  }

  /// A disk that cannot be read, with the error.
  init(mountPoint: String, trouble: String) {
    self.mountPoint = mountPoint
    self.trouble = trouble
  }

  /// Computed as by df(1): blocks reserved for root are neither used nor available.
  init(mountPoint: String, blockSize: UInt64, blocks: UInt64, free: UInt64, available: UInt64) {
    self.mountPoint = mountPoint
    used = (blocks - min(free, blocks)).multipliedReportingOverflow(by: blockSize).partialValue
    let rest = available.multipliedReportingOverflow(by: blockSize).partialValue
    total = used.addingReportingOverflow(rest).partialValue
  }
}
