import FoundationEssentials

/// A value of the user's file, as Foundation decodes it.
package nonisolated enum SettingValue: Codable, Hashable, Sendable {
  case group([String: SettingValue])
  case list([SettingValue])
  case number(Double)
  case truth(Bool)
  case text(String)
  /// `null`, or a number that a `Double` cannot hold.
  case other

  package init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var group: [String: SettingValue] = [:]
      for name in members.allKeys {
        group[name.stringValue] = try members.decode(SettingValue.self, forKey: name)
      }
      self = .group(group)
    } else if var elements = try? decoder.unkeyedContainer() {
      var list: [SettingValue] = []
      while !elements.isAtEnd { list.append(try elements.decode(SettingValue.self)) }
      self = .list(list)
    } else if let value = try? decoder.singleValueContainer() {
      if let truth = try? value.decode(Bool.self) {
        self = .truth(truth)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    } else {
      self = .other
    }
  }

  package func encode(to encoder: any Encoder) throws {
    if case .group(let members) = self {
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .list(let values): try container.encode(values)
    case .number(let number): try container.encode(number)
    case .truth(let truth): try container.encode(truth)
    case .text(let text): try container.encode(text)
    case .group, .other: try container.encodeNil()
    }
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

nonisolated extension SettingValue {
  /// The value at a path below this one; nil if there is none.
  package subscript(path: MemberPath) -> SettingValue? {
    var value = self
    for step in path.steps {
      switch (step, value) {
      case (.name(let name), .group(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.index(let index), .list(let values)) where values.indices.contains(index):
        value = values[index]
      default: return nil
      }
    }
    return value
  }
}
