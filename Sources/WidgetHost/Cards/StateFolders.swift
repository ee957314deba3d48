public import WidgetKitCore

/// Where the program keeps things: the XDG folders of one user, each made 0700 when first needed.
public nonisolated struct StateFolders: Sendable {
  /// `$XDG_STATE_HOME/today`: the page, logs.
  public var state: String
  /// `$XDG_CACHE_HOME/today`: snapshots, the widgets' caches.
  public var cache: String
  /// `$XDG_DATA_HOME/today`: bundles, containers, groups.
  public var data: String
  /// `$XDG_RUNTIME_DIR/today`, or the state's folder where there is none: locks.
  public var runtime: String

  /// Finds the folders by the XDG base directory specification.
  public init(environment: [String: String]) {
    let base = BaseFolders(environment)
    state = "\(base.state)/\(OwnPath.folderName)"
    cache = "\(base.cache)/\(OwnPath.folderName)"
    data = "\(base.data)/\(OwnPath.folderName)"
    runtime = base.runtime.map { "\($0)/\(OwnPath.folderName)" } ?? state
  }

  var snapshots: String { cache + "/snapshots" }
  /// Where app groups share files.
  var groups: String { data + "/groups" }
  var logs: String { state + "/logs" }
  var pages: String { state + "/pages" }
  /// What came of each widget's updates.
  var schedules: String { state + "/schedule" }
  /// Updates that were asked for from outside.
  var reloads: String { state + "/reload" }
  var locks: String { runtime + "/locks" }
  /// Which widgets have nothing to show.
  var noContent: String { state + "/no-content" }

  func log(of id: CardID) -> String { "\(logs)/\(Self.fileName(id)).log" }
  /// A widget's log, the older part first; nil where there is none.
  public func readLog(of id: CardID) -> String? {
    let parts = [log(of: id) + ".1", log(of: id)].compactMap {
      DurableFile.read($0, byteLimit: 4 << 20)
    }
    return parts.isEmpty ? nil : String(decoding: parts.joined(), as: UTF8.self)
  }

  /// Where a widget may write.
  public func containers(of id: CardID) -> Containers {
    let name =
      Self.isIdentifier(id.bundleIdentifier)
      ? id.bundleIdentifier : Self.fileName(CardID(id.bundleIdentifier))
    return Containers(data: "\(data)/containers/\(name)", cache: "\(cache)/containers/\(name)")
  }

  /// Whether a text can be a bundle's identifier, and so a folder's name.
  static func isIdentifier(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(isPlain)
      && text.utf8.contains { $0 != UInt8(ascii: ".") } && text.contains(".")
  }

  /// An identity as a file's name: what is no letter, digit, `.`, `-` or `_` stands as `%XX`.
  static func fileName(_ id: CardID) -> String {
    let text = id.description
    if text.utf8.count <= 200, isIdentifier(text) { return text }
    var name = ""
    // These stand for the folder itself and the one above.
    let isOnlyDots = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    for byte in text.utf8 {
      if isPlain(byte), byte != UInt8(ascii: ".") || !isOnlyDots {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    // The name by which paths of the program are parted.
    if name == OwnPath.folderName { return "%" + name }
    guard name.utf8.count > 200 else { return name }
    // Of two long names that begin alike each has a file of its own.
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

  /// Makes a folder and those above it; one that is there is left as it is.
  ///
  /// - Returns: Whether it is there, and the program's own.
  @discardableResult
  static func make(_ path: String) -> Bool {
    (try? OwnFolder.open(path, makes: true)) != nil
  }
}
