import Glibc

/// Why changes of files are not noticed, in words on which a user can act.
public nonisolated enum FolderWatchFault {
  /// Tries to watch a folder; nil if that is possible.
  public static func found() -> String? {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return words(errno) }
    defer { close(descriptor) }
    let path = "/proc/self/fd/\(descriptor)"
    let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB))
    return watch >= 0 ? nil : words(errno)
  }

  /// What the number of an error of inotify(7) means.
  static func words(_ number: Int32) -> String {
    switch number {
    case ENOSPC: "the programs of the user watch too many folders (fs.inotify.max_user_watches)"
    case EMFILE:
      "too many programs of the user watch folders (fs.inotify.max_user_instances)"
    case ENOSYS: "this system cannot watch folders"
    case ENOENT where unsafe access("/proc/self/fd", F_OK) != 0: "/proc is not there"
    default: HostError.text(of: number)
    }
  }

  /// The error of a folder that cannot be watched.
  static func error(_ path: String, _ fault: FileFault) -> HostError {
    guard case .system(let number) = fault else { return .file("watch", path, fault) }
    return HostError(code: .file, description: "could not watch \(path): \(words(number))")
  }
}
