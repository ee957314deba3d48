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
  init(
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
  /// A command of the page, `none`, or a command of the user.
  static var command: SettingKind {
    SettingKind(
      expectation: "a command",
      range: "a command",
      text: { "\"\($0.word)\"" },
      value: { value, path throws(SettingFault) in
        switch value {
        case .string(let word): return KeyBinding(word: word)
        case .object(let members): return .run(try OwnCommandReading.command(members, path))
        default:
          throw SettingFault(
            path: path,
            expectation: "the name of a command, or { run: [\"ssh\", \"nas\"], terminal: true }"
          )
        }
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
  /// A list of `least` to `limit` values of one kind; `noun` names them in the plural.
  static func list<Element>(
    of element: SettingKind<Element>,
    _ noun: String,
    from least: Int = 1,
    upTo limit: Int
  ) -> SettingKind where Value == [Element] {
    let expectation = "a list of \(least) to \(limit) \(noun)"
    return SettingKind(
      expectation: expectation,
      range: "a list of \(noun)",
      text: { "[" + $0.map(element.text).joined(separator: ", ") + "]" },
      value: { value, path throws(SettingFault) in
        guard case .array(let values) = value, least...limit ~= values.count else {
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
