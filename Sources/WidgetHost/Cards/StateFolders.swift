public import WidgetKitCore

/// The XDG folders of one user in which the program stores its files; each is created with mode 0700
/// when first needed.
public nonisolated struct StateFolders: Sendable {
  /// `$XDG_STATE_HOME/today`: the page, logs.
  public var state: String
  /// `$XDG_CACHE_HOME/today`: snapshots, the widgets' caches.
  public var cache: String
  /// `$XDG_DATA_HOME/today`: bundles, containers, groups.
  public var data: String
  /// `$XDG_RUNTIME_DIR/today`, or the state folder if that is not set: locks.
  public var runtime: String

  /// Determines the folders according to the XDG base directory specification.
  public init(environment: [String: String]) {
    let base = BaseFolders(environment)
    state = "\(base.state)/\(OwnPath.folderName)"
    cache = "\(base.cache)/\(OwnPath.folderName)"
    data = "\(base.data)/\(OwnPath.folderName)"
    runtime = base.runtime.map { "\($0)/\(OwnPath.folderName)" } ?? state
  }

  var snapshots: String { cache + "/snapshots" }
  /// The folder in which app groups share files.
  var groups: String { data + "/groups" }
  var logs: String { state + "/logs" }
  var pages: String { state + "/pages" }
  /// The folder of the results of each widget's updates.
  var schedules: String { state + "/schedule" }
  /// The folder of update requests by other programs.
  var reloads: String { state + "/reload" }
  var locks: String { runtime + "/locks" }
  /// The folder that lists the widgets without content.
  var noContent: String { state + "/no-content" }

  func log(of id: CardID) -> String { "\(logs)/\(Self.fileName(id)).log" }
  /// Returns a widget's log, the older part first, or nil if there is none.
  public func readLog(of id: CardID) -> String? {
    let parts = [log(of: id) + ".1", log(of: id)].compactMap {
      DurableFile.read($0, byteLimit: 4 << 20)
    }
    return parts.isEmpty ? nil : String(decoding: parts.joined(), as: UTF8.self)
  }

  /// The folders that a widget may write to.
  public func containers(of id: CardID) -> Containers {
    let name =
      Self.isIdentifier(id.bundleIdentifier)
      ? id.bundleIdentifier : Self.fileName(CardID(id.bundleIdentifier))
    return Containers(data: "\(data)/containers/\(name)", cache: "\(cache)/containers/\(name)")
  }

  /// Whether a text can be a bundle identifier, and so the name of a folder.
  static func isIdentifier(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(isPlain)
      && text.utf8.contains { $0 != UInt8(ascii: ".") } && text.contains(".")
  }

  /// Returns an identity as a file name: all characters except letters, digits, `.`, `-` and `_` become
  /// `%XX`.
  static func fileName(_ id: CardID) -> String {
    let text = id.description
    if text.utf8.count <= 200, isIdentifier(text) { return text }
    var name = ""
    // These names stand for the folder itself and its parent.
    let isOnlyDots = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    for byte in text.utf8 {
      if isPlain(byte), byte != UInt8(ascii: ".") || !isOnlyDots {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    // The name of the folder that separates paths of the program.
    if name == OwnPath.folderName { return "%" + name }
    guard name.utf8.count > 200 else { return name }
    // Two long names with the same beginning get different files.
    return name.prefix(180) + "%" + String(StableHash.value(of: text), radix: 16)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Creates a folder and its parents; an existing folder is left unchanged.
  ///
  /// - Returns: Whether the folder exists and belongs to the program.
  @discardableResult
  static func make(_ path: String) -> Bool {
    (try? OwnFolder.open(path, makes: true)) != nil
  }
}
