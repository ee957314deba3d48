import CPlatform
import Glibc
import WidgetPlatform

/// The files of a bundle that is to be installed: they are copied one by one, and anything but plain files
/// and folders is refused.
nonisolated struct BundleTree {
  /// The limits on what is installed.
  struct Limits {
    /// Bytes of all files.
    var bytes: UInt64 = 256 << 20
    /// Files and folders.
    var entries = 10_000
    /// Folders inside each other.
    var depth = 32
  }

  private let limits: Limits
  private var bytes: UInt64 = 0
  private var entries = 0

  private init(_ limits: Limits) {
    self.limits = limits
  }

  /// Copies a folder with all its contents.
  ///
  /// The copies belong to this user; of the permissions only that to execute a file is kept. A link, a
  /// file with a second name, a pipe, a socket or a device is an error, as is a tree past the limits.
  ///
  /// - Parameters:
  ///   - source: The path of the folder.
  ///   - target: The folder that gets the copy.
  ///   - name: The name of the copy.
  ///   - limits: The limits on what is copied.
  /// - Throws: ``HostError`` that names the file.
  static func copy(
    _ source: String,
    into target: borrowing OwnFolder,
    as name: String,
    _ limits: Limits = Limits()
  ) throws(HostError) {
    var tree = BundleTree(limits)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let opened = unsafe open(source, flags)
    guard opened >= 0 else { throw .file("read", source, errno) }
    let folder = Descriptor(opened)
    try tree.copyFolder(folder.number, source, into: target, as: name, depth: 0)
    // Once for all files, as a bundle may have thousands.
    guard platform_sync_file_system(target.number) == 0 else {
      throw .file("write", "\(target.path)/\(name)", errno)
    }
  }

  private mutating func copyFolder(
    _ folder: Int32,
    _ path: String,
    into target: borrowing OwnFolder,
    as name: String,
    depth: Int
  ) throws(HostError) {
    guard depth <= limits.depth else {
      throw Self.refused(path, "folders are nested more than \(limits.depth) deep")
    }
    let made: OwnFolder
    do throws(FileFault) {
      made = try target.folder(name, makes: true)
    } catch {
      throw .file("create", "\(target.path)/\(name)", error)
    }
    var names: [String] = []
    unsafe OwnFolder.forEachName(in: folder) { name, _ in
      names.append(unsafe String(cString: name))
      return names.count <= limits.entries
    }
    for name in names.sorted() {
      entries += 1
      guard entries <= limits.entries else {
        throw Self.refused(path, "it has more than \(limits.entries) files")
      }
      try copyEntry(folder, "\(path)/\(name)", name, into: made, depth: depth)
    }
  }

  private mutating func copyEntry(
    _ folder: Int32,
    _ path: String,
    _ name: String,
    into target: borrowing OwnFolder,
    depth: Int
  ) throws(HostError) {
    var kind = stat()
    guard unsafe fstatat(folder, name, &kind, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .file("read", path, errno)
    }
    // Opening a device can do something, so it is not opened.
    guard kind.st_mode & S_IFMT == S_IFDIR || kind.st_mode & S_IFMT == S_IFREG else {
      throw Self.refused(path, FileFault.kind(of: kind.st_mode))
    }
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let opened = unsafe openat(folder, name, flags)
    guard opened >= 0 else { throw .file("read", path, errno) }
    let file = Descriptor(opened)
    guard let status = file.status() else { throw .file("read", path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      try copyFolder(opened, path, into: target, as: name, depth: depth + 1)
    case S_IFREG:
      guard status.st_nlink <= 1 else { throw Self.refused(path, "it has a hard link") }
      let isProgram = status.st_mode & 0o111 != 0
      try copyFile(opened, path, into: target, as: name, isProgram: isProgram)
    default:
      throw Self.refused(path, FileFault.kind(of: status.st_mode))
    }
  }

  private mutating func copyFile(
    _ file: Int32,
    _ path: String,
    into target: borrowing OwnFolder,
    as name: String,
    isProgram: Bool
  ) throws(HostError) {
    let copy: Descriptor
    do throws(FileFault) {
      copy = try target.file(name, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw .file("write", "\(target.path)/\(name)", error)
    }
    var buffer = [UInt8](repeating: 0, count: 128 * 1024)
    while true {
      let count = unsafe read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file("read", path, errno) }
      if count == 0 { break }
      bytes += UInt64(count)
      guard bytes <= limits.bytes else {
        throw Self.refused(path, "the bundle has more than \(limits.bytes >> 20) MiB")
      }
      do throws(FileFault) {
        try copy.write(Array(buffer.prefix(count)))
      } catch {
        throw .file("write", "\(target.path)/\(name)", error)
      }
    }
    guard fchmod(copy.number, isProgram ? 0o755 : 0o644) == 0 else {
      throw .file("write", "\(target.path)/\(name)", errno)
    }
  }

  private static func refused(_ path: String, _ words: String) -> HostError {
    HostError(code: .file, description: "\(path) cannot be installed: \(words)")
  }
}
