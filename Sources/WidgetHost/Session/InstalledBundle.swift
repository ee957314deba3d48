import WidgetKitCore

/// A bundle as it was read, compared with what is on disk.
struct InstalledBundle {
  let bundle: WidgetBundle
  /// The manifest that the bundle was read from.
  private let manifest: FileIdentity?
  /// The program that was started last, of this bundle or of the one before it.
  private var launched: FileIdentity?

  /// A bundle that was read a moment ago, and that takes the place of `previous`.
  init(_ bundle: WidgetBundle, replacing previous: InstalledBundle? = nil) {
    self.bundle = bundle
    manifest = FileIdentity(Self.manifestPath(bundle))
    launched = previous?.launched
  }

  /// Whether the program on disk is another one than that which was started last.
  var isProgramChanged: Bool { FileIdentity(bundle.executablePath) != launched }

  /// Whether the manifest was changed since it was read, or the program since it was started.
  var isOutdated: Bool {
    FileIdentity(Self.manifestPath(bundle)) != manifest || launched != nil && isProgramChanged
  }

  /// The program is about to be started.
  mutating func willLaunch() {
    launched = FileIdentity(bundle.executablePath)
  }

  private static func manifestPath(_ bundle: WidgetBundle) -> String { "\(bundle.path)/Info.plist" }
}
