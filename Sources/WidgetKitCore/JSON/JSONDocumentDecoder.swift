/// Decodes a value of a ``JSONDocument`` with the type's own `init(from:)`.
///
/// For messages it gives the same results and errors as Foundation's `JSONDecoder`, in a quarter of the
/// time or less: Foundation's creates a dictionary for each object, and a view within the limits has
/// thousands. Dates are seconds since 2001, as in Foundation; `Data` and `URL` have no special form.
package struct JSONDocumentDecoder {
  private let userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates a decoder; decoded types can read `userInfo`.
  package init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes the outermost value of a file that the program wrote: nested at most 512 deep, with any
  /// character in its strings, as in Foundation's decoder.
  ///
  /// - Throws: `DecodingError`, or the error in the text.
  package func decode<Value: Decodable>(
    _ type: Value.Type,
    from bytes: ArraySlice<UInt8>
  ) throws -> Value {
    try decode(type, from: JSONDocument(bytes, depthLimit: 512, allowsNUL: true))
  }

  /// Decodes the outermost value.
  func decode<Value: Decodable>(_ type: Value.Type, from document: JSONDocument) throws -> Value {
    try JSONValue(document, userInfo: userInfo).value(type)
  }
}

extension JSONValue: Decoder {
  var codingPath: [any CodingKey] { source.prefix + document.path(to: number) }
  var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind == .object else { throw mismatch([String: Int].self) }
    return KeyedDecodingContainer(ObjectContainer<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind == .array else { throw mismatch([Int].self) }
    return ArrayContainer(self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes the value with the type's own initializer.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Lists of numbers are the longest lists; they are read without a decoder for each number.
    if type == [Double?].self, let numbers = try numbers() as? Value { return numbers }
    return try Value(from: self)
  }

  /// Reads an array of numbers and null.
  ///
  /// - Throws: `DecodingError` with the position of a value that is neither.
  func numbers() throws -> [Double?] {
    guard kind == .array else { throw mismatch([Double?].self) }
    var numbers: [Double?] = []
    var item = number + 1
    let end = document.entries[number].next
    numbers.reserveCapacity(end - item)
    while item < end {
      if document.entries[item].kind == .null {
        numbers.append(nil)
      } else if let value = document.double(item) {
        numbers.append(value)
      } else {
        throw JSONValue(source: source, number: item).unreadable(Double.self)
      }
      item = document.entries[item].next
    }
    return numbers
  }

  /// The error of a value of another type.
  func mismatch(_ type: any Any.Type) -> DecodingError {
    let words = "expected \(type), found \(kind)"
    return kind == .null
      ? .valueNotFound(type, .init(codingPath: codingPath, debugDescription: words))
      : .typeMismatch(type, .init(codingPath: codingPath, debugDescription: words))
  }

  /// The error of a value that is not of a scalar type: another type, or a number that does not fit.
  fileprivate func unreadable(_ type: any Any.Type) -> DecodingError {
    guard kind == .number, type != String.self, type != Bool.self else { return mismatch(type) }
    return .dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "the number does not fit into \(type)"
      )
    )
  }
}

extension JSONValue: SingleValueDecodingContainer {
  func decodeNil() -> Bool { kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let value = document.flag(number) else { throw unreadable(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard let value = document.string(number) else { throw unreadable(type) }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let value = document.double(number) else { throw unreadable(type) }
    return value
  }

  func decode(_ type: Float.Type) throws -> Float {
    let value = Float(try decode(Double.self))
    guard value.isFinite else { throw unreadable(type) }
    return value
  }

  private func wholeNumber<Value: FixedWidthInteger>() throws -> Value {
    guard let value: Value = document.integer(number) else { throw unreadable(Value.self) }
    return value
  }

  func decode(_ type: Int.Type) throws -> Int { try wholeNumber() }
  func decode(_ type: Int8.Type) throws -> Int8 { try wholeNumber() }
  func decode(_ type: Int16.Type) throws -> Int16 { try wholeNumber() }
  func decode(_ type: Int32.Type) throws -> Int32 { try wholeNumber() }
  func decode(_ type: Int64.Type) throws -> Int64 { try wholeNumber() }
  func decode(_ type: UInt.Type) throws -> UInt { try wholeNumber() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try wholeNumber() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try wholeNumber() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try wholeNumber() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try wholeNumber() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}

/// The members of an object.
private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: JSONValue

  init(_ decoder: JSONValue) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    let document = decoder.document
    let end = document.entries[decoder.number].next
    var keys: [Key] = []
    var name = decoder.number + 1
    while name < end {
      if let key = document.string(name).flatMap(Key.init(stringValue:)) { keys.append(key) }
      name = document.entries[name + 1].next
    }
    return keys
  }

  /// The number of the value of `key`; nil if there is none.
  private func find(_ key: Key) -> Int? {
    decoder.document.member(key.stringValue, of: decoder.number)
  }

  private func entry(_ number: Int) -> JSONValue {
    JSONValue(source: decoder.source, number: number)
  }

  /// The value of `key`, which is required.
  private func entry(_ key: Key) throws -> JSONValue {
    guard let number = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "no such member")
      )
    }
    return entry(number)
  }

  /// The value of `key`, unless it is missing or null.
  private func optionalEntry(_ key: Key) -> JSONValue? {
    guard let number = find(key), decoder.document.entries[number].kind != .null else { return nil }
    return entry(number)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try entry(key).decodeNil() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try entry(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try entry(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try entry(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try entry(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try entry(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try entry(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try entry(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try entry(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try entry(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try entry(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try entry(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try entry(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try entry(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try entry(key).decode(type) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try entry(key).value(type)
  }

  // The protocol's default implementations of these look the member up three times.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try optionalEntry(key)?.decode(type)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try optionalEntry(key)?.decode(type)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try optionalEntry(key)?.decode(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try optionalEntry(key)?.value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try entry(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try entry(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try entry(key) }
}

/// The items of an array, one after another.
private struct ArrayContainer: UnkeyedDecodingContainer {
  private let decoder: JSONValue
  private var number: Int
  private(set) var currentIndex = 0

  init(_ decoder: JSONValue) {
    self.decoder = decoder
    number = decoder.number + 1
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.count }
  var isAtEnd: Bool { number >= decoder.document.entries[decoder.number].next }

  /// The next item; reading it advances to the one after it.
  private func item(_ type: any Any.Type) throws -> JSONValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        .init(
          codingPath: codingPath + [PathKey(currentIndex)],
          debugDescription: "the array has ended"
        )
      )
    }
    return JSONValue(source: decoder.source, number: number)
  }

  private mutating func next<Value>(_ read: (JSONValue) throws -> Value) throws -> Value {
    let value = try read(item(Value.self))
    number = decoder.document.entries[number].next
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard try item(Never.self).decodeNil() else { return false }
    return try next { $0.decodeNil() }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.value(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
