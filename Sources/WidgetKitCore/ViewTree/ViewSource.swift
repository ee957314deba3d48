/// A value of a JSON document from which a part of a view is read, with its budget.
struct ViewSource {
  /// What all values of one view share.
  ///
  /// It is one object, so that going from value to value keeps count of one reference only.
  private final class Origin: Sendable {
    let values: JSONValue.Source
    let budget: ViewBudget?

    init(_ values: JSONValue.Source, budget: ViewBudget?) {
      self.values = values
      self.budget = budget
    }
  }

  private let origin: Origin
  /// The number of the value's entry in the document.
  private let number: Int

  private init(origin: Origin, number: Int) {
    self.origin = origin
    self.number = number
  }

  /// Creates a source from the value at which `decoder` is; its budget is the one in `userInfo`.
  init(_ decoder: any Decoder) throws {
    let json = try JSONValue(decoder)
    origin = Origin(json.source, budget: decoder.viewBudget)
    number = json.number
  }

  /// The budget of the view; nil if nothing is limited.
  var budget: ViewBudget? { origin.budget }
  var document: JSONDocument { origin.values.document }
  var json: JSONValue { JSONValue(source: origin.values, number: number) }
  var kind: JSONDocument.Kind { document.entries[number].kind }

  /// Another value of the same view.
  fileprivate func value(_ number: Int) -> ViewSource {
    ViewSource(origin: origin, number: number)
  }

  /// The items of an array, in order; nil if it is not an array.
  var items: Items? { kind == .array ? Items(of: self) : nil }

  /// The items of an array, one after another.
  struct Items: Sequence, IteratorProtocol {
    private let array: ViewSource
    private var position: Int
    private let end: Int

    fileprivate init(of array: ViewSource) {
      self.array = array
      position = array.number + 1
      end = array.document.entries[array.number].next
    }

    /// How many items there are.
    ///
    /// - Complexity: Linear in their number.
    var count: Int { array.document.count(array.number) }

    mutating func next() -> ViewSource? {
      guard position < end else { return nil }
      defer { position = array.document.entries[position].next }
      return array.value(position)
    }
  }

  /// The members, if the value is an object.
  func members<Key: ViewMemberKey>(_ keys: Key.Type = Key.self) -> ViewMembers<Key>? {
    kind == .object ? ViewMembers(self, number) : nil
  }

  /// The members of a value that must be an object.
  func requiredMembers<Key: ViewMemberKey>(_ keys: Key.Type = Key.self) throws -> ViewMembers<Key> {
    guard let members = members(keys) else { throw json.mismatch([String: Int].self) }
    return members
  }

  /// The text of a string; nil for all other values.
  ///
  /// - Throws: ``ViewLimitError`` if it has more bytes than the limit.
  func text() throws -> SafeText? {
    guard let string = document.string(number) else { return nil }
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

/// The members that a type of a view reads: an enumeration that counts from 0.
protocol ViewMemberKey: CodingKey, CaseIterable, RawRepresentable<Int> {
  /// The names of all cases, in their order.
  static var names: MemberNames { get }
}

extension ViewMemberKey {
  /// Returns the names for ``names``, which each type keeps.
  static func listNames() -> MemberNames {
    precondition(allCases.count <= ViewMembers<Self>.capacity, "more members than there are places")
    return MemberNames(allCases.map(\.stringValue))
  }

  // The numbers of the cases are not those of items in an array.
  var intValue: Int? { nil }
  init?(intValue: Int) { return nil }
}

/// The members of an object, read with errors that name what was expected and what was found.
///
/// Each function returns nil for a member that is missing or null. Members are lent to what reads them
/// and never copied: with the places of all names they are large.
struct ViewMembers<Key: ViewMemberKey>: ~Copyable {
  private let source: ViewSource
  /// Which members are there and not null, a bit for each.
  private var present: UInt32 = 0
  /// The number of the entry of each member that is present.
  private var entries = InlineArray<32, UInt32>(repeating: 0)

  /// The largest number of members of one type.
  static var capacity: Int { 32 }

  /// Finds the members of the object in `source`; if one occurs twice, the first is used.
  fileprivate init(_ source: ViewSource, _ number: Int) {
    self.source = source
    let names = Key.names
    let document = source.document
    var found: UInt32 = 0
    document.forEachMember(of: number) { name, value in
      guard let place = names.place(of: name), found & (1 << UInt32(place)) == 0 else { return }
      found |= 1 << UInt32(place)
      guard document.entries[value].kind != .null else { return }
      present |= 1 << UInt32(place)
      entries[place] = UInt32(truncatingIfNeeded: value)
    }
  }

  var budget: ViewBudget? { source.budget }

  /// Whether any other member than `key` is present and not null.
  func hasOthers(than key: Key) -> Bool { present & ~(1 << UInt32(key.rawValue)) != 0 }

  /// The number of the entry of a member that is present and not null.
  private func entry(_ key: Key) -> Int? {
    present & (1 << UInt32(key.rawValue)) == 0 ? nil : Int(entries[key.rawValue])
  }

  /// The value of a member that is present and not null.
  subscript(_ key: Key) -> ViewSource? {
    entry(key).map { source.value($0) }
  }

  /// Reads a value, of which `what` is the description if it is another one.
  private func value<Value>(
    _ key: Key,
    _ what: String,
    _ read: (JSONDocument, Int) -> Value?
  ) throws -> Value? {
    guard let entry = entry(key) else { return nil }
    guard let value = read(source.document, entry) else { throw expected(what, forKey: key) }
    return value
  }

  /// Reads a text without cleaning it.
  func string(_ key: Key) throws -> String? { try value(key, "a text") { $0.string($1) } }

  /// Reads true or false.
  func flag(_ key: Key) throws -> Bool? { try value(key, "true or false") { $0.flag($1) } }

  /// Reads a finite number.
  func number(_ key: Key) throws -> Double? { try value(key, "a number") { $0.double($1) } }

  /// Reads a number of cells, 0 to 10,000.
  func extent(_ key: Key) throws -> Int? {
    try value(key, "a whole number from 0 to 10000") { document, entry in
      document.integer(entry).flatMap { Size.limit.contains($0) ? $0 : nil }
    }
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
    guard let items = value.items else { throw expected("an array of \(what)", forKey: key) }
    var result: [Value] = []
    result.reserveCapacity(items.count)
    for item in items {
      guard item.kind != .null else {
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

extension KeyedEncodingContainer {
  /// Writes `value` unless it is the default that a reader assumes.
  mutating func encode<Value: Encodable & Equatable>(
    _ value: Value,
    forKey key: Key,
    unless assumed: Value
  ) throws {
    guard value != assumed else { return }
    try encode(value, forKey: key)
  }
}
