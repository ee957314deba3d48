import FoundationEssentials
import Glibc
package import WidgetPlatform

/// The files that actions have replaced, as they were before, so that a replacement can be taken back.
///
/// Each command has a folder below `originals` of the state folder, with the files and `changes.json`. The folders of
/// the last commands stay.
package nonisolated struct KeptOriginals: Sendable {
  /// A file that a command has replaced.
  package struct Change: Codable, Hashable, Sendable {
    /// The file, without links.
    package var path: String
    /// The name of its original in the folder of the command.
    var original: String
    /// The size and the hash of what it was replaced by.
    var size: Int
    var hash: UInt64
  }

  /// What a command has replaced.
  package struct Command: Codable, Hashable, Sendable {
    /// The extensions in their order.
    package var extensions: [String]
    package var changes: [Change]
  }

  /// A command whose originals are kept.
  package struct Kept: Sendable {
    /// The name of its folder.
    let name: String
    package var command: Command
  }

  /// The most commands whose originals are kept.
  static let countLimit = 50
  private static let list = "changes.json"
  private let folder: String

  package init(environment: [String: String]) {
    folder = StateFolders(environment: environment).originals
  }

  // MARK: - Keeping

  /// Keeps the originals of files that are about to be replaced; they are on the disk when this returns.
  ///
  /// - Parameters:
  ///   - files: The files, their content, and what replaces it.
  ///   - extensions: The identifiers of the extensions.
  /// - Throws: ``HostError`` with the file and the reason.
  package func keep(
    _ files: [(path: String, original: RequestSpool, result: RequestSpool)],
    extensions: [String]
  ) throws(HostError) {
    var command = Command(extensions: extensions, changes: [])
    do throws(FileFault) {
      let all = try OwnFolder.open(folder, makes: true)
      // Names are in the order of time; a later command of the same millisecond has a larger number.
      let time = Int(clamping: Int64(Date().timeIntervalSince1970 * 1_000))
      let own = try all.folder("\(Self.padded(time))-\(getpid())", makes: true)
      for (index, file) in files.enumerated() {
        let copy = try own.file("\(index)", O_WRONLY | O_CREAT | O_EXCL)
        let error = file.original.copy(to: copy.number)
        guard error == 0, fsync(copy.number) == 0 else { throw .system(error == 0 ? errno : error) }
        command.changes.append(
          Change(
            path: file.path,
            original: "\(index)",
            size: file.result.size,
            hash: file.result.hash
          )
        )
      }
      try Self.write(command, in: own)
      removeOld(all)
    } catch {
      throw .file("keep the originals in", folder, error)
    }
  }

  private static func padded(_ time: Int) -> String {
    let digits = String(time)
    return String(repeating: "0", count: max(0, 15 - digits.count)) + digits
  }

  private static func write(
    _ command: Command,
    in folder: borrowing OwnFolder
  ) throws(FileFault) {
    guard let bytes = try? JSONEncoder().encode(command) else { throw .system(EINVAL) }
    try folder.replace(list, with: Array(bytes), waitsForDisk: true)
  }

  private func removeOld(_ all: borrowing OwnFolder) {
    for name in all.names().sorted().dropLast(Self.countLimit) { all.removeTree(name) }
  }

  // MARK: - Taking back

  /// The last command, or the last one that has replaced one of some files; nil if there is none.
  ///
  /// - Parameter paths: The files, without links; empty for the last command.
  /// - Returns: The command with the changes of these files alone.
  package func last(of paths: [String]) -> Kept? {
    guard let all = try? OwnFolder.open(folder) else { return nil }
    for name in all.names().sorted().reversed() {
      guard var kept = read(name, in: all) else { continue }
      if paths.isEmpty { return kept }
      kept.command.changes.removeAll { !paths.contains($0.path) }
      if !kept.command.changes.isEmpty { return kept }
    }
    return nil
  }

  private func read(_ name: String, in all: borrowing OwnFolder) -> Kept? {
    guard let own = try? all.folder(name), let file = try? own.file(Self.list, O_RDONLY) else {
      return nil
    }
    let bytes = file.read(1 << 20)
    guard let command = try? JSONDecoder().decode(Command.self, from: Data(bytes)),
      command.changes.allSatisfy({ OwnPath.isPlain($0.original) })
    else { return nil }
    return Kept(name: name, command: command)
  }

  /// The original of a file.
  ///
  /// - Parameters:
  ///   - change: The change of the file.
  ///   - kept: The command that has made it.
  ///   - temporary: Where the copy is made.
  /// - Returns: A copy of the original.
  /// - Throws: ``HostError`` with the file and the reason.
  package func original(
    of change: Change,
    _ kept: Kept,
    in temporary: String
  ) throws(HostError) -> RequestSpool {
    let spool = try RequestSpool(in: temporary)
    do throws(FileFault) {
      let own = try OwnFolder.open(folder).folder(kept.name)
      let file = try own.file(change.original, O_RDONLY)
      guard try read(file.number, into: spool) else { throw .system(EIO) }
    } catch {
      throw .file("read the original of", change.path, error)
    }
    return spool
  }

  private func read(_ number: Int32, into spool: RequestSpool) throws(FileFault) -> Bool {
    do throws(HostError) {
      return try spool.read(from: number, byteLimit: .max - 1)
    } catch {
      throw .system(EIO)
    }
  }

  /// Forgets changes that were taken back, and the command if it has no other.
  package func forget(_ changes: [Change], of kept: Kept) throws(HostError) {
    do throws(FileFault) {
      let all = try OwnFolder.open(folder)
      guard var command = read(kept.name, in: all)?.command else { return }
      command.changes.removeAll { changes.contains($0) }
      if command.changes.isEmpty { return all.removeTree(kept.name) }
      try Self.write(command, in: try all.folder(kept.name))
    } catch {
      throw .file("change", folder, error)
    }
  }
}

extension KeptOriginals.Change {
  /// Whether a file still has what it was replaced by.
  package nonisolated func isMade(by content: RequestSpool) -> Bool {
    content.size == size && content.hash == hash
  }
}
