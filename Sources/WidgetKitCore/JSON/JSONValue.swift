/// One value of a ``JSONDocument``, from which the document's decoder and the view tree are read.
struct JSONValue {
  /// The data that all values of one document share.
  final class Source: Sendable {
    let document: JSONDocument
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// The path to the document if it is a part of something larger.
    let prefix: [any CodingKey & Sendable]

    init(
      document: JSONDocument,
      userInfo: [CodingUserInfoKey: any Sendable],
      prefix: [any CodingKey & Sendable]
    ) {
      self.document = document
      self.userInfo = userInfo
      self.prefix = prefix
    }
  }

  let source: Source
  /// The number of its entry in the document.
  let number: Int

  init(source: Source, number: Int) {
    self.source = source
    self.number = number
  }

  /// The outermost value of `document`.
  ///
  /// Decoded types can read `userInfo`; `prefix` is the path to the document in errors, if it is a part
  /// of something larger.
  init(
    _ document: JSONDocument,
    userInfo: [CodingUserInfoKey: any Sendable] = [:],
    prefix: [any CodingKey & Sendable] = []
  ) {
    self.init(
      source: Source(document: document, userInfo: userInfo, prefix: prefix),
      number: 0
    )
  }

  var document: JSONDocument { source.document }
  var kind: JSONDocument.Kind { document.entries[number].kind }
  /// The number of items in an array, or of members in an object.
  var count: Int { document.count(number) }
  var string: String? { document.string(number) }
  var flag: Bool? { document.flag(number) }
  var double: Double? { document.double(number) }
  var integer: Int? { document.integer(number) }

  /// The value of the member `name` of an object, if there is one; it may be null.
  func member(_ name: String) -> JSONValue? {
    document.member(name, of: number).map { JSONValue(source: source, number: $0) }
  }

  /// The value in an error message: itself if it is short, otherwise its kind.
  var words: String {
    switch kind {
    case .null: return "null"
    case .bool: return flag == true ? "true" : "false"
    case .array: return "an array"
    case .object: return "an object"
    case .number:
      if let integer { return "\(integer)" }
      return double.map { "\($0)" } ?? "a number that is too large"
    case .string, .escapedString:
      let text = string ?? ""
      return text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
    }
  }

  /// The items of an array, in order.
  var items: Items {
    Items(source: source, position: number + 1, end: document.entries[number].next)
  }

  /// The items of an array, one after another.
  struct Items: Sequence, IteratorProtocol {
    fileprivate let source: Source
    fileprivate var position: Int
    fileprivate let end: Int

    mutating func next() -> JSONValue? {
      guard position < end else { return nil }
      defer { position = source.document.entries[position].next }
      return JSONValue(source: source, number: position)
    }
  }
}

/// The name of a member, or the index of an item in an array.
struct PathKey: CodingKey, Sendable {
  let stringValue: String
  let intValue: Int?

  init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  init(_ name: String) { (stringValue, intValue) = (name, nil) }

  init(_ key: any CodingKey) { (stringValue, intValue) = (key.stringValue, key.intValue) }

  init?(intValue: Int) { self.init(intValue) }

  init?(stringValue: String) { self.init(stringValue) }
}

extension JSONDocument {
  /// The path from the outermost value to entry `number`.
  ///
  /// It is computed only to describe an error, so that valid documents do not pay for it.
  func path(to number: Int) -> [any CodingKey] {
    var path: [PathKey] = []
    var current = 0
    while current < number {
      let isObject = entries[current].kind == .object
      var child = current + 1
      var index = 0
      while entries[isObject ? child + 1 : child].next <= number {
        child = entries[isObject ? child + 1 : child].next
        index += 1
      }
      path.append(isObject ? PathKey(string(child) ?? "") : PathKey(index))
      current = isObject ? child + 1 : child
    }
    return path
  }
}
