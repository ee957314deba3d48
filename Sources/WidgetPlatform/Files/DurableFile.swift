import Glibc

/// Small files of the program that are replaced atomically: their content is always old or new, never
/// partial.
///
/// Their paths lead below one of the XDG folders, through ``OwnFolder``.
package enum DurableFile {
  /// Writes a file through a temporary one next to it: mode 0600, fsync, rename, fsync of the folder.
  ///
  /// Foundation's atomic writing omits the last step and the mode, and follows links. A file of this
  /// name that is not the program's own is replaced, never opened.
  ///
  /// Without `waitsForDisk` the file is also complete, but after a power failure it may be the old one.
  package static func write(
    _ bytes: some Sequence<UInt8>,
    to path: String,
    waitsForDisk: Bool = true
  ) throws(HostError) {
    let place = OwnPath.split(path)
    do throws(FileFault) {
      let folder = try OwnFolder.open(place.folder, makes: true)
      try folder.replace(place.name, with: Array(bytes), waitsForDisk: waitsForDisk)
    } catch {
      throw .file("write", path, error)
    }
  }

  /// The result of reading a small file.
  package enum Contents: Hashable, Sendable {
    /// The file does not exist.
    case absent
    /// The file exists but cannot be read; the text says why.
    case odd(String)
    /// All bytes of the file.
    case whole([UInt8])

    package init(_ fault: FileFault) {
      self = fault == .absent ? .absent : .odd(fault.words)
    }
  }

  /// Whether the program has no file of this name.
  package static func isAbsent(_ path: String) -> Bool {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder) else { return true }
    return !folder.hasFile(place.name)
  }

  /// Removes a file, or a link of this name.
  ///
  /// - Returns: Whether a file or link was removed.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder) else { return false }
    return folder.remove(place.name)
  }

  /// Reads a regular file of at most `byteLimit` bytes; returns nil if there is none or it is larger.
  package static func read(_ path: String, byteLimit: Int) -> [UInt8]? {
    if case .whole(let bytes) = contents(path, byteLimit: byteLimit) { bytes } else { nil }
  }

  /// Returns at most `byteLimit` bytes from the end of a regular file; empty if there is no such file.
  package static func tail(_ path: String, byteLimit: Int) -> [UInt8] {
    do throws(FileFault) {
      let file = try open(path)
      let size = file.status().map { Int($0.st_size) } ?? 0
      return file.read(byteLimit, from: max(0, size - byteLimit))
    } catch {
      return []
    }
  }

  /// Reads a regular file of at most `byteLimit` bytes, or returns the reason why it cannot.
  package static func contents(_ path: String, byteLimit: Int) -> Contents {
    do throws(FileFault) {
      return Contents(try open(path), byteLimit: byteLimit)
    } catch {
      return Contents(error)
    }
  }

  private static func open(_ path: String) throws(FileFault) -> Descriptor {
    let place = OwnPath.split(path)
    return try OwnFolder.open(place.folder).file(place.name, O_RDONLY)
  }
}

extension DurableFile.Contents {
  /// Reads an open regular file of at most `byteLimit` bytes.
  package init(_ file: borrowing Descriptor, byteLimit: Int) {
    guard let status = file.status() else {
      self = .odd(HostError.text(of: errno))
      return
    }
    guard status.st_size <= byteLimit else {
      self = .odd("it has \(status.st_size) bytes, more than \(byteLimit)")
      return
    }
    self = .whole(file.read(Int(status.st_size)))
  }
}
