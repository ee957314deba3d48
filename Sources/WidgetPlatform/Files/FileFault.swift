import Glibc

/// The reason why a file or a folder cannot be used.
package enum FileFault: Error, Hashable {
  /// It does not exist.
  case absent
  /// It exists, but is not what the program would have created; the text describes it: `it is a link`.
  case refused(String)
  /// A system call failed.
  case system(Int32)

  /// A description of the problem.
  package var words: String {
    switch self {
    case .absent: HostError.text(of: ENOENT)
    case .refused(let words): words
    case .system(let number): HostError.text(of: number)
    }
  }

  /// Returns why a folder of the program cannot be used, or nil if it can.
  ///
  /// No other user may be able to create files in it. Members of the user's group may: on systems where
  /// every user has a group of their own, folders are created like that.
  static func inFolder(_ status: stat) -> FileFault? {
    guard status.st_mode & S_IFMT == S_IFDIR else { return .refused(kind(of: status.st_mode)) }
    guard status.st_uid == geteuid() else { return .refused("owned by another user") }
    guard status.st_mode & S_IWOTH == 0 else {
      return .refused("writable by every user; remove that permission (chmod o-w)")
    }
    return nil
  }

  /// Returns why a file of the program cannot be used, or nil if it can.
  ///
  /// A file that was replaced after it was opened has no name any more, and is still valid.
  static func inFile(_ status: stat) -> FileFault? {
    guard status.st_mode & S_IFMT == S_IFREG else { return .refused(kind(of: status.st_mode)) }
    guard status.st_uid == geteuid() else { return .refused("owned by another user") }
    guard status.st_nlink <= 1 else {
      return .refused("it has \(status.st_nlink) names (hard links)")
    }
    return nil
  }

  /// A description of the kind of a file.
  package static func kind(of mode: UInt32) -> String {
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
