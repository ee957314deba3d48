import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Adds a script from anywhere: a link to it in the folder of scripts, where the page finds it.
struct ScriptAddition {
  /// The folder of scripts; nil if the user has none, or named folders of bundles.
  private let folder: String?

  init(_ paths: SearchPaths) {
    folder = paths.sources.first?.folder
  }

  /// Whether a name on the command line is that of a file, and not of a widget.
  static func isPath(_ name: String) -> Bool { name.contains("/") }

  /// Makes the link for a script, and returns the identifier of its widget.
  ///
  /// A script that is in the folder, or linked there, stays as it is.
  func add(_ name: String) throws(CommandError) -> String {
    guard let folder else {
      throw .usage("\(SafeText(name)): a script cannot be added to the page of --widgets")
    }
    let path = name.hasPrefix("/") ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
    guard let target = resolvedPath(path) else {
      throw .missing("\(SafeText(name)) is not there; expected a script or the name of a widget")
    }
    let trust = BundleTrust.searchPath(folder, includesOwner: false)
    try refuseContent(target, trust, folder)
    let found: (widget: WidgetBundle, faults: [BundleError])?
    do throws(BundleError) {
      found = try WidgetBundle.script(at: target, trust: trust)
    } catch {
      throw .failure(error.description)
    }
    guard let found else {
      throw .failure(
        "\(SafeText(name)) is not a script: expected a file that can be executed (chmod +x), with a "
          + "name such as load.10s.sh"
      )
    }
    for fault in found.faults { StandardStreams.writeError(fault.description) }
    try link(target, as: "\(folder)/\(target.split(separator: "/").last ?? "")", found.widget)
    return found.widget.bundleIdentifier
  }

  /// Refuses a script that gets content, as it is not a card.
  private func refuseContent(
    _ path: String,
    _ trust: BundleTrust,
    _ folder: String
  ) throws(CommandError) {
    let found: ExtensionBundle?
    do throws(BundleError) {
      found = try ExtensionBundle.script(at: path, trust: trust)?.bundle
    } catch {
      throw .failure(error.description)
    }
    guard let found else { return }
    let (noun, command) =
      found.point == .share ? ("a share extension", "share") : ("an action", "act")
    let name = found.bundleIdentifier.split(separator: ".").last ?? ""
    let link = ["ln", "-s", path, "\(folder)/"].map(ShellWord.readable).joined(separator: " ")
    throw .usage(
      "\(SafeText(path)) is \(noun), and no card; “\(SafeText(lineOf: link))” makes it known, and "
        + "“today \(command) --with \(name)” runs it"
    )
  }

  private func link(
    _ target: String,
    as link: String,
    _ widget: WidgetBundle
  ) throws(CommandError) {
    guard resolvedPath(link) != target else { return }
    let clash = scripts.first { $0.bundleIdentifier == widget.bundleIdentifier }
    if let clash {
      guard resolvedPath(clash.path) != target else { return }
      throw .failure(
        "\(SafeText(target)): \(clash.path) is called \(widget.bundleIdentifier) already; give it a "
          + "name that differs in more than its interval and its ending"
      )
    }
    let folder = String(link[..<(link.lastIndex(of: "/") ?? link.endIndex)])
    try? FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    guard unsafe symlink(target, link) == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw .failure("could not make the link \(SafeText(link)): \(reason)")
    }
  }

  private var scripts: [WidgetBundle] {
    guard let folder else { return [] }
    var paths = SearchPaths(named: [], environment: [:], executable: nil)
    paths.folders = []
    paths.sources = [ScriptSource(folder: folder)]
    return BundleCatalog.scan(paths).widgets
  }
}
