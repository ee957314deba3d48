import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// Takes back what actions have replaced, and makes it again with other options.
struct ReplacementHistory {
  private let environment: [String: String]
  private let originals: KeptOriginals
  private let temporary: String

  init(environment: [String: String]) {
    self.environment = environment
    originals = KeptOriginals(environment: environment)
    temporary = TemporaryFolder.path(environment)
  }

  // MARK: - Taking back

  /// Takes back the last change of files, or of the last command.
  ///
  /// Files that are not as the command has written them stay; of a command without names they do not stand in the
  /// way of the one before any more.
  ///
  /// - Returns: Success, or the status for the files that stay as they are.
  /// - Throws: ``CommandError`` if nothing of them is kept.
  func undo(_ files: [String]) throws(CommandError) -> ExitCode {
    let paths = files.map(Self.target)
    let found = originals.undoable(paths)
    let known = Set(found.flatMap(\.command.changes).map(\.path))
    let unknown = zip(files, paths).filter { !known.contains($0.1) }.map(\.0)
    guard !found.isEmpty else { throw Self.nothing(files) }
    var failures: [CommandError] = unknown.map { Self.nothing([$0]) }
    for kept in found {
      for change in kept.command.changes {
        do throws(CommandError) {
          try undo(change, of: kept)
          StandardStreams.writeLine(SafeText("put back \(Self.shown(change.path))").onOneLine)
        } catch {
          failures.append(error)
          if files.isEmpty {
            try CommandError.from { () throws(HostError) in
              try originals.mark(change, of: kept, as: .left)
            }
          }
        }
      }
    }
    guard let first = failures.first else { return .success }
    for failure in failures.dropFirst() { StandardStreams.writeError(failure) }
    throw first
  }

  private func undo(
    _ change: KeptOriginals.Change,
    of kept: KeptOriginals.Kept
  ) throws(CommandError) {
    let (file, present) = try ActSource.replaceable(change.path, in: temporary, .max - 1)
    guard change.isMade(by: present) else { throw Self.changed(change) }
    do throws(HostError) {
      try file.replace(by: try originals.original(of: change, kept, in: temporary))
      try originals.mark(change, of: kept, as: .undone)
    } catch {
      throw ActSource.error(error)
    }
  }

  // MARK: - Making again

  /// Passes the originals of what was taken back, or of the last command, through the same actions again.
  ///
  /// - Parameters:
  ///   - files: The files; empty for all of the command.
  ///   - declared: The type that the user has named.
  ///   - makeChain: Makes the actions of their identifiers.
  /// - Returns: Success.
  /// - Throws: ``CommandError``; all files are as before then.
  func redo(
    _ files: [String],
    declared: UniformType?,
    _ makeChain: ([String]) throws(CommandError) -> ActChain
  ) async throws(CommandError) -> ExitCode {
    guard let kept = originals.redoable(files.map(Self.target)) else { throw Self.nothing(files) }
    let chain = try makeChain(kept.command.extensions)
    chain.interruption = Interruption { [weak chain] in chain?.cancel() }
    var replaced: [(EditedFile, RequestSpool, RequestSpool)] = []
    for change in kept.command.changes {
      let (file, present) = try ActSource.replaceable(change.path, in: temporary, .max - 1)
      let original = try CommandError.from { () throws(HostError) in
        try originals.original(of: change, kept, in: temporary)
      }
      let isAsLeft =
        change.state == .undone
        ? present.size == original.size && present.hash == original.hash
        : change.isMade(by: present)
      guard isAsLeft else { throw Self.changed(change) }
      let name = OwnPath.split(change.path).name
      let source = ActSource(origin: .text, content: original, name: name)
      switch await chain.pass(source, declared: declared) {
      case .completed(let result): replaced.append((file, original, result))
      case .cancelled(let error):
        await chain.finish()
        throw error
      }
    }
    await chain.finish()
    do throws(HostError) {
      if kept.command.changes.contains(where: { $0.state == .undone }) {
        try originals.remake(Array(zip(kept.command.changes, replaced.map(\.2))), of: kept)
        for (file, _, result) in replaced { try file.replace(by: result) }
      } else {
        try ActResults.replace(replaced, by: kept.command.extensions, environment: environment)
        try originals.forget(kept.command.changes, of: kept)
      }
    } catch {
      throw ActSource.error(error)
    }
    for change in kept.command.changes {
      StandardStreams.writeLine(SafeText("changed \(Self.shown(change.path))").onOneLine)
    }
    return .success
  }

  // MARK: - Words

  private static func nothing(_ files: [String]) -> CommandError {
    let subject = files.isEmpty ? "any file" : files.joined(separator: ", ")
    return .missing("no replacement of \(subject) is kept")
  }

  private static func changed(_ change: KeptOriginals.Change) -> CommandError {
    CommandError(
      exitCode: .refused,
      description: "\(shown(change.path)) was changed since, and stays as it is"
    )
  }

  /// The file without links, also where it is gone.
  private static func target(_ path: String) -> String {
    if let target = resolvedPath(path) { return target }
    let (folder, name) = OwnPath.split(path)
    return resolvedPath(folder.isEmpty ? "/" : folder).map {
      $0 == "/" ? "/\(name)" : "\($0)/\(name)"
    } ?? path
  }

  /// A file as a person in the current folder calls it.
  private static func shown(_ path: String) -> String {
    guard let folder = resolvedPath("."), path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.count + 1))
  }
}
