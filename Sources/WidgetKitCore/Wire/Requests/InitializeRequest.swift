public import FoundationEssentials

/// The first message to a widget; without an answer within 5 s the launch has failed.
///
/// ```json
/// {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,
///  "host":{"name":"today","version":"0.1.0"},"bundleIdentifier":"com.example.ClownTown.Today",
///  "reason":"appear","activeDisplayMode":"compact","maximumSize":{"width":36,"height":200},
///  "marginInsets":{"top":0,"left":1,"bottom":0,"right":1},"locale":"en_GB","timeZone":"UTC",
///  "appearance":{"colors":256,"dark":true},"containers":{"data":"…","cache":"…","groups":{}}}}
/// ```
public struct InitializeRequest: RequestMessage, Hashable {
  /// The method is `initialize`.
  public static let method = "initialize"

  /// The version that the host uses.
  public var protocolVersion: Int
  /// The name and version of the host.
  public var host: HostInfo
  /// The widget's own identifier.
  public var bundleIdentifier: String
  /// The instance, if the widget is on the page several times.
  public var instance: String?
  /// Its settings; nil if it declares none.
  public var configuration: WidgetConfiguration?
  /// Why it was started.
  public var reason: LaunchReason
  /// The current display mode.
  public var activeDisplayMode: DisplayMode
  /// The largest size of its body.
  public var maximumSize: Size
  /// The margins that the host proposes.
  public var marginInsets: EdgeInsets
  /// The user's locale, such as `en_GB`.
  public var locale: String
  /// The user's zone, a tz database name.
  public var timeZone: String
  /// The capabilities of the screen.
  public var appearance: Appearance
  /// The folders that the widget can write to.
  public var containers: Containers
  /// The entitlements that it requests and may not have; nil if there are none.
  public var denied: [String]?
  /// The present time under test, as RFC 3339; nil for that of the system.
  public var now: String?
  /// The point of a share or action extension; nil for a widget.
  package var extensionPoint: String?
  /// Whether such an extension is shown to the user.
  package var hasView: Bool?
  /// `editor` or `viewer` for an action.
  package var role: String?
  /// The content; a widget gets one without items.
  package var extensionContext: ExtensionContext?

  /// Creates the request.
  public init(
    protocolVersion: Int = ProtocolVersion.current,
    host: HostInfo,
    bundleIdentifier: String,
    instance: String? = nil,
    configuration: WidgetConfiguration? = nil,
    reason: LaunchReason,
    activeDisplayMode: DisplayMode,
    maximumSize: Size,
    marginInsets: EdgeInsets,
    locale: String,
    timeZone: String,
    appearance: Appearance,
    containers: Containers,
    denied: [String]? = nil,
    now: Date? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.host = host
    self.bundleIdentifier = bundleIdentifier
    self.instance = instance
    self.configuration = configuration
    self.reason = reason
    self.activeDisplayMode = activeDisplayMode
    self.maximumSize = maximumSize
    self.marginInsets = marginInsets
    self.locale = locale
    self.timeZone = timeZone
    self.appearance = appearance
    self.containers = containers
    self.denied = denied
    self.now = now.map { InternetDate(date: $0, offsetFromGMT: nil).text }
  }

  /// The present time under test; nil for that of the system.
  var date: Date? { now.flatMap { InternetDate($0)?.date } }

  /// The properties of the widget.
  public struct Reply: Codable, Hashable, Sendable {
    /// The version that the widget uses.
    public var protocolVersion: Int
    /// The optional methods that it implements.
    public var implements: [String]
    /// The first content.
    public var content: ContentUpdate
    /// The largest display mode that it offers; compact if absent.
    public var largestAvailableDisplayMode: DisplayMode?
    /// Whether the host offers editing.
    public var allowsEditing: Bool?

    /// Creates the reply.
    public init(
      protocolVersion: Int = ProtocolVersion.current,
      implements: [String],
      content: ContentUpdate = ContentUpdate(),
      largestAvailableDisplayMode: DisplayMode? = nil,
      allowsEditing: Bool? = nil
    ) {
      self.protocolVersion = protocolVersion
      self.implements = implements
      self.content = content
      self.largestAvailableDisplayMode = largestAvailableDisplayMode
      self.allowsEditing = allowsEditing
    }

    enum CodingKeys: String, CodingKey {
      case protocolVersion
      case implements
      case largestAvailableDisplayMode
      case allowsEditing
    }

    /// Reads the reply; the members of ``content`` are next to the others.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      protocolVersion = try Self.version(in: container)
      implements = try container.decode([String].self, forKey: .implements)
      largestAvailableDisplayMode = try container.decodeIfPresent(
        DisplayMode.self,
        forKey: .largestAvailableDisplayMode
      )
      allowsEditing = try container.decodeIfPresent(Bool.self, forKey: .allowsEditing)
      content = try ContentUpdate(from: decoder)
    }

    /// The version; one that is too large for an `Int` is later than any that a host knows.
    private static func version(in container: KeyedDecodingContainer<CodingKeys>) throws -> Int {
      let key = CodingKeys.protocolVersion
      guard container.contains(key) else { return try container.decode(Int.self, forKey: key) }
      if let version = try? container.decode(Int.self, forKey: key) { return version }
      if let number = try? container.decode(Double.self, forKey: key), number >= 0x1p63 {
        return .max
      }
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: container,
        debugDescription: "expected \(ProtocolVersion.current), the version of the protocol"
      )
    }

    /// Writes the reply.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(protocolVersion, forKey: .protocolVersion)
      try container.encode(implements, forKey: .implements)
      try container.encodeIfPresent(
        largestAvailableDisplayMode,
        forKey: .largestAvailableDisplayMode
      )
      try container.encodeIfPresent(allowsEditing, forKey: .allowsEditing)
      try content.encode(to: encoder)
    }
  }
}

/// The name and version of a host.
public struct HostInfo: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String

  /// Creates it.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// Why a widget's process was started.
public enum LaunchReason: String, CaseIterable, Codable, Hashable, Sendable {
  /// Its card appears.
  case appear
  /// A refresh is due.
  case update
  /// An event is sent to the widget.
  case event
  /// Content is shared, or an action is requested.
  case request
  /// The command `today test` runs it.
  case test

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}

/// The capabilities of the screen.
public struct Appearance: Codable, Hashable, Sendable {
  /// The number of colours: 0, 16, 256 or 16777216.
  public var colors: Int
  /// Whether the background is dark.
  public var dark: Bool

  /// Creates it.
  public init(colors: Int, dark: Bool) {
    self.colors = colors
    self.dark = dark
  }
}

/// The folders that a widget can write to, as absolute paths.
public struct Containers: Codable, Hashable, Sendable {
  /// Its own data.
  public var data: String
  /// Data that can be regenerated.
  public var cache: String
  /// Shared folders, by identifier of the group.
  public var groups: [String: String]

  /// Creates it.
  public init(data: String, cache: String, groups: [String: String] = [:]) {
    self.data = data
    self.cache = cache
    self.groups = groups
  }
}
