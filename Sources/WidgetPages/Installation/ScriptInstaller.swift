import Glibc
import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts

/// Installs scripts of others: copies in a folder of the program, which run in the sandbox.
public nonisolated struct ScriptInstaller {
  private let folder: String
  private let folders: StateFolders
  private let environment: [String: String]

  /// A script that is to be installed.
  public struct Found {
    /// The widget that it is.
    public var widget: WidgetBundle
    /// The path of the present script with its identifier that is replaced; nil if there is none.
    public var replaced: String?
    fileprivate var bytes: [UInt8]
    fileprivate var fileName: String
  }

  /// The longest script.
  private static let byteLimit = 1 << 20

  /// An installer for the user of an environment; nil without a home folder.
  public init?(environment: [String: String]) {
    guard let scripts = WrittenScript.folder(environment) else { return nil }
    self.environment = environment
    folder = ScriptSource.installed(below: scripts).folder
    folders = StateFolders(environment: environment)
  }

  /// Reads a file; nil if it is not a script: it cannot be executed, or does not begin with `#!`.
  ///
  /// - Throws: ``HostError`` that keeps a script from being used.
  public func find(_ path: String) throws(HostError) -> Found? {
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit),
      bytes.starts(with: Array("#!".utf8))
    else { return nil }
    let found: (widget: WidgetBundle, faults: [BundleError])?
    do throws(BundleError) {
      found = try WidgetBundle.script(at: path, trust: .searchPath("/", includesOwner: false))
    } catch {
      throw HostError(code: .file, description: error.description)
    }
    guard let widget = found?.widget else { return nil }
    return Found(
      widget: widget,
      replaced: installed(widget.bundleIdentifier),
      bytes: bytes,
      fileName: OwnPath.split(path).name
    )
  }

  /// The path of an installed script; nil if none has this identifier.
  public func installed(_ identifier: String) -> String? {
    var paths = SearchPaths(environment: [:], executable: nil)
    paths.folders = []
    paths.sources = [ScriptSource(folder: folder)]
    return BundleCatalog.scan(paths).widget(withIdentifier: identifier)?.path
  }

  /// Copies a script, and removes the one that it replaces.
  ///
  /// - Returns: The path of the copy.
  /// - Throws: ``HostError`` if it cannot be written.
  public func install(_ found: Found) throws(HostError) -> String {
    let path = "\(folder)/\(found.fileName)"
    try DurableFile.write(found.bytes, to: path)
    guard unsafe chmod(path, 0o700) == 0 else { throw .system("make \(path) executable", errno) }
    if let old = found.replaced, old != path { DurableFile.remove(old) }
    return path
  }

  /// Removes an installed script with all that is stored for it.
  ///
  /// - Throws: ``HostError`` if it cannot be removed.
  public func uninstall(_ identifier: String, at path: String) throws(HostError) {
    guard DurableFile.remove(path) else { throw .system("remove \(path)", errno) }
    OrphanedState.erase(ExtensionIdentity(identifier), from: folders)
    _ = OrphanedState.erase(
      [identifier],
      fromPagesIn: folders,
      present: "\(folders.pages)/none.json"
    )
  }
}
