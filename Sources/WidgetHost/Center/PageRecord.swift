import FoundationEssentials
import WidgetKitCore

/// What was on the page last: enough to draw it from snapshots before any bundle is read.
nonisolated struct PageRecord: Codable, Hashable, Sendable {
  /// The cards in page order.
  var cards: [Entry]

  /// One card.
  struct Entry: Codable, Hashable, Sendable {
    var bundleIdentifier: String
    var name: SafeText
    var displayMode: DisplayMode
    var offersExpanded: Bool
    var marginInsets: EdgeInsets
  }

  private static let byteLimit = 256 * 1024

  /// The record of the page that these folders make.
  static func read(_ path: String) -> PageRecord? {
    DurableFile.read(path, byteLimit: byteLimit).flatMap {
      try? JSONDecoder().decode(PageRecord.self, from: Data($0))
    }
  }

  /// Keeps the record; a page that cannot be kept is read from bundles next time.
  func write(_ path: String) {
    guard let bytes = try? JSONEncoder().encode(self) else { return }
    try? DurableFile.write(bytes, to: path)
  }

  /// The file for the page of these folders: FNV-1a over their paths.
  static func path(in folder: String, for searchPaths: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in searchPaths.joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    return "\(folder)/\(String(hash, radix: 16)).json"
  }
}
