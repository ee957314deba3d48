import WidgetKitCore

/// The app groups into which a widget can transfer files.
nonisolated enum TransferGroup {
  /// The groups of a widget: those that its app requests too.
  static func names(of bundle: WidgetBundle) -> [String] {
    guard let requested = bundle.entitlements[.groups]?.items,
      let ofApp = bundle.containingApp?.entitlements[.groups]?.items
    else { return [] }
    return requested.filter(ofApp.contains)
  }

  /// The folder of a group.
  static func folder(_ group: String, _ folders: StateFolders) -> String {
    "\(folders.groups)/\(group)"
  }

  /// The folder in it to which files come.
  static let downloads = "Library/Transfers"
}
