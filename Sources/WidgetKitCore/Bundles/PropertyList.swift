import FoundationEssentials

/// A dictionary of a property list, read key by key with errors that say what was found.
///
/// It is read while the list is decoded, and not stored: with a typed decoder only requested values are
/// created, so that a list of 400 bytes whose references share each other cannot unfold into gigabytes.
struct PropertyList {
  private let container: KeyedDecodingContainer<PropertyKey>
  /// The path of the dictionary in the list, for example `NSExtension.`; empty at the root.
  private let prefix: String

  /// The limit on arrays and dictionaries in a list in XML form, nested or not.
  ///
  /// Foundation's XML parser is recursive without a limit: about 500 levels, 6 KB of text, crash a
  /// process whose thread has a stack of 512 KiB. The binary form is read level by level on request,
  /// and the parser of the old form stops at 512 levels.
  static let elementLimit = 200

  /// Reads the list at `path` in any form: XML, binary, or `{ key = value; }`.
  static func read<Value: PropertyListReadable>(
    _ type: Value.Type,
    from path: String,
    byteLimit: Int,
    trust: BundleTrust
  ) throws(BundleFault) -> Value {
    let file = try BundleFile.open(path, expected: "a property list")
    try trust.check(file.status)
    let bytes = try file.prefix(byteLimit + 1)
    guard bytes.count <= byteLimit else {
      throw BundleFault(
        code: .tooLarge,
        key: nil,
        found: "\(file.byteCount) bytes long",
        expected: "at most \(byteLimit)"
      )
    }
    guard bytes.starts(with: "bplist".utf8) || elementCount(bytes) <= elementLimit else {
      throw BundleFault(
        code: .tooLarge,
        key: nil,
        found: "too complex",
        expected: "at most \(elementLimit) arrays and dictionaries"
      )
    }
    guard isReadableText(bytes) else {
      throw BundleFault(
        code: .malformed,
        key: nil,
        found: "not valid UTF-8",
        expected: "a property list in UTF-8 or UTF-16, or a binary one"
      )
    }
    do {
      return try PropertyListDecoder().decode(Root<Value>.self, from: Data(bytes)).value
    } catch let fault as BundleFault {
      throw fault
    } catch {
      let fault = PropertyListPlaces(bytes).fault
      throw BundleFault(
        code: .malformed,
        key: nil,
        found: "not a property list" + (fault.map { ": line \($0.place.line) \($0.words)" } ?? ""),
        expected: "one in XML, binary or { key = value; } form"
      )
    }
  }

