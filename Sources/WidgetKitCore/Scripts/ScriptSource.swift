/// A folder whose executable files are scripts, and what is said about all of them.
public struct ScriptSource: Hashable, Sendable {
  /// The folder; `~/` is the home of the user.
  ///
  /// For scripts that are on another machine, it is the folder here with their list.
  public var folder: String
  /// What applies to its scripts, unless they say something else.
  package var options: ScriptOptions

  /// Creates a source about whose scripts nothing is said.
  public init(folder: String) {
    self.init(folder: folder, options: ScriptOptions())
  }

  package init(folder: String, options: ScriptOptions) {
    self.folder = folder
    self.options = options
  }

  /// The folder of scripts of others, which run in the sandbox.
  package static func installed(below scripts: String) -> ScriptSource {
    var options = ScriptOptions()
    options.sandbox = true
    return ScriptSource(folder: "\(scripts)/installed", options: options)
  }

  /// The same folder on the machine on which its scripts run, whose list is kept in a folder of this one.
  package func listed(in list: String) -> ScriptSource {
    var options = options
    options.folderThere = folder
    return ScriptSource(folder: list, options: options)
  }

  /// The same with the home of the user in place of `~`; nil if there is none.
  package func expanded(home: HomeFolder) -> ScriptSource? {
    guard HomeFolder.isNeeded(for: folder) else { return self }
    return home.path.map { _ in ScriptSource(folder: home.expanded(folder), options: options) }
  }
}

/// What the user has set about scripts in config.json.
public struct ScriptSettings: Hashable, Sendable {
  /// The folders besides those that are always searched.
  public var sources: [ScriptSource]
  /// What is said about single scripts, by their identifiers.
  package var options: [String: ScriptOptions]

  package init(sources: [ScriptSource] = [], options: [String: ScriptOptions] = [:]) {
    self.sources = sources
    self.options = options
  }
}
