import Glibc
import WidgetKitCore
import WidgetPlatform

/// Writes files into a folder to which other programs may write, too: each is whole or not there, and none is
/// written over that is not the program's own.
nonisolated struct FolderWriter {
  private let path: String

  /// What temporary files begin with, so that no others are removed.
  private static let temporary = ".today-publish-"
  /// The modes of what others read, such as a server, which is another user.
  private static let modes: (folder: mode_t, file: mode_t) = (0o755, 0o644)

  init(_ path: String) {
    self.path = path
  }

  /// Writes what has changed, the marker first and last.
  ///
  /// - Parameters:
  ///   - files: The files of the edition.
  ///   - page: The page.
  ///   - isAgreed: Whether the user has agreed to files beside, and in place of, those of others.
  /// - Throws: ``PublishFault``.
  func write(
    _ files: [(name: String, bytes: [UInt8])],
    of page: String,
    besideOthers isAgreed: Bool
  ) throws(PublishFault) {
    let folder = try open()
    let found = try marker(in: folder)
    if !isAgreed { try checkOwner(folder, found, page, files.map(\.name)) }
    removeStrays(folder)
    var step = PublishStep(files, of: page, found)
    // A file that somebody has removed or changed is written again.
    step.written = files.filter { file in
      step.written.contains { $0.name == file.name } || !isThere(file.name, file.bytes, in: folder)
    }
    guard !step.isNothing(found) else { return }
    if let before = step.before { try replace(PublishMarker.name, before.bytes, in: folder) }
    for file in step.written { try replace(file.name, file.bytes, in: folder) }
    for name in step.removed { folder.remove(name) }
    if step.after != found || step.before != nil {
      try replace(PublishMarker.name, step.after.bytes, in: folder)
    }
  }

  private func open() throws(PublishFault) -> OwnFolder {
    let reason = Self.make(path)
    do throws(FileFault) {
      return try OwnFolder.openThroughLinks(path, makes: false)
    } catch {
      if error == .absent, let reason {
        let words = HostError.text(of: reason)
        throw PublishFault(words: "\(path): the folder cannot be made: \(words)")
      }
      throw PublishFault(words: "\(path): \(error.words)")
    }
  }

  /// Creates a folder that others can read, whatever umask(2) is, with those above it; returns why it could not.
  private static func make(_ path: String) -> Int32? {
    guard let reason = makeOne(path) else { return nil }
    let above = OwnPath.split(path).folder
    guard reason == ENOENT, above != path, above != "/" else { return reason }
    if let reason = make(above), reason != EEXIST { return reason }
    return makeOne(path)
  }

  private static func makeOne(_ path: String) -> Int32? {
    guard unsafe mkdir(path, modes.folder) == 0, unsafe chmod(path, modes.folder) == 0 else {
      return errno
    }
    return nil
  }

  private func marker(in folder: borrowing OwnFolder) throws(PublishFault) -> PublishMarker? {
    let contents: DurableFile.Contents
    do throws(FileFault) {
      contents = DurableFile.Contents(
        try folder.file(PublishMarker.name, O_RDONLY),
        byteLimit: PublishMarker.byteLimit
      )
    } catch {
      contents = DurableFile.Contents(error)
    }
    switch contents {
    case .absent: return nil
    case .whole(let bytes):
      if let marker = PublishMarker(bytes) { return marker }
      throw .marker(of: path, "it is damaged")
    case .odd(let words): throw .marker(of: path, words)
    }
  }

  /// Refuses a folder, files and a page of others.
  private func checkOwner(
    _ folder: borrowing OwnFolder,
    _ found: PublishMarker?,
    _ page: String,
    _ names: [String]
  ) throws(PublishFault) {
    if let found {
      guard found.hasPage(page) else { throw .page(found.page, in: path) }
      let foreign = names.filter { found.files[$0] == nil && folder.status($0) != nil }
      if let name = foreign.first { throw .file(name, in: path) }
      return
    }
    let others = folder.names(limit: 50).filter { !$0.hasPrefix(Self.temporary) }.sorted()
    if let first = others.first { throw .files(of: path, such: first) }
  }

  private func isThere(
    _ name: String,
    _ bytes: [UInt8],
    in folder: borrowing OwnFolder
  ) -> Bool {
    guard let status = folder.status(name), status.st_mode & S_IFMT == S_IFREG,
      status.st_size == bytes.count, let file = try? folder.file(name, O_RDONLY)
    else { return false }
    return file.read(bytes.count) == bytes
  }

  private func replace(
    _ name: String,
    _ bytes: [UInt8],
    in folder: borrowing OwnFolder
  ) throws(PublishFault) {
    do throws(FileFault) {
      try folder.replace(
        name,
        with: bytes,
        waitsForDisk: true,
        temporary: "\(Self.temporary)\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp",
        mode: Self.modes.file
      )
    } catch {
      throw PublishFault(words: "\(path)/\(name) could not be written: \(error.words)")
    }
  }

  /// Removes what a program has left that was killed while it wrote.
  private func removeStrays(_ folder: borrowing OwnFolder) {
    for name in folder.names(limit: 10_000) where name.hasPrefix(Self.temporary) {
      let number = name.dropFirst(Self.temporary.count).prefix { $0 != "-" }
      if let pid = pid_t(number), pid != getpid(), !ProcFile.hasEnded(pid) { continue }
      folder.remove(name)
    }
  }
}
