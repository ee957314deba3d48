import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Why something that a user names is no share extension or action, although it is there.
struct UnusableExtension {
  let paths: SearchPaths

  /// What is wrong with what has a name, and where it is.
  ///
  /// - Parameter name: An identifier, its last part, the name of a file, or one that is shown.
  /// - Returns: A sentence for the user; nil if there is nothing of that name.
  func words(for name: String) -> String? {
    let wanted = name.lowercased()
    var paths = paths
    paths.omitsOwnBundles = false
    let catalog = BundleCatalog.scan(paths)
    if let problem = catalog.problems.first(where: { Self.isCalled(wanted, $0.bundlePath) }) {
      return "“\(name)” cannot be used: \(Self.words(of: problem))"
    }
    if let card = catalog.widgets.first(where: { Self.isCalled(wanted, $0) }) {
      return card.script == nil
        ? "“\(name)” is a card, and no share or action extension: \(card.path)"
        : """
        “\(name)” is a card: no line of \(card.path) begins with “# today: action accepts=” or “# today: share \
        accepts=”
        """
    }
    return notExecutable(wanted).map { path in
      "“\(name)” cannot be used: \(path) is not executable (chmod +x)"
    }
  }

  /// A problem with the path of its file, and where in it that is.
  private static func words(of problem: BundleError) -> String {
    let name = problem.bundlePath.split(separator: "/").last.map(String.init) ?? ""
    // The file is named from its bundle on.
    guard problem.file.hasPrefix(name) else { return problem.description }
    let folder = problem.bundlePath.dropLast(name.utf8.count)
    guard let key = problem.key, problem.file == name,
      let bytes = UserFile.bytes(problem.bundlePath, byteLimit: 64 * 1024),
      let place = ScriptExtension.place(of: key, in: bytes)
    else { return folder + problem.description }
    return "\(problem.bundlePath):\(place.line):\(problem.description.dropFirst(name.count + 1))"
  }

  /// The path of a file in a folder of scripts that is not executable.
  private func notExecutable(_ wanted: String) -> String? {
    for source in paths.sources where source.folderIsHere {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: source.folder)) ?? []
      let found = names.sorted().map { "\(source.folder)/\($0)" }
        .first { unsafe Self.isCalled(wanted, $0) && access($0, X_OK) != 0 }
      if let found { return found }
    }
    return nil
  }

  /// Whether a file or bundle has a name that a user can mean.
  private static func isCalled(_ wanted: String, _ path: String) -> Bool {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    var names = [file, file.split(separator: ".").first.map(String.init) ?? file]
    if let script = ScriptName(file: file) { names += [script.name, script.identifier] }
    return names.contains { $0.lowercased() == wanted }
  }

  private static func isCalled(_ wanted: String, _ card: WidgetBundle) -> Bool {
    let identifier = card.bundleIdentifier.lowercased()
    return identifier == wanted || identifier.split(separator: ".").last.map(String.init) == wanted
      || card.displayName.string.lowercased() == wanted
  }
}

extension ScriptSource {
  /// Whether its scripts are files of this machine.
  fileprivate var folderIsHere: Bool { options.folderThere == nil }
}
