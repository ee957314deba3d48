/// A program that extends another one at an extension point: a folder, alone or in the `PlugIns` of an
/// app.
public struct ExtensionBundle: Hashable, Sendable {
  /// The bundle's folder, which is the program's working directory.
  public let path: String
  /// Its Info.plist, which has an ``InfoPlist/widgetExtension``.
  public let infoPlist: InfoPlist
  /// The permissions that it requests beyond its own containers.
  public let entitlements: Entitlements
  /// `CFBundleDisplayName`, else the app's name, else the folder's name; the identifier if none of its
  /// characters is visible.
  public let displayName: SafeText
  /// The executable: a file in the bundle that this machine can run.
  public let executablePath: String
  /// The app that contains it; nil if there is none.
  public let containingApp: AppBundle?
  /// The identifier of the extension point, such as `com.apple.widget-extension`.
  public let pointIdentifier: String
  /// Its `NSExtensionAttributes`.
  public let attributes: [String: PropertyValue]

  /// The identifier, which does not depend on where the bundle is.
  public var bundleIdentifier: String { infoPlist.bundleIdentifier }

  /// Reads the extension at `path`, and its app if it is in one, if they are trusted.
  ///
  /// Nothing is run.
  package init(path: String, byteLimit: Int, trust: BundleTrust) throws(BundleError) {
    let location = BundleLocation(path)
    var app: AppBundle?
    if let appPath = location.containingAppPath {
      app = try AppBundle(path: appPath, byteLimit: byteLimit, trust: trust)
    }
    try self.init(location, containingApp: app, byteLimit, trust)
  }

  /// Reads the extension at `path` of an app that has already been read, if it is trusted.
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
    guard let declared = infoPlist.widgetExtension else {
      throw BundleFault.missing(
        "NSExtension",
        expected: "a dictionary with NSExtensionPointIdentifier"
      )
      .located("Info.plist", in: location)
    }
    if let fault = Self.fault(in: infoPlist, of: containingApp) {
      throw fault.located("Info.plist", in: location)
    }
    do {
      entitlements = try Entitlements.read(in: path, byteLimit: byteLimit, trust: trust)
    } catch {
      throw error.located(Entitlements.fileName, in: location)
    }
    pointIdentifier = declared.pointIdentifier
    attributes = declared.attributes
    displayName = infoPlist.displayName ?? containingApp?.name ?? location.shownName(infoPlist)
    self.containingApp = containingApp
  }

  /// Creates the extension that a script stands for.
  init(script path: String, _ infoPlist: InfoPlist, _ entitlements: Entitlements) {
    self.path = path
    self.infoPlist = infoPlist
    self.entitlements = entitlements
    displayName = infoPlist.displayName ?? SafeText(infoPlist.bundleIdentifier)
    executablePath = path
    containingApp = nil
    pointIdentifier = InfoPlist.WidgetExtension.todayPoint
    attributes = [:]
  }

  private static func fault(in infoPlist: InfoPlist, of app: AppBundle?) -> BundleFault? {
    guard let app, !infoPlist.bundleIdentifier.hasPrefix(app.bundleIdentifier + ".") else {
      return nil
    }
    return .wrongValue(
      "CFBundleIdentifier",
      infoPlist.bundleIdentifier,
      expected: "one that begins with the app's, \(app.bundleIdentifier)."
    )
  }

  /// The error for an extension whose point is meant to be that of the Today view, and is misspelt; nil for others.
  package var misspeltPoint: BundleError? {
    let point = InfoPlist.WidgetExtension.todayPoint
    guard pointIdentifier != point else { return nil }
    let plain = pointIdentifier.lowercased().filter { $0.isLetter || $0 == "." }
    let isMeant =
      plain == point.filter { $0.isLetter || $0 == "." }
      || NearName.distance(pointIdentifier.lowercased(), point) <= 3
      || Self.otherNames.contains(pointIdentifier.lowercased())
    return isMeant ? fault(expected: point) : nil
  }

  /// What people write who know widgets of other systems.
  private static let otherNames: Set<String> = [
    "com.apple.today", "com.apple.today-extension", "com.apple.widget",
    "com.apple.widgetkit-extension", "com.apple.widgets", "com.apple.today-widget",
    "com.apple.notificationcenter.widget",
  ]

  /// The error for an extension at another point than the expected one.
  func fault(expected point: String) -> BundleError {
    BundleFault.wrongValue(
      "NSExtension.NSExtensionPointIdentifier",
      pointIdentifier,
      expected: point
    )
    .located("Info.plist", in: BundleLocation(path))
  }
}
