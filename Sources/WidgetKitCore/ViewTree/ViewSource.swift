/// A value of a JSON document from which a part of a view is read, with its budget.
struct ViewSource {
  let json: JSONValue
  let budget: ViewBudget?

  init(_ json: JSONValue, budget: ViewBudget?) {
    self.json = json
    self.budget = budget
  }

  /// Creates a source from the value at which `decoder` is; its budget is the one in `userInfo`.
  init(_ decoder: any Decoder) throws {
    self.init(try JSONValue(decoder), budget: decoder.viewBudget)
  }

  /// The members, if the value is an object.
  func members<Key: CodingKey>(_ keys: Key.Type = Key.self) -> ViewMembers<Key>? {
    json.kind == .object ? ViewMembers(self) : nil
  }

  /// The members of a value that must be an object.
  func requiredMembers<Key: CodingKey>(_ keys: Key.Type = Key.self) throws -> ViewMembers<Key> {
    guard let members = members(keys) else { throw json.mismatch([String: Int].self) }
    return members
  }

  /// The text of a string; nil for all other values.
  ///
  /// - Throws: ``ViewLimitError`` if it has more bytes than the limit.
  func text() throws -> SafeText? {
    guard let string = json.string else { return nil }
    try budget?.check(textBytes: string.utf8.count)
    return SafeText(string)
  }

  /// Creates the error for an invalid value.
  func expected(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: json.codingPath, debugDescription: "expected \(what)"))
  }
}

/// A part of a view that is read from a JSON document directly.
///
/// A view may have 4,096 nodes of twenty members: through `Decoder`, in which each call uses a
/// container without a known type, reading them takes three times as long.
protocol ViewReadable: Codable {
  /// Reads the value.
  ///
  /// - Throws: `DecodingError` whose message says what was expected and found, or ``ViewLimitError``.
  init(_ source: ViewSource) throws
}

extension SafeText: ViewReadable {
  init(_ source: ViewSource) throws {
    guard let text = try source.text() else { throw source.json.mismatch(String.self) }
    self = text
  }
}

/// The members of an object, read with errors that name what was expected and what was found.
///
/// Each function returns nil for a member that is missing or null.
struct ViewMembers<Key: CodingKey> {
  private let source: ViewSource

  /// Creates the members of the object in `source`.
  fileprivate init(_ source: ViewSource) {
    self.source = source
  }

  var budget: ViewBudget? { source.budget }

  /// The value of a member that is present and not null.
  subscript(_ key: Key) -> ViewSource? {
    guard let value = source.json.member(key.stringValue), value.kind != .null else { return nil }
    return ViewSource(value, budget: source.budget)
  }

  /// Reads a text without cleaning it.
  func string(_ key: Key) throws -> String? {
    guard let value = self[key] else { return nil }
    guard let string = value.json.string else { throw expected("a text", forKey: key) }
    return string
  }

  /// Reads true or false.
  func flag(_ key: Key) throws -> Bool? {
    guard let value = self[key] else { return nil }
    guard let flag = value.json.flag else { throw expected("true or false", forKey: key) }
    return flag
  }

  /// Reads a finite number.
  func number(_ key: Key) throws -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.json.double else { throw expected("a number", forKey: key) }
    return number
  }

  /// Reads a number of cells, 0 to 10,000.
  func extent(_ key: Key) throws -> Int? {
    guard let value = self[key] else { return nil }
    guard let number = value.json.integer, Size.limit.contains(number) else {
      throw expected("a whole number from 0 to 10000", forKey: key)
    }
    return number
  }

  /// Reads one of the values of an enumeration.
  func choice<Value>(_ key: Key) throws -> Value?
  where Value: RawRepresentable<String> & CaseIterable {
    guard let word = try string(key) else { return nil }
    guard let value = Value(rawValue: word) else {
      let words = Value.allCases.map(\.rawValue)
      let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      throw expected(list, forKey: key)
    }
    return value
  }

  /// Reads a value whose type describes what it expects.
  func value<Value: ViewReadable>(_ key: Key) throws -> Value? {
    guard let value = self[key] else { return nil }
    return try Value(value)
  }

  /// Reads an array, or nil for a missing member; `next` is called before each item.
  func list<Value: ViewReadable>(
    _ key: Key,
    of what: String,
    next: () throws -> Void = {}
  ) throws -> [Value] {
    guard let value = self[key] else { return [] }
    guard value.json.kind == .array else { throw expected("an array of \(what)", forKey: key) }
    var result: [Value] = []
    result.reserveCapacity(value.json.count)
    for item in value.json.items {
      let item = ViewSource(item, budget: budget)
      guard item.json.kind != .null else {
        throw item.expected("an array of \(what), found null in it")
      }
      try next()
      result.append(try Value(item))
    }
    return result
  }

  /// Reads numbers, with gaps for null; the member is required.
  func numbers(_ key: Key) throws -> [Double?] {
    guard let value = self[key], let numbers = try? value.json.numbers() else {
      throw expected("an array of numbers and null", forKey: key)
    }
    return numbers
  }

  /// Creates the error for an invalid member.
  func expected(_ what: String, forKey key: Key) -> DecodingError {
    let found = source.json.member(key.stringValue).map { $0.words }
    return .dataCorrupted(
      .init(
        codingPath: source.json.codingPath + [key],
        debugDescription: "expected \(what), found \(found ?? "nothing")"
      )
    )
  }
}
