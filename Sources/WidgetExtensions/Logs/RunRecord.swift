public import FoundationEssentials
import Glibc
package import WidgetKitCore
public import WidgetPlatform

/// The record of one run of a widget: the reason for its start, its results, its cost and its end.
public struct RunRecord: Codable, Hashable, Sendable {
  /// When the process was started.
  public var start: Date
  /// The reason: `appear`, `update`, `event` or `test`.
  public var reason: String
  /// The duration of the run in milliseconds.
  public var milliseconds = 0
  /// CPU time of the process and of its children that were waited for, in milliseconds.
  public var cpuMilliseconds = 0
  /// Bytes that the widget sent.
  public var bytesReceived = 0
  /// Bytes that the host sent.
  public var bytesSent = 0
  /// Updates with new data.
  public var newData = 0
  /// Updates without new data.
  public var noData = 0
  /// Updates that failed.
  public var failed = 0
  /// The milliseconds of the longest update; nil if there was none, and in older records.
  public var longestUpdateMilliseconds: Int?
  /// Messages that were invalid or were refused.
  public var faults = 0
  /// A description of how it ended; nil while it runs.
  public var end: String?

  /// Reads a line of the file; returns nil if it is not a record, or contains a number that no host has
  /// written.
  package static func decode(_ line: some Sequence<UInt8>) -> RunRecord? {
    guard let run = try? JSONDecoder().decode(Self.self, from: Data(line)), run.isPlausible else {
      return nil
    }
    return run
  }

  /// Whether all numbers are in the ranges that a host writes.
  private var isPlausible: Bool {
    StoredNumber.isDate(start)
      && [
        milliseconds, cpuMilliseconds, bytesReceived, bytesSent, newData, noData, failed, faults,
        longestUpdateMilliseconds ?? 0,
      ].allSatisfy(StoredNumber.isCount)
  }

  package init(start: Date, reason: LaunchReason) {
    self.start = start
    self.reason = reason.rawValue
  }

  package mutating func note(_ outcome: CompletedUpdate, took duration: Duration?) {
    if let duration {
      let milliseconds = max(0, Int(duration / .milliseconds(1)))
      longestUpdateMilliseconds = max(longestUpdateMilliseconds ?? 0, milliseconds)
    }
    switch outcome.result {
    case .newData: newData += 1
    case .noData: noData += 1
    case .failed: failed += 1
    }
  }

  /// The results of its updates as text: `2 newData, 1 failed`.
  public var results: String {
    let parts = [(newData, "newData"), (noData, "noData"), (failed, "failed")]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }
}

/// The last runs of a widget on disk: `$XDG_STATE_HOME/today/logs/ID.runs`, one line of JSON each.
package enum RunLog {
  /// The number of runs that are kept.
  static let limit = 50
  private static let byteLimit = 256 * 1024

  /// Runs are added at the end of the file until it is larger than this, so that a quit does not write the files
  /// of all widgets anew.
  static let tidyBytes = 32 * 1024

  /// Returns the runs, oldest first; invalid lines are skipped.
  static func read(_ path: String) -> [RunRecord] {
    guard let bytes = DurableFile.read(path, byteLimit: byteLimit) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap(RunRecord.decode).suffix(limit)
  }

  /// Adds a run; the oldest ones beyond ``limit`` are removed from time to time.
  package static func append(_ record: RunRecord, to path: String) {
    guard let line = try? JSONEncoder().encode(record) else { return }
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder, makes: true) else { return }
    if append(Array(line), to: place.name, in: folder) { return }
    let kept = (DurableFile.read(path, byteLimit: byteLimit) ?? [])
      .split(separator: UInt8(ascii: "\n")).suffix(limit - 1)
    let lines = kept + [Array(line)[...]]
    let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    _ = try? folder.replace(place.name, with: bytes, waitsForDisk: false)
  }

  /// Adds a line at the end of a file; false if the file is to be written anew.
  private static func append(
    _ line: [UInt8],
    to name: String,
    in folder: borrowing OwnFolder
  ) -> Bool {
    guard let file = try? folder.file(name, O_RDWR | O_CREAT | O_APPEND),
      let size = file.status()?.st_size, size + line.count < tidyBytes
    else { return false }
    // A line that was cut off, as when the disk was full, is not continued.
    let isCutOff = size > 0 && file.read(1, from: size - 1) != [UInt8(ascii: "\n")]
    let start = isCutOff ? [UInt8(ascii: "\n")] : []
    return (try? file.write(start + line + [UInt8(ascii: "\n")])) != nil
  }
}

extension StateFolders {
  /// Returns the last runs of a widget, oldest first.
  public func readRuns(of id: ExtensionIdentity) -> [RunRecord] { RunLog.read(runs(of: id)) }
}
