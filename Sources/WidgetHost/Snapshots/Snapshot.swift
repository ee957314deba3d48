package import FoundationEssentials
package import WidgetKitCore

/// The last good view of a card, as it is kept on disk: a tree, which any width can be laid out from.
package nonisolated struct Snapshot: Sendable {
  /// What it was made for; only the same key may show it.
  package var key: Key
  /// When the widget sent it, to whichever host: of two snapshots the newer one holds.
  package var made: Date
  /// From when on the content is, which the card gives as its age.
  package var contentDate: Date
  /// The tree.
  package var view: ViewNode
  /// The height that the widget stated; nil where it went by the view.
  package var preferredHeight: Int?
  /// Pictures for later; nil where there are none.
  package var timeline: Timeline?

  /// Describes a view that is to be kept.
  package init(
    key: Key,
    made: Date,
    contentDate: Date,
    view: ViewNode,
    preferredHeight: Int?,
    timeline: Timeline? = nil
  ) {
    self.key = key
    self.made = made
    self.contentDate = contentDate
    self.view = view
    self.preferredHeight = preferredHeight
    self.timeline = timeline
  }

  /// What a card takes over of it: the view, and the height that the widget stated.
  var content: ContentUpdate {
    let size = preferredHeight.map { PreferredContentSize(height: $0) }
    return ContentUpdate(view: view, preferredContentSize: size.map { .value($0) } ?? .null)
  }

  /// Whether a snapshot made at one date takes the place of one made at another.
  ///
  /// - Parameters:
  ///   - made: When the one was made.
  ///   - other: When the other was made; nil where there is none.
  ///   - now: The present moment. A date after it is from before the clock was set back, and does
  ///     not keep what is made now from being shown.
  /// - Returns: Whether it does; false for two of the same date.
  static func isNewer(_ made: Date, than other: Date?, now: Date) -> Bool {
    guard let other else { return true }
    let latest = now.addingTimeInterval(1)
    return made > other ? made <= latest || other > latest : other > latest && made <= latest
  }

  /// What a snapshot depends on: not on a width.
  package struct Key: Codable, Hashable, Sendable {
    package var bundleIdentifier: String
    package var instance: String?
    package var displayMode: DisplayMode
    package var locale: String
    package var protocolVersion = ProtocolVersion.current

    /// Describes what a view was made for.
    package init(
      bundleIdentifier: String,
      instance: String?,
      displayMode: DisplayMode,
      locale: String
    ) {
      self.bundleIdentifier = bundleIdentifier
      self.instance = instance
      self.displayMode = displayMode
      self.locale = locale
    }

    /// What of the key tells the snapshots of one card from each other; safe as a file's name.
    var variant: String {
      let isPlain =
        locale.utf8.count <= 32 && !locale.isEmpty && locale.utf8.allSatisfy(Self.isPlain)
      let name = isPlain ? locale : "%" + String(StableHash.value(of: locale), radix: 16)
      return "\(protocolVersion).\(displayMode.rawValue).\(name)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

nonisolated extension Snapshot: Codable {
  private enum CodingKeys: String, CodingKey {
    case key, made, contentDate, view, preferredHeight, timeline
  }

  /// Reads a snapshot; a number that no snapshot has is refused.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      key: try container.decode(Key.self, forKey: .key),
      made: try container.decode(Date.self, forKey: .made),
      contentDate: try container.decode(Date.self, forKey: .contentDate),
      view: try container.decode(ViewNode.self, forKey: .view),
      preferredHeight: try container.decodeIfPresent(Int.self, forKey: .preferredHeight),
      timeline: try container.decodeIfPresent(Timeline.self, forKey: .timeline)
    )
    var dates = [made, contentDate] + (timeline?.entries.map(\.date) ?? [])
    if case .after(let date) = timeline?.policy { dates.append(date) }
    guard dates.allSatisfy(\.isInCalendar), preferredHeight.map(Size.limit.contains) ?? true else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "expected dates of the years 0 to 9999, and a height that a body may have"
        )
      )
    }
  }
}

nonisolated extension Date {
  /// Whether it lies in the years 0 to 9999, about, so that any arithmetic can be done with it.
  var isInCalendar: Bool {
    // False for what is no number, too.
    abs(timeIntervalSinceReferenceDate) <= 2.6e11
  }
}
