import FoundationEssentials
import Glibc
import WidgetPlatform

@testable import Notices

/// A store in a folder of its own, which is removed after the test.
///
/// A class because it owns the folder.
final class StoreFolder: Sendable {
  let path: String

  init() throws {
    path = "/tmp/today-notices-\(getpid())-\(UInt64.random(in: 0 ... .max))/today/notices"
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/\(parent)",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit {
    let top = path.split(separator: "/").dropLast(2).joined(separator: "/")
    try? FileManager.default.removeItem(atPath: "/\(top)")
  }

  var journal: String { "\(path)/journal" }

  func store(_ settings: NoticeSettings = NoticeSettings()) -> NoticeStore {
    NoticeStore(folder: path, settings: settings)
  }

  /// The bytes of the journal.
  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: journal))) }

  /// Puts bytes in the place of the journal.
  func replace(with bytes: some Sequence<UInt8>) throws {
    try DurableFile.write(bytes, to: journal, waitsForDisk: false)
  }
}

extension NoticeContent {
  /// A notice of a test.
  static func sample(
    _ title: String,
    body: String? = nil,
    application: String = "make",
    urgency: Urgency = .normal,
    tag: String? = nil
  ) -> NoticeContent {
    var content = NoticeContent(
      application: application,
      source: .post,
      title: title,
      body: body,
      urgency: urgency
    )
    content.tag = tag
    return content
  }
}

extension NoticeList {
  /// The titles of all notices.
  var titles: [String] { entries.map { notice($0)?.content.title ?? "unreadable" } }
}
