import WidgetKitCore

/// An activation rule in the form of a dictionary: how many attachments of each kind an extension accepts.
///
/// | version | flag | an attachment counts as | accepted is |
/// | --- | --- | --- | --- |
/// | 1, or none | – | its most specific kind | content of which every kind is accepted |
/// | 2 | no | every kind to which it conforms | content of which one kind is accepted |
/// | 2 | `UsesStrictMatching` | its most specific kind | content of which one kind is accepted |
package struct ActivationCounts: Hashable, Sendable {
  /// A kind of content with a key of its own.
  enum Kind: String, CaseIterable, Sendable {
    case image = "ImageWithMaxCount"
    case movie = "MovieWithMaxCount"
    case webURL = "WebURLWithMaxCount"
    /// Needs the script of a browser, so that there is never one.
    case webPage = "WebPageWithMaxCount"
    case text = "Text"
    case file = "FileWithMaxCount"

    var key: String { "NSExtensionActivationSupports\(rawValue)" }

    fileprivate func words(_ count: Int) -> String {
      switch self {
      case .image: count == 1 ? "1 picture" : "\(count) pictures"
      case .movie: count == 1 ? "1 movie" : "\(count) movies"
      case .webURL: count == 1 ? "1 web address" : "\(count) web addresses"
      case .webPage: count == 1 ? "1 web page" : "\(count) web pages"
      case .text: count == 1 ? "1 text" : "\(count) texts"
      case .file: count == 1 ? "1 file" : "\(count) files"
      }
    }
  }

  /// The greatest number of each kind; a kind that is missing is not accepted.
  private(set) var limits: [Kind: Int] = [:]
  private(set) var leastAttachments: Int?
  private(set) var mostAttachments: Int?
  private(set) var isStrict = false
  /// 1 or 2; nil if the dictionary has none, which is 1.
  private(set) var version: Int?

  private static let leastKey = "NSExtensionActivationSupportsAttachmentsWithMinCount"
  private static let mostKey = "NSExtensionActivationSupportsAttachmentsWithMaxCount"
  private static let strictKey = "NSExtensionActivationUsesStrictMatching"
  private static let versionKey = "NSExtensionActivationDictionaryVersion"

  /// All keys of the dictionary.
  static let keys: Set<String> = Set(Kind.allCases.map(\.key)).union(
    [leastKey, mostKey, strictKey, versionKey]
  )

  /// - Throws: ``ActivationRuleError`` with the key whose value cannot be used.
  init(_ values: [String: PropertyValue]) throws(ActivationRuleError) {
    if let key = values.keys.filter({ !Self.keys.contains($0) }).min() {
      let near = NearName.nearest(to: key, among: Self.keys.sorted()).map {
        "; did you mean \($0)?"
      }
      throw ActivationRuleError("\(key): unknown key\(near ?? "")")
    }
    for kind in Kind.allCases {
      if kind == .text {
        if try Self.flag(kind.key, values) == true { limits[kind] = .max }
      } else if let count = try Self.count(kind.key, values), count > 0 {
        limits[kind] = count
      }
    }
    leastAttachments = try Self.count(Self.leastKey, values)
    mostAttachments = try Self.count(Self.mostKey, values)
    isStrict = try Self.flag(Self.strictKey, values) ?? false
    version = try Self.count(Self.versionKey, values)
    if let version, version != 1, version != 2 {
      throw ActivationRuleError("\(Self.versionKey): expected 1 or 2")
    }
  }

  private static func count(
    _ key: String,
    _ values: [String: PropertyValue]
  ) throws(ActivationRuleError) -> Int? {
    guard let value = values[key] else { return nil }
    guard let number = value.number, number >= 0, number == number.rounded() else {
      throw ActivationRuleError("\(key): expected a whole number from 0")
    }
    return number < 1e9 ? Int(number) : .max
  }

  private static func flag(
    _ key: String,
    _ values: [String: PropertyValue]
  ) throws(ActivationRuleError) -> Bool? {
    guard let value = values[key] else { return nil }
    if let number = value.number, number == 0 || number == 1 { return number == 1 }
    guard let flag = value.boolean else {
      throw ActivationRuleError("\(key): expected true or false")
    }
    return flag
  }

  // MARK: - Evaluation

  func verdict(on attachments: [ItemAttachment], _ table: TypeTable) -> ActivationVerdict {
    guard !attachments.isEmpty else { return .refused("there is no attachment") }
    if let least = leastAttachments, attachments.count < least {
      return .refused("\(attachments.count) of at least \(least) attachments")
    }
    if let most = mostAttachments, attachments.count > most {
      return .refused("\(attachments.count) attachments; at most \(most) are accepted")
    }
    let needsAll = version != 2
    var counts: [Kind: Int] = [:]
    for attachment in attachments {
      for kind in Self.kinds(of: attachment, isStrict: needsAll || isStrict, table) {
        counts[kind, default: 0] += 1
      }
    }
    let refused = Kind.allCases.compactMap { kind in counts[kind].flatMap { refusal(of: $0, kind) }
    }
    if needsAll { return refused.first.map { .refused($0) } ?? .offered }
    return refused.count < counts.count ? .offered : .refused(refused.joined(separator: ", "))
  }

  private func refusal(of count: Int, _ kind: Kind) -> String? {
    guard let limit = limits[kind] else { return "\(kind.words(count)); none is accepted" }
    return count <= limit ? nil : "\(kind.words(count)); at most \(limit) accepted"
  }

  /// The kinds as which an attachment counts, because of the types in which it is there.
  private static func kinds(
    of attachment: ItemAttachment,
    isStrict: Bool,
    _ table: TypeTable
  ) -> Set<Kind> {
    var found: Set<Kind> = []
    for type in attachment.types {
      let ancestors = Set(table.ancestors(of: type))
      let isWebURL = ancestors.contains(.url) && !ancestors.contains(.fileURL)
      let all: [Kind] = [
        ancestors.contains(.image) ? .image : nil,
        ancestors.contains(.movie) ? .movie : nil,
        isWebURL ? .webURL : nil,
        ancestors.contains(.text) ? .text : nil,
        isWebURL ? nil : .file,
      ].compactMap(\.self)
      found.formUnion(isStrict ? Array(all.prefix(1)) : all)
    }
    return found
  }
}
