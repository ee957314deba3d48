import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// What the user has opened and closed in the view of a card, as it is kept on the disk.
nonisolated struct FoldRecord: Codable, Hashable, Sendable {
  /// A fold or a list.
  struct Part: Codable, Hashable, Sendable {
    var isOpen: Bool
    /// The day since 1970 on which it was last in a view.
    var day: Int
  }

  /// The folds that differ from what the widget says, by their keys.
  var folds: [String: Part] = [:]
  /// The lists of which all rows are shown, by their keys.
  var lists: [String: Part] = [:]

  /// How many folds and how many lists are kept.
  static let countLimit = 64
  /// The longest key that is kept, in bytes.
  static let keyLimit = 256
  /// How many days a part is kept that is in no view.
  static let dayLimit = 60

  /// Drops what was in no view for long, and the oldest of too many.
  mutating func limit(today: Int) {
    folds = Self.limited(folds, today)
    lists = Self.limited(lists, today)
  }

  private static func limited(_ parts: [String: Part], _ today: Int) -> [String: Part] {
    // A day that is to come is of a clock that was set wrong.
    let kept = parts.mapValues { Part(isOpen: $0.isOpen, day: min($0.day, today)) }.filter {
      key,
      part in
      let age = today.subtractingReportingOverflow(part.day)
      return key.utf8.count <= keyLimit && !age.overflow && age.partialValue <= dayLimit
    }
    guard kept.count > countLimit else { return kept }
    let newest = kept.sorted { ($0.value.day, $0.key) > ($1.value.day, $1.key) }
    return Dictionary(newest.prefix(countLimit).map { ($0.key, $0.value) }) { first, _ in first }
  }
}

/// The files of what the user has opened in the views of cards: one for each card, below the state folder.
nonisolated struct StoredFolds: Sendable {
  private let folder: String
  private static let byteLimit = 256 << 10

  init(_ folders: StateFolders) {
    folder = folders.folds
  }

  private func path(_ id: ExtensionIdentity) -> String { "\(folder)/\(id.fileName).json" }

  /// What is kept of a card; nothing if there is no file, or if it cannot be read.
  func read(_ id: ExtensionIdentity) -> FoldRecord {
    DurableFile.read(path(id), byteLimit: Self.byteLimit).flatMap {
      try? JSONDecoder().decode(FoldRecord.self, from: Data($0))
    } ?? FoldRecord()
  }

  /// Changes what is kept of a card, so that no change by another program is lost.
  ///
  /// - Throws: ``HostError`` that names the file, with `busy` if another program is changing it.
  func change(
    _ id: ExtensionIdentity,
    today: Int,
    _ change: (inout FoldRecord) -> Void
  ) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "folds") { _ throws(HostError) in
      let old = read(id)
      var record = old
      change(&record)
      record.limit(today: today)
      guard record != old else { return }
      guard record != FoldRecord() else {
        DurableFile.remove(path(id))
        return
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let bytes = try? encoder.encode(record) else { return }
      try DurableFile.write(Array(bytes) + [0x0A], to: path(id))
    }
  }
}
