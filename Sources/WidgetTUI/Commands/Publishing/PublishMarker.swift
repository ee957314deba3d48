import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The file that says that a folder is written by `today publish`, and which files in it are.
nonisolated struct PublishMarker: Codable, Equatable {
  /// Its name.
  static let name = ".today-publish.json"
  static let byteLimit = 256 * 1024

  /// The page.
  var page: String
  /// A hash of each file, which is empty while that is being written.
  var files: [String: String] = [:]

  /// The hash of a content.
  static func hash(_ bytes: [UInt8]) -> String {
    String(StableHash.value(of: "\(bytes.count) ", followedBy: bytes[...]), radix: 36)
  }

  /// Reads one; nil for what is none.
  ///
  /// Of files that no page has it knows nothing, so that none of them is removed.
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = found
    files = files.filter { PublishedFile.isName($0.key) }
  }

  init(page: String, files: [String: String] = [:]) {
    (self.page, self.files) = (page, files)
  }

  /// Whether the folder has a page of this name.
  func hasPage(_ name: String) -> Bool {
    guard let page = PageName(rawValue: page), let other = PageName(rawValue: name) else {
      return page == name
    }
    return page.isSame(as: other)
  }

  /// The file.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array((try? encoder.encode(self)) ?? Data()) + Array("\n".utf8)
  }
}
