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

  /// How the names of such folders end.
  package static let endings = [".widget", ".appex"]

  /// Whether a folder of this name is an extension.
  package static func isNamed(_ name: String) -> Bool { endings.contains { name.hasSuffix($0) } }

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
      endings: Self.endings,
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

  /// Creates the extension that a script is.
  init(
    script path: String,
    _ infoPlist: InfoPlist,
    _ entitlements: Entitlements,
    point: ExtensionPoint = .today,
    attributes: [String: PropertyValue] = [:]
  ) {
    self.path = path
    self.infoPlist = infoPlist
    self.entitlements = entitlements
    displayName = infoPlist.displayName ?? SafeText(infoPlist.bundleIdentifier)
    executablePath = path
    containingApp = nil
    pointIdentifier = point.identifier
    self.attributes = attributes
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

  /// The point that it extends; nil if this program has none of that identifier.
  package var point: ExtensionPoint? { ExtensionPoint.named(pointIdentifier) }

  /// The error for an extension whose point this program does not have; nil if it has it.
  package var unknownPoint: BundleError? {
    guard point == nil else { return nil }
    let meant = ExtensionPoint.meant(by: pointIdentifier).map { [$0] } ?? ExtensionPoint.all
    return fault(expected: meant.map(\.identifier).joined(separator: ", "))
  }

  /// The error for an extension at another point than the expected one.
  func fault(expected: String) -> BundleError {
    BundleFault.wrongValue(
      "NSExtension.NSExtensionPointIdentifier",
      pointIdentifier,
      expected: expected
    )
    .located("Info.plist", in: BundleLocation(path))
  }

  /// The error for a value of its `NSExtensionAttributes`.
  ///
  /// - Parameters:
  ///   - attribute: The key.
  ///   - found: What was found, worded to follow "is".
  ///   - expected: What was expected, worded to follow "is".
  /// - Returns: The error, with the place of the value.
  package func fault(in attribute: String, found: String, expected: String) -> BundleError {
    BundleFault(
      code: .wrongValue,
      key: "NSExtension.NSExtensionAttributes.\(attribute)",
      found: found,
      expected: expected
    )
    .located("Info.plist", in: BundleLocation(path))
  }
}
