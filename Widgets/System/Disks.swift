import Glibc

/// A file system with a disk of its own behind it.
struct Mount: Hashable, Sendable {
  static let file = "mounts"

  /// What is mounted: `/dev/sda1`.
  var device: String
  /// Where.
  var point: String

  /// Reads `/proc/mounts` and leaves out what has no disk, or one that was seen before.
  ///
  /// File systems of other machines are left out as well: asking a server that is gone would
  /// hang the widget. The root is in, whatever it is: in a container it is an overlay.
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
    // Of several mounts of one disk the one nearest the root says most.
    mounts.sort { ($0.point.utf8.count, $0.point) < ($1.point.utf8.count, $1.point) }
    var seen: Set<String> = []
    return mounts.filter { seen.insert($0.device).inserted }
  }

  /// Spaces, tabs, line breaks and backslashes stand as `\040` and so on (getmntent(3)).
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

/// How full a disk is, in bytes.
struct DiskUsage: Hashable, Sendable {
  /// Where it is mounted.
  var mountPoint: String
  /// All of it that a user may fill.
  var total: UInt64 = 0
  /// What is taken.
  var used: UInt64 = 0
  /// Why it is not known.
  var trouble: String?

  /// The share that is taken, 0 to 1.
  var usedShare: Double { total == 0 ? 0 : Double(used) / Double(total) }

  /// Asks the file system at `mount`; nil if a single file is mounted.
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

  /// A disk of which nothing is known but why.
  init(mountPoint: String, trouble: String) {
    self.mountPoint = mountPoint
    self.trouble = trouble
  }

  /// Counts as df(1) does: what is kept for root is neither used nor there.
  init(mountPoint: String, blockSize: UInt64, blocks: UInt64, free: UInt64, available: UInt64) {
    self.mountPoint = mountPoint
    used = (blocks - min(free, blocks)).multipliedReportingOverflow(by: blockSize).partialValue
    let rest = available.multipliedReportingOverflow(by: blockSize).partialValue
    total = used.addingReportingOverflow(rest).partialValue
  }
}
