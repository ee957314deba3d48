package import FoundationEssentials
package import WidgetPlatform

/// When a person has used each share and action extension last, and which of them were used with their sheet.
package nonisolated struct ExtensionUses: Sendable {
  /// What is known of one extension.
  private struct Use: Codable {
    /// Seconds since 1970.
    var last: Double
    /// Where the extension was that a person has seen the sheet of; nil if nobody has.
    var sheet: String?
  }

  private static let byteLimit = 1 << 20
  /// The most extensions of which something is known; those used last stay.
  static let countLimit = 500

  private let path: String
  private var uses: [String: Use]

  /// Reads what is known; a file that cannot be used counts as missing.
  package init(environment: [String: String]) {
    path = StateFolders(environment: environment).extensionUses
    let bytes = DurableFile.read(path, byteLimit: Self.byteLimit) ?? []
    uses = (try? JSONDecoder().decode([String: Use].self, from: Data(bytes))) ?? [:]
  }

  /// When an extension was used last, in seconds since 1970; nil if it never was.
  package func last(_ identifier: String) -> Double? { uses[identifier]?.last }

  /// Whether a person has posted with the sheet of an extension that is at a place.
  package func hasSeenSheet(of identifier: String, at place: String) -> Bool {
    uses[identifier]?.sheet == place
  }

  /// Notes that an extension is used now, beside what other programs have noted meanwhile.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - place: Its file or folder, if a person has posted with its sheet; nil if not.
  ///   - environment: The environment of the user.
  ///   - date: Now.
  /// - Throws: ``HostError`` with the file and the reason.
  package static func note(
    _ identifier: String,
    sheetAt place: String?,
    environment: [String: String],
    date: Date = Date()
  ) throws(HostError) {
    var known = ExtensionUses(environment: environment)
    known.uses[identifier] = Use(
      last: date.timeIntervalSince1970,
      sheet: place ?? known.uses[identifier]?.sheet
    )
    let oldest = known.uses.sorted { $0.value.last > $1.value.last }.dropFirst(countLimit)
    for (name, _) in oldest { known.uses[name] = nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(known.uses) else { return }
    try DurableFile.write(Array(data), to: known.path)
  }
}
