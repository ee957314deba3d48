import WidgetKitCore

/// The folders of scripts on other machines that a page shows.
///
/// A class because its folders call it.
final class RemoteFolders {
  private var folders: [RemoteFolder] = []
  private var troubles: [String: SafeText] = [:]
  private let onTrouble: (SafeText?) -> Void

  /// Creates them without listing any.
  ///
  /// - Parameters:
  ///   - sources: All sources of scripts.
  ///   - environment: The environment of the user.
  ///   - clock: The clock for the pauses between two lists.
  ///   - onChange: Called with the folder here in which another list was put.
  ///   - onTrouble: Called with what is wrong with the lists, and with nil when nothing is.
  init(
    _ sources: [ScriptSource],
    environment: [String: String],
    clock: any HostClock,
    onChange: @escaping (String) -> Void,
    onTrouble: @escaping (SafeText?) -> Void
  ) {
    self.onTrouble = onTrouble
    folders = sources.compactMap { source in
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
        onChange: { onChange(list) },
        onTrouble: { [weak self] in self?.note($0, about: list) }
      )
    }
  }

  /// Lists the folders for the first time, in the background.
  func start() {
    for folder in folders {
      // It is watched for what comes to it.
      StateFolders.make(folder.list)
      folder.read()
    }
  }

  /// Lists them at once, and then with short pauses again: one that has a script, or all.
  func readAgain(with script: String? = nil) {
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
