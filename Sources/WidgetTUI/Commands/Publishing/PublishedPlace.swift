import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Where editions of a page are put, which may be away.
protocol PublishedPlace: AnyObject {
  /// Called when it could not be reached, and can be now.
  var onReturn: () -> Void { get set }

  /// Whether an edition has something to be put there, after the last one that was.
  func isDue(_ edition: PublishedEdition, after last: PublishedEdition) -> Bool

  /// Puts an edition there, of which only what has changed is written.
  ///
  /// - Throws: ``PublishFault``; what was there before is still there, whole.
  func publish(_ edition: PublishedEdition) async throws(PublishFault)

  /// Ends what was opened, in order.
  func close() async
}

extension PublishedPlace {
  func isDue(_ edition: PublishedEdition, after last: PublishedEdition) -> Bool {
    edition.follows(last)
  }
}

/// Why an edition could not be published.
nonisolated struct PublishFault: Error, Equatable {
  /// What failed, on what, and what the user can do.
  var words: String
  /// Whether it is no use to try again.
  var isFinal = false
  /// How the program then ends.
  var code = ExitCode.refused
}

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
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = found
  }

  init(page: String, files: [String: String] = [:]) {
    (self.page, self.files) = (page, files)
  }

  /// The file.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array((try? encoder.encode(self)) ?? Data()) + Array("\n".utf8)
  }
}

/// What has to be done in a folder, so that it has the files of an edition.
nonisolated struct PublishStep {
  /// What is said of the folder while files are written, which come to it or change; nil if there are none.
  var before: PublishMarker?
  /// The files that come or change.
  var written: [(name: String, bytes: [UInt8])]
  /// The files that are there no longer.
  var removed: [String]
  /// What is said of the folder then.
  var after: PublishMarker

  /// - Parameters:
  ///   - files: The files of the edition.
  ///   - page: The page.
  ///   - found: What is said of the folder; nil for one that is not ours yet.
  init(_ files: [(name: String, bytes: [UInt8])], of page: String, _ found: PublishMarker?) {
    after = PublishMarker(page: page)
    for file in files { after.files[file.name] = PublishMarker.hash(file.bytes) }
    let (old, new) = (found?.files ?? [:], after.files)
    written = files.filter { old[$0.name] != new[$0.name] }
    removed = old.keys.filter { new[$0] == nil }.sorted()
    guard !written.isEmpty else { return }
    var marker = PublishMarker(page: page, files: old)
    for file in written { marker.files[file.name] = "" }
    if marker != found { before = marker }
  }

  /// Whether nothing has to be done.
  func isNothing(_ found: PublishMarker?) -> Bool {
    written.isEmpty && removed.isEmpty && after == found
  }
}
