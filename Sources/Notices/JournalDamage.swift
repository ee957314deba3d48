package import FoundationEssentials
import Glibc
import WidgetPlatform

/// What was lost with damaged lines of journals, of which the user is told once.
///
/// It is in a file beside the journal, `1 COUNT MILLISECONDS TOLD`, as long as a damaged journal is kept there.
package struct JournalDamage: Hashable, Sendable {
  /// How many lines were damaged since the user was told last.
  package var lineCount: Int
  /// When they were found.
  package var date: Date
  /// Whether the user was told.
  package var isTold = false

  /// The name under which the last damaged journal is kept; the ones before have higher numbers.
  package static let keptName = "damaged-1"
  private static let keptLimit = 3
  private static let recordName = "damage"

  init(lineCount: Int, date: Date) {
    (self.lineCount, self.date) = (lineCount, date)
  }

  /// Reads what is known; nil if there was no damage, or the journal that had it was removed.
  init?(in folder: borrowing OwnFolder) {
    guard folder.hasFile(Self.keptName),
      let file = try? folder.file(Self.recordName, O_RDONLY)
    else { return nil }
    let text = String(decoding: file.read(128), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 4, words[0] == "1", let count = Int(words[1]), count > 0,
      let time = Int(words[2]), -JournalLine.timeLimit..<JournalLine.timeLimit ~= time
    else { return nil }
    (lineCount, date, isTold) = (count, NoticeTime.date(time), words[3] == "1")
  }

  /// The day on which it was found, in UTC: `2026-11-28`.
  package var day: String { String(NoticeTime.text(date).prefix(10)) }

  /// What is said of it.
  ///
  /// - Parameter folder: The path of the folder of the journal.
  /// - Returns: A sentence.
  package func words(in folder: String) -> String {
    let lines = lineCount == 1 ? "a damaged line was" : "\(lineCount) damaged lines were"
    return
      "notices: \(lines) left out; the journal with all of its lines is kept as "
      + "\(folder)/\(Self.keptName)"
  }

  func write(in folder: borrowing OwnFolder) {
    let text = "1 \(lineCount) \(NoticeTime.milliseconds(date)) \(isTold ? 1 : 0)\n"
    _ = try? folder.replace(Self.recordName, with: Array(text.utf8), waitsForDisk: false)
  }

  /// Notes it, with what the user was not told of yet.
  func note(in folder: borrowing OwnFolder) {
    var damage = self
    if let last = JournalDamage(in: folder), !last.isTold {
      let (sum, isTooMany) = lineCount.addingReportingOverflow(last.lineCount)
      damage.lineCount = isTooMany ? .max : sum
    }
    damage.write(in: folder)
  }

  /// Puts new bytes in the place of a damaged journal, which is kept as ``keptName``; of those before some are kept.
  static func keep(
    _ name: String,
    in folder: borrowing OwnFolder,
    replacing bytes: [UInt8]
  ) throws(FileFault) {
    let old = OwnFolder.temporaryName()
    try folder.replace(old, with: bytes, waitsForDisk: false)
    let canExchange: Bool
    do throws(FileFault) {
      // There is a journal at each moment.
      try folder.exchange(old, with: name)
      canExchange = true
    } catch {
      canExchange = false
    }
    for number in stride(from: keptLimit - 1, to: 0, by: -1) {
      try? folder.rename("damaged-\(number)", to: "damaged-\(number + 1)")
    }
    try folder.rename(canExchange ? old : name, to: keptName)
    if !canExchange { try folder.rename(old, to: name) }
  }
}
