public import WidgetKitCore

/// The XDG folders of one user in which the program stores its files; each is created with mode 0700
/// when first needed.
public struct StateFolders: Sendable {
  /// `$XDG_STATE_HOME/today`: the page, logs.
  public var state: String
  /// `$XDG_CACHE_HOME/today`: snapshots, the widgets' caches.
  public var cache: String
  /// `$XDG_DATA_HOME/today`: bundles, containers, groups.
  public var data: String
  /// `$XDG_RUNTIME_DIR/today`, or the state folder if that is not set: locks.
  public var runtime: String

  /// Determines the folders according to the XDG base directory specification.
  public init(environment: [String: String]) {
    let base = BaseFolders(environment)
    let name = OwnPath.folderName + Self.space(environment)
    state = "\(base.state)/\(name)"
    cache = "\(base.cache)/\(name)"
    data = "\(base.data)/\(name)"
    runtime = base.runtime.map { "\($0)/\(name)" } ?? state
  }

  /// The variable that gives the page of another machine files of its own, as its cards may be called like some here.
  private static let spaceVariable = "TODAY_MACHINE_PAGE"

  private static func space(_ environment: [String: String]) -> String {
    guard let name = environment[spaceVariable], (1...13).contains(name.utf8.count),
      name.utf8.allSatisfy({ FileNameCoding.isPlain($0) && $0 != UInt8(ascii: ".") })
    else { return "" }
    return "/machines/\(name)"
  }

  /// An environment in which the folders are those of a page of another machine; nil stands for its first page.
  package static func environment(
    _ environment: [String: String],
    forPage page: String?,
    of destination: RemoteDestination
  ) -> [String: String] {
    let hash = StableHash.value(of: "\(destination) page \(page ?? "")")
    return environment.merging([spaceVariable: String(hash, radix: 36)]) { $1 }
  }

  /// The folder with the cards of a page of another machine.
  package var machinePage: String { state + "/cards" }

  package var snapshots: String { cache + "/snapshots" }
  /// The folder of the extensions' own files.
  package var containers: String { data + "/containers" }
  /// The folder of the extensions' caches.
  package var cacheContainers: String { cache + "/containers" }
  /// The folder in which app groups share files.
  package var groups: String { data + "/groups" }
  package var logs: String { state + "/logs" }
  package var pages: String { state + "/pages" }
  /// The folder of the results of each widget's updates.
  package var schedules: String { state + "/schedule" }
  /// The folder of the settings that were set in the program.
  package var settings: String { state + "/settings" }
  /// The folder of what the user has permitted to widgets.
  package var permissions: String { state + "/permissions" }
  /// The folder of what the user has opened in the views of cards.
  package var folds: String { state + "/folds" }
  /// The folder of the secrets of widgets and apps.
  package var secrets: String { data + "/secrets" }
  /// The folder of the files that actions have replaced.
  package var originals: String { state + "/originals" }
  /// The folder of which cards the user has agreed to publish, and where.
  package var publishing: String { state + "/publishing" }
  /// The folder of the notices.
  package var notices: String { state + "/notices" }
  /// The file of the notices.
  package var noticeJournal: String { notices + "/journal" }
  /// The file that says when each share and action extension was used last.
  package var extensionUses: String { state + "/extension-uses.json" }
  /// The file of how often each line of the palette was chosen.
  package var paletteUses: String { state + "/palette-uses.json" }
  /// The folder of the blocks that status commands have printed.
  package var blocks: String { state + "/blocks" }
  /// The folder of update requests by other programs.
  package var reloads: String { state + "/reload" }
  /// The folder of what is known of scripts on another machine.
  package func list(of folder: String, on destination: RemoteDestination) -> String {
    let hash = StableHash.value(of: "\(destination) \(folder)")
    return "\(cache)/machines/\(String(hash, radix: 36))"
  }
  /// The file of the filters of brokers whose topics are cards.
  package var subscriptions: String { state + "/subscriptions/filters.json" }
  /// The folder of when other machines were last reached.
  package var lastContacts: String { state + "/machines/seen" }
  package var locks: String { runtime + "/locks" }
  /// The folder of what was permitted once, by the pages that are open.
  package var once: String { runtime + "/once" }
  /// The folder that lists the widgets without content.
  package var noContent: String { state + "/no-content" }

  // MARK: - The files of one extension

  /// The log; the older part has the ending `.1`.
  package func log(of id: ExtensionIdentity) -> String { "\(logs)/\(id.fileName).log" }

  /// The records of the runs.
  package func runs(of id: ExtensionIdentity) -> String { "\(logs)/\(id.fileName).runs" }

  /// Returns the log, the older part first, or nil if there is none.
  public func readLog(of id: ExtensionIdentity) -> String? {
    let parts = [log(of: id) + ".1", log(of: id)].compactMap {
      DurableFile.read($0, byteLimit: 4 << 20)
    }
    return parts.isEmpty ? nil : String(decoding: parts.joined(), as: UTF8.self)
  }

  /// The folders that the extension may write to.
  public func containers(of id: ExtensionIdentity) -> Containers {
    let isPlain = id.instance == nil && ExtensionIdentity.isIdentifier(id.bundleIdentifier)
    let name = isPlain ? id.bundleIdentifier : id.fileName
    return Containers(data: "\(containers)/\(name)", cache: "\(cacheContainers)/\(name)")
  }

  /// The folders that a widget may write to: its own, and those of the groups that it shares.
  public func containers(of id: ExtensionIdentity, _ bundle: WidgetBundle?) -> Containers {
    var containers = containers(of: id)
    for name in bundle?.groups ?? [] { containers.groups[name] = group(name) }
    return containers
  }

  /// The folders that an app may write to: its own, and those of its groups.
  package func containers(of app: AppBundle) -> Containers {
    var containers = containers(of: ExtensionIdentity(app.bundleIdentifier))
    for name in app.groups { containers.groups[name] = group(name) }
    return containers
  }

  /// The folder of an app group.
  public func group(_ name: String) -> String { "\(groups)/\(name)" }

  /// The folder in the container of a group that is reserved for files of the program.
  package static let reservedName = ".today"

  /// Creates the folders that a program may write to, and in each group the reserved one.
  package static func make(_ containers: Containers) {
    make(containers.data)
    make(containers.cache)
    for path in containers.groups.values { make("\(path)/\(reservedName)") }
  }

  /// Creates a folder and its parents; an existing folder is left unchanged.
  ///
  /// - Returns: Whether the folder exists and belongs to the program.
  @discardableResult
  package static func make(_ path: String) -> Bool {
    (try? OwnFolder.open(path, makes: true)) != nil
  }
}
