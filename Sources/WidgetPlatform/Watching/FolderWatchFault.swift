import Glibc

/// Why changes of files are not noticed, in words on which a user can act.
public enum FolderWatchFault {
  /// Tries to watch a folder as the page does; nil if that is possible.
  ///
  /// - Parameter folders: Where to try it. Those that are missing or that the user may not read are passed over, as
  ///   long as another one can be watched.
  /// - Returns: Why it is not possible, in words.
  public static func found(in folders: [String]) -> String? {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return words(errno) }
    defer { close(descriptor) }
    guard unsafe access("/proc/self/fd", F_OK) == 0 else { return words(ENOENT) }
    var fault: String?
    for folder in folders {
      let watch = unsafe inotify_add_watch(descriptor, folder, UInt32(IN_ATTRIB | IN_ONLYDIR))
      if watch >= 0 { return nil }
      let number = errno
      guard [ENOENT, ENOTDIR, EACCES].contains(number) else { return words(number) }
      if number == EACCES { fault = fault ?? "\(folder): \(words(number))" }
    }
    return fault
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
