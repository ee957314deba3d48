/// The first message to a widget; no answer in 5 s, or an error, and the launch has failed.
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

  /// The version that the host speaks.
  public var protocolVersion: Int
  /// Which program the host is.
  public var host: HostInfo
  /// The widget's own identifier.
  public var bundleIdentifier: String
  /// Which one it is, where one widget is on the page more than once.
  public var instance: String?
  /// Its settings, where it has any.
  public var configuration: [String: String]?
  /// Why it was started.
  public var reason: LaunchReason
  /// The form it is shown in.
  public var activeDisplayMode: DisplayMode
  /// The largest body that it may have.
  public var maximumSize: Size
  /// The margins that the host proposes.
  public var marginInsets: EdgeInsets
  /// The user's locale, such as `en_GB`.
  public var locale: String
  /// The user's zone, a tz database name.
  public var timeZone: String
  /// What the screen can show.
  public var appearance: Appearance
  /// Where the widget may keep things.
  public var containers: Containers

  /// Creates the request.
  public init(
    protocolVersion: Int = ProtocolVersion.current,
    host: HostInfo,
    bundleIdentifier: String,
    instance: String? = nil,
    configuration: [String: String]? = nil,
    reason: LaunchReason,
    activeDisplayMode: DisplayMode,
    maximumSize: Size,
    marginInsets: EdgeInsets,
    locale: String,
    timeZone: String,
    appearance: Appearance,
    containers: Containers
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
  }

  /// What the widget says of itself.
  public struct Reply: Codable, Hashable, Sendable {
    /// The version that the widget speaks.
    public var protocolVersion: Int
    /// The optional methods that it wants to be sent.
    public var implements: [String]
    /// Content to start with.
    public var content: ContentUpdate
    /// The tallest form that it offers; compact where left out.
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

    /// Reads the reply; the members of ``content`` lie beside the others.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      protocolVersion = try container.decode(Int.self, forKey: .protocolVersion)
      implements = try container.decode([String].self, forKey: .implements)
      largestAvailableDisplayMode = try container.decodeIfPresent(
        DisplayMode.self,
        forKey: .largestAvailableDisplayMode
      )
      allowsEditing = try container.decodeIfPresent(Bool.self, forKey: .allowsEditing)
      content = try ContentUpdate(from: decoder)
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

/// Which program a host is.
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
public enum LaunchReason: String, Codable, Hashable, Sendable {
  /// Its card comes on the screen.
  case appear
  /// A refresh is due.
  case update
  /// Something happened that is for it.
  case event
  /// Its author's harness runs it.
  case test
}

/// What the screen can show.
public struct Appearance: Codable, Hashable, Sendable {
  /// How many colours: 0, 16, 256 or 16777216.
  public var colors: Int
  /// Whether the background is dark.
  public var dark: Bool

  /// Creates it.
  public init(colors: Int, dark: Bool) {
    self.colors = colors
    self.dark = dark
  }
}

/// Folders that a widget may write in, as absolute paths.
public struct Containers: Codable, Hashable, Sendable {
  /// Its own data.
  public var data: String
  /// What can be made again.
  public var cache: String
  /// What it shares, by group identifier.
  public var groups: [String: String]

  /// Creates it.
  public init(data: String, cache: String, groups: [String: String] = [:]) {
    self.data = data
    self.cache = cache
    self.groups = groups
  }
}
