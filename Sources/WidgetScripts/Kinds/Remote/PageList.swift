import Glibc
package import WidgetKitCore
package import WidgetPlatform

/// The cards of a page of another machine, kept as bundles without programs in a folder of the program.
///
/// So the page is known, with its last pictures, while the machine is away, and bundles are found like those of this
/// machine. Everything in it comes from the other side, which may be hostile: a card is left out of which the identity
/// cannot be one here, and values are left out that cannot be used.
package struct PageList {
  private let cards: [(card: PageCard, identifier: String)]
  /// How many cards were left out.
  package private(set) var omitted = 0

  /// What a bundle has in the place of a program, which is never started.
  private static let program = "none"

  /// Takes a list over.
  package init(_ cards: [PageCard]) {
    var known: Set<String> = []
    var taken: [(PageCard, String)] = []
    for card in cards {
      guard let identifier = Self.identifier(of: card.id), known.insert(identifier).inserted else {
        omitted += 1
        continue
      }
      taken.append((card, identifier))
    }
    self.cards = taken
  }

  /// The cards as they are known here.
  package var identities: Set<ExtensionIdentity> {
    Set(cards.map { ExtensionIdentity($0.identifier) })
  }

  /// The identifier of a card here: that of its widget, with the name of the instance as its last part.
  private static func identifier(of id: String) -> String? {
    guard id.utf8.count <= 200, let card = try? ExtensionIdentity(parsing: id) else { return nil }
    var identifier = card.bundleIdentifier
    // What names of instances and of scripts may have, and identifiers of bundles may not.
    if let name = card.instance?.rawValue {
      identifier += ".i-" + name.replacing(".", with: "-")
    }
    identifier = identifier.replacing("_", with: "-")
    return InfoPlist.isIdentifier(identifier) ? identifier : nil
  }

  /// Keeps the list in a folder, which is made if it is missing.
  ///
  /// This function writes to the disk: call it off the main actor.
  ///
  /// - Throws: ``HostError`` if it cannot be written.
  package func keep(in path: String) throws(HostError) {
    do throws(FileFault) {
      let folder = try OwnFolder.open(path, makes: true)
      let wanted = Set(cards.map { Self.name(of: $0.identifier) })
      for name in folder.names() where !wanted.contains(name) {
        if let old = try? folder.folder(name) {
          for file in old.names() { old.remove(file) }
        }
        folder.removeFolder(name)
      }
      for (place, entry) in cards.enumerated() {
        let bundle = try folder.folder(Self.name(of: entry.identifier), makes: true)
        if !bundle.hasFile(Self.program) { try addProgram(to: bundle) }
        let list = Array(Self.infoPlist(entry.card, entry.identifier, place).utf8)
        if let file = try? bundle.file(Self.infoName, O_RDONLY),
          DurableFile.Contents(file, byteLimit: list.count) == .whole(list)
        {
          continue
        }
        try bundle.replace(Self.infoName, with: list, waitsForDisk: false)
      }
    } catch {
      throw .file("write", path, error)
    }
  }

  private static let infoName = "Info.plist"

  private static func name(of identifier: String) -> String { "\(identifier).widget" }

  private func addProgram(to bundle: borrowing OwnFolder) throws(FileFault) {
    try bundle.replace(
      Self.program,
      with: Array("#!/bin/sh\n# It runs on another machine.\nexit 1\n".utf8),
      waitsForDisk: false
    )
    let file = try bundle.file(Self.program, O_RDONLY)
    guard fchmod(file.number, 0o700) == 0 else { throw .system(errno) }
  }

  // MARK: - Bundles

  /// The name under which a bundle has the identity of its card there.
  private static let cardKey = "TodayCard"

  /// The identity on its machine of the card that a bundle stands for.
  package static func card(of bundle: WidgetBundle) -> String {
    bundle.infoPlist.widgetExtension?.attributes[cardKey]?.string ?? bundle.bundleIdentifier
  }

  private static func infoPlist(_ card: PageCard, _ identifier: String, _ place: Int) -> String {
    var attributes: [(String, String)] = [
      (cardKey, string(card.id)), ("TodayStartPosition", "<integer>\(place)</integer>"),
    ]
    if let glyph = card.glyph.flatMap(CardMark.glyph) {
      attributes.append(("TodayGlyph", string(glyph.string)))
    }
    if let span = card.span, CardSpan.range.contains(span) {
      attributes.append(("TodaySpan", "<integer>\(span)</integer>"))
    }
    if let interval = card.interval, 1...31_536_000 ~= interval {
      attributes.append(("TodayRefreshInterval", "<real>\(interval)</real>"))
    }
    if let tint = CardMark(tint: card.tint).tintText {
      attributes.append(("TodayTint", string(tint)))
    }
    let members = attributes.map { "<key>\($0.0)</key>\($0.1)" }.joined()
    let name = SafeText(name: String(card.name.prefix(200)), orIfInvisible: identifier)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key>\(string(identifier))
      <key>CFBundleDisplayName</key>\(string(name.onOneLine.string))
      <key>CFBundleExecutable</key>\(string(program))
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key>\(string("com.apple.widget-extension"))
      <key>NSExtensionPrincipalClass</key>\(string("Remote"))
      <key>NSExtensionAttributes</key><dict>\(members)</dict>
      </dict></dict></plist>

      """
  }

  /// A text of a property list.
  private static func string(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return "<string>\(escaped)</string>"
  }
}

extension PageList {
  /// Whether a list was kept in a folder.
  package static func isKept(in path: String) -> Bool {
    (try? OwnFolder.open(path))?.names(limit: 1).isEmpty == false
  }
}
