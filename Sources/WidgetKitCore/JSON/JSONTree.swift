/// A text in JSON as values, with the members of objects in their order: of another program, or of the user.
package indirect enum JSONTree: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number, nearest to what was written.
  case number(Double)
  /// A whole number that no `Double` has, such as an identifier of 19 digits or 1e400, as it was written.
  case wholeNumber(String)
  case string(String)
  case array([JSONTree])
  /// The members in the order of the text; of a name that occurs twice, readers use the first.
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONTree

    package init(name: String, value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// Why a text is no JSON.
  package struct Failure: Error, CustomStringConvertible {
    /// What is wrong, and at which byte.
    package var description: String
  }

  /// How deep arrays and objects may be in each other.
  private static let depthLimit = 64

  /// Reads a text; bytes that are no UTF-8 are replaced, and a byte order mark before it is left out.
  package init(_ bytes: [UInt8]) throws(Failure) {
    do throws(JSONScanner.Failure) {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let plain = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
      let text = Array(String(decoding: plain, as: UTF8.self).utf8)
      let document = try JSONDocument(text[...], depthLimit: Self.depthLimit, allowsNUL: true)
      self = Self.tree(document, 0)
    } catch {
      throw Failure(description: "not JSON: \(error.reason), at byte \(error.offset)")
    }
  }

  private static func tree(_ document: JSONDocument, _ number: Int) -> JSONTree {
    let entry = document.entries[number]
    switch entry.kind {
    case .null: return .null
    case .bool: return .boolean(document.flag(number) == true)
    case .string, .escapedString: return .string(document.string(number) ?? "")
    case .number:
      return JSONTree(numeral: String(decoding: document.bytes[entry.bytes], as: UTF8.self))
    case .array:
      var items: [JSONTree] = []
      var item = number + 1
      while item < entry.next {
        items.append(tree(document, item))
        item = document.entries[item].next
      }
      return .array(items)
    case .object:
      var members: [Member] = []
      document.forEachMember(of: number) { name, value in
        let name = String(decoding: name, as: UTF8.self)
        members.append(Member(name: name, value: tree(document, value)))
      }
      return .object(members)
    }
  }

  /// The number that a text of JSON stands for.
  package init(numeral: String) {
    let number = Self.nearest(to: numeral)
    let isDigits = numeral.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    // All smaller ones are exact.
    let isLossy =
      number.magnitude >= 0x1p53 && isDigits && Int64(exactly: number).map { "\($0)" } != numeral
    let isTooLarge = Double(numeral)?.isFinite == false
    self = isLossy || isTooLarge ? .wholeNumber(numeral) : .number(number)
  }

  /// The nearest number; of one that is too large the greatest finite one.
  private static func nearest(to numeral: String) -> Double {
    let greatest = Double.greatestFiniteMagnitude
    return min(max(Double(numeral) ?? 0, -greatest), greatest)
  }

  /// The value of a member of an object by its exact name; nil if there is none, or this is not an object.
  package subscript(name: String) -> JSONTree? { members?[name] }

  /// A text; nil for any other value.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// A number; nil for any other value.
  package var number: Double? {
    switch self {
    case .number(let number): number
    case .wholeNumber(let numeral): Self.nearest(to: numeral)
    default: nil
    }
  }
  /// True or false; nil for any other value.
  package var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  /// The items of an array; nil for any other value.
  package var items: [JSONTree]? { if case .array(let items) = self { items } else { nil } }
  /// The members of an object; nil for any other value.
  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  /// The value in words for a person: a text as it is, a whole number without a fraction, the items of an array
  /// between commas, and an object as `{…}`.
  package var words: String {
    switch self {
    case .null: return "–"
    case .boolean(let flag): return flag ? "true" : "false"
    case .number(let number):
      return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .wholeNumber(let numeral): return numeral
    case .string(let text): return text
    case .array(let items): return items.map(\.words).joined(separator: ", ")
    case .object: return "{…}"
    }
  }
}

extension [JSONTree.Member] {
  /// The value of a member by its exact name; nil if there is none.
  ///
  /// Setting nil removes the member.
  package subscript(name: String) -> JSONTree? {
    get { first { $0.name.hasSameScalars(as: name) }?.value }
    set {
      let index = firstIndex { $0.name.hasSameScalars(as: name) }
      switch (index, newValue) {
      case (let index?, let value?): self[index].value = value
      case (let index?, nil): remove(at: index)
      case (nil, let value?): append(JSONTree.Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The members in the order of their names.
  package var byName: [JSONTree.Member] { sorted { $0.name < $1.name } }
}
