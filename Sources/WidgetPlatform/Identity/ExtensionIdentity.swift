public import WidgetKitCore

/// The identity of an extension: the identifier of its bundle, and the name of the instance if the user
/// has several of it.
///
/// It is written as `ID`, or `ID:NAME` for an instance. Everything that is stored for an extension is
/// found from it, see ``StateFolders``, whether or not it has a card.
public struct ExtensionIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The bundle's identifier, such as `com.example.Weather`.
  public let bundleIdentifier: String
  /// The name of the instance, or nil for the one without a name.
  public var instance: InstanceName?
  /// The hash of the identifier, as identities are looked up far more often than they are made.
  private let identifierHash: Int

  /// The character between the identifier and the name, which no identifier contains.
  private static let separator: Character = ":"
  /// The longest file name in bytes, to which endings such as `.log.1` are added.
  private static let fileNameLimit = 200

  /// Creates an identity.
  public init(_ bundleIdentifier: String, instance: InstanceName? = nil) {
    self.bundleIdentifier = bundleIdentifier
    self.instance = instance
    identifierHash = bundleIdentifier.hashValue
  }

  /// Whether both are of the same extension and instance.
  public static func == (first: Self, second: Self) -> Bool {
    first.identifierHash == second.identifierHash
      && first.bundleIdentifier == second.bundleIdentifier && first.instance == second.instance
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identifierHash)
    if let instance { hasher.combine(instance) }
  }

  /// Reads an identity as it is written in commands and in config.json: `ID` or `ID:NAME`.
  ///
  /// - Throws: ``HostError`` if the identifier is empty, or if the name is not a valid one.
  public init(parsing text: String) throws(HostError) {
    let parts = text.split(
      separator: Self.separator,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let identifier = parts.first, !identifier.isEmpty else {
      throw HostError(
        code: .identity,
        description: "“\(text)” has no identifier; expected ID or ID:NAME"
      )
    }
    bundleIdentifier = String(identifier)
    identifierHash = bundleIdentifier.hashValue
    guard parts.count > 1 else { return }
    guard let name = InstanceName(rawValue: String(parts[1])) else {
      throw HostError(
        code: .identity,
        description: "“\(parts[1])” in “\(text)” cannot be the name of an instance; expected "
          + InstanceName.rule
      )
    }
    instance = name
  }

  /// The identity as text: `com.example.Weather` or `com.example.Weather:travel`.
  public var description: String {
    instance.map { "\(bundleIdentifier)\(Self.separator)\($0.rawValue)" } ?? bundleIdentifier
  }

  /// The name in the heading: that of the widget, and that of the instance.
  ///
  /// - Parameter name: The widget's name, such as `Clock`.
  /// - Returns: `Clock`, or `Clock · travel`.
  public func heading(_ name: SafeText) -> SafeText {
    instance.map { SafeText("\(name) · \($0.rawValue)") } ?? name
  }

  /// The identity as the name of a file or folder.
  ///
  /// All characters of the identifier except letters, digits, `.`, `-` and `_` become `%XX`; the name
  /// of the instance follows a colon. Names that would be too long end with a hash instead.
  package var fileName: String {
    var name = FileNameCoding.encode(bundleIdentifier)
    // The name of the folder that separates paths of the program.
    if name == OwnPath.folderName { name = "%" + name }
    if let instance { name += "\(Self.separator)\(instance.rawValue)" }
    guard name.utf8.count > Self.fileNameLimit else { return name }
    // Two long names with the same beginning get different files.
    return name.prefix(180) + "%" + String(StableHash.value(of: description), radix: 16)
  }

  /// Whether a file or folder name is that of this extension or of one of its instances; `endings` may
  /// follow it.
  package func owns(fileName: String, endings: Set<String> = []) -> Bool {
    let own = self.fileName
    guard fileName.hasPrefix(own) else { return false }
    let rest = fileName.dropFirst(own.count)
    // Another extension's name continues with a word instead.
    return rest.isEmpty || endings.contains(String(rest))
      || instance == nil && rest.first == Self.separator
  }

  /// Whether a text can be a bundle identifier, and so the name of a folder.
  package static func isIdentifier(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(FileNameCoding.isPlain)
      && text.utf8.contains { $0 != UInt8(ascii: ".") } && text.contains(".")
  }
}

extension WidgetBundle {
  /// The identity of what runs for a card: for a block of a script its program, which other cards share.
  package func runner(of id: ExtensionIdentity) -> ExtensionIdentity {
    guard let script, script.block != nil else { return id }
    return ExtensionIdentity(script.identifier)
  }
}
