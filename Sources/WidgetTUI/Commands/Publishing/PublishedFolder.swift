import Glibc
import WidgetKitCore
import WidgetPlatform

/// A folder of this machine with a page as HTML and SVG.
///
/// A class because it knows what it has written.
final class PublishedFolder: PublishedPlace {
  var onReturn: () -> Void = {}
  private let path: String
  /// Whether the user has agreed to files beside those of others.
  private var isAgreed: Bool

  init(_ path: String, isAgreed: Bool) {
    (self.path, self.isAgreed) = (path, isAgreed)
  }

  func publish(_ edition: PublishedEdition) async throws(PublishFault) {
    let (path, isAgreed, page) = (path, isAgreed, edition.page.title.string)
    let files = edition.files
    let result: Result<Void, PublishFault> = await withCheckedContinuation { continuation in
      // A folder may be on a disk that is slow to answer.
      Worker.background.async {
        do throws(PublishFault) {
          try FolderWriter(path).write(files, of: page, besideOthers: isAgreed)
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }

  func close() async {}
}

/// Writes files into a folder to which other programs may write, too: each is whole or not there, and none is
/// written over that is not the program's own.
nonisolated struct FolderWriter {
  private let path: String

  /// What temporary files begin with, so that no others are removed.
  private static let temporary = ".today-publish-"

  init(_ path: String) {
    self.path = path
  }

  /// Writes what has changed, the marker first and last.
  func write(
    _ files: [(name: String, bytes: [UInt8])],
    of page: String,
    besideOthers isAgreed: Bool
  ) throws(PublishFault) {
    let folder = try open()
    let found = try marker(in: folder)
    if !isAgreed { try checkOwner(folder, found, files.map(\.name)) }
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
    if step.after != step.before, step.after != found || step.before != nil {
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

  /// Creates a folder that others can read, with those above it; returns why it could not.
  private static func make(_ path: String) -> Int32? {
    guard unsafe mkdir(path, 0o755) != 0 else { return nil }
    let above = OwnPath.split(path).folder
    guard errno == ENOENT, above != path, above != "/" else { return errno }
    if let reason = make(above), reason != EEXIST { return reason }
    return unsafe mkdir(path, 0o755) == 0 ? nil : errno
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
      throw unusable("it is damaged")
    case .odd(let words): throw unusable(words)
    }
  }

  private func unusable(_ words: String) -> PublishFault {
    PublishFault(
      words: "\(path)/\(PublishMarker.name): \(words); remove it, if this folder is for the page",
      isFinal: true
    )
  }

  /// Refuses a folder, and files, of others.
  private func checkOwner(
    _ folder: borrowing OwnFolder,
    _ found: PublishMarker?,
    _ names: [String]
  ) throws(PublishFault) {
    if let found {
      let foreign = names.filter { found.files[$0] == nil && folder.status($0) != nil }
      guard let name = foreign.first else { return }
      throw PublishFault(
        words: "\(path)/\(name) was not written by “today publish”; "
          + "move it away, or replace it with --yes",
        isFinal: true
      )
    }
    let others = folder.names(limit: 50).filter { !$0.hasPrefix(Self.temporary) }.sorted()
    guard let first = others.first else { return }
    throw PublishFault(
      words: "\(path) has files that “today publish” has not written, such as \(SafeText(first)); "
        + "name another folder, or agree with --yes",
      isFinal: true
    )
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
    let temporary = "\(Self.temporary)\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp"
    do throws(FileFault) {
      let file = try folder.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes)
      // For the server, which is another user.
      guard fchmod(file.number, 0o644) == 0, fsync(file.number) == 0 else { throw .system(errno) }
      try folder.rename(temporary, to: name)
    } catch {
      folder.remove(temporary)
      throw PublishFault(words: "\(path)/\(name) could not be written: \(error.words)")
    }
  }

  /// Removes what a program has left that was killed while it wrote.
  private func removeStrays(_ folder: borrowing OwnFolder) {
    for name in folder.names(limit: 10_000) where name.hasPrefix(Self.temporary) {
      let number = name.dropFirst(Self.temporary.count).prefix { $0 != "-" }
      if let pid = pid_t(number), pid != getpid(), kill(pid, 0) == 0 || errno == EPERM { continue }
      folder.remove(name)
    }
  }
}
