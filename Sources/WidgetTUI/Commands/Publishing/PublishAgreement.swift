import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The cards of a page that the user has agreed to publish at a place.
nonisolated struct PublishAgreement: Codable, Equatable {
  /// The page.
  var page: String
  /// The place, as ``PublishDestination/name``.
  var destination: String
  /// The cards, by their identities.
  var cards: [String]
  /// Whether they may be put beside, and in place of, files and pages of others.
  var isBesideOthers = false

  private static let byteLimit = 256 * 1024

  /// What tells a page and a place from others, in names of files and units.
  static func key(_ page: PageName, _ destination: PublishDestination) -> String {
    let text = "\(page.rawValue.lowercased())\u{0}\(destination.name)"
    return String(StableHash.value(of: text), radix: 36)
  }

  private static func path(
    _ page: PageName,
    _ destination: PublishDestination,
    _ environment: [String: String]
  ) -> String {
    let folders = StateFolders(environment: environment)
    return "\(folders.publishing)/\(key(page, destination)).json"
  }

  /// What was agreed to for a page and a place; nil if nothing was, or if it cannot be read.
  static func stored(
    _ page: PageName,
    _ destination: PublishDestination,
    _ environment: [String: String]
  ) -> PublishAgreement? {
    let path = path(page, destination, environment)
    guard let bytes = DurableFile.read(path, byteLimit: byteLimit),
      let found = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      found.destination == destination.name,
      PageName(rawValue: found.page)?.isSame(as: page) == true
    else { return nil }
    return found
  }

  /// Stores what was agreed to.
  func store(
    _ page: PageName,
    _ destination: PublishDestination,
    _ environment: [String: String]
  ) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return }
    try DurableFile.write(data, to: Self.path(page, destination, environment))
  }
}

nonisolated extension PublishAgreement {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    page = try values.decode(String.self, forKey: .page)
    destination = try values.decode(String.self, forKey: .destination)
    cards = try values.decode([String].self, forKey: .cards)
    // Agreements of earlier versions do not have it.
    isBesideOthers = try values.decodeIfPresent(Bool.self, forKey: .isBesideOthers) ?? false
  }
}
