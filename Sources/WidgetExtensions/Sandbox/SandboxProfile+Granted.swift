import CPlatform
import Glibc
import WidgetKitCore
import WidgetPlatform

extension SandboxProfile {
  /// Creates the profile of a program that may nothing yet.
  ///
  /// - Parameters:
  ///   - folder: Its working directory.
  ///   - environment: The user's environment.
  ///   - folders: The folders of the program, which stay hidden.
  init(folder: String, environment: [String: String], _ folders: StateFolders) {
    self.init(folder: folder, home: Self.home(environment) ?? "/nonexistent")
    if let user = environment["USER"], Self.isUserName(user) { self.user = user }
    hidden = [
      folders.state, folders.cache, folders.data, folders.runtime,
      BaseFolders(environment).configuration + "/" + OwnPath.folderName,
    ]
  }

  /// Adds what was granted by one request.
  mutating func add(
    _ request: EntitlementRequest,
    environment: [String: String],
    chosenFiles: [String] = []
  ) {
    switch request.entitlement {
    case .network: usesNetwork = true
    case .chosenFiles: readableIfThere += chosenFiles.filter(isShown)
    case .chosenFilesWritable: writableIfThere += chosenFiles.filter(isShown)
    case .homeFiles:
      if let home = Self.home(environment) {
        readableIfThere += request.items.map { "\(home)/\($0)" }.filter(isShown)
      }
    case .sockets:
      hasSockets = true
      sockets += request.items.compactMap { Self.socket($0, environment) }.filter(isShown)
    case .processInfo: seesProcesses = true
    case .devices: devices += request.items
    case .desktopBus:
      busNames = request.items
      hasSockets = true
    case .sandbox, .groups, .secretGroups, .processSignal, .notifications, .notices: break
    }
  }

  /// Whether a path may be shown: it does not lead into a folder of the program, such as that of the secrets, by
  /// whatever name or link, and is not a part of the sandbox itself.
  func isShown(_ path: String) -> Bool {
    // Without “//”, “.” and “..”, also where nothing is there yet.
    let names = [path, resolvedPath(path) ?? path].map(Self.plain)
    let closed = hidden.flatMap { [$0, resolvedPath($0) ?? $0] }.map(Self.plain)
    return !names.contains { name in
      Self.parts.contains { name == $0 || $0 != "/" && name.hasPrefix($0 + "/") }
        || closed.contains { name == $0 || name.hasPrefix($0 + "/") }
    }
  }

  /// What each sandbox has of its own: another in its place would be that of the machine.
  private static let parts = ["/", "/proc", "/sys", "/dev"]

  private static func plain(_ path: String) -> String {
    var names: [Substring] = []
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// Makes the folders of the program that are hidden in a granted one, so that nobody can make them there.
  ///
  /// What is not there and cannot be made is not hidden.
  mutating func makeHiddenFolders() {
    let granted = readableIfThere + writableIfThere
    hidden.removeAll { folder in
      guard granted.contains(where: { HiddenFolder(folder, in: $0) != nil }) else { return false }
      return !StateFolders.make(folder) && resolvedPath(folder) == nil
    }
  }

  private static func home(_ environment: [String: String]) -> String? {
    HomeFolder(environment).path.flatMap { $0 == "/" ? nil : $0 }
  }

  private static func socket(_ item: String, _ environment: [String: String]) -> String? {
    let variable = "$XDG_RUNTIME_DIR"
    guard item.hasPrefix(variable) else { return item }
    return environment["XDG_RUNTIME_DIR"].map { $0 + item.dropFirst(variable.count) }
  }

  private static func isUserName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 32
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
  }
}
