import WidgetKitCore

/// The arguments of a command, and the words about them: all that parsing, the help, completions and
/// documents need.
struct CommandSyntax<Target> {
  /// What is said of it.
  let summary: CommandSummary
  /// The arguments that have no name, in order.
  let operands: [Operand<Target>]
  /// The options.
  let options: [CommandOption<Target>]
  /// What is expected where arguments are missing or too many.
  let expected: String?
  /// Whether an argument that begins with a dash is none of the options, after some words.
  let isWord: (_ argument: String, _ words: [String]) -> Bool

  /// - Parameters:
  ///   - name: The name of the command.
  ///   - summary: What it does, in a few words.
  ///   - expected: What is expected where arguments are missing or too many; nil if there are none.
  ///   - forms: The arguments of each way to use it; nil if they follow from the others.
  ///   - details: What it does, in sentences.
  ///   - operands: The arguments that have no name.
  ///   - options: The options.
  ///   - notes: What is to be known besides.
  ///   - isHidden: Whether only other programs use it.
  ///   - isWord: Whether an argument that begins with a dash is none of the options.
  init(
    _ name: String,
    _ summary: String,
    expected: String? = nil,
    forms: [String] = [],
    details: String = "",
    operands: [Operand<Target>] = [],
    options: OptionList<Target> = [:],
    notes: String = "",
    isHidden: Bool = false,
    isWord: @escaping (_ argument: String, _ words: [String]) -> Bool = { _, _ in false }
  ) {
    self.summary = CommandSummary(
      name: name,
      summary: summary,
      operands: operands.map(\.usage).joined(separator: " "),
      forms: forms,
      completions: operands.map(\.completion),
      isOpen: (operands.last?.count.upperBound ?? 0) > 1,
      entries: options.list.map(\.summary),
      details: details,
      notes: notes,
      isHidden: isHidden
    )
    (self.operands, self.options, self.expected) = (operands, options.list, expected)
    self.isWord = isWord
  }
}

/// An argument as it was given.
struct Argument {
  /// The argument, or the value of an option.
  let text: String
  /// What an error names: `--width 80`, `“x”`.
  let subject: String
  /// The options of all commands that were given before it.
  let common: CommonOptions

  /// The error for a wrong value.
  func expected(_ words: String) -> CommandError { .usage("\(subject): expected \(words)") }
}

/// An option of a command.
struct CommandOption<Target> {
  typealias Path<Value> = WritableKeyPath<Target, Value>
  typealias Take = (inout Target, Argument) throws(CommandError) -> Void

  /// What is said of it.
  fileprivate(set) var summary: OptionSummary
  /// Sets what it means.
  let take: Take

  /// An option, or a word that the help explains, without a property of its own.
  ///
  /// Its usage is its name, and what its value is called if it has one: `--width N`.
  static func custom(
    _ usage: String,
    _ completion: CompletionKind = .none,
    isRequired: Bool = false,
    _ take: @escaping Take = { _, _ in }
  ) -> Self {
    let words = usage.split(separator: " ", maxSplits: 1).map(String.init)
    return Self(
      summary: OptionSummary(
        name: words[0],
        value: words.count == 2 ? words[1] : nil,
        completion: completion,
        isRequired: isRequired
      ),
      take: take
    )
  }

  /// The same option, which has another name of one letter.
  func or(_ letter: String) -> Self {
    var option = self
    option.summary.letter = letter
    return option
  }

  /// An option without a value.
  static func flag(_ name: String, _ path: Path<Bool>) -> Self {
    .custom(name) { target, _ in target[keyPath: path] = true }
  }

  /// An option with a value.
  static func value<Value>(
    _ usage: String,
    _ type: ArgumentType<Value>,
    isRequired: Bool = false,
    _ set: @escaping (inout Target, Value) -> Void
  ) -> Self {
    .custom(usage, type.completion, isRequired: isRequired) {
      target,
      argument throws(CommandError) in set(&target, try type.read(argument))
    }
  }

  /// An option with a value.
  static func value<V>(_ usage: String, _ type: ArgumentType<V>, _ path: Path<V>) -> Self {
    .value(usage, type) { $0[keyPath: path] = $1 }
  }

  /// An option with a value, without which there is none.
  static func value<V>(_ usage: String, _ type: ArgumentType<V>, _ path: Path<V?>) -> Self {
    .value(usage, type) { $0[keyPath: path] = $1 }
  }

  /// An option that may be given several times.
  static func values<V>(_ usage: String, _ type: ArgumentType<V>, _ path: Path<[V]>) -> Self {
    .value(usage, type) { $0[keyPath: path].append($1) }
  }

  /// An option with one of a few words.
  static func choice<V: WordChoice>(_ name: String, _ path: Path<V>) -> Self {
    .value("\(name) \(V.names)", .choice, path)
  }

  /// An option with one of a few words, which the command needs.
  static func required<V: WordChoice>(_ name: String, _ path: Path<V?>) -> Self {
    .value("\(name) \(V.names)", .choice, isRequired: true) { $0[keyPath: path] = $1 }
  }
}

/// An argument without a name.
struct Operand<Target> {
  typealias Path<Value> = WritableKeyPath<Target, Value>

  /// How often it may be given.
  let count: ClosedRange<Int>
  /// How it is in a usage line.
  let usage: String
  /// What it may be.
  let completion: CompletionKind
  /// Sets what it means.
  let take: CommandOption<Target>.Take

  private init<V>(
    _ count: ClosedRange<Int>,
    _ usage: String,
    _ type: ArgumentType<V>,
    _ set: @escaping (inout Target, V) -> Void
  ) {
    (self.count, self.usage, completion) = (count, usage, type.completion)
    take = { target, argument throws(CommandError) in set(&target, try type.read(argument)) }
  }

  /// An argument that there must be.
  static func one<V>(_ name: String, _ type: ArgumentType<V>, _ path: Path<V>) -> Self {
    Self(1...1, name, type) { $0[keyPath: path] = $1 }
  }

  /// An argument that there must be.
  static func one<V>(_ name: String, _ type: ArgumentType<V>, _ path: Path<V?>) -> Self {
    Self(1...1, name, type) { $0[keyPath: path] = $1 }
  }

  /// One of a few words, which there must be.
  static func choice<V: WordChoice>(_ path: Path<V>) -> Self { .one(V.names, .choice, path) }

  /// An argument that there may be.
  static func optional<V>(_ name: String, _ type: ArgumentType<V>, _ path: Path<V?>) -> Self {
    Self(0...1, "[\(name)]", type) { $0[keyPath: path] = $1 }
  }

  /// Any number of arguments.
  static func many<V>(_ name: String, _ type: ArgumentType<V>, _ path: Path<[V]>) -> Self {
    Self(0...Int.max, "[\(name)...]", type) { $0[keyPath: path].append($1) }
  }

  /// Any number of arguments, with their places in a usage line.
  static func rest<V>(_ usage: String, _ type: ArgumentType<V>, _ path: Path<[V]>) -> Self {
    Self(0...Int.max, usage, type) { $0[keyPath: path].append($1) }
  }

  /// At least one argument.
  static func several<V>(_ name: String, _ type: ArgumentType<V>, _ path: Path<[V]>) -> Self {
    Self(1...Int.max, "\(name)...", type) { $0[keyPath: path].append($1) }
  }
}

/// The options of a command, each with what it does.
struct OptionList<Target>: ExpressibleByDictionaryLiteral {
  let list: [CommandOption<Target>]

  init(dictionaryLiteral elements: (CommandOption<Target>, String)...) {
    list = elements.map { option, words in
      var option = option
      option.summary.words = words
      return option
    }
  }
}
