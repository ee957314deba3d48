extension SettingDeclaration {
  /// Reads `TodaySettings`; `path` is its place in the manifest.
  static func all(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> [SettingDeclaration] {
    guard let value else { return [] }
    guard let items = value.array, items.count <= countLimit else {
      throw .wrongType(path, found: value.count, expected: "an array of at most \(countLimit)")
    }
    var declarations: [SettingDeclaration] = []
    for (index, item) in items.enumerated() {
      let declaration = try SettingDeclaration(item, at: "\(path)[\(index)]")
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
    let name = try Self.name(members["name"], at: "\(path).name")
    let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let type = members["type"] else {
      throw .missing("\(path).type", expected: "one of \(kinds)")
    }
    guard let kind = type.string.flatMap(Kind.init(rawValue:)) else {
      throw .wrongValue("\(path).type", type.words, expected: "one of \(kinds)")
    }
    self.init(
      name: name,
      title: try Self.title(members["title"], at: "\(path).title"),
      kind: kind,
      choices: try Self.choices(members["choices"], of: kind, at: "\(path).choices"),
      format: try Self.format(members["format"], of: kind, at: "\(path).format"),
      range: try Self.range(members, of: kind, at: path),
      isRequired: try Self.flag(members["required"], at: "\(path).required")
    )
    defaultValue = try standard(members["default"], at: "\(path).default")
  }

  private static func name(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> String {
    let expected = "a letter, then at most 63 letters, digits, - and _"
    guard let value else { throw .missing(path, expected: expected) }
    let isFirst = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    let isOther = { (byte: UInt8) in
      isFirst(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard let name = value.string, name.utf8.first.map(isFirst) == true, name.utf8.count <= 64,
      name.utf8.allSatisfy(isOther)
    else { throw .wrongValue(path, value.words, expected: expected) }
    guard !reservedNames.contains(name) else {
      throw .wrongValue(path, name, expected: "another name; config.json has this one for today")
    }
    return name
  }

  private static func title(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> SafeText? {
    guard let value else { return nil }
    guard let string = value.string else {
      throw .wrongType(path, found: value.words, expected: "a string")
    }
    let title = SafeText(name: string, orIfInvisible: "")
    return title.isEmpty ? nil : title
  }

  private static func choices(
    _ value: PropertyValue?,
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> [String] {
    guard kind == .choice else {
      guard value == nil else {
        throw .wrongValue(path, kind.rawValue, expected: "missing, as the type is not choice")
      }
      return []
    }
    let expected = "an array of 1 to \(listLimit) different texts"
    guard let value else { throw .missing(path, expected: expected) }
    let texts = value.array?.map(\.string)
    guard let texts, 1...listLimit ~= texts.count, !texts.contains(nil),
      Set(texts).count == texts.count, texts.allSatisfy({ $0.map(isText) == true })
    else { throw .wrongType(path, found: value.count, expected: expected) }
    return texts.compactMap(\.self)
  }

  private static func format(
    _ value: PropertyValue?,
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> Format? {
    guard let value else { return nil }
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

  private static func range(
    _ members: [String: PropertyValue],
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> ClosedRange<Double> {
    let low = try bound("minimum", members, of: kind, at: path) ?? unlimited.lowerBound
    let high = try bound("maximum", members, of: kind, at: path) ?? unlimited.upperBound
    guard low <= high else {
      throw .wrongValue(
        "\(path).minimum",
        words(low),
        expected: "at most the maximum, \(words(high))"
      )
    }
    return low...high
  }

  private static func bound(
    _ name: String,
    _ members: [String: PropertyValue],
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> Double? {
    guard let value = members[name] else { return nil }
    guard kind == .number else {
      throw .wrongValue(
        "\(path).\(name)",
        value.words,
        expected: "missing, as the type is not number"
      )
    }
    guard let number = value.number, number.isFinite else {
      throw .wrongType("\(path).\(name)", found: value.words, expected: "a number")
    }
    return number
  }

  private static func flag(_ value: PropertyValue?, at path: String) throws(BundleFault) -> Bool {
    guard let value else { return false }
    guard let flag = value.boolean else {
      throw .wrongType(path, found: value.words, expected: "true or false")
    }
    return flag
  }

  /// The default; the old form of property lists has numbers and truth values as strings.
  private func standard(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> WidgetConfiguration.Value? {
    guard let value else { return nil }
    let read: WidgetConfiguration.Value? =
      switch kind {
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
    guard kind != .secret else {
      throw .wrongValue(path, "a secret", expected: "missing: a secret has no default")
    }
    // What one system names another need not know.
    guard let read, isOfKind(read) else {
      throw .wrongType(path, found: value.words, expected: expectation)
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
