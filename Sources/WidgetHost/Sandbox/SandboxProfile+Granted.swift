import CPlatform
import Glibc
import WidgetKitCore

nonisolated extension SandboxProfile {
  /// Creates the profile of a program that may nothing yet.
  ///
  /// - Parameters:
  ///   - folder: Its working directory.
  ///   - environment: The user's environment.
  ///   - folders: The folders of the program, which stay hidden.
  init(folder: String, environment: [String: String], _ folders: StateFolders) {
    self.init(folder: folder, home: Self.home(environment) ?? "/nonexistent")
    if let user = environment["USER"], Self.isUserName(user) { self.user = user }
    hidden = [folders.state, folders.cache, folders.data, folders.runtime]
  }

  /// Adds what was granted by one request.
  mutating func add(
    _ request: EntitlementRequest,
    environment: [String: String],
    chosenFiles: [String] = []
  ) {
    switch request.entitlement {
    case .network: usesNetwork = true
    case .chosenFiles: readableIfThere += chosenFiles
    case .chosenFilesWritable: writableIfThere += chosenFiles
    case .homeFiles:
      if let home = Self.home(environment) {
        readableIfThere += request.items.map { "\(home)/\($0)" }.filter { !isHidden($0) }
      }
    case .sockets:
      hasSockets = true
      sockets += request.items.compactMap { Self.socket($0, environment) }.filter { !isHidden($0) }
    case .processInfo: seesProcesses = true
    case .devices: devices += request.items
    case .desktopBus:
      busNames = request.items
      hasSockets = true
    case .sandbox, .groups, .secretGroups, .processSignal, .notifications: break
    }
  }

  /// Whether a path leads into a folder of the program, such as that of the secrets.
  private func isHidden(_ path: String) -> Bool {
    let place = resolvedPath(path) ?? path
    return hidden.contains { hidden in
      place.hasPrefix((resolvedPath(hidden) ?? hidden) + "/") || path.hasPrefix(hidden + "/")
    }
  }

  private static func home(_ environment: [String: String]) -> String? {
    environment["HOME"].flatMap { $0.hasPrefix("/") && $0 != "/" ? $0 : nil }
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
