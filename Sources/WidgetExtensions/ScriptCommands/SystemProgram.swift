import Glibc
import WidgetKitCore

/// The programs of the system, which nobody but its administrator can change or copy to their place.
enum SystemProgram {
  /// Whether a program is one of them, and is not one that runs others under another name.
  static func isKnown(_ path: String) -> Bool {
    guard let file = resolvedPath(path), file.hasPrefix("/"), isOfSystem(file) else { return false }
    var folder = file[...]
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = folder[..<slash]
      guard isOfSystem(String(folder)) else { return false }
    }
    return !LaunchingPrograms.isSameFile(file)
  }

  /// Whether only root can change a file or a folder.
  private static func isOfSystem(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_uid == 0
      && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}
