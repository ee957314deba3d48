/// A containing app: a folder `Name.app` with a program that opens URLs, and its extensions.
public struct AppBundle: Hashable, Sendable {
  /// The bundle's folder.
  public let path: String
  /// Its Info.plist.
  public let infoPlist: InfoPlist
  /// The name to show: `CFBundleDisplayName`, else the folder's name without `.app`.
  public let name: SafeText
  /// The executable: a file in the bundle that this machine can run.
  public let executablePath: String

  /// What it requests beyond its own container; a group is shared by those that request it.
  public let entitlements: Entitlements

  /// The app's identifier: that of each of its extensions begins with it and a dot.
  public var bundleIdentifier: String { infoPlist.bundleIdentifier }
  /// The URL schemes of the app, in lower case.
  public var urlSchemes: [String] { infoPlist.urlSchemes }
  /// The folder of its extensions, whether it exists or not.
  public var plugInsPath: String { "\(path)/PlugIns" }

  /// Reads the app at `path`.
  ///
  /// Nothing is run, and its extensions are not read.
  ///
  /// - Parameters:
  ///   - path: A folder whose name ends in `.app`.
  ///   - byteLimit: The longest property list that is read; 64 KiB.
  /// - Throws: The first error in it.
  public init(path: String, byteLimit: Int = InfoPlist.byteLimit) throws(BundleError) {
    try self.init(path: path, byteLimit: byteLimit, trust: .named(path))
  }

  /// Reads the app at `path` if it is trusted.
  package init(path: String, byteLimit: Int, trust: BundleTrust) throws(BundleError) {
    let location = BundleLocation(path)
    self.path = location.path
    (infoPlist, executablePath) = try location.contents(
      endings: [".app"],
      byteLimit: byteLimit,
      trust: trust
    )
    do throws(BundleFault) {
      entitlements = try Entitlements.read(in: location.path, byteLimit: byteLimit, trust: trust)
    } catch {
      throw error.located(Entitlements.fileName, in: location)
    }
    name = infoPlist.displayName ?? location.shownName(infoPlist)
  }
}
