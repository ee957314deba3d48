package import FoundationEssentials
import WidgetKitCore
package import WidgetPlatform

/// The time in which notices are stored and shown but nothing sounds, as a person has set it: `notices/quiet` in the
/// state folder.
package struct QuietTime: Codable, Hashable, Sendable {
  /// When it ends; nil if a person ends it.
  package var end: Date?

  /// Creates it with its end.
  package init(until end: Date?) {
    self.end = end
  }

  /// The name of the file, which a page follows.
  package static let fileName = "quiet"

  private static func path(_ folders: StateFolders) -> String { "\(folders.notices)/\(fileName)" }

  /// How long it is at most; an end that is later was set while the clock was wrong.
  private static let longest: TimeInterval = 366 * 86_400

  /// The quiet time at a moment; nil if there is none, or the file is none of the program.
  package static func current(_ folders: StateFolders, now: Date = Date()) -> QuietTime? {
    guard let bytes = DurableFile.read(path(folders), byteLimit: 4096),
      let quiet = try? JSONDocumentDecoder().decode(Self.self, from: bytes[...]),
      StoredNumber.isDate(quiet.end),
      quiet.end.map({ now < $0 && $0 < now.addingTimeInterval(longest) }) ?? true
    else { return nil }
    return quiet
  }

  /// Begins it, in place of one that has begun before.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  package func begin(_ folders: StateFolders) throws(HostError) {
    guard let text = NoticeJSON.text(self) else { return }
    try DurableFile.write(text.utf8, to: Self.path(folders))
  }

  /// Ends it.
  ///
  /// - Throws: ``HostError`` if the file cannot be removed.
  package static func finish(_ folders: StateFolders) throws(HostError) {
    let path = path(folders)
    guard !DurableFile.isAbsent(path), !DurableFile.remove(path) else { return }
    throw HostError(code: .file, description: "could not remove \(path)")
  }
}
