import FoundationEssentials
public import WidgetKitCore
import WidgetPlatform

/// The folders that are searched for bundles, in order of precedence.
public struct SearchPaths: Hashable, Sendable {
  /// The folders, without duplicates.
  public var folders: [String]
  /// The folder of the bundles that come with the program, or nil if it is not searched.
  public private(set) var bundled: String?
  /// The folder of the bundles that come with the program, also if other folders are named; nil if it is
  /// not known.
  let ownBundles: String?
  /// The folder of the share extensions and actions that come with the program as scripts; nil if it is not searched.
  private(set) var bundledExtensions: String?
  /// Whether each of them must exist because the user named it.
  public var areRequired: Bool
  /// Whether the bundles that the user named may be without their programs, because these are being built.
  package var acceptMissingPrograms = false
  /// Whether the bundles that come with the program are left out where content is offered to extensions: they are cards
  /// and their apps, and reading them takes longer than reading all else.
  package var omitsOwnBundles = false
  /// The folders whose executable files are scripts of the user; none if the user named folders of bundles.
  public var sources: [ScriptSource] = []
  /// The folder with the blocks that status commands have printed, see ``ScriptBlockList``.
  package let blocks: String
  /// Whether blocks of status commands are widgets of their own where a script says so; else each command is one.
  package var separatesBlocks = true
  /// What decides which widgets of the program are on the page at first.
  package var machine: MachineFacts
  /// What config.json says about single scripts, by their identifiers.
  private(set) var scriptOptions: [String: ScriptOptions] = [:]

  /// Creates the list of folders, according to the XDG Base Directory Specification if none is named.
  ///
  /// - Parameters:
  ///   - named: The folders given with `--widgets`; if there are any, only they are used.
  ///   - environment: The environment: `HOME`, `XDG_DATA_HOME` and `XDG_DATA_DIRS`. As the
  ///     specification requires, a path that is not absolute is ignored.
  ///   - executable: The program's own path; the bundles that come with it are in
  ///     `../lib/today/widgets`, relative to its folder, and the scripts in `../lib/today/extensions`.
  ///   - workingDirectory: The folder to which relative paths in `named` refer, and in which the page is opened.
  ///   - machine: What the machine has; nil to look at it.
  package init(
    named: [String] = [],
    environment: [String: String],
    executable: String?,
    workingDirectory: String = FileManager.default.currentDirectoryPath,
    machine: MachineFacts? = nil
  ) {
    let state = StateFolders(environment: environment)
    self.machine =
      machine ?? MachineFacts(folder: workingDirectory, journal: state.noticeJournal)
    blocks = state.blocks
    areRequired = !named.isEmpty
    let installed = executable.flatMap(Self.prefix).map { "\($0)/lib/today" }
    ownBundles = installed.map { "\($0)/widgets" }
    folders = []
    guard named.isEmpty else {
      for path in named {
        append(path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)")
      }
      return
    }
    let base = BaseFolders(environment)
    for path in (base.hasData ? [base.data] : []) + base.sharedData where path.hasPrefix("/") {
      append("\(path)/today/widgets")
    }
    if let ownBundles {
      append(ownBundles)
      bundled = ownBundles
      bundledExtensions = installed.map { "\($0)/extensions" }
    }
    if base.hasConfiguration {
      sources = [ScriptSource(folder: "\(base.configuration)/today/scripts")]
    }
    if base.hasData {
      let scripts = "\(base.data)/today/scripts"
      // What `today install` has put there is not the user's own.
      sources.append(.installed(below: scripts))
      sources.append(ScriptSource(folder: scripts))
    }
  }

  /// The folders of bundles and those of scripts.
  package var all: [String] { folders + sources.map(\.folder) }

  /// Adds what the user has set about scripts, unless folders of bundles were named.
  public mutating func add(_ scripts: ScriptSettings, environment: [String: String]) {
    guard !areRequired else { return }
    for source in scripts.sources {
      var expanded = source.expanded(home: HomeFolder(environment))
      if let host = source.options.host {
        let list = StateFolders(environment: environment).list(of: source.folder, on: host)
        expanded = source.listed(in: list)
      }
      guard let source = expanded else { continue }
      sources.removeAll { $0.folder == source.folder }
      sources.append(source)
    }
    scriptOptions = scripts.options
  }

  private mutating func append(_ path: String) {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let normalized = "/" + parts.joined(separator: "/")
    if !folders.contains(normalized) {
      folders.append(normalized)
    }
  }

  /// Returns the prefix of an installed program: `/usr/local` for `/usr/local/bin/today`.
  private static func prefix(of executable: String) -> String? {
    let parts = executable.split(separator: "/").filter { $0 != "." }
    guard executable.hasPrefix("/"), parts.count > 1, !parts.contains("..") else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }
}
