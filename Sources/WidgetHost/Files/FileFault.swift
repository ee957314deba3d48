import Glibc

/// Why a file or a folder cannot be used.
nonisolated enum FileFault: Error, Hashable {
  /// There is none.
  case absent
  /// It is there, and is not what the program would have put there; in words: `it is a link`.
  case refused(String)
  /// A call of the system failed.
  case system(Int32)

  /// What is wrong, in words.
  var words: String {
    switch self {
    case .absent: HostError.text(of: ENOENT)
    case .refused(let words): words
    case .system(let number): HostError.text(of: number)
    }
  }

  /// Why a folder of the program's own cannot be used; nil where it can.
  ///
  /// Nobody else may be able to put anything into it. Members of the user's group may: where every
  /// user has a group of their own, folders are made like that.
  static func inFolder(_ status: stat) -> FileFault? {
    guard status.st_mode & S_IFMT == S_IFDIR else { return .refused(kind(of: status.st_mode)) }
    guard status.st_uid == geteuid() else { return .refused("owned by another user") }
    guard status.st_mode & S_IWOTH == 0 else {
      return .refused("writable by every user; remove that permission (chmod o-w)")
    }
    return nil
  }

  /// Why a file of the program's own cannot be used; nil where it can.
  ///
  /// One that was replaced after it was opened has no name any more, and is as good as before.
  static func inFile(_ status: stat) -> FileFault? {
    guard status.st_mode & S_IFMT == S_IFREG else { return .refused(kind(of: status.st_mode)) }
    guard status.st_uid == geteuid() else { return .refused("owned by another user") }
    guard status.st_nlink <= 1 else {
      return .refused("it has \(status.st_nlink) names (hard links)")
    }
    return nil
  }

  /// What a file is, in words.
  static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "not a folder"
    case S_IFDIR: "it is a folder"
    case S_IFLNK: "it is a link"
    case S_IFIFO: "it is a pipe"
    case S_IFSOCK: "it is a socket"
    default: "it is a device"
    }
  }
}
