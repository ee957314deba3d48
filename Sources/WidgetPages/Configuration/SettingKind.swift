import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Why a value of the file cannot be used: where it is, and what was expected there.
nonisolated struct SettingFault: Error {
  var path: MemberPath
  /// What was expected, in words: `a whole number from 1 to 1000`.
  var expectation: String
  /// Whether the name of the member is wrong rather than its value.
  var isOfName = false
}

/// What a setting may be: how a value of the file is checked and converted.
///
/// Every value of the file is refused with words or converted; none traps, however large it is.
nonisolated struct SettingKind<Value: Sendable>: Sendable {
  /// What a value may be, in words, as an error has it: `a whole number from 1 to 1000`.
  let expectation: String
  /// The same in short, for the table of the documentation: `1 to 1000`.
  let range: String
  /// Converts the value at a path of the file.
  let value: @Sendable (JSONTree, MemberPath) throws(SettingFault) -> Value
  /// A value as it is written in the file.
  let text: @Sendable (Value) -> String

  /// A kind whose values all have one form: `convert` returns nil for a value that cannot be used.
  private init(
    _ expectation: String,
    range: String,
    text: @escaping @Sendable (Value) -> String,
    convert: @escaping @Sendable (JSONTree) -> Value?
  ) {
    self.expectation = expectation
    self.range = range
    self.text = text
    value = { value, path throws(SettingFault) in
      guard let converted = convert(value) else {
        throw SettingFault(path: path, expectation: expectation)
      }
      return converted
    }
  }

  /// A kind whose values are converted with the places of their parts.
  init(
    expectation: String,
    range: String,
    text: @escaping @Sendable (Value) -> String,
    value: @escaping @Sendable (JSONTree, MemberPath) throws(SettingFault) -> Value
  ) {
    self.expectation = expectation
    self.range = range
    self.text = text
    self.value = value
  }
}

/// Numbers as they are written in the file and in the documentation.
nonisolated enum SettingNumber {
  /// The number; without a decimal point if it is whole.
  static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(saturated: number))" : "\(number)"
  }

  /// `1 to 1000`.
  static func text(_ range: ClosedRange<Double>) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }
}

nonisolated extension SettingKind where Value: FixedWidthInteger {
  /// A whole number in a range; `1e3` and `0x10` are whole numbers too.
  static func whole(_ range: ClosedRange<Int>) -> SettingKind {
    let numbers = Double(range.lowerBound)...Double(range.upperBound)
    return SettingKind(
      "a whole number from \(SettingNumber.text(numbers))",
      range: SettingNumber.text(numbers),
      text: { "\($0)" },
      convert: {
        guard case .number(let number) = $0, numbers.contains(number) else { return nil }
        return Value(exactly: number)
      }
    )
  }
}

nonisolated extension SettingKind<Double> {
  /// A number in a range, also one with a fraction.
  static func number(_ range: ClosedRange<Double>) -> SettingKind {
    SettingKind(
      "a number from \(SettingNumber.text(range))",
      range: SettingNumber.text(range),
      text: SettingNumber.text,
      convert: {
        guard case .number(let number) = $0, range.contains(number) else { return nil }
        return number
      }
    )
  }
}

nonisolated extension SettingKind<Duration> {
  /// A number of seconds in a range, rounded to milliseconds.
  static func seconds(_ range: ClosedRange<Double>) -> SettingKind {
    SettingKind(
      "a number of seconds from \(SettingNumber.text(range))",
      range: SettingNumber.text(range),
      text: { SettingNumber.text($0.seconds) },
      convert: {
        guard case .number(let number) = $0, range.contains(number) else { return nil }
        return .milliseconds(Int(saturated: (number * 1000).rounded()))
      }
    )
  }
}

nonisolated extension SettingKind<Bool> {
  /// `true` or `false`.
  static var truth: SettingKind {
    SettingKind(
      "true or false",
      range: "true or false",
      text: { "\($0)" },
      convert: { if case .boolean(let truth) = $0 { truth } else { nil } }
    )
  }
}

