/// A containing app: a folder `Name.app` with a program that opens URLs, and its extensions.
public struct AppBundle: Hashable, Sendable {
  /// The bundle's folder.
  public let path: String
  /// What its Info.plist says.
  public let infoPlist: InfoPlist
  /// The name to show: `CFBundleDisplayName`, else the folder's name without `.app`.
  public let name: SafeText
  /// The program: a file of the bundle that can be run here.
  public let executablePath: String

  /// The app's identifier: that of each of its extensions begins with it and a dot.
  public var bundleIdentifier: String { infoPlist.bundleIdentifier }
  /// The URL schemes that are the app's, in lower case.
  public var urlSchemes: [String] { infoPlist.urlSchemes }
  /// The folder of its extensions, whether it exists or not.
  public var plugInsPath: String { "\(path)/PlugIns" }

  /// Reads the app at `path`.
  ///
  /// Nothing of the app is run, and its extensions are not looked at.
  ///
  /// - Parameters:
  ///   - path: A folder whose name ends in `.app`.
  ///   - byteLimit: The longest property list that is read; 64 KiB.
  /// - Throws: The first thing that is wrong with it.
  public init(path: String, byteLimit: Int = InfoPlist.byteLimit) throws(BundleError) {
    try self.init(path: path, byteLimit: byteLimit, trust: .named(path))
  }

  /// Reads the app at `path` as far as it is trusted.
  package init(path: String, byteLimit: Int, trust: BundleTrust) throws(BundleError) {
    let location = BundleLocation(path)
    self.path = location.path
    (infoPlist, executablePath) = try location.contents(
      ending: ".app",
      byteLimit: byteLimit,
      trust: trust
    )
    name = infoPlist.displayName ?? location.shownName(infoPlist)
  }
}
