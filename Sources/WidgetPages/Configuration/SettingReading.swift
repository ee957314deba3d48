import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// One pass over the values of a file: what they set, and what is wrong with them.
nonisolated struct SettingReading {
  /// The settings: those of the file, the previous ones where the file is wrong, else the defaults.
  private(set) var settings = Settings()

  /// Whether nothing can be used of what the file says about widgets, which may confine them.
  private(set) var areWidgetsUnread = false

  private let outline: JSON5Outline
  /// The members that are given more than once, in their order.
  private let repeated: [MemberPath]
  private let previous: Settings
  /// The names that keys can be bound to; nil if they are not checked.
  private let commands: [String]?
  private var found: [Finding] = []

  /// How many wrong parts of a setting, or of the object for one widget, are left out, before all of it is.
  private static let faultLimit = 100
  /// How many problems are put into words.
  private static let problemLimit = 20

  /// Something that is wrong, and where.
  private struct Finding {
    var path: MemberPath
    var place: JSON5Outline.Place
    var fault: Fault
  }

  private enum Fault {
    case unknown
    case repeated
    case badName(expectation: String)
    case badValue(expectation: String)

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// Whether the name of the member is wrong rather than its value.
    var isOfName: Bool { if case .badValue = self { false } else { true } }
  }

  /// Starts with the defaults; `previous` is what stays in force where the file is wrong.
  init(_ outline: JSON5Outline, keeping previous: Settings, commands: [String]?) {
    self.outline = outline
    self.commands = commands
    repeated = outline.repeated
    self.previous = previous
  }

  /// What is wrong, in the order of the file: `4:12: theme: expected …`; of many, the first ones and
  /// how many more there are.
  ///
  /// - Parameter strictWords: What follows if nothing of `widgets` can be used.
  /// - Returns: The problems in words.
  func problems(withoutWidgets strictWords: String) -> [String] {
    let sorted = found.sorted {
      ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
    }
    let rest = sorted.dropFirst(Self.problemLimit)
    return sorted.prefix(Self.problemLimit).map { finding in
      let path = "\(finding.path)"
      return "\(finding.place): \(path.isEmpty ? "" : "\(path): ")\(words(finding))"
        + (finding.path == FileSettings.path && areWidgetsUnread ? strictWords : "")
    } + (rest.first.map { ["\($0.place): \(rest.count) more problems from here on"] } ?? [])
  }

  /// Reads the value of the whole file.
  mutating func read(_ value: JSONTree) {
    read(value, at: .top)
    for path in repeated where isKnown(path) && !isPart(path) {
      report(.repeated, at: path)
      keep(path)
    }
    // Last, as the setting itself may be there too.
    for finding in found where finding.fault.isUnknown {
      Self.meant(by: finding.path)?.whenWrong?.change(&settings)
    }
  }

  /// The setting that an unknown name was probably meant to be.
  private static func meant(by path: MemberPath) -> Setting? {
    SettingNames.nearest(to: path).flatMap { SettingTable.byPath[$0] }
  }

  private mutating func read(_ value: JSONTree, at path: MemberPath) {
    if let setting = SettingTable.byPath[path] {
      read(value, setting)
    } else if !SettingTable.groups.contains(path) {
      report(.unknown, at: path)
    } else if case .object(let members) = value {
      for member in members { read(member.value, at: path.member(member.name)) }
    } else {
      report(.badValue(expectation: "an object"), at: path)
      keep(path)
    }
  }

  /// Reads a setting: without what is wrong in it, unless there are previous values, which then apply as a whole.
  private mutating func read(_ value: JSONTree, _ setting: Setting) {
    let problemCount = found.count
    guard let rest = usable(value, setting) else { return keep(setting.path) }
    let isFirst = setting.text(previous) == setting.text(Settings())
    guard found.count == problemCount || isFirst, (try? setting.set(rest, &settings)) != nil
    else { return keep(setting.path) }
  }

  /// What is left of a value without what is wrong in it, which is reported; nil if nothing of it can be used.
  private mutating func usable(_ value: JSONTree, _ setting: Setting) -> JSONTree? {
    var rest = SettingPruning(value, of: setting)
    // From the last one, so that the places of the others stay what they are.
    for path in repeated.reversed() where path.isBelow(setting.path) && isPart(path) {
      report(.repeated, at: path)
      guard rest.leaveOut(path) else { return nil }
    }
    guard setting.part == .member, case .object(let members) = rest.value else {
      return accepted(rest, setting)
    }
    // Each member by itself, so that however much is wrong in one, what confines the widgets of the others applies.
    var usable: [JSONTree.Member] = []
    for member in members {
      let alone = SettingPruning(.object([member]), of: setting)
      guard case .object(let part)? = accepted(alone, setting) else { return nil }
      usable += part
    }
    return .object(usable)
  }

  /// What a setting accepts of a value, without the parts that it refuses, up to a limit; nil if nothing.
  private mutating func accepted(_ pruning: SettingPruning, _ setting: Setting) -> JSONTree? {
    var rest = pruning
    var unused = Settings()
    for _ in 0..<Self.faultLimit {
      do throws(SettingFault) {
        try setting.set(rest.value, &unused)
        if let commands, setting.path == ScreenTable.keysPath {
          try KeyBinding.check(unused.screen.keys, against: commands, at: setting.path)
        }
        return rest.value
      } catch {
        let words = error.expectation
        report(
          error.isOfName ? .badName(expectation: words) : .badValue(expectation: words),
          at: rest.place(of: error.path)
        )
        let before = rest.value
        guard rest.leaveOut(error.path), rest.value != before else { return nil }
      }
    }
    return nil
  }

  /// Whether a path is below a setting of which a wrong part is left out.
  private func isPart(_ path: MemberPath) -> Bool {
    SettingTable.all.contains { $0.part != .whole && path.isBelow($0.path) }
  }

  /// Keeps the previous value of a setting, unless it has another one then, or of all settings in a group.
  private mutating func keep(_ path: MemberPath) {
    if path == FileSettings.path { areWidgetsUnread = true }
    for setting in SettingTable.all
    where setting.path == path || setting.path.isBelow(path) || path.isBelow(setting.path) {
      if setting.path == path, let change = setting.whenWrong?.change {
        change(&settings)
      } else {
        setting.copy(previous, &settings)
      }
    }
  }

  private func isKnown(_ path: MemberPath) -> Bool {
    SettingTable.groups.contains(path)
      || SettingTable.byPath[path] != nil || SettingTable.all.contains { path.isBelow($0.path) }
  }

  private func words(_ finding: Finding) -> String {
    switch finding.fault {
    case .unknown:
      let nearest = SettingNames.nearest(to: finding.path)
      let held = Self.meant(by: finding.path)?.whenWrong.map { " Until then \($0.words) applies" }
      return "unknown setting; "
        + (nearest.map { "did you mean “\($0)”?" } ?? "see Docs/Configuration.md") + (held ?? "")
    case .repeated: return "given twice; remove one of them"
    case .badName(let expectation): return "expected \(expectation)"
    case .badValue(let expectation):
      return "expected \(expectation)"
        + (outline[finding.path].map { ", found \($0.words)" } ?? "")
        + (SettingTable.byPath[finding.path]?.whenWrong.map { "; \($0.words) applies" } ?? "")
    }
  }

  /// Notes what is wrong at a path, with the place of the value or of its name.
  private mutating func report(_ fault: Fault, at path: MemberPath) {
    var known = path
    // A name with escape sequences is not in the outline; what it is in is.
    while outline[known] == nil, let parent = known.parent { known = parent }
    let entry = outline[known]
    let place = fault.isOfName ? entry?.name ?? entry?.value : entry?.value
    found.append(
      Finding(path: path, place: place ?? JSON5Outline.Place(line: 1, column: 1), fault: fault)
    )
  }
}