nonisolated extension SettingKind
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of a few words.
  static var choice: SettingKind {
    let words = Value.allCases.map { "\"\($0.rawValue)\"" }
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return SettingKind(
      list,
      range: list,
      text: { "\"\($0.rawValue)\"" },
      convert: { if case .string(let text) = $0 { Value(rawValue: text) } else { nil } }
    )
  }
}

nonisolated extension SettingKind<KeyBinding> {
  /// A command of the page, or `none`.
  static var command: SettingKind {
    SettingKind(
      expectation: "a command",
      range: "a command",
      text: { "\"\($0.word)\"" },
      value: { value, path throws(SettingFault) in
        guard case .string(let word) = value else {
          throw SettingFault(path: path, expectation: "the name of a command")
        }
        if let binding = KeyBinding(word: word) { return binding }
        let nearest = NearName.nearest(to: word, among: KeyBinding.words)
        let advice = nearest.map { "did you mean “\($0)”?" } ?? "see Docs/Configuration.md"
        throw SettingFault(path: path, expectation: "the name of a command (\(advice))")
      }
    )
  }
}

nonisolated extension SettingKind<String> {
  /// A text of 1 to `byteLimit` bytes of UTF-8 without control characters.
  static func text(upTo byteLimit: Int) -> SettingKind {
    let expectation = "a text of 1 to \(byteLimit) bytes without control characters"
    return SettingKind(
      expectation,
      range: "a text",
      text: { "\"\($0)\"" },
      convert: {
        guard case .string(let text) = $0, 1...byteLimit ~= text.utf8.count,
          !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
      }
    )
  }
}

nonisolated extension SettingKind {
  /// A list of 1 to `limit` values of one kind; `noun` names them in the plural.
  static func list<Element>(
    of element: SettingKind<Element>,
    _ noun: String,
    upTo limit: Int
  ) -> SettingKind where Value == [Element] {
    let expectation = "a list of 1 to \(limit) \(noun)"
    return SettingKind(
      expectation: expectation,
      range: "a list of \(noun)",
      text: { "[" + $0.map(element.text).joined(separator: ", ") + "]" },
      value: { value, path throws(SettingFault) in
        guard case .array(let values) = value, 1...limit ~= values.count else {
          throw SettingFault(path: path, expectation: expectation)
        }
        var list: [Element] = []
        for (index, value) in values.enumerated() {
          list.append(try element.value(value, path.element(index)))
        }
        return list
      }
    )
  }

  /// An object of up to `limit` members that the user names, all of one kind.
  ///
  /// - Parameters:
  ///   - element: The kind of the members.
  ///   - noun: What a member is for, in the singular: `URL scheme`.
  ///   - limit: The largest number of members; none is allowed.
  ///   - isName: Whether a name can be used.
  /// - Returns: The kind of the whole object.
  static func table<Element>(
    of element: SettingKind<Element>,
    by noun: String,
    upTo limit: Int,
    where isName: @escaping @Sendable (String) -> Bool
  ) -> SettingKind where Value == [String: Element] {
    let expectation = "an object of at most \(limit) members"
    return SettingKind(
      expectation: expectation,
      range: "\(element.range) for each \(noun)",
      text: { table in
        let members = table.sorted { $0.key < $1.key }
        return "{" + members.map { "\($0.key): \(element.text($0.value))" }.joined(separator: ", ")
          + "}"
      },
      value: { value, path throws(SettingFault) in
        guard case .object(let members) = value, members.count <= limit else {
          throw SettingFault(path: path, expectation: expectation)
        }
        var table: [String: Element] = [:]
        for member in members.byName {
          let path = path.member(member.name)
          guard isName(member.name) else {
            throw SettingFault(path: path, expectation: "a \(noun)", isOfName: true)
          }
          table[member.name] = try element.value(member.value, path)
        }
        return table
      }
    )
  }
}

