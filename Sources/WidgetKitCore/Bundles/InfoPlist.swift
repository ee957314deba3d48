/// What a bundle's Info.plist says, its values checked one by one.
public struct InfoPlist: Hashable, Sendable {
  /// The longest list that is read where nothing else was set: 64 KiB.
  public static let byteLimit = 64 * 1_024

  /// The identifier: letters, digits, `-` and `.`, in reverse-DNS order, at most 255 characters.
  public var bundleIdentifier: String
  /// The name to show (`CFBundleDisplayName`), or the identifier where there is nothing to be seen in
  /// it; nil where there is none.
  public var displayName: SafeText?
  /// The name of the file in the bundle that is run (`CFBundleExecutable`).
  public var executable: String
  /// What `CFBundleURLTypes` lists: the URL schemes that are the app's, in lower case, each once.
  public var urlSchemes: [String]
  /// What the bundle extends (`NSExtension`); nil in an app.
  public var widgetExtension: WidgetExtension?
  /// What the widget is for, in a sentence (`widget.description`).
  public var widgetDescription: SafeText?
  /// Whether the app has nothing to show itself (`LSBackgroundOnly`); it never gets the terminal.
  public var isBackgroundOnly: Bool
  /// Whether the app's program works in the terminal, and gets it to open a URL
  /// (`TodayNeedsTerminal`); every other one runs on its own.
  public var needsTerminal: Bool

  /// The `NSExtension` dictionary of a Today widget.
  public struct WidgetExtension: Hashable, Sendable {
    /// The one extension point there is here.
    public static let pointIdentifier = "com.apple.widget-extension"

    /// What the widget starts with: a class, or a storyboard; never both.
    public var principal: Principal
    /// The strings, numbers and truth values among `NSExtensionAttributes`.
    public var attributes: [String: String]
    /// How many seconds the widget would have between updates while its answers wish for nothing
    /// (`TodayRefreshInterval` among its attributes): 1 to 31,536,000; nil where it does not say.
    public var refreshInterval: Double?
    /// How many bytes of address space its process needs (`TodayAddressSpace` among its attributes):
    /// at most 4 GiB; nil where the usual 1 GiB will do.
    public var addressSpace: UInt64?
  }

  /// What an extension starts with.
  ///
  /// A terminal starts the bundle's executable and shows whatever it sends, so that this is the
  /// author's word and no more.
  public enum Principal: Hashable, Sendable {
    /// `NSExtensionPrincipalClass`
    case principalClass(String)
    /// `NSExtensionMainStoryboard`
    case mainStoryboard(String)
  }
}

extension InfoPlist: PropertyListReadable {
  init(_ list: PropertyList) throws {
    bundleIdentifier = try Self.bundleIdentifier(list)
    let identifier = bundleIdentifier
    displayName = try list.string("CFBundleDisplayName").map {
      SafeText(name: $0, orIfInvisible: identifier)
    }
    executable = try Self.executable(list)
    urlSchemes = try Self.urlSchemes(list)
    widgetExtension = try list.dictionary("NSExtension").map(WidgetExtension.init)
    widgetDescription = try list.text("widget.description")
    isBackgroundOnly = try list.boolean("LSBackgroundOnly") ?? false
    needsTerminal = try list.boolean("TodayNeedsTerminal") ?? false
  }

  private static func bundleIdentifier(_ list: PropertyList) throws -> String {
    let key = "CFBundleIdentifier"
    let expected = "letters, digits, - and . in reverse-DNS order, like com.example.Clock"
    guard let value = try list.string(key) else {
      throw BundleFault.missing(key, expected: expected)
    }
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.first != "-"
        && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }
    guard isPlain, parts.count > 1 else {
      throw BundleFault.wrongValue(key, value, expected: expected)
    }
    guard value.utf8.count <= 255 else {
      throw BundleFault.wrongValue(key, value, expected: "at most 255 characters")
    }
    return value
  }

  private static func executable(_ list: PropertyList) throws -> String {
    let key = "CFBundleExecutable"
    let expected = "the name of a file in the bundle"
    guard let value = try list.string(key) else {
      throw BundleFault.missing(key, expected: expected)
    }
    let isBare =
      value != "." && value != ".." && 1...255 ~= value.utf8.count
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    guard isBare else {
      throw BundleFault.wrongValue(key, value, expected: expected)
    }
    return value
  }

  private static func urlSchemes(_ list: PropertyList) throws -> [String] {
    var schemes: [String] = []
    for type in try list.dictionaries("CFBundleURLTypes") {
      for scheme in try type.strings("CFBundleURLSchemes") {
        let isScheme =
          scheme.utf8.first?.isASCIILetter == true && scheme.utf8.count <= 64
          && scheme.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)
          }
        guard isScheme else {
          throw BundleFault.wrongValue(
            type.path("CFBundleURLSchemes"),
            scheme,
            expected: "a letter, then letters, digits, +, - and ., at most 64 (RFC 3986)"
          )
        }
        let lowered = scheme.lowercased()
        if !schemes.contains(lowered) {
          schemes.append(lowered)
        }
      }
    }
    return schemes
  }
}

extension InfoPlist.WidgetExtension {
  fileprivate init(_ list: PropertyList) throws {
    let point = "NSExtensionPointIdentifier"
    guard let value = try list.string(point) else {
      throw BundleFault.missing(list.path(point), expected: Self.pointIdentifier)
    }
    guard value == Self.pointIdentifier else {
      throw BundleFault.wrongValue(list.path(point), value, expected: Self.pointIdentifier)
    }
    principal = try Self.principal(list)
    attributes = try list.dictionary("NSExtensionAttributes")?.scalars() ?? [:]
    let interval = "TodayRefreshInterval"
    refreshInterval = try attributes[interval].map { text in
      guard let seconds = Double(text), 1...31_536_000 ~= seconds else {
        throw BundleFault.wrongValue(
          list.path("NSExtensionAttributes.\(interval)"),
          text,
          expected: "seconds, from 1 to 31536000"
        )
      }
      return seconds
    }
    let space = "TodayAddressSpace"
    addressSpace = try attributes[space].map { text in
      guard let bytes = UInt64(text), 1...4 << 30 ~= bytes else {
        throw BundleFault.wrongValue(
          list.path("NSExtensionAttributes.\(space)"),
          text,
          expected: "bytes, from 1 to \(4 << 30)"
        )
      }
      return bytes
    }
  }

  private static func principal(_ list: PropertyList) throws -> InfoPlist.Principal {
    let classKey = "NSExtensionPrincipalClass"
    let storyboardKey = "NSExtensionMainStoryboard"
    let keys = "\(list.path(classKey)) or \(storyboardKey)"
    switch (try list.string(classKey), try list.string(storyboardKey)) {
    case (let name?, nil): return .principalClass(name)
    case (nil, let name?): return .mainStoryboard(name)
    case (nil, nil): throw BundleFault.missing(keys, expected: "one of the two")
    default:
      throw BundleFault(
        code: .wrongValue,
        key: keys,
        found: "ambiguous: both are present",
        expected: "one of the two"
      )
    }
  }
}

extension PropertyList {
  /// The string under `key` as text to show; nil where there is none, or nothing to be seen in it.
  fileprivate func text(_ key: String) throws -> SafeText? {
    try string(key).map { SafeText(name: $0, orIfInvisible: "") }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isASCIIDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
