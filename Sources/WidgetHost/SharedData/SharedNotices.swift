import WidgetKitCore

/// Notifications by name within an app group: an empty file for each name, which is replaced when the name
/// is posted.
///
/// Hosts watch the folder. A notification has no content and is a hint: one that nobody hears is lost.
public nonisolated struct SharedNotices: Sendable {
  private let folders: StateFolders

  /// The most names of a group that are remembered.
  private static let nameLimit = 256
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
      if folder.status(name) == nil, folder.names(limit: Self.nameLimit).count == Self.nameLimit {
        folder.removeStrays()
      }
      if folder.status(name) == nil, folder.names(limit: Self.nameLimit).count == Self.nameLimit {
        throw .refused("it has \(Self.nameLimit) names; remove those that are not used")
      }
      try folder.replace(name, with: [], waitsForDisk: false)
    } catch {
      throw .file("post in", path, error)
    }
  }
}
