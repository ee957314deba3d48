/// A Today widget: a folder `Name.widget`, alone or in the `PlugIns` of an app.
///
/// ```
/// ClownTown.app/PlugIns/Today.widget/
///   Info.plist    CFBundleIdentifier com.example.ClownTown.Today, CFBundleExecutable today, …
///   today         the executable, in any language
/// ```
public struct WidgetBundle: Hashable, Sendable {
  /// The bundle's folder, which is the widget's working directory.
  public let path: String
  /// Its Info.plist.
  public let infoPlist: InfoPlist
  /// The heading: `CFBundleDisplayName`, else the app's name, else the folder's name; the identifier
  /// if nothing of it is visible.
  public let displayName: SafeText
  /// The executable: a file in the bundle that this machine can run.
  public let executablePath: String
  /// The app that contains the widget; nil if there is none.
  public let containingApp: AppBundle?

  /// The widget's identifier, the same wherever the bundle lies.
  public var bundleIdentifier: String { infoPlist.bundleIdentifier }

  /// Reads the widget at `path`, and its app where it lies in the `PlugIns` of one.
  ///
  /// Nothing is run.
  ///
  /// - Parameters:
  ///   - path: A folder whose name ends in `.widget`.
  ///   - byteLimit: The longest property list that is read; 64 KiB.
  /// - Throws: The first error in it or in its app.
  public init(path: String, byteLimit: Int = InfoPlist.byteLimit) throws(BundleError) {
    try self.init(path: path, byteLimit: byteLimit, trust: .named(path))
  }

  /// Reads the widget at `path`, and its app where it lies in one, as far as they are trusted.
  package init(path: String, byteLimit: Int, trust: BundleTrust) throws(BundleError) {
    let location = BundleLocation(path)
    var app: AppBundle?
    if let appPath = location.containingAppPath {
      app = try AppBundle(path: appPath, byteLimit: byteLimit, trust: trust)
    }
    try self.init(location, containingApp: app, byteLimit, trust)
  }

  /// Reads the extension at `path` of an app that was read before.
  ///
  /// - Parameters:
  ///   - path: A folder of the app's `PlugIns` whose name ends in `.widget`.
  ///   - containingApp: The app.
  ///   - byteLimit: The longest property list that is read; 64 KiB.
  /// - Throws: The first error in it.
  public init(
    path: String,
    containingApp: AppBundle,
    byteLimit: Int = InfoPlist.byteLimit
  ) throws(BundleError) {
    try self.init(BundleLocation(path), containingApp: containingApp, byteLimit, .named(path))
  }

  /// Reads the extension at `path` of an app that was read before, as far as it is trusted.
  package init(
    path: String,
    containingApp: AppBundle,
    byteLimit: Int,
    trust: BundleTrust
  ) throws(BundleError) {
    try self.init(BundleLocation(path), containingApp: containingApp, byteLimit, trust)
  }

  private init(
    _ location: BundleLocation,
    containingApp: AppBundle?,
    _ byteLimit: Int,
    _ trust: BundleTrust
  ) throws(BundleError) {
    path = location.path
    (infoPlist, executablePath) = try location.contents(
      ending: ".widget",
      byteLimit: byteLimit,
      trust: trust
    )
    if let fault = Self.fault(in: infoPlist, of: containingApp) {
      throw fault.located("Info.plist", in: location)
    }
    displayName = infoPlist.displayName ?? containingApp?.name ?? location.shownName(infoPlist)
    self.containingApp = containingApp
  }

  private static func fault(in infoPlist: InfoPlist, of app: AppBundle?) -> BundleFault? {
    guard infoPlist.widgetExtension != nil else {
      return .missing("NSExtension", expected: "a dictionary with NSExtensionPointIdentifier")
    }
    guard let app, !infoPlist.bundleIdentifier.hasPrefix(app.bundleIdentifier + ".") else {
      return nil
    }
    return .wrongValue(
      "CFBundleIdentifier",
      infoPlist.bundleIdentifier,
      expected: "one that begins with the app's, \(app.bundleIdentifier)."
    )
  }
}

extension BundleLocation {
  /// The folder's name, or the identifier if nothing of it is visible.
  func shownName(_ infoPlist: InfoPlist) -> SafeText {
    SafeText(name: baseName, orIfInvisible: infoPlist.bundleIdentifier)
  }

  /// Reads what every bundle has: an Info.plist and an executable that can be run.
  func contents(
    ending: String,
    byteLimit: Int,
    trust: BundleTrust
  ) throws(BundleError) -> (InfoPlist, executablePath: String) {
    do {
      try check(ending: ending, trust: trust)
    } catch {
      throw error.located("", in: self)
    }
    let infoPlist: InfoPlist
    do {
      infoPlist = try PropertyList.read(
        InfoPlist.self,
        from: "\(path)/Info.plist",
        byteLimit: byteLimit,
        trust: trust
      )
    } catch {
      throw error.located("Info.plist", in: self)
    }
    do {
      return (infoPlist, try BundleExecutable.check(infoPlist.executable, in: path, trust))
    } catch {
      throw error.located(infoPlist.executable, in: self)
    }
  }
}
