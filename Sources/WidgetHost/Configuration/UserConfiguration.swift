import FoundationEssentials
public import WidgetKitCore

/// What the user has set: `$XDG_CONFIG_HOME/today/config.json`, JSON5, never written by the program.
///
/// What is unknown, of another type or out of its range is named and passed over; the rest counts.
public nonisolated struct UserConfiguration {
  /// Sentences about what was passed over, each with the file, line, column and key.
  public private(set) var problems: [SafeText] = []

  private var numbers: [(setting: Setting, value: Double)] = []
  private var outline: JSON5Outline?
  private static let byteLimit = 256 * 1024

  /// Reads the user's file; none is as good as an empty one.
  public init(environment: [String: String]) {
    let path = Self.path(environment)
    switch UserFile.contents(path, byteLimit: Self.byteLimit) {
    case .absent: break
    case .odd(let reason): problems.append(SafeText("\(path) cannot be read: \(reason)"))
    case .whole(let bytes): read(bytes, path)
    }
  }

  /// Reads bytes as the user's file.
  package init(bytes: [UInt8], path: String) {
    read(bytes, path)
  }

  /// Sets what the user has set.
  public func apply(to configuration: inout CenterConfiguration) {
    for number in numbers { number.setting.set(number.value, &configuration) }
    configuration.problems += problems
  }

  /// Where the file is.
  static func path(_ environment: [String: String]) -> String {
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? "\(environment["HOME"] ?? "/")/.config") + "/today/config.json"
  }

  private mutating func read(_ bytes: [UInt8], _ path: String) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      problems.append(SafeText("\(path) is not UTF-8; the file is ignored"))
      return
    }
    do throws(JSON5Outline.Failure) {
      outline = try JSON5Outline(text)
    } catch {
      problems.append(SafeText("\(path):\(error.place): \(error.reason); the file is ignored"))
      return
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      take(try decoder.decode(SettingValue.self, from: Data(bytes)), "", path)
    } catch {
      problems.append(
        SafeText("\(path) is not JSON5; the file is ignored: \(Self.words(error))")
      )
    }
  }

  private mutating func take(_ value: SettingValue, _ key: String, _ path: String) {
    if case .group(let members) = value {
      if !key.isEmpty, !Setting.isGroup(key) {
        complain(path, key, Setting.isKnown(key) ? "expected one value, found an object" : nil)
        return
      }
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        take(member, key.isEmpty ? name : "\(key).\(name)", path)
      }
      return
    }
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      complain(path, key, nil)
      return
    }
    guard let number = setting.number(of: value) else {
      complain(path, key, "expected \(setting.expectation), found \(value.words)")
      return
    }
    numbers.append((setting, number))
  }

  private mutating func complain(_ path: String, _ key: String, _ words: String?) {
    let place = outline?.members[key].map { ":\($0)" } ?? ""
    let what = key.isEmpty ? "expected an object" : key
    problems.append(
      SafeText("\(path)\(place): \(what): \(words ?? "unknown setting; see Docs/Configuration.md")")
    )
  }

  private static func words(_ error: any Error) -> String {
    if case DecodingError.dataCorrupted(let context) = error {
      return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    }
    return "\(error)"
  }
}

/// A value of the user's file.
nonisolated enum SettingValue: Decodable {
  case group([String: SettingValue])
  case number(Double)
  case truth(Bool)
  case other(String)

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var group: [String: SettingValue] = [:]
      for name in members.allKeys {
        group[name.stringValue] = try members.decode(SettingValue.self, forKey: name)
      }
      self = .group(group)
      return
    }
    guard let value = try? decoder.singleValueContainer() else {
      self = .other("a list")
      return
    }
    if let truth = try? value.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .other("“\(text.prefix(40))”")
    } else {
      self = .other(value.decodeNil() ? "null" : "a list")
    }
  }

  /// What it is, in words.
  var words: String {
    switch self {
    case .group: "an object"
    case .number(let number): "\(number)"
    case .truth(let truth): "\(truth)"
    case .other(let words): words
    }
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