nonisolated extension SettingKind<[String: CardSettings]> {
  /// An object of objects, one for each card, in which `span` is a number of this kind, `allowWhenLocked` a
  /// truth, and the names of ``ScriptOptions`` what they are for a script; all other members are settings of
  /// the widget, which ``FileSettings`` reads.
  static func sections(
    span: SettingKind<Int>,
    where isName: @escaping @Sendable (String) -> Bool
  ) -> SettingKind {
    let limit = 10_000
    return SettingKind(
      expectation: "an object of at most \(limit) members",
      range: "an object for each widget or instance",
      text: { cards in
        let members = cards.sorted { $0.key < $1.key }
        return "{" + members.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
      },
      value: { value, path throws(SettingFault) in
        guard case .object(let sections) = value, sections.count <= limit else {
          throw SettingFault(path: path, expectation: "an object of at most \(limit) members")
        }
        var cards: [String: CardSettings] = [:]
        for section in sections.byName {
          let name = section.name
          guard isName(name) else {
            let words = "the identifier of a widget, or ID:NAME for one of its instances"
            throw SettingFault(path: path.member(name), expectation: words, isOfName: true)
          }
          guard case .object(let members) = section.value else {
            throw SettingFault(path: path.member(name), expectation: "an object")
          }
          var card = CardSettings()
          if let own = members["span"] {
            card.span = try span.value(own, path.member(name).member("span"))
          }
          if let own = members["allowWhenLocked"] {
            let path = path.member(name).member("allowWhenLocked")
            card.allowWhenLocked = try SettingKind<Bool>.truth.value(own, path)
          }
          if ScriptName.isIdentifier(name) {
            card.script = try ScriptOptions.reading(members, at: path.member(name))
            // Which settings it has of its own is not known here.
            let names = members.map(\.name).filter { !ScriptOptions.isName($0) }
            if names.contains(where: { ScriptOptions.nameThatConfines($0) == "sandbox" }) {
              card.script = card.script ?? ScriptOptions()
              card.script?.confine("sandbox")
            }
          } else if let own = members["host"] {
            let path = path.member(name).member("host")
            card.host = try SettingKind<RemoteDestination>.machine.value(own, path)
          }
          if card != CardSettings() { cards[name] = card }
        }
        return cards
      }
    )
  }
}

nonisolated extension SettingKind<RemoteDestination> {
  /// Another machine, as ssh has it.
  static var machine: SettingKind {
    SettingKind(
      "a machine such as \"server\" or \"user@server\"",
      range: "a machine",
      text: { "\"\($0)\"" },
      convert: { if case .string(let text) = $0 { RemoteDestination(text) } else { nil } }
    )
  }
}

nonisolated extension SettingKind<URLOpener> {
  /// A command that opens URLs: a list of texts, or an object with the list and whether it needs the
  /// screen.
  static var opener: SettingKind {
    let words = SettingKind<[String]>.list(of: .text(upTo: 4096), "texts", upTo: 100)
    let expectation = "\(words.expectation), or { command: [...], terminal: true }"
    return SettingKind(
      expectation: expectation,
      range: "\(words.range), or an object,",
      text: { opener in
        let command = words.text(opener.command)
        return opener.usesTerminal ? "{command: \(command), terminal: true}" : command
      },
      value: { value, path throws(SettingFault) in
        switch value {
        case .array: return URLOpener(try words.value(value, path))
        case .object(let members):
          for name in members.map(\.name).sorted() where !["command", "terminal"].contains(name) {
            throw SettingFault(
              path: path.member(name),
              expectation: "command or terminal",
              isOfName: true
            )
          }
          guard let command = members["command"] else {
            throw SettingFault(path: path, expectation: expectation)
          }
          let terminal = try members["terminal"].map { value throws(SettingFault) in
            try SettingKind<Bool>.truth.value(value, path.member("terminal"))
          }
          return URLOpener(
            try words.value(command, path.member("command")),
            usesTerminal: terminal ?? false
          )
        default: throw SettingFault(path: path, expectation: expectation)
        }
      }
    )
  }
}
