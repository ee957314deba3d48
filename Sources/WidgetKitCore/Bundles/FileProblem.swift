import Glibc

/// Why a system call on a file failed, worded to follow "is".
struct FileProblem {
  var number: Int32

  /// The problem of the call just made.
  static var current: FileProblem { FileProblem(number: errno) }

  var words: String {
    switch number {
    case ENOENT: "missing"
    case ENOTDIR: "not in a folder"
    case EACCES, EPERM: "not readable (permission denied)"
    case ELOOP: "a symbolic link"
    case ENXIO: "not a regular file"
    default: "not readable (\(String(cString: strerror(number))))"
    }
  }

  /// The kind of a file according to its mode.
  static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
