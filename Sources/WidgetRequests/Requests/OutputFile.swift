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
    guard unsafe stat(path, &status) == 0 else { return try create(path, content) }
    if status.st_mode & S_IFMT == S_IFREG { return try EditedFile(path).replace(by: content) }
    let number = unsafe open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .file("write", path, errno) }
    defer { close(number) }
    let error = content.copy(to: number)
    guard error == 0 else { throw .file("write", path, error) }
  }

  private static func create(_ path: String, _ content: RequestSpool) throws(HostError) {
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
        guard unsafe renameat(folder.number, temporary, folder.number, place.name) == 0 else {
          throw .system(errno)
        }
      } catch {
        folder.remove(temporary)
        throw error
      }
    } catch {
      throw .file("write", path, error)
    }
  }
}
