package import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// The last good view of a card as it is stored on disk: a tree that can be laid out at any width.
package nonisolated struct Snapshot: Sendable {
  /// What the snapshot was made for; it is shown only for the same key.
  package var key: Key
  /// When the widget sent it, to any host; the newer of two snapshots is used.
  package var made: Date
  /// The date of the content, from which the card computes its age.
  package var contentDate: Date
  /// The view tree.
  package var view: ViewNode
  /// The height that the widget preferred, or nil if the view determined it.
  package var preferredHeight: Int?
  /// The content for later times, or nil if there is none.
  package var timeline: Timeline?

  /// Creates a snapshot of a view.
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

  /// The content that a card takes from the snapshot: the view and the preferred height.
  var content: ContentUpdate {
    let size = preferredHeight.map { PreferredContentSize(height: $0) }
    return ContentUpdate(view: view, preferredContentSize: size.map { .value($0) } ?? .null)
  }

  /// Whether a snapshot made at one date replaces one made at another.
  ///
  /// - Parameters:
  ///   - made: When the first snapshot was made.
  ///   - other: When the second one was made, or nil if there is none.
  ///   - now: The current time. A later date is from before the clock was set back, and does not
  ///     prevent newer content from being shown.
  /// - Returns: Whether the first replaces the second; false if the dates are equal.
  static func isNewer(_ made: Date, than other: Date?, now: Date) -> Bool {
    guard let other else { return true }
    let latest = now.addingTimeInterval(1)
    return made > other ? made <= latest || other > latest : other > latest && made <= latest
  }

  /// What a snapshot depends on; the width is not part of it.
  package struct Key: Codable, Hashable, Sendable {
    package var bundleIdentifier: String
    package var instance: InstanceName?
    package var displayMode: DisplayMode
    package var locale: String
    package var protocolVersion = ProtocolVersion.current

    /// The extension whose view it is.
    package var identity: ExtensionIdentity {
      ExtensionIdentity(bundleIdentifier, instance: instance)
    }

    /// Creates a key from what the view was made for.
    package init(
      _ identity: ExtensionIdentity,
      displayMode: DisplayMode,
      locale: String
    ) {
      bundleIdentifier = identity.bundleIdentifier
      instance = identity.instance
      self.displayMode = displayMode
      self.locale = locale
    }

    /// The part of the key that distinguishes the snapshots of one card; it is safe as a file name.
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

  /// Reads a snapshot; throws for numbers that no snapshot contains.
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
  /// Whether the date lies approximately in the years 0 to 9999, so that arithmetic with it is safe.
  var isInCalendar: Bool {
    // This is also false for NaN.
    abs(timeIntervalSinceReferenceDate) <= 2.6e11
  }
}
