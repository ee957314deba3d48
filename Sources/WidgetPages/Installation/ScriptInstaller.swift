import Glibc
import PageRecords
import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts

/// Installs scripts of others: copies in a folder of the program, which run in the sandbox.
public nonisolated struct ScriptInstaller {
  private let folder: String
  /// The folder of the user's own scripts.
  private let ownFolder: String
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
    ownFolder = "\(BaseFolders(environment).configuration)/today/scripts"
    folders = StateFolders(environment: environment)
  }

  /// Reads a file; nil if it is not a script: it cannot be executed, or does not begin with `#!`.
  ///
  /// - Throws: ``HostError`` that keeps a script from being used, or says that it is a share extension or an action,
  ///   which gets content outside of the sandbox.
  public func find(_ path: String) throws(HostError) -> Found? {
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit),
      bytes.starts(with: Array("#!".utf8))
    else { return nil }
    let trust = BundleTrust.searchPath("/", includesOwner: false)
    let content: (bundle: ExtensionBundle, declaration: ScriptExtension)?
    let found: (widget: WidgetBundle, faults: [BundleError])?
    do throws(BundleError) {
      content = try ExtensionBundle.script(at: path, trust: trust)
      found = try WidgetBundle.script(at: path, trust: trust)
    } catch {
      throw HostError(code: .file, description: error.description)
    }
    if let content { throw refusal(of: content.bundle, content.declaration, at: path) }
    guard let widget = found?.widget else { return nil }
    return Found(
      widget: widget,
      replaced: installed(widget.bundleIdentifier),
      bytes: bytes,
      fileName: OwnPath.split(path).name
    )
  }

  /// Why a script that gets content is not installed, and what its user can do.
  private func refusal(
    of bundle: ExtensionBundle,
    _ script: ScriptExtension,
    at path: String
  ) -> HostError {
    let shares = script.point == .share
    let (kind, command) = shares ? ("a share extension", "share") : ("an action", "act")
    let folder = ShellWord.quoted(ownFolder)
    return HostError(
      code: .file,
      description: """
        \(path) is \(kind), which runs outside of the sandbox with all that you may do, and is not installed; if you \
        trust it, make it one of your own scripts: mkdir -p \(folder) && cp \(ShellWord.quoted(path)) \(folder), and \
        then “today \(command) --with \(bundle.bundleIdentifier)” uses it
        """
    )
  }

  /// The path of an installed script; nil if none has this identifier.
  public func installed(_ identifier: String) -> String? {
    var paths = SearchPaths(environment: [:], executable: nil)
    paths.folders = []
    paths.sources = [ScriptSource(folder: folder)]
    return BundleCatalog.scan(paths).widget(withIdentifier: identifier)?.path
  }

  /// Where a script will be.
  package func path(of found: Found) -> String { "\(folder)/\(found.fileName)" }

  /// Copies a script, and removes the one that it replaces.
  ///
  /// - Returns: The path of the copy.
  /// - Throws: ``HostError`` if it cannot be written.
  public func install(_ found: Found) throws(HostError) -> String {
    let path = path(of: found)
    try place(found, at: path)
    if let old = found.replaced, old != path { DurableFile.remove(old) }
    return path
  }

  /// Writes a script beside its place, and moves it there when it is whole and executable.
  private func place(_ found: Found, at path: String) throws(HostError) {
    let temporary = OwnFolder.temporaryName()
    do throws(FileFault) {
      let open = try OwnFolder.open(folder, makes: true)
      open.removeStrays()
      do throws(FileFault) {
        let file = try open.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        try file.write(found.bytes)
        guard fchmod(file.number, 0o700) == 0, fsync(file.number) == 0 else {
          throw .system(errno)
        }
        try open.rename(temporary, to: found.fileName)
      } catch {
        open.remove(temporary)
        throw error
      }
      fsync(open.number)
    } catch {
      throw .file("write", path, error)
    }
  }

  /// Removes an installed script with all that is stored for it.
  ///
  /// - Throws: ``HostError`` if it cannot be removed.
  public func uninstall(_ identifier: String, at path: String) throws(HostError) {
    // It may be gone already, if a program was killed that has removed it.
    guard DurableFile.remove(path) || DurableFile.isAbsent(path) else {
      throw .system("remove \(path)", errno)
    }
    OrphanedState.erase(ExtensionIdentity(identifier), from: folders)
    _ = OrphanedState.erase(
      [identifier],
      fromPagesIn: folders,
      present: "\(folders.pages)/none.json"
    )
  }
}
