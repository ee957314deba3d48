import WidgetKitCore
import WidgetPlatform

/// A bundle as it was read, compared with what is on disk.
struct InstalledBundle {
  private(set) var bundle: WidgetBundle
  /// The files that the bundle was read from.
  private let read: [FileIdentity?]
  /// The program that was started last, of this bundle or of the one before it.
  private var launched: FileIdentity?

  /// A bundle that was read a moment ago, and that takes the place of `previous`.
  init(_ bundle: WidgetBundle, replacing previous: InstalledBundle? = nil) {
    self.bundle = bundle
    read = Self.files(bundle)
    launched = previous?.launched
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