  /// Whether the bytes are binary, or text that is safe for the parser.
  ///
  /// Foundation's XML parser traps on an invalid scalar where it expects a number. It converts UTF-16
  /// to UTF-8 first.
  private static func isReadableText(_ bytes: [UInt8]) -> Bool {
    // A byte order mark, or a first `<` of two bytes.
    let wide: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0x3C, 0], [0, 0x3C]]
    return bytes.starts(with: "bplist".utf8) || wide.contains { bytes.starts(with: $0) }
      || String(validating: bytes, as: UTF8.self) != nil
  }

  /// The largest possible number of elements of an XML list that contain others.
  ///
  /// It counts every `<` except those of end tags, declarations, comments and scalars. Zero bytes are
  /// ignored, so that UTF-16, which the parser also reads, counts the same.
  private static func elementCount(_ bytes: [UInt8]) -> Int {
    // The first characters of /…, !…, ?…, key, string, true, false, integer, real.
    let others = Array("/!?kstfir".utf8)
    var count = 0
    var isOpen = false
    for byte in bytes where byte != 0 {
      if isOpen, !others.contains(byte) { count += 1 }
      isOpen = byte == UInt8(ascii: "<")
    }
    return count
  }

  fileprivate init(_ decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: PropertyKey.self) else {
      let found = (try? PropertyScalar(from: decoder))?.kind ?? "an array"
      throw BundleFault.wrongType(nil, found: found, expected: "a dictionary")
    }
    self.container = container
    prefix = ""
  }

  private init(_ container: KeyedDecodingContainer<PropertyKey>, prefix: String) {
    self.container = container
    self.prefix = prefix
  }

  /// The full path of the key from the root.
  func path(_ key: String) -> String { prefix + key }

  /// Whether there is a value under `key`.
  func contains(_ key: String) -> Bool { container.contains(PropertyKey(key)) }

  /// The string under `key`; nil if there is none.
  func string(_ key: String) throws -> String? {
    guard contains(key) else { return nil }
    do {
      return try container.decode(String.self, forKey: PropertyKey(key))
    } catch {
      throw wrongType(key, expected: "a string")
    }
  }

  /// The truth value under `key`; nil if there is none.
  ///
  /// The old form has only strings, so that `YES` and `1` count as true.
  func boolean(_ key: String) throws -> Bool? {
    guard contains(key) else { return nil }
    if let value = try? container.decode(Bool.self, forKey: PropertyKey(key)) { return value }
    switch (try? container.decode(String.self, forKey: PropertyKey(key)))?.uppercased() {
    case "YES", "TRUE", "1": return true
    case "NO", "FALSE", "0": return false
    default: throw wrongType(key, expected: "true or false")
    }
  }

  /// The dictionary under `key`; nil if there is none.
  func dictionary(_ key: String) throws -> PropertyList? {
    guard contains(key) else { return nil }
    do {
      let nested = try container.nestedContainer(
        keyedBy: PropertyKey.self,
        forKey: PropertyKey(key)
      )
      return PropertyList(nested, prefix: path(key) + ".")
    } catch {
      throw wrongType(key, expected: "a dictionary")
    }
  }

  /// The dictionaries in the array under `key`; empty if there is no array.
  func dictionaries(_ key: String) throws -> [PropertyList] {
    try elements(key, expected: "an array of dictionaries") { array, path in
      PropertyList(try array.nestedContainer(keyedBy: PropertyKey.self), prefix: path + ".")
    }
  }

  /// The strings in the array under `key`; empty if there is no array.
  func strings(_ key: String) throws -> [String] {
    try elements(key, expected: "an array of strings") { array, _ in
      try array.decode(String.self)
    }
  }

  /// All values of this dictionary; dates and data are omitted.
  ///
  /// - Throws: A fault if there are more than ``PropertyValue/countLimit`` values, nested or not.
  func values() throws -> [String: PropertyValue] {
    var rest = PropertyValue.countLimit
    do {
      return try Self.values(container, &rest)
    } catch is TooManyValues {
      throw BundleFault(
        code: .tooLarge,
        key: prefix.isEmpty ? nil : String(prefix.dropLast()),
        found: "too complex",
        expected: "at most \(PropertyValue.countLimit) values"
      )
    }
  }

  /// The array under `key` with all its values; nil if there is none, or it has too many.
  func array(_ key: String) -> [PropertyValue]? {
    guard contains(key), var array = try? container.nestedUnkeyedContainer(forKey: PropertyKey(key))
    else { return nil }
    var rest = PropertyValue.countLimit
    return try? Self.values(&array, &rest)
  }

  private struct TooManyValues: Error {}

  private static func values(
    _ container: KeyedDecodingContainer<PropertyKey>,
    _ rest: inout Int
  ) throws -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    for key in container.allKeys {
      rest -= 1
      guard rest >= 0 else { throw TooManyValues() }
      // Most values are strings, and each attempt that fails costs an error with a description.
      if let string = try? container.decode(String.self, forKey: key) {
        values[key.stringValue] = .string(string)
      } else if let nested = try? container.nestedContainer(keyedBy: PropertyKey.self, forKey: key)
      {
        values[key.stringValue] = .dictionary(try Self.values(nested, &rest))
      } else if var nested = try? container.nestedUnkeyedContainer(forKey: key) {
        values[key.stringValue] = .array(try Self.values(&nested, &rest))
      } else {
        values[key.stringValue] = (try? container.decode(PropertyScalar.self, forKey: key))?.value
      }
    }
    return values
  }

  private static func values(
    _ array: inout any UnkeyedDecodingContainer,
    _ rest: inout Int
  ) throws -> [PropertyValue] {
    var values: [PropertyValue] = []
    while !array.isAtEnd {
      rest -= 1
      guard rest >= 0 else { throw TooManyValues() }
      if let string = try? array.decode(String.self) {
        values.append(.string(string))
      } else if let nested = try? array.nestedContainer(keyedBy: PropertyKey.self) {
        values.append(.dictionary(try Self.values(nested, &rest)))
      } else if var nested = try? array.nestedUnkeyedContainer() {
        values.append(.array(try Self.values(&nested, &rest)))
      } else {
        let scalar = try array.decode(PropertyScalar.self)
        if let value = scalar.value { values.append(value) }
      }
    }
    return values
  }

  private func elements<Element>(
    _ key: String,
    expected: String,
    read: (inout any UnkeyedDecodingContainer, String) throws -> Element
  ) throws -> [Element] {
    guard contains(key) else { return [] }
    guard var array = try? container.nestedUnkeyedContainer(forKey: PropertyKey(key)) else {
      throw wrongType(key, expected: expected)
    }
    var elements: [Element] = []
    while !array.isAtEnd {
      let path = "\(path(key))[\(elements.count)]"
      do {
        elements.append(try read(&array, path))
      } catch {
        throw BundleFault.wrongType(path, found: "something else", expected: expected)
      }
    }
    return elements
  }

  private func wrongType(_ key: String, expected: String) -> BundleFault {
    let found: String
    if (try? container.nestedUnkeyedContainer(forKey: PropertyKey(key))) != nil {
      found = "an array"
    } else if (try? container.nestedContainer(keyedBy: PropertyKey.self, forKey: PropertyKey(key)))
      != nil
    {
      found = "a dictionary"
    } else if let value = try? container.decode(PropertyScalar.self, forKey: PropertyKey(key)) {
      found = value.kind
    } else {
      found = "something else"
    }
    return .wrongType(path(key), found: found, expected: expected)
  }
}

/// A type that is read from the root of a property list.
protocol PropertyListReadable {
  init(_ list: PropertyList) throws
}

private struct Root<Value: PropertyListReadable>: Decodable {
  var value: Value

  init(from decoder: any Decoder) throws {
    value = try Value(PropertyList(decoder))
  }
}

/// Any key.
private struct PropertyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) {
    stringValue = name
  }

  init(stringValue: String) {
    self.init(stringValue)
  }

  init?(intValue: Int) {
    nil
  }
}

/// A value that is neither a dictionary nor an array.
private struct PropertyScalar: Decodable {
  var kind: String
  /// Nil for a date and data.
  var value: PropertyValue?

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      (kind, self.value) = ("true or false", .boolean(flag))
    } else if let number = try? value.decode(Double.self) {
      (kind, self.value) = ("a number", .number(number))
    } else if let string = try? value.decode(String.self) {
      (kind, self.value) = ("a string", .string(string))
    } else if (try? value.decode(Date.self)) != nil {
      kind = "a date"
    } else {
      _ = try value.decode(Data.self)
      kind = "data"
    }
  }
}
