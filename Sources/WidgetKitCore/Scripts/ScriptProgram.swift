/// How a widget that is a script is run, and what is shown of its output.
package struct ScriptProgram: Hashable, Sendable {
  /// The file, as the user has named it.
  package var path: String
  /// What the user says about it.
  package var options: ScriptOptions

  /// The identifier of the program, which that of a card for one block begins with.
  package internal(set) var identifier = ""
  /// The block of a status command that is shown; nil for all of them.
  package internal(set) var block: ScriptBlock?
  /// What is said about the program of a block, whose cards share it; nil for other scripts.
  var shared: ScriptOptions?

  /// Whether its text names the variable that has the width of its card.
  package internal(set) var readsColumns = false

  /// What its folder says, with which it is read again.
  var source = ScriptOptions()
  /// What config.json says about it, with which it is read again.
  package internal(set) var own: ScriptOptions?
  /// What config.json says about the program of a block, with which it is read again.
  package internal(set) var ownOfProgram: ScriptOptions?

  /// Creates the description of a script.
  package init(path: String, options: ScriptOptions) {
    self.path = path
    self.options = options
  }

  /// The script without the block, as all cards of its program run it.
  package var program: ScriptProgram {
    guard let shared else { return self }
    var program = ScriptProgram(path: path, options: shared)
    program.identifier = identifier
    return program
  }

  /// Whether each block that it prints is a card of its own.
  package var isSplit: Bool {
    options.topic == nil && options.split == true && options.format == .i3bar && follows
  }

  /// The names of the blocks of a status command that are shown; empty for all.
  package var wantedBlocks: Set<String> {
    let names = options.parameters["blocks"]?.split(separator: ",") ?? []
    return Set(names.map { $0.filter { !$0.isWhitespace } })
  }

  /// Whether a block of a status command is shown.
  package func wants(_ block: ScriptBlock) -> Bool {
    let wanted = wantedBlocks
    return wanted.isEmpty
      || [block.name, block.instance].contains { $0.map(wanted.contains) == true }
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
  package var refreshInterval: Double {
    options.schedule == nil ? options.interval ?? Self.standardInterval : 3600
  }
  /// The seconds that a run may take.
  package var timeout: Double { options.timeout ?? 20 }
  /// The rows that are shown: the first ones, or the last ones if it is negative.
  package var lines: Int { options.lines ?? 20 }
  /// Whether it keeps printing, and is shown as it does.
  package var follows: Bool {
    options.topic != nil || (options.follow ?? (options.format == .i3bar))
  }
  /// Whether it runs in the sandbox, and not as at a prompt.
  package var isSandboxed: Bool { options.sandbox ?? false }
  /// Whether it is shown on the page without being added.
  package var showsAtOnce: Bool { options.show ?? true }

  /// The seconds between two runs of a script that says nothing.
  package static let standardInterval = 60.0
}
