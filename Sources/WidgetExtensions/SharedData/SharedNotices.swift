import Glibc
import WidgetKitCore
public import WidgetPlatform

/// Notifications by name within an app group: a file for each name, which says how often it was posted.
///
/// Hosts watch the folder. A notification has no content and is a hint: one that nobody hears is lost.
public struct SharedNotices: Sendable {
  private let folders: StateFolders

  /// The most names of a group that are remembered.
  private static let nameLimit = 256
  /// How long a post waits for others.
  private static let patience: Duration = .seconds(1)
  /// The most bytes of a name, which is the name of a file.
  private static let byteLimit = 200

  /// Creates the notifications of one user.
  public init(_ folders: StateFolders) {
    self.folders = folders
  }

  /// The folder that is watched for those of a group.
  func folder(ofGroup group: String) -> String {
    "\(folders.group(group))/\(StateFolders.reservedName)/posted"
  }

  /// The group of a name: the longest of `groups` with which it begins, followed by a dot.
  public static func group(of name: String, among groups: [String]) -> String? {
    groups.filter { name.hasPrefix("\($0).") }.max { $0.utf8.count < $1.utf8.count }
  }

  /// What is wrong with a name, in words; nil if it can be one.
  public static func fault(ofName name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isPlain, name.hasPrefix("group."), name.utf8.count <= byteLimit else {
      return "expected a name that begins with an app group and a dot, such as "
        + "group.com.example.sheet.changed, with letters, digits, “.”, “-” and “_”, "
        + "at most \(byteLimit) bytes"
    }
    return nil
  }

  /// Posts a name of a group.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func post(_ name: String, inGroup group: String) throws(HostError) {
    let path = folder(ofGroup: group)
    do throws(FileFault) {
      let folder = try OwnFolder.open(path, makes: true)
      // Without the lock the number of one of two posts could be lost, but not both.
      let lock = FolderLock(folder, patience: Self.patience)
      var count = Self.read(name, in: folder)
      if count == nil {
        folder.removeStrays()
        Self.makeRoom(in: folder)
        count = PostCount()
      }
      count?.number += 1
      try folder.replace(name, with: Array((count?.text ?? "").utf8), waitsForDisk: false)
      _ = consume lock
    } catch {
      throw .file("post in", path, error)
    }
  }

  /// Forgets a name that was posted; those who observe it hear it when it is posted again.
  ///
  /// - Returns: Whether it was known.
  @discardableResult
  public func remove(_ name: String, inGroup group: String) -> Bool {
    guard let folder = try? OwnFolder.open(folder(ofGroup: group)), folder.status(name) != nil
    else { return false }
    folder.remove(name)
    return true
  }

  /// The names that were posted and are remembered.
  public func names(ofGroup group: String) -> [String] {
    guard let folder = try? OwnFolder.open(folder(ofGroup: group)) else { return [] }
    return folder.names(limit: 2 * Self.nameLimit).filter { Self.fault(ofName: $0) == nil }.sorted()
  }

  /// How often a name was posted; nil if it was not, or was removed.
  func count(of name: String, inGroup group: String) -> PostCount? {
    guard let folder = try? OwnFolder.open(folder(ofGroup: group)) else { return nil }
    return Self.read(name, in: folder)
  }

  private static func read(_ name: String, in folder: borrowing OwnFolder) -> PostCount? {
    guard let file = try? folder.file(name, O_RDONLY) else { return nil }
    return PostCount(String(decoding: file.read(PostCount.byteLimit), as: UTF8.self))
  }

  /// Removes the names that were not posted for the longest time, if there are too many: whoever observes one hears
  /// it when it is posted again.
  private static func makeRoom(in folder: borrowing OwnFolder) {
    let names = folder.names(limit: 4 * nameLimit)
    guard names.count >= nameLimit else { return }
    var dated: [(name: String, date: Int)] = []
    for name in names { dated.append((name, folder.status(name)?.st_mtim.tv_sec ?? 0)) }
    for old in dated.sorted(by: { $0.date < $1.date }).prefix(names.count - nameLimit + 1) {
      folder.remove(old.name)
    }
  }
}

/// How often a name was posted since it is remembered.
struct PostCount: Hashable, Sendable {
  /// A number of this memory, which no other has.
  var memory = UInt64.random(in: 1 ... .max)
  var number: UInt64 = 0

  static let byteLimit = 128
  private static let heading = "posted"

  init() {}

  /// Reads the contents of a file; a file of an earlier version was posted once.
  init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0] == Self.heading, let memory = UInt64(words[1], radix: 16),
      let number = UInt64(words[2])
    else {
      (memory, number) = (0, 1)
      return
    }
    (self.memory, self.number) = (memory, number)
  }

  var text: String { "\(Self.heading) \(String(memory, radix: 16)) \(number)\n" }

  /// How often it was posted since an earlier look, at most `limit` times.
  func posts(since before: PostCount?, limit: Int) -> Int {
    let isSame = before?.memory == memory
    let start = isSame ? before?.number ?? 0 : 0
    return number > start ? Int(clamping: min(number - start, UInt64(limit))) : 0
  }
}
