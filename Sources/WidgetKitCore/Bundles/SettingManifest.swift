/// A setting as a manifest has it: an item of `TodaySettings`, whose members are checked one after the other.
struct SettingManifest {
  private typealias Kind = SettingDeclaration.Kind
  private typealias Format = SettingDeclaration.Format

  private let members: [String: PropertyValue]
  /// The place of the item in the manifest.
  private let path: String

  /// Reads `TodaySettings`; `path` is its place in the manifest.
  static func declarations(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> [SettingDeclaration] {
    guard let value else { return [] }
    let limit = SettingDeclaration.countLimit
    guard let items = value.array, items.count <= limit else {
      throw .wrongType(path, found: value.count, expected: "an array of at most \(limit)")
    }
    var declarations: [SettingDeclaration] = []
    for (index, item) in items.enumerated() {
      let declaration = try SettingManifest(item, at: "\(path)[\(index)]").declaration()
      guard !declarations.contains(where: { $0.name == declaration.name }) else {
        throw .wrongValue(
          "\(path)[\(index)].name",
          declaration.name,
          expected: "a name that no other setting has"
        )
      }
      declarations.append(declaration)
    }
    return declarations
  }

  private init(_ value: PropertyValue, at path: String) throws(BundleFault) {
    guard let members = value.dictionary else {
      throw .wrongType(path, found: value.words, expected: "a dictionary with name and type")
    }
    (self.members, self.path) = (members, path)
  }

  private func declaration() throws(BundleFault) -> SettingDeclaration {
    let name = try name()
    let kind = try kind()
    var declaration = SettingDeclaration(
      name: name,
      title: try title(),
      kind: kind,
      choices: try choices(of: kind),
      format: try format(of: kind),
      range: try range(of: kind),
      isRequired: try flag("required")
    )
    declaration.defaultValue = try standard(of: declaration)
    declaration.example = try example(of: kind)
    declaration.unit = try unit(of: kind)
    return declaration
  }

  private func place(_ name: String) -> String { "\(path).\(name)" }

  private func kind() throws(BundleFault) -> Kind {
    let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let type = members["type"] else {
      throw .missing(place("type"), expected: "one of \(kinds)")
    }
    guard let kind = type.string.flatMap(Kind.init(rawValue:)) else {
      throw .wrongValue(place("type"), type.words, expected: "one of \(kinds)")
    }
    return kind
  }

  private func name() throws(BundleFault) -> String {
    let (path, expected) = (place("name"), "a letter, then at most 63 letters, digits, - and _")
    guard let value = members["name"] else { throw .missing(path, expected: expected) }
    let isFirst = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    let isOther = { (byte: UInt8) in
      isFirst(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard let name = value.string, name.utf8.first.map(isFirst) == true, name.utf8.count <= 64,
      name.utf8.allSatisfy(isOther)
    else { throw .wrongValue(path, value.words, expected: expected) }
    guard !SettingDeclaration.reservedNames.contains(name) else {
      throw .wrongValue(path, name, expected: "another name; config.json has this one for today")
    }
    return name
  }

  private func title() throws(BundleFault) -> SafeText? {
    guard let value = members["title"] else { return nil }
    guard let string = value.string else {
      throw .wrongType(place("title"), found: value.words, expected: "a string")
    }
    let title = SafeText(name: string, orIfInvisible: "")
    return title.isEmpty ? nil : title
  }

  private func choices(of kind: Kind) throws(BundleFault) -> [String] {
    let (value, path) = (members["choices"], place("choices"))
    guard kind == .choice else {
      guard value == nil else {
        throw .wrongValue(path, kind.rawValue, expected: "missing, as the type is not choice")
      }
      return []
    }
    let limit = SettingDeclaration.listLimit
    let expected = "an array of 1 to \(limit) different texts"
    guard let value else { throw .missing(path, expected: expected) }
    let texts = value.array?.map(\.string)
    guard let texts, 1...limit ~= texts.count, !texts.contains(nil),
      Set(texts).count == texts.count,
      texts.allSatisfy({ $0.map(SettingDeclaration.isText) == true })
    else { throw .wrongType(path, found: value.count, expected: expected) }
    return texts.compactMap(\.self)
  }

  private func format(of kind: Kind) throws(BundleFault) -> Format? {
    guard let value = members["format"] else { return nil }
    let path = place("format")
    let formats = Format.allCases.filter { $0.kinds.contains(kind) }
    guard !formats.isEmpty else {
      let expected = "missing, as the type is neither string, list nor file"
      throw .wrongValue(path, kind.rawValue, expected: expected)
    }
    guard let format = value.string.flatMap(Format.init(rawValue:)), formats.contains(format) else {
      let names = formats.map(\.rawValue).joined(separator: ", ")
      throw .wrongValue(path, value.words, expected: "one of \(names)")
    }
    return format
  }

  private func range(of kind: Kind) throws(BundleFault) -> ClosedRange<Double> {
    let unlimited = SettingDeclaration.unlimited
    let low = try bound("minimum", of: kind) ?? unlimited.lowerBound
    let high = try bound("maximum", of: kind) ?? unlimited.upperBound
    guard low <= high else {
      let (low, high) = (SettingDeclaration.words(low), SettingDeclaration.words(high))
      throw .wrongValue(place("minimum"), low, expected: "at most the maximum, \(high)")
    }
    return low...high
  }

  private func bound(_ name: String, of kind: Kind) throws(BundleFault) -> Double? {
    guard let value = members[name] else { return nil }
    guard kind == .number else {
      let expected = "missing, as the type is not number"
      throw .wrongValue(place(name), value.words, expected: expected)
    }
    guard let number = value.number, number.isFinite else {
      throw .wrongType(place(name), found: value.words, expected: "a number")
    }
    return number
  }

  private func example(of kind: Kind) throws(BundleFault) -> String? {
    guard let value = members["example"] else { return nil }
    let path = place("example")
    guard [.string, .list, .file].contains(kind) else {
      let expected = "missing, as the type is neither string, list nor file"
      throw .wrongValue(path, kind.rawValue, expected: expected)
    }
    let limit = SettingDeclaration.exampleLimit
    guard let text = value.string, !text.isEmpty, text.utf8.count <= limit,
      SettingDeclaration.isText(text)
    else {
      throw .wrongType(path, found: value.words, expected: "a text of at most \(limit) bytes")
    }
    return text
  }

  private func unit(of kind: Kind) throws(BundleFault) -> SafeText? {
    guard let value = members["unit"] else { return nil }
    let path = place("unit")
    guard kind == .number else {
      throw .wrongValue(path, kind.rawValue, expected: "missing, as the type is not number")
    }
    let limit = SettingDeclaration.unitLimit
    guard let text = value.string, !text.isEmpty, SettingDeclaration.isText(text),
      Glyph.glyphs(of: text).reduce(0, { $0 + $1.width }) <= limit
    else {
      throw .wrongType(path, found: value.words, expected: "a text of at most \(limit) columns")
    }
    return SafeText(text)
  }

  private func flag(_ name: String) throws(BundleFault) -> Bool {
    guard let value = members[name] else { return false }
    guard let flag = value.boolean else {
      throw .wrongType(place(name), found: value.words, expected: "true or false")
    }
    return flag
  }

  /// The default; the old form of property lists has numbers and truth values as strings.
  private func standard(
    of declaration: SettingDeclaration
  ) throws(BundleFault) -> WidgetConfiguration.Value? {
    guard let value = members["default"] else { return nil }
    let path = place("default")
    let read: WidgetConfiguration.Value? =
      switch declaration.kind {
      case .string, .choice, .file: value.string.map { .string($0) }
      case .number: value.number.map { .number($0) }
      case .boolean: value.boolean.map { .boolean($0) }
      case .list:
        value.array.flatMap { items in
          let texts = items.compactMap(\.string)
          return texts.count == items.count ? .list(texts) : nil
        }
      case .secret: nil
      }
    guard declaration.kind != .secret else {
      throw .wrongValue(path, "a secret", expected: "missing: a secret has no default")
    }
    // What one system names another need not know.
    guard let read, declaration.isOfKind(read) else {
      throw .wrongType(path, found: value.words, expected: declaration.expectation)
    }
    return read
  }
}

extension PropertyValue {
  /// The value for an error message about an array: how many values it has.
  fileprivate var count: String {
    array.map { "an array of \($0.count)" } ?? words
  }
}
