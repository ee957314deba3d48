/// Reads members with errors that name what was expected and what was found.
///
/// In each of these a member that is missing or null is nil.
extension KeyedDecodingContainer {
  /// Reads a text without cleaning it.
  func string(_ key: Key) throws -> String? {
    do {
      return try decodeIfPresent(String.self, forKey: key)
    } catch is DecodingError {
      throw expected("a text", forKey: key)
    }
  }

  /// Reads true or false.
  func flag(_ key: Key) throws -> Bool? {
    do {
      return try decodeIfPresent(Bool.self, forKey: key)
    } catch is DecodingError {
      throw expected("true or false", forKey: key)
    }
  }

  /// Reads a finite number.
  func number(_ key: Key) throws -> Double? {
    guard let value = try? decodeIfPresent(Double.self, forKey: key) else {
      guard try holds(key) else { return nil }
      throw expected("a number", forKey: key)
    }
    guard value.isFinite else { throw expected("a finite number", forKey: key) }
    return value
  }

  /// Reads a number of cells, 0 to 10,000.
  func extent(_ key: Key) throws -> Int? {
    guard try holds(key) else { return nil }
    return try decodeExtent(forKey: key)
  }

  /// Reads one of the given words.
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
  func value<Value: Decodable>(_ key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }

  /// Reads an array, or nothing for a member left out; `next` is asked before each item.
  func list<Value: Decodable>(
    _ key: Key,
    of what: String,
    next: () throws -> Void = {}
  ) throws -> [Value] {
    guard try holds(key) else { return [] }
    var items: any UnkeyedDecodingContainer
    do {
      items = try nestedUnkeyedContainer(forKey: key)
    } catch is DecodingError {
      throw expected("an array of \(what)", forKey: key)
    }
    var result: [Value] = []
    result.reserveCapacity(items.count ?? 0)
    while !items.isAtEnd {
      let index = items.currentIndex
      guard try !items.decodeNil() else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: items.codingPath + [IndexKey(index)],
            debugDescription: "expected an array of \(what), found null in it"
          )
        )
      }
      try next()
      result.append(try items.decode(Value.self))
    }
    return result
  }

  /// Reads numbers with holes where null stands; the member is required.
  func numbers(_ key: Key) throws -> [Double?] {
    let values: [Double?]?
    do {
      values = try decodeIfPresent([Double?].self, forKey: key)
    } catch is DecodingError {
      throw expected("an array of numbers and null", forKey: key)
    }
    guard let values, values.allSatisfy({ $0?.isFinite ?? true }) else {
      throw expected("an array of numbers and null", forKey: key)
    }
    return values
  }

  /// Whether the member is there and not null.
  func holds(_ key: Key) throws -> Bool {
    try contains(key) && !decodeNil(forKey: key)
  }

  /// Creates the error for an invalid member.
  func expected(_ what: String, forKey key: Key) -> DecodingError {
    DecodingError.dataCorruptedError(
      forKey: key,
      in: self,
      debugDescription: "expected \(what), found \(found(key))"
    )
  }

  /// The kind of value at `key`.
  private func found(_ key: Key) -> String {
    guard contains(key) else { return "nothing" }
    if (try? decodeNil(forKey: key)) == true { return "null" }
    if let flag = try? decode(Bool.self, forKey: key) { return flag ? "true" : "false" }
    if let number = try? decode(Int.self, forKey: key) { return "\(number)" }
    if let number = try? decode(Double.self, forKey: key) { return "\(number)" }
    if let text = try? decode(String.self, forKey: key) {
      return text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
    }
    return (try? nestedUnkeyedContainer(forKey: key)) == nil ? "an object" : "an array"
  }
}

/// A place in an array, for the path of an error.
private struct IndexKey: CodingKey {
  let intValue: Int?
  let stringValue: String

  init(_ index: Int) {
    intValue = index
    stringValue = "\(index)"
  }

  init?(intValue: Int) { self.init(intValue) }

  init?(stringValue: String) { nil }
}
