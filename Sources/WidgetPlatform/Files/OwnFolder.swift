import CPlatform
package import Glibc

/// An open folder of the program; all access below the XDG folders goes through it.
///
/// Any program of the user can put a link, a pipe or a foreign file where the program keeps its own.
/// Therefore each folder is opened relative to its parent and stays open while it is used, links are
/// not followed, opening never blocks, and a file is accepted only if it is a regular file of this user
/// with one name.
package struct OwnFolder: ~Copyable, Sendable {
  /// The path, for messages.
  package let path: String
  private let descriptor: Descriptor

  /// The number of the descriptor, which is valid as long as this value.
  package var number: Int32 { descriptor.number }

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK

  private init(path: String, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a folder of the program.
  ///
  /// - Parameters:
  ///   - path: Its absolute path.
  ///   - makes: Whether missing folders are created, accessible only to their owner.
  /// - Returns: The folder, which belongs to this user and which no other user can write to.
  /// - Throws: The problem with it, or with a folder above it.
  package static func open(_ path: String, makes: Bool = false) throws(FileFault) -> OwnFolder {
    let place = OwnPath(folder: path)
    var folder = try openThroughLinks(place.base, makes: makes)
    try folder.check()
    for part in place.parts { folder = try folder.folder(String(part), makes: makes) }
    return folder
  }

  /// Opens a folder outside the program's own folders, where links and any owner are allowed.
  package static func openThroughLinks(_ path: String, makes: Bool) throws(FileFault) -> OwnFolder {
    var number = unsafe Glibc.open(path, flags)
    if number < 0, errno == ENOENT, makes, makeWithParents(path) {
      number = unsafe Glibc.open(path, flags)
    }
    guard number >= 0 else {
      throw errno == ENOENT ? .absent : .system(errno)
    }
    return OwnFolder(path: path, descriptor: Descriptor(number))
  }

  private static func makeWithParents(_ path: String) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: 0x2F), slash != path.startIndex,
      makeWithParents(String(path[..<slash]))
    else { return false }
    return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  private func check() throws(FileFault) {
    guard let status = descriptor.status() else { throw .system(errno) }
    if let fault = FileFault.inFolder(status) {
      throw .refused("the folder \(path): \(fault.words)")
    }
  }

  // MARK: - Contents

  /// Opens a folder inside this one.
  package func folder(_ name: String, makes: Bool = false) throws(FileFault) -> OwnFolder {
    let folder = try anyFolder(name, makes: makes)
    try folder.check()
    return folder
  }

  /// Opens a folder inside this one that a widget may have created; links are still refused.
  package func anyFolder(_ name: String, makes: Bool = false) throws(FileFault) -> OwnFolder {
    guard OwnPath.isPlain(name) else { throw .system(EINVAL) }
    if makes { unsafe mkdirat(number, name, 0o700) }
    let opened = unsafe openat(number, name, Self.flags | O_NOFOLLOW)
    guard opened >= 0 else {
      let fault = fault(errno, name)
      guard case .refused(let words) = fault else { throw fault }
      throw .refused("the folder \(path)/\(name): \(words)")
    }
    return OwnFolder(path: "\(path)/\(name)", descriptor: Descriptor(opened))
  }

  /// Opens a regular file in this folder; with `O_CREAT` in the flags it is created if it is missing.
  ///
  /// `O_TRUNC` would truncate a file before its owner is checked: use `ftruncate`.
  package func file(_ name: String, _ flags: Int32) throws(FileFault) -> Descriptor {
    guard OwnPath.isPlain(name) else { throw .system(EINVAL) }
    let safe = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let opened = unsafe openat(number, name, flags & ~O_TRUNC | safe, 0o600)
    guard opened >= 0 else { throw fault(errno, name) }
    let file = Descriptor(opened)
    guard let status = file.status() else { throw .system(errno) }
    if let fault = FileFault.inFile(status) { throw fault }
    return file
  }

  /// Returns the status of the file of this name, without following a link.
  package func status(_ name: String) -> stat? {
    var status = stat()
    guard OwnPath.isPlain(name),
      unsafe fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    else { return nil }
    return status
  }

  /// Whether there is a file of this name that the program could have created.
  package func hasFile(_ name: String) -> Bool {
    status(name).map { FileFault.inFile($0) == nil } ?? false
  }

  /// Returns at most `limit` names in this folder, unordered.
  package func names(limit: Int = .max) -> [String] {
    var names: [String] = []
    unsafe forEachName { name, _ in
      names.append(unsafe String(cString: name))
      return names.count < limit
    }
    return names
  }

  /// Calls `body` with each name and its kind (`DT_DIR`, `DT_UNKNOWN`, …) until it returns false.
  func forEachName(_ body: (UnsafePointer<CChar>, UInt8) -> Bool) {
    unsafe Self.forEachName(in: number, body)
  }

  /// Calls `body` with each name in the folder of a descriptor until it returns false.
  package static func forEachName(in folder: Int32, _ body: (UnsafePointer<CChar>, UInt8) -> Bool) {
    // The folder is opened again because a stream closes its descriptor, and the offset is shared.
    let copy = unsafe openat(folder, ".", flags)
    guard copy >= 0 else { return }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let kind = unsafe entry.pointee.d_type
      let goesOn = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || body(name, kind)
        }
      }
      guard goesOn else { return }
    }
  }

  // MARK: - Changes

  /// Creates or replaces a file in this folder atomically.
  ///
  /// - Parameters:
  ///   - name: Its name. A link, a pipe or a foreign file of this name is replaced, never opened.
  ///   - bytes: The whole content.
  ///   - waitsForDisk: Whether the file survives a power failure when this returns; otherwise it may
  ///     then be the old one.
  ///   - temporary: The name under which it is written first.
  ///   - mode: Who may read and write it; nil for its owner alone.
  /// - Returns: The identity of the new file; nil if it is unknown.
  /// - Throws: The reason why the file was not written; the previous file is still there.
  @discardableResult
  package func replace(
    _ name: String,
    with bytes: [UInt8],
    waitsForDisk: Bool,
    temporary: String = Self.temporaryName(),
    mode: UInt32? = nil
  ) throws(FileFault) -> FileIdentity? {
    guard OwnPath.isPlain(name) else { throw .system(EINVAL) }
    let identity: FileIdentity?
    do throws(FileFault) {
      let file = try file(temporary, O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes)
      if let mode, fchmod(file.number, mode) != 0 { throw .system(errno) }
      identity = file.status().map { FileIdentity($0) }
      guard !waitsForDisk || fsync(file.number) == 0 else { throw .system(errno) }
      guard unsafe renameat(number, temporary, number, name) == 0 else { throw .system(errno) }
    } catch {
      unsafe unlinkat(number, temporary, 0)
      throw error
    }
    if waitsForDisk { fsync(number) }
    return identity
  }

  /// Renames a file and replaces a file that has the new name.
  package func rename(_ name: String, to new: String) throws(FileFault) {
    guard OwnPath.isPlain(name), OwnPath.isPlain(new) else { throw .system(EINVAL) }
    guard unsafe renameat(number, name, number, new) == 0 else { throw fault(errno, name) }
  }

  /// Exchanges two files at once, which not every file system can.
  package func exchange(_ name: String, with other: String) throws(FileFault) {
    guard OwnPath.isPlain(name), OwnPath.isPlain(other) else { throw .system(EINVAL) }
    guard unsafe platform_rename(number, name, other, 1) == 0 else { throw fault(errno, other) }
  }

  /// Moves a file into another folder, where it replaces one of that name; it is on the disk there
  /// afterwards.
  package func move(
    _ name: String,
    to folder: borrowing OwnFolder,
    as new: String
  ) throws(FileFault) {
    guard OwnPath.isPlain(name), OwnPath.isPlain(new) else { throw .system(EINVAL) }
    guard unsafe renameat(number, name, folder.number, new) == 0 else { throw fault(errno, name) }
    fsync(folder.number)
    fsync(number)
  }

  /// Removes a file or a link, never a folder; returns false if nothing was removed.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    unsafe OwnPath.isPlain(name) && unlinkat(number, name, 0) == 0
  }

  /// Removes an empty folder.
  @discardableResult
  package func removeFolder(_ name: String) -> Bool {
    unsafe OwnPath.isPlain(name) && unlinkat(number, name, AT_REMOVEDIR) == 0
  }

  private func fault(_ number: Int32, _ name: String) -> FileFault {
    switch number {
    case ENOENT: .absent
    // A kind of file that cannot be opened like this: a link, a pipe without a reader, a folder.
    case ELOOP, ENOTDIR, ENXIO, EISDIR:
      status(name).map { .refused(FileFault.kind(of: $0.st_mode)) } ?? .system(number)
    default: .system(number)
    }
  }
}
