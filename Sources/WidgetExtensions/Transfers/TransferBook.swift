import CPlatform
import FoundationEssentials
import Glibc
public import WidgetPlatform

/// The transfers of a user on the disk, in one folder for all programs.
///
/// | file | contents | written by |
/// | --- | --- | --- |
/// | `TASK.transfer` | the ``TransferRecord`` | who makes the transfer; then its keeper |
/// | `TASK.progress` | how far it is | its keeper, once a second |
/// | `TASK.cancel` | nothing: it is to end | who cancels it |
/// | `locks` | nothing; bytes of it are locked | who makes a transfer, or gets the events of a session |
public struct TransferBook: Sendable {
  /// The folder.
  package let folder: String
  /// The folder of the files that have come in part.
  let parts: String

  private static let recordEnding = ".transfer"
  private static let progressEnding = ".progress"
  private static let cancelEnding = ".cancel"
  private static let byteLimit = 256 * 1024
  /// The most transfers that are looked at.
  private static let countLimit = 1_000
  /// The file whose bytes are locked.
  package static let locks = "locks"

  /// Opens the transfers of a user.
  public init(environment: [String: String]) {
    self.init(StateFolders(environment: environment))
  }

  package init(_ folders: StateFolders) {
    folder = folders.state + "/transfers"
    parts = folders.data + "/transfers"
  }

  /// A new name for a transfer.
  static func newTask() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a text can be the name of a transfer.
  static func isTask(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  /// The transfer to which a file belongs; nil if it is another file.
  package static func task(of name: String) -> String? {
    let task = name.prefix(16)
    return isTask(task) ? String(task) : nil
  }

  // MARK: - Records

  /// All transfers that were not reported yet, by name.
  public func records() -> [TransferRecord] {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    return open.names(limit: Self.countLimit * 4).sorted().lazy
      .filter { $0.hasSuffix(Self.recordEnding) }
      .compactMap { Self.task(of: $0).flatMap(read) }
  }

  /// The transfer of this name; nil if there is none, or if it was reported.
  public func read(_ task: String) -> TransferRecord? {
    guard Self.isTask(task),
      let bytes = DurableFile.read(path(task, Self.recordEnding), byteLimit: Self.byteLimit),
      let record = try? JSONDecoder().decode(TransferRecord.self, from: Data(bytes)),
      record.task == task
    else { return nil }
    return record
  }

  /// Stores a transfer, which is on the disk afterwards.
  package func write(_ record: TransferRecord) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(record) else { return }
    try DurableFile.write(bytes + [0x0A], to: path(record.task, Self.recordEnding))
  }

  /// Removes transfers that were reported.
  package func remove(_ tasks: [String]) {
    for task in tasks {
      for ending in [Self.recordEnding, Self.progressEnding, Self.cancelEnding] {
        DurableFile.remove(path(task, ending))
      }
    }
  }

  private func path(_ task: String, _ ending: String) -> String { "\(folder)/\(task)\(ending)" }

  // MARK: - Progress

  /// How far a transfer is; nil if that is not known.
  public func progress(of task: String) -> TransferProgress? {
    guard let bytes = DurableFile.read(path(task, Self.progressEnding), byteLimit: 1_024) else {
      return nil
    }
    return try? JSONDecoder().decode(TransferProgress.self, from: Data(bytes))
  }

  func set(_ progress: TransferProgress, of task: String) {
    guard let bytes = try? JSONEncoder().encode(progress) else { return }
    try? DurableFile.write(bytes, to: path(task, Self.progressEnding), waitsForDisk: false)
  }

  // MARK: - Ending

  /// Requests that a transfer ends; its keeper does that.
  ///
  /// - Parameter task: Its name.
  /// - Throws: ``HostError`` if the request cannot be written.
  public func cancel(_ task: String) throws(HostError) {
    try DurableFile.write([], to: path(task, Self.cancelEnding))
  }

  func isCancelled(_ task: String) -> Bool { !DurableFile.isAbsent(path(task, Self.cancelEnding)) }

  // MARK: - Locks

  /// Locks a transfer for its keeper; nil if another process keeps it.
  func lock(_ task: String) -> TransferLock? { lock(place: StableHash.value(of: task)) }

  /// Locks a session for the process that gets its events; nil if that is another one.
  package func lock(_ session: TransferSessionName) -> TransferLock? {
    lock(place: Self.place(session))
  }

  /// Whether a process works on a transfer.
  public func isKept(_ task: String) -> Bool {
    do throws(FileFault) {
      // Not opened for writing, as those that watch the folder would see that as the end of a lock.
      let file = try OwnFolder.open(folder).file(Self.locks, O_RDONLY)
      return platform_byte_is_locked(file.number, StableHash.value(of: task)) != 0
    } catch {
      return false
    }
  }

  private static func place(_ session: TransferSessionName) -> UInt64 {
    StableHash.value(of: "\(session.app)\n\(session.identifier)")
  }

  private func lock(place: UInt64) -> TransferLock? {
    do throws(FileFault) {
      let file = try OwnFolder.open(folder, makes: true).file(Self.locks, O_RDWR | O_CREAT)
      guard platform_lock_byte(file.number, place) == 0 else { return nil }
      return TransferLock(file)
    } catch {
      return nil
    }
  }
}

/// A lock on a transfer or a session; it ends with its owner, also with a process that is killed.
///
/// Closing the file is seen by those that watch the folder. A class because several may hold it.
package final class TransferLock: Sendable {
  private let file: Descriptor

  fileprivate init(_ file: consuming Descriptor) {
    self.file = file
  }
}
