import CPlatform
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// A file that is written whole or not at all.
package nonisolated enum OutputFile {
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether it is a file that has content to lose.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Writes content to a file, which is created, or replaced if it may be; a pipe or a device is written to.
  package static func write(_ content: RequestSpool, to path: String) throws(HostError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      try create(path, content)
      return
    }
    if status.st_mode & S_IFMT == S_IFREG { return try EditedFile(path).replace(by: content) }
    let number = unsafe open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .file("write", path, errno) }
    defer { close(number) }
    let error = content.copy(to: number)
    guard error == 0 else { throw .file("write", path, error) }
  }

  /// Writes content to a file that there must not be.
  ///
  /// - Returns: Whether it was written; false if something has its name, which is as before then.
  /// - Throws: ``HostError`` with the file and the reason; there is no file then.
  package static func writeNew(
    _ content: RequestSpool,
    to path: String
  ) throws(HostError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return false }
    return try create(path, content, replaces: false)
  }

  /// Creates a file; returns false if something has its name that is not to be replaced.
  @discardableResult
  private static func create(
    _ path: String,
    _ content: RequestSpool,
    replaces: Bool = true
  ) throws(HostError) -> Bool {
    let place = OwnPath.split(path)
    do throws(FileFault) {
      let folder = try OwnFolder.openThroughLinks(place.folder, makes: false)
      let temporary = OwnFolder.temporaryName()
      do throws(FileFault) {
        let file = try folder.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        let error = content.copy(to: file.number)
        guard error == 0 else { throw .system(error) }
        let mask = umask(0o077)
        umask(mask)
        guard fchmod(file.number, 0o666 & ~mask) == 0 else { throw .system(errno) }
        let result =
          replaces
          ? unsafe renameat(folder.number, temporary, folder.number, place.name)
          : Self.rename(temporary, to: place.name, in: folder.number)
        if result == 0 { return true }
        guard errno == EEXIST, !replaces else { throw .system(errno) }
        folder.remove(temporary)
        return false
      } catch {
        folder.remove(temporary)
        throw error
      }
    } catch {
      throw .file("write", path, error)
    }
  }

  /// Renames a file to a name that nothing has; returns 0, or -1 with errno.
  private static func rename(_ name: String, to new: String, in folder: Int32) -> Int32 {
    let result = unsafe platform_rename(folder, name, new, 0)
    guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
    // As on NFS, where a link does the same.
    guard unsafe linkat(folder, name, folder, new, 0) == 0 else { return -1 }
    return unsafe unlinkat(folder, name, 0)
  }
}
