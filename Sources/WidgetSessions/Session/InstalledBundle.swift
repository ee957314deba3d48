import WidgetKitCore
import WidgetPlatform

/// A bundle as it was read, compared with what is on disk.
struct InstalledBundle {
  private(set) var bundle: WidgetBundle
  /// The files that the bundle was read from.
  private let read: [FileIdentity?]
  /// The folder of the bundle.
  private let folder: FileIdentity?
  /// The program that was started last, of this bundle or of the one before it.
  private var launched: FileIdentity?

  /// A bundle that was read a moment ago, and that takes the place of `previous`.
  init(_ bundle: WidgetBundle, replacing previous: InstalledBundle? = nil) {
    self.bundle = bundle
    read = Self.files(bundle)
    folder = FileIdentity(bundle.path)
    launched = previous?.launched
  }

  /// Whether another folder has taken the place of the whole bundle, as an installation does.
  var isReplaced: Bool {
    guard let folder, let present = FileIdentity(bundle.path) else { return false }
    return !present.isSameFile(as: folder)
  }

  /// Whether the program on disk is another one than that which was started last.
  var isProgramChanged: Bool { FileIdentity(bundle.executablePath) != launched }

  /// Whether the manifest or the entitlements were changed since they were read, or the program since it was
  /// started.
  var isOutdated: Bool { Self.files(bundle) != read || launched != nil && isProgramChanged }

  /// The program is about to be started.
  ///
  /// - Parameter bundle: The same bundle, with what it may share from now on.
  mutating func willLaunch(as bundle: WidgetBundle) {
    self.bundle = bundle
    launched = FileIdentity(bundle.executablePath)
  }

  /// The manifest, and the entitlements of the widget and its app; nil for a file that is missing.
  private static func files(_ bundle: WidgetBundle) -> [FileIdentity?] {
    let folders = [bundle.path] + (bundle.containingApp.map { [$0.path] } ?? [])
    return (["\(bundle.path)/Info.plist"] + folders.map { "\($0)/Entitlements.plist" })
      .map { FileIdentity($0) }
  }
}
