import Glibc

/// Small files of the user or the system; unlike the program's own, they may be links and lie in
/// folders that are links.
public enum UserFile {
  /// Writes the whole text, and creates the folder if it is missing.
  ///
  /// - Throws: ``HostError`` that names the file.
  public static func write(_ text: String, to path: String) throws(HostError) {
    let place = OwnPath.split(path)
    do throws(FileFault) {
      let folder = try OwnFolder.openThroughLinks(place.folder, makes: true)
      try folder.replace(place.name, with: Array(text.utf8), waitsForDisk: true)
    } catch {
      throw .file("write", path, error)
    }
  }

  /// Removes a file or a link, never a folder.
  public static func remove(_ path: String) {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.openThroughLinks(place.folder, makes: false) else { return }
    folder.remove(place.name)
  }

  /// Removes a folder that the program created for itself, with all its contents.
  public static func removeTree(_ path: String) {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.openThroughLinks(place.folder, makes: false) else { return }
    folder.removeTree(place.name)
  }

  /// The bytes of a regular file of at most `byteLimit` bytes, following links; nil if there is none.
  public static func bytes(_ path: String, byteLimit: Int) -> [UInt8]? {
    if case .whole(let bytes) = contents(path, byteLimit: byteLimit) { bytes } else { nil }
  }

  /// Reads a regular file of at most `byteLimit` bytes, following links, or returns the reason why it
  /// cannot.
  package static func contents(_ path: String, byteLimit: Int) -> DurableFile.Contents {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        return SymbolicLink.target(path) == nil ? .absent : .odd("it is a broken link")
      case ELOOP: return .odd("its links form a loop")
      case ENXIO: return .odd("it is a socket")
      default: return .odd(HostError.text(of: errno))
      }
    }
    let file = Descriptor(number)
    guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
      return .odd(file.status().map { FileFault.kind(of: $0.st_mode) } ?? HostError.text(of: errno))
    }
    return DurableFile.Contents(file, byteLimit: byteLimit)
  }
}
