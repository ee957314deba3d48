/// A Today widget: a folder `Name.widget`, alone or in the `PlugIns` of an app.
///
/// ```
/// ClownTown.app/PlugIns/Today.widget/
///   Info.plist    CFBundleIdentifier com.example.ClownTown.Today, CFBundleExecutable today, …
///   today         the executable, in any language
/// ```
public struct WidgetBundle: Hashable, Sendable {
  /// The widget as an extension at the Today view's point.
  public let base: ExtensionBundle
  /// How it is run if it is a script and no bundle; else nil.
  package internal(set) var script: ScriptProgram?
  /// Groups of others that it was not permitted to share, by their kind.
  package var withheldGroups: [Entitlement: Set<String>] = [:]

  /// The bundle's folder, which is the widget's working directory; of a script, its file.
  public var path: String { base.path }
  /// Its Info.plist.
  public var infoPlist: InfoPlist { base.infoPlist }
  /// The permissions that it requests beyond its own containers.
  public var entitlements: Entitlements { base.entitlements }
  /// The heading: `CFBundleDisplayName`, else the app's name, else the folder's name; the identifier if
  /// none of its characters is visible.
  public var displayName: SafeText { base.displayName }
  /// The executable: a file in the bundle that this machine can run.
  public var executablePath: String { base.executablePath }
  /// The app that contains the widget; nil if there is none.
  public var containingApp: AppBundle? { base.containingApp }
  /// The settings that the user can set, in the order of the manifest.
  public var settings: [SettingDeclaration] { infoPlist.widgetExtension?.settings ?? [] }
  /// The widget's identifier, which does not depend on where the bundle is.
  public var bundleIdentifier: String { base.bundleIdentifier }

  /// Reads the widget at `path`, and its app if it is in the `PlugIns` of one.
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

  /// Reads the widget at `path`, and its app if it is in one, if they are trusted.
  package init(path: String, byteLimit: Int, trust: BundleTrust) throws(BundleError) {
    let base = try ExtensionBundle(path: path, byteLimit: byteLimit, trust: trust)
    guard base.point == .today else { throw base.fault(expected: ExtensionPoint.today.identifier) }
    self.init(base)
  }

  /// Creates what is run of an extension, of any point.
  package init(_ base: ExtensionBundle) {
    self.base = base
    script = nil
  }

  /// The same script, which runs on another machine.
  package func running(on host: RemoteDestination) -> WidgetBundle {
    var bundle = self
    bundle.script?.options.host = host
    return bundle
  }
}

extension BundleLocation {
  /// The folder's name, or the identifier if none of its characters is visible.
  func shownName(_ infoPlist: InfoPlist) -> SafeText {
    SafeText(name: baseName, orIfInvisible: infoPlist.bundleIdentifier)
  }

  /// Reads the files that every bundle has: an Info.plist and an executable that can be run.
  func contents(
    endings: [String],
    byteLimit: Int,
    trust: BundleTrust
  ) throws(BundleError) -> (InfoPlist, executablePath: String) {
    do {
      try check(endings: endings, trust: trust)
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
