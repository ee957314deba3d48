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
    /// What became of it; nil if the file should still be what it was replaced by.
    package var state: State?

    package enum State: String, Codable, Sendable {
      /// It was taken back, and can be made again.
      case undone
      /// It could not be taken back, as the file was changed since; only its name takes it back now.
      case left
    }
  }

  /// What a command has replaced.
  package struct Command: Codable, Hashable, Sendable {
    /// The extensions in their order.
    package var extensions: [String]
    package var changes: [Change]
    /// Whether the files are others than those that were passed through the extensions.
    var areOutputs: Bool?
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
  ///   - areOutputs: Whether the content that was passed through the extensions is that of other files.
  /// - Throws: ``HostError`` with the file and the reason.
  package func keep(
    _ files: [(path: String, original: RequestSpool, result: RequestSpool)],
    extensions: [String],
    areOutputs: Bool = false
  ) throws(HostError) {
    var command = Command(
      extensions: extensions,
      changes: [],
      areOutputs: areOutputs ? true : nil
    )
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
      // What was taken back of these files cannot be made again after this.
      let paths = Set(files.map(\.path))
      for kept in commands(in: all) {
        let undone = kept.command.changes.filter { $0.state == .undone && paths.contains($0.path) }
        if !undone.isEmpty { try change(kept, in: all) { !undone.contains($0) } }
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

  /// What can be taken back: the changes of the last command, or the last change of each of some files.
  ///
  /// - Parameter paths: The files, without links; empty for the last command.
  /// - Returns: Commands with these changes alone, the last one first.
  package func undoable(_ paths: [String]) -> [Kept] {
    guard let all = try? OwnFolder.open(folder) else { return [] }
    if paths.isEmpty {
      let last = commands(in: all).lazy.map { $0.filtered { $0.state == nil } }
      return last.first { !$0.command.changes.isEmpty }.map { [$0] } ?? []
    }
    var wanted = Set(paths)
    return commands(in: all).compactMap { kept in
      let found = kept.filtered { $0.state != .undone && wanted.contains($0.path) }
      wanted.subtract(found.command.changes.map(\.path))
      return found.command.changes.isEmpty ? nil : found
    }
  }

  /// What can be made again: what was taken back last, else what the last command has changed.
  ///
  /// - Parameter paths: The only files, without links; empty for all.
  /// - Returns: The command with these changes alone; nil if there is none.
  package func redoable(_ paths: [String]) -> Kept? {
    guard let all = try? OwnFolder.open(folder) else { return nil }
    let found = commands(in: all).filter { $0.command.areOutputs != true }
      .map { $0.filtered { $0.state != .left && (paths.isEmpty || paths.contains($0.path)) } }
      .filter { !$0.command.changes.isEmpty }
    // What was taken back in several steps is made again in their order.
    let undone = found.prefix { $0.command.changes.allSatisfy { $0.state == .undone } }
    if let oldest = undone.last { return oldest }
    return found.first?.filtered { $0.state != .undone }
  }

  /// All commands, the last one first.
  private func commands(in all: borrowing OwnFolder) -> [Kept] {
    var result: [Kept] = []
    for name in all.names().sorted().reversed() {
      if let kept = read(name, in: all) { result.append(kept) }
    }
    return result
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

  /// Forgets changes, and the command if it has no other.
  package func forget(_ changes: [Change], of kept: Kept) throws(HostError) {
    try change(kept) { !changes.contains($0) }
  }

  /// Notes what became of a change.
  package func mark(_ change: Change, of kept: Kept, as state: Change.State) throws(HostError) {
    try self.change(kept) { one in
      if one == change { one.state = state }
      return true
    }
  }

  /// Notes that changes that were taken back are made again, before the files are replaced.
  ///
  /// They stay in their place, so that what was taken back in several steps can be made again in as many.
  package func remake(
    _ files: [(change: Change, result: RequestSpool)],
    of kept: Kept
  ) throws(HostError) {
    try change(kept) { one in
      guard let file = files.first(where: { $0.change == one }) else { return true }
      one.size = file.result.size
      one.hash = file.result.hash
      one.state = nil
      return true
    }
  }

  /// Changes what is noted of a command; `body` says which changes stay.
  private func change(_ kept: Kept, _ body: (inout Change) -> Bool) throws(HostError) {
    do throws(FileFault) {
      let all = try OwnFolder.open(folder)
      try change(kept, in: all, body)
    } catch {
      throw .file("change", folder, error)
    }
  }

  private func change(
    _ kept: Kept,
    in all: borrowing OwnFolder,
    _ body: (inout Change) -> Bool
  ) throws(FileFault) {
    guard var command = read(kept.name, in: all)?.command else { return }
    command.changes = command.changes.compactMap { change in
      var change = change
      return body(&change) ? change : nil
    }
    if command.changes.isEmpty { return all.removeTree(kept.name) }
    try Self.write(command, in: try all.folder(kept.name))
  }
}

nonisolated extension KeptOriginals.Kept {
  /// The command with some of its changes.
  fileprivate func filtered(_ isWanted: (KeptOriginals.Change) -> Bool) -> Self {
    var result = self
    result.command.changes.removeAll { !isWanted($0) }
    return result
  }
}

nonisolated extension KeptOriginals.Change {
  /// Whether a file still has what it was replaced by.
  package func isMade(by content: RequestSpool) -> Bool {
    content.size == size && content.hash == hash
  }
}
