/// The Info.plist of a bundle, with checked values.
public struct InfoPlist: Hashable, Sendable {
  /// The default limit for a property list: 64 KiB.
  public static let byteLimit = 64 * 1_024

  /// The identifier: letters, digits, `-` and `.`, in reverse-DNS order, at most 255 characters,
  /// not beginning with `group.`, so that it is never the name of a group.
  public var bundleIdentifier: String
  /// The display name (`CFBundleDisplayName`), or the identifier if no character of the name is
  /// visible; nil if there is none.
  public var displayName: SafeText?
  /// The name of the file in the bundle that is run (`CFBundleExecutable`).
  public var executable: String
  /// The URL schemes of the app (`CFBundleURLTypes`), in lower case, each once.
  public var urlSchemes: [String]
  /// The extension (`NSExtension`); nil in an app.
  public var widgetExtension: WidgetExtension?
  /// The purpose of the widget, in a sentence: `TodayDescription` in `NSExtensionAttributes`, else at the top, where
  /// it was before, or `widget.description`.
  public var widgetDescription: SafeText?
  /// The types of content that belong to the app (`UTExportedTypeDeclarations`), as they are written.
  package var exportedTypes: PropertyValue?
  /// Types of others that the app knows (`UTImportedTypeDeclarations`).
  package var importedTypes: PropertyValue?
  /// Whether the app has no interface (`LSBackgroundOnly`) and never gets the terminal.
  public var isBackgroundOnly: Bool
  /// Whether the app needs the terminal to open a URL (`TodayNeedsTerminal`); otherwise it runs
  /// detached.
  public var needsTerminal: Bool

  /// The `NSExtension` dictionary of an extension.
  public struct WidgetExtension: Hashable, Sendable {
    /// The identifier of the extension point (`NSExtensionPointIdentifier`).
    public var pointIdentifier: String
    /// The entry point: a class or a storyboard, never both.
    ///
    /// A Today widget always has one; an extension for another point may have none.
    public var principal: Principal?
    /// Its `NSExtensionAttributes`.
    public var attributes: [String: PropertyValue]
    /// The requested seconds between updates if the answers of the widget request none
    /// (`TodayRefreshInterval`): 1 to 31,536,000; nil if absent.
    public var refreshInterval: Double?
    /// The bytes of address space that the process needs (`TodayAddressSpace`): at most 4 GiB; nil
    /// for the default of 1 GiB.
    public var addressSpace: UInt64?
    /// The settings that the user can set (`TodaySettings`), in their order.
    public var settings: [SettingDeclaration]
    /// The columns of the page that the card takes up (`TodaySpan`): 1 to 100; nil if absent.
    ///
    /// On a page with fewer columns, it takes up all of them. The user can set another number.
    public var span: Int?
    /// The sign before the name of its card, and its colour (`TodayGlyph`, `TodayTint`).
    public var mark = CardMark()
    /// When a widget that comes with the program is on the page at first (`TodayStartsOnPage`).
    package var startsOnPage = StartCondition.always
    /// Where it is on that page (`TodayStartPosition`): before those with a larger number, and those without.
    package var startPosition: Int?
  }

