/// How a widget that is a script is run, and what is shown of its output.
package struct ScriptProgram: Hashable, Sendable {
  /// The file, as the user has named it.
  package var path: String
  /// What the user says about it.
  package var options: ScriptOptions

  /// What its folder says, with which it is read again.
  var source = ScriptOptions()
  /// What config.json says about it, with which it is read again.
  package internal(set) var own: ScriptOptions?

  /// Creates the description of a script.
  package init(path: String, options: ScriptOptions) {
    self.path = path
    self.options = options
  }

  /// Where it is on the machine on which it runs; nil if it is on this one.
  package var pathThere: String? {
    guard let folder = options.folderThere else { return nil }
    let name = path.split(separator: "/").last ?? ""
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The seconds between two runs, as the user has written them; nil if the default or a schedule is used.
  package var interval: Double? { options.schedule == nil ? options.interval : nil }
  /// The seconds between two runs; with a schedule, the longest pause before one that has failed is tried
  /// again.
  var refreshInterval: Double {
    options.schedule == nil ? options.interval ?? Self.standardInterval : 3600
  }
  /// The seconds that a run may take.
  package var timeout: Double { options.timeout ?? 20 }
  /// The rows that are shown: the first ones, or the last ones if it is negative.
  package var lines: Int { options.lines ?? 20 }
  /// Whether it goes on printing, and is shown as it does.
  package var follows: Bool { options.follow ?? (options.format == .i3bar) }
  /// Whether it runs in the sandbox, and not as at a prompt.
  package var isSandboxed: Bool { options.sandbox ?? false }
  /// Whether it is shown on the page without being added.
  package var showsAtOnce: Bool { options.show ?? true }

  /// The seconds between two runs of a script that says nothing.
  package static let standardInterval = 60.0
}
