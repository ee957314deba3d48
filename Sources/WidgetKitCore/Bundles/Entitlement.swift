/// A permission that a bundle can request in its Entitlements.plist.
public enum Entitlement: String, CaseIterable, Hashable, Sendable, Comparable {
  /// Whether it runs in a sandbox; false is for widgets that come with the program.
  case sandbox = "com.apple.security.app-sandbox"
  /// Connections to other machines.
  case network = "com.apple.security.network.client"
  /// Reading the files that the user chose in the widget's settings.
  case chosenFiles = "com.apple.security.files.user-selected.read-only"
  /// Reading and changing the files that the user chose in the widget's settings.
  case chosenFilesWritable = "com.apple.security.files.user-selected.read-write"
  /// Reading files and folders below the user's home folder.
  case homeFiles = "com.apple.security.files.home-relative-path.read-only"
  /// Folders that several widgets and apps of one developer share, which needs no permission of the user.
  case groups = "com.apple.security.application-groups"
  /// Secrets that several widgets and apps of one developer share, which needs no permission of the user.
  case secretGroups = "keychain-access-groups"
  /// Names on the session bus of the desktop.
  case desktopBus = "org.today.dbus"
  /// Sockets of other programs, as paths.
  case sockets = "org.today.sockets"
  /// Which processes run on the machine, and what they use.
  case processInfo = "org.today.process-info"
  /// Ending processes of the user.
  case processSignal = "org.today.process-signal"
  /// Notifications of the desktop.
  case notifications = "org.today.notifications"
  /// The notices of the user, of all applications.
  case notices = "org.today.notices"
  /// Devices, as paths below /dev.
  case devices = "org.today.devices"

  /// Orders entitlements as they are declared here.
  public static func < (left: Entitlement, right: Entitlement) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }

  /// Whether the user has to permit it.
  public var needsPermission: Bool {
    self != .sandbox && self != .groups && self != .secretGroups
  }

  /// Whether its value is a list of groups, of which each counts by itself.
  var isGroupList: Bool { self == .groups || self == .secretGroups }

  /// What a text of its list may be, as a problem has it.
  var itemRule: String { "expected a name that begins with \"group.\"" }

  /// Whether its value is true or false, rather than a list of texts.
  public var isSwitch: Bool {
    switch self {
    case .sandbox, .network, .chosenFiles, .chosenFilesWritable, .processInfo, .processSignal,
      .notifications, .notices:
      true
    case .homeFiles, .groups, .secretGroups, .desktopBus, .sockets, .devices: false
    }
  }

  /// What a value may be, in words, as an error has it.
  var expectation: String {
    switch self {
    case .sandbox, .network, .chosenFiles, .chosenFilesWritable, .processInfo, .processSignal,
      .notifications, .notices:
      "true or false"
    case .homeFiles: "an array of paths below the home folder, such as \"Documents\""
    case .groups, .secretGroups: "an array of names that begin with \"group.\""
    case .desktopBus: "an array of names on the bus, such as \"org.mpris.MediaPlayer2.*\""
    case .sockets: "an array of absolute paths, or of paths that begin with $XDG_RUNTIME_DIR/"
    case .devices: "an array of paths below /dev"
    }
  }

  /// The most texts of a list.
  static let countLimit = 64
  /// The most bytes of a text.
  static let byteLimit = 1_024

  /// A text of its list as it is used; nil if it cannot be one.
  func item(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.count <= Self.byteLimit,
      text.unicodeScalars.allSatisfy(Self.isShown)
    else { return nil }
    switch self {
    case .sandbox, .network, .chosenFiles, .chosenFilesWritable, .processInfo, .processSignal,
      .notifications, .notices:
      return nil
    case .homeFiles:
      let parts = Self.parts(text)
      return parts.map { $0.joined(separator: "/") }
    case .groups, .secretGroups:
      return text.hasPrefix("group.") && ExtensionIdentifier.isValid(text) ? text : nil
    case .desktopBus: return Self.isBusName(text) ? text : nil
    case .sockets:
      let runtime = "$XDG_RUNTIME_DIR/"
      if text.hasPrefix(runtime) {
        return Self.parts(text.dropFirst(runtime.count)).map { runtime + $0.joined(separator: "/") }
      }
      return text.hasPrefix("/") ? Self.parts(text).map { "/" + $0.joined(separator: "/") } : nil
    case .devices:
      guard text.hasPrefix("/dev/"), let parts = Self.parts(text), parts.count > 1 else {
        return nil
      }
      return "/" + parts.joined(separator: "/")
    }
  }

  /// Whether a character is shown as itself in a question.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }

  /// The parts of a path; nil if there are none, or if it leads upwards.
  private static func parts(_ path: some StringProtocol) -> [Substring]? {
    let parts = Substring(path).split(separator: "/").filter { $0 != "." }
    return parts.isEmpty || parts.contains("..") || parts.contains("~") ? nil : parts
  }

  /// A well-known name of the D-Bus specification, or the names below one: `org.mpris.*`.
  private static func isBusName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, text.utf8.count <= 255 else { return false }
    return parts.enumerated().allSatisfy { index, part in
      if part == "*" { return index == parts.count - 1 && index > 1 }
      return part.first.map { !$0.isNumber } ?? false
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
  }
}

/// The characters of identifiers.
private enum ExtensionIdentifier {
  /// Whether a text has letters, digits, `-`, `_`, and single dots within it, at most 255 bytes.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= 255 else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
  }
}
