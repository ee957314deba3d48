import WidgetKitCore

/// What may be in a place of the command line, as completions know it.
nonisolated indirect enum CompletionKind: Hashable, Sendable {
  /// Anything, or nothing.
  case none
  /// One of some words.
  case words([String])
  /// One of some words, each with what may follow it.
  case verbs([String: CompletionKind])
  /// A file or a folder.
  case path
  /// The identifier or the name of a widget on this machine.
  case widgets
  /// A page of this machine.
  case pages
  /// Another machine, or a name for several.
  case hosts
  /// The name of a theme.
  case themes
  /// The identifier of an entry of the gallery.
  case entries
  /// The identifier of what was installed from the gallery.
  case installedEntries
  /// The name of a command.
  case commands
}

/// An option of a command, or another word that its help explains.
nonisolated struct OptionSummary: Hashable, Sendable {
  /// Its name, with `--`; a word without it is explained in the help only.
  let name: String
  /// Another name of one letter, with a dash; nil if it has none.
  var letter: String?
  /// What its value is called; nil if it has none.
  var value: String?
  /// What its value may be.
  var completion = CompletionKind.none
  /// What it does.
  var words = ""
  /// Whether the command needs it.
  var isRequired = false

  /// Whether it is an option, and not a word that the help explains.
  var isOption: Bool { name.hasPrefix("--") }

  /// How it is in a usage line.
  fileprivate var usage: String {
    let text = value.map { "\(name) \($0)" } ?? name
    return isRequired ? text : "[\(text)]"
  }

  /// How it is in the list of options; choices are in its words.
  var heading: String {
    let names = letter.map { "\($0), \(name)" } ?? name
    guard let value, !value.contains("|") else { return names }
    return "\(names) \(value)"
  }
}

/// What the help, completions, the manual page and the documents say of a command.
nonisolated struct CommandSummary: Sendable {
  /// Its name.
  let name: String
  /// What it does, in a few words.
  let summary: String
  /// The arguments that have no name, as they are in a usage line.
  let operands: String
  /// The arguments of each way to use it; made from the options if there is only one.
  let forms: [String]
  /// What its arguments without a name may be, in order.
  let completions: [CompletionKind]
  /// Whether the last one may be given again.
  let isOpen: Bool
  /// Its options, without those that all commands have, and words that its help explains.
  let entries: [OptionSummary]
  /// What it does, before the list of its options.
  let details: String
  /// What is to be known besides, after the list.
  let notes: String
  /// Whether only other programs use it.
  let isHidden: Bool

  /// The options of its own.
  var options: [OptionSummary] { entries.filter(\.isOption) }

  /// What an argument without a name may be, by those before it.
  func completion(after operands: [String]) -> CompletionKind {
    if operands.count < completions.count { return completions[operands.count] }
    guard isOpen, let last = completions.last else { return .none }
    switch last {
    // A verb is given once.
    case .words: return .none
    case .verbs(let kinds):
      return operands.count == completions.count
        ? kinds[operands[operands.count - 1]] ?? .none : .none
    default: return last
    }
  }

  /// The ways to use it, without the name of the program.
  var usages: [String] {
    guard forms.isEmpty else { return forms.map { "\(name) \($0)" } }
    return [([name] + words(operands) + options.map(\.usage)).joined(separator: " ")]
  }

  /// The usage in the list of commands, with the options that are needed.
  var shortUsage: String {
    ([name] + words(operands) + options.filter(\.isRequired).map(\.usage)).joined(separator: " ")
  }

  private func words(_ text: String) -> [String] { text.isEmpty ? [] : [text] }

  /// The text of `today help NAME`.
  var help: String {
    let usage = usages.map { TextBlock.hanging("today \($0)", indent: 7 + name.count) }
    let list = TextBlock.list(entries.map { ($0.heading, $0.words) })
    let (before, after) = (TextBlock.paragraphs(details), TextBlock.paragraphs(notes))
    return [usage.joined(separator: "\n"), before, list, after]
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

/// Text of the help in lines of a moderate width.
nonisolated enum TextBlock {
  private static let columns = 100

  /// Paragraphs in lines of that width; indented lines, such as examples, stay as they are.
  static func paragraphs(_ text: String) -> String {
    var paragraphs: [String] = []
    var continues = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isWords = line.first.map { $0 != " " } ?? false
      if isWords, continues {
        paragraphs[paragraphs.count - 1] += " \(line)"
      } else {
        paragraphs.append(String(line))
      }
      continues = isWords
    }
    return paragraphs.flatMap { $0.first == " " ? [$0] : lines($0, columns) }
      .joined(separator: "\n")
  }

  private static func lines(_ text: String, _ columns: Int) -> [String] {
    SafeText(text).wrapped(to: columns).map(\.string)
  }

  /// A text whose further lines are indented.
  static func hanging(_ text: String, indent: Int) -> String {
    let lines = SafeText(text).wrapped(to: columns)
    guard lines.count > 1, let first = lines.first else { return text }
    let rest = String(text.dropFirst(first.string.count)).drop { $0 == " " }
    let margin = String(repeating: " ", count: indent)
    return ([first] + SafeText(String(rest)).wrapped(to: columns - indent))
      .enumerated().map { ($0.offset == 0 ? "" : margin) + $0.element.string }
      .joined(separator: "\n")
  }

  /// Words with what they mean beside them.
  static func list(_ rows: [(heading: String, words: String)], width: Int? = nil) -> String {
    let width = width ?? rows.map(\.heading.count).max() ?? 0
    let margin = String(repeating: " ", count: width + 5)
    return rows.map { heading, words in
      let text = lines(words.replacing("\n", with: " "), columns - margin.count)
        .joined(separator: "\n" + margin)
      guard heading.count <= width else { return "  \(heading)\n\(margin)\(text)" }
      return "  \(heading)\(String(repeating: " ", count: width - heading.count))   \(text)"
    }.joined(separator: "\n")
  }
}
