import Glibc

/// A file system with a disk, and where it is mounted.
struct Mount: Hashable, Sendable {
  static let file = "self/mountinfo"

  /// The device: `/dev/sda1`.
  var device: String
  /// Its own place: the root of the machine, else where all of it is mounted first.
  var point: String
  /// Where it, or a part of it, is mounted as well.
  var others: [String] = []

  /// A line of the table of mounts (proc_pid_mountinfo(5)).
  private struct Line {
    var number: Substring
    /// The part of the file system that is mounted; a bind mount has one.
    var root: String
    var point: String
    var kind: Substring
    var device: String

    /// Reads `36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda1 rw`.
    init?(parsing line: Substring) {
      let words = line.words
      guard words.count >= 9, let end = words[6...].firstIndex(of: "-"), words.count > end + 2
      else { return nil }
      number = words[2]
      root = Mount.unescape(words[3])
      point = Mount.unescape(words[4])
      kind = words[end + 1]
      device = Mount.unescape(words[end + 2])
    }

    /// Network file systems are omitted too: a server that does not answer would block the widget.
    ///
    /// The root is always included: in a container it is an overlay.
    var isDisk: Bool {
      let isDevice = device.hasPrefix("/dev/") && !device.hasPrefix("/dev/loop")
      return point == "/" || kind == "zfs" || isDevice && !kind.hasPrefix("fuse.")
    }

    var depth: Int { root.split(separator: "/").count }
  }

  /// The file systems of `/proc/self/mountinfo` that have a disk, each once; short places first.
  static func disks(parsing text: String, path: String) throws(SourceError) -> [Mount] {
    var lines: [Line] = []
    for line in text.lines.compactMap(Line.init(parsing:)) {
      // A later mount on the same point hides the earlier one.
      lines.removeAll { $0.point == line.point }
      lines.append(line)
    }
    lines = lines.filter(\.isDisk)
    guard !lines.isEmpty else { throw .missing("line of a disk", in: path) }
    let ranked = lines.enumerated().sorted { one, other in
      let ranks = [one, other].map {
        ($0.element.point == "/" ? 0 : 1, $0.element.depth, $0.offset)
      }
      return ranks[0] < ranks[1]
    }
    var groups: [[Line]] = []
    for line in ranked.map(\.element) {
      let group = groups.firstIndex { group in
        group.contains { $0.number == line.number || $0.device == line.device }
      }
      if let group { groups[group].append(line) } else { groups.append([line]) }
    }
    return groups.map { group in
      Mount(device: group[0].device, point: group[0].point, others: group.dropFirst().map(\.point))
    }
    .sorted { ($0.point.utf8.count, $0.point) < ($1.point.utf8.count, $1.point) }
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

  /// Reads the file system at `mount`; nil if only single files of it are mounted, as in containers.
  init?(asking mount: Mount) {
    let isFile = { (point: String) in
      var status = stat()
      return stat(point, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }
    guard let point = ([mount.point] + mount.others).first(where: { !isFile($0) }) else {
      return nil
    }
    var answer = statvfs()
    guard statvfs(point, &answer) == 0 else {
      self.init(
        mountPoint: point,
        trouble: "cannot be read (\(String(cString: strerror(errno))))"
      )
      return
    }
    self.init(
      mountPoint: point,
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
