package import WidgetKitCore
package import WidgetPlatform

/// The folders of scripts on other machines that a page shows.
@MainActor package final class RemoteFolders {
  private var folders: [RemoteFolder] = []
  /// Those that are no source any more, until their last lists have ended.
  private var former: [RemoteFolder] = []
  private var troubles: [String: SafeText] = [:]
  private var hasStarted = false
  private let environment: [String: String]
  private let clock: any HostClock
  private let onChange: (String) -> Void
  private let onTrouble: (SafeText?) -> Void

  /// Creates them without listing any.
  ///
  /// - Parameters:
  ///   - sources: All sources of scripts.
  ///   - environment: The environment of the user.
  ///   - clock: The clock for the pauses between two lists.
  ///   - onChange: Called with the folder here in which another list was put.
  ///   - onTrouble: Called with what is wrong with the lists, and with nil when nothing is.
  package init(
    _ sources: [ScriptSource],
    environment: [String: String],
    clock: any HostClock,
    onChange: @escaping (String) -> Void,
    onTrouble: @escaping (SafeText?) -> Void
  ) {
    (self.environment, self.clock) = (environment, clock)
    (self.onChange, self.onTrouble) = (onChange, onTrouble)
    folders = sources.compactMap(folder(of:))
  }

  /// The folder of a source; nil if it is on this machine.
  private func folder(of source: ScriptSource) -> RemoteFolder? {
    guard let destination = source.options.host, let folder = source.options.folderThere else {
      return nil
    }
    let list = source.folder
    return RemoteFolder(
      folder,
      list: list,
      on: RemoteHosts.shared.host(destination, environment: environment),
      environment: environment,
      clock: clock,
      onChange: { [weak self] in self?.onChange(list) },
      onTrouble: { [weak self] in self?.note($0, about: list) }
    )
  }

  /// Lists the folders for the first time, in the background.
  package func start() {
    hasStarted = true
    for folder in folders { start(folder) }
  }

  /// Lists the folders once, for a program that does not stay.
  ///
  /// - Parameter completion: Called when each was listed, or could not be; at once if there are none.
  package func listOnce(completion: @escaping () -> Void) {
    for folder in folders {
      start(folder)
      folder.end()
      folder.onRest = { [weak self] in
        guard let self, !isListing else { return }
        completion()
      }
    }
    if !isListing { completion() }
  }

  /// Whether a list is being made.
  package var isListing: Bool { folders.contains(where: \.isAtWork) }

  private func start(_ folder: RemoteFolder) {
    // It is watched for what comes to it.
    StateFolders.make(folder.list)
    folder.read()
  }

  /// Takes over other sources: lists those that are new, and no longer lists those that are gone.
  package func follow(_ sources: [ScriptSource]) {
    let wanted = sources.compactMap(folder(of:))
    let lists = Set(wanted.map(\.list))
    let known = Set(folders.map(\.list))
    for folder in folders where !lists.contains(folder.list) {
      folder.end()
      former.append(folder)
      note(nil, about: folder.list)
    }
    former.removeAll { !$0.isAtWork }
    folders.removeAll { !lists.contains($0.list) }
    let new = wanted.filter { !known.contains($0.list) }
    folders += new
    if hasStarted { for folder in new { start(folder) } }
  }

  /// Lists them at once, and then with short pauses again: one that has a script, or all.
  package func readAgain(with script: String? = nil) {
    for folder in folders where script.map({ $0.hasPrefix(folder.list + "/") }) ?? true {
      folder.read(isWanted: true)
    }
  }

  private func note(_ words: SafeText?, about list: String) {
    troubles[list] = words
    let all = folders.compactMap { troubles[$0.list]?.string }
    onTrouble(all.isEmpty ? nil : SafeText(all.joined(separator: "; ")))
  }
}
