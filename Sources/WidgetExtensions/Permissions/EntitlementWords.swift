public import WidgetKitCore

/// What a widget wants to do, in words that follow “asks to”.
extension EntitlementRequest {
  /// What it is about, in a few words: `use the network`.
  public var words: SafeText {
    let list = SafeText(items.joined(separator: ", "))
    return switch entitlement {
    case .sandbox: "run without a sandbox"
    case .network: "use the network"
    case .chosenFiles: "read the files that you choose in its settings"
    case .chosenFilesWritable: "read and change the files that you choose in its settings"
    case .homeFiles:
      SafeText("read \(items.map { "~/\($0)" }.joined(separator: ", "))")
    case .groups where !owners.isEmpty:
      SafeText("read and change files and secrets of \(others), in \(list)")
    case .secretGroups where !owners.isEmpty:
      SafeText("read and change secrets of \(others), in \(list)")
    case .groups: SafeText("share files with its app in \(list)")
    case .secretGroups: SafeText("share secrets with its app in \(list)")
    case .desktopBus: SafeText("talk to \(list) on the desktop's bus")
    case .sockets: SafeText("use the sockets \(list) of other programs")
    case .processInfo: "see all processes of this machine and who is logged in"
    case .processSignal: "send signals to your processes, such as to end them"
    case .notifications: "show notifications"
    case .notices: "read and deal with your notices, of all applications"
    case .devices: SafeText("use the devices \(list)")
    }
  }
}

extension EntitlementRequest {
  /// Whose groups it is about.
  private var others: String { "other developers (\(owners.joined(separator: ", ")))" }
}

extension Entitlement {
  /// The name that a wrong one was probably meant to be; nil where none is near.
  public static func nearest(to name: String) -> String? {
    NearName.nearest(to: name, among: allCases.map(\.rawValue))
  }
}