  /// The entry point of an extension.
  ///
  /// The host starts the executable of the bundle in either case, so that this is only
  /// informative.
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
    let attributes = try list.dictionary("NSExtension")?.dictionary("NSExtensionAttributes")
    widgetDescription =
      try attributes?.text(Self.description)
      ?? list.text(Self.description) ?? list.text("widget.description")
    exportedTypes = list.array("UTExportedTypeDeclarations").map { .array($0) }
    importedTypes = list.array("UTImportedTypeDeclarations").map { .array($0) }
    isBackgroundOnly = try list.boolean("LSBackgroundOnly") ?? false
    needsTerminal = try list.boolean("TodayNeedsTerminal") ?? false
  }

  private static let description = "TodayDescription"
  /// What the names of groups begin with, and no identifier does.
  private static let groupPrefix = "group."

  /// Whether a text is letters, digits, `-` and `.` in reverse-DNS order, whatever its length.
  package static func isIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != "-"
          && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
      }
  }

  private static func bundleIdentifier(_ list: PropertyList) throws -> String {
    let key = "CFBundleIdentifier"
    let expected = "letters, digits, - and . in reverse-DNS order, like com.example.Clock"
    guard let value = try list.string(key) else {
      throw BundleFault.missing(key, expected: expected)
    }
    guard isIdentifier(value) else {
      throw BundleFault.wrongValue(key, value, expected: expected)
    }
    guard value.utf8.count <= 255 else {
      throw BundleFault.wrongValue(key, value, expected: "at most 255 characters")
    }
    // A bundle with the name of a group would have its secrets.
    guard !value.lowercased().hasPrefix(groupPrefix) else {
      throw BundleFault.wrongValue(
        key,
        value,
        expected: "another prefix than group, which only groups of apps have"
      )
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
      throw BundleFault.missing(
        list.path(point),
        expected: ExtensionPoint.all.map(\.identifier).joined(separator: ", ")
      )
    }
    pointIdentifier = value
    let needsPrincipal = ExtensionPoint.named(value)?.needsPrincipal == true
    principal = needsPrincipal ? try Self.principal(list) : try? Self.principal(list)
    attributes = try list.dictionary("NSExtensionAttributes")?.values() ?? [:]
    let interval = "TodayRefreshInterval"
    refreshInterval = try attributes[interval].map { value in
      guard let seconds = value.number, 1...31_536_000 ~= seconds else {
        throw BundleFault.wrongValue(
          list.path("NSExtensionAttributes.\(interval)"),
          value.words,
          expected: "seconds, from 1 to 31536000"
        )
      }
      return seconds
    }
    let key = "TodaySettings"
    settings = try SettingManifest.declarations(
      attributes[key],
      at: list.path("NSExtensionAttributes.\(key)")
    )
    let space = "TodayAddressSpace"
    addressSpace = try attributes[space].map { value in
      guard let bytes = value.number.flatMap(UInt64.init(exactly:)), 1...4 << 30 ~= bytes else {
        throw BundleFault.wrongValue(
          list.path("NSExtensionAttributes.\(space)"),
          value.words,
          expected: "bytes, from 1 to \(4 << 30)"
        )
      }
      return bytes
    }
    let columns = "TodaySpan"
    span = try attributes[columns].map { value in
      guard let span = value.number.flatMap(Int.init(exactly:)), CardSpan.range.contains(span)
      else {
        throw BundleFault.wrongValue(
          list.path("NSExtensionAttributes.\(columns)"),
          value.words,
          expected: "columns, from 1 to \(CardSpan.range.upperBound)"
        )
      }
      return span
    }
    // Other points have signs of their own, in lists.
    if ExtensionPoint.named(value) == .today { mark = try Self.mark(attributes, in: list) }
    let start = "TodayStartsOnPage"
    startsOnPage =
      try attributes[start].map { value in
        guard let condition = StartCondition(value) else {
          throw BundleFault.wrongType(
            list.path("NSExtensionAttributes.\(start)"),
            found: value.words,
            expected: StartCondition.expectation
          )
        }
        return condition
      } ?? .always
    startPosition = attributes["TodayStartPosition"]?.number.flatMap(Int.init(exactly:))
  }

  private static func mark(
    _ attributes: [String: PropertyValue],
    in list: PropertyList
  ) throws -> CardMark {
    func read<Value>(
      _ key: String,
      _ expected: String,
      _ make: (String) -> Value?
    ) throws -> Value? {
      try attributes[key].map { value in
        guard let result = value.string.flatMap(make) else {
          let path = list.path("NSExtensionAttributes.\(key)")
          throw BundleFault.wrongValue(path, value.words, expected: expected)
        }
        return result
      }
    }
    return CardMark(
      glyph: try read("TodayGlyph", CardMark.glyphExpectation, CardMark.glyph),
      tint: try read("TodayTint", CardMark.tintExpectation, CardMark.tint)
    )
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
  /// The string under `key` as text to show; nil if there is none, or no visible character in it.
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
