import WidgetKitCore
import WidgetPlatform

/// A value of the file from which wrong parts are left out, so that the others apply.
///
/// A part is left out only where that does no harm: a card, a folder of scripts, a key, one word about a widget. What
/// would let a widget do more than the user has meant gets a value with which it does less.
nonisolated struct SettingPruning: Sendable {
  /// The part of a setting that is left out with something wrong in it.
  enum Part: Sendable {
    /// The whole setting.
    case whole
    /// The member or element of the setting itself: a key, a folder.
    case entry
    /// The innermost element of a list: a card, else its page.
    case element
    /// The wrong member alone.
    case member
  }

  private let setting: MemberPath
  private let part: Part
  private(set) var value: JSONTree
  /// The elements that are left of lists in which some were left out, by their places in the file.
  private var left: [MemberPath: [Int]] = [:]

  init(_ value: JSONTree, of setting: Setting) {
    self.value = value
    self.setting = setting.path
    part = setting.part
  }

  /// Where something is in the file that is at `path` of ``value``.
  func place(of path: MemberPath) -> MemberPath {
    path.steps.reduce(.top) { place, step in
      switch step {
      case .name(let name): return place.member(name)
      case .index(let index):
        let indices = left[place] ?? []
        return place.element(indices.indices.contains(index) ? indices[index] : index)
      }
    }
  }

  /// Leaves out the part with something wrong at `path`; false if that is the whole setting.
  mutating func leaveOut(_ path: MemberPath) -> Bool {
    let steps = path.steps.dropFirst(setting.steps.count)
    guard !steps.isEmpty, let count = count(Array(steps)) else { return false }
    let wrong = Array(steps.prefix(count))
    let stricter = Self.stricter(than: wrong)
    if stricter == nil, case .index(let index)? = wrong.last { note(index, count: count, in: path) }
    guard let pruned = Self.replacing(value, wrong[...], by: stricter) else { return false }
    value = pruned
    return true
  }

  /// How many steps below the setting lead to the part that is left out; nil for the whole.
  private func count(_ steps: [MemberPath.Step]) -> Int? {
    switch part {
    case .whole: nil
    case .entry: 1
    case .member: steps.count
    case .element:
      steps.lastIndex { if case .index = $0 { true } else { false } }.map { $0 + 1 }
    }
  }

  /// What applies in place of a wrong value that confines a widget; nil for others.
  private static func stricter(than steps: [MemberPath.Step]) -> JSONTree? {
    guard steps.count == 2, case .name(let name) = steps[1] else { return nil }
    return switch name {
    case "sandbox": .boolean(true)
    case "host": .string(RemoteDestination.unusable.description)
    default: nil
    }
  }

  private mutating func note(_ index: Int, count: Int, in path: MemberPath) {
    var list = path
    for _ in 0..<path.steps.count - setting.steps.count - count + 1 { list = list.parent ?? list }
    let place = place(of: list)
    var indices = left[place] ?? Array(0..<Self.count(of: list, in: value, below: setting))
    if indices.indices.contains(index) { indices.remove(at: index) }
    left[place] = indices
  }

  private static func count(
    of list: MemberPath,
    in value: JSONTree,
    below setting: MemberPath
  ) -> Int {
    var value = value
    for step in list.steps.dropFirst(setting.steps.count) {
      switch (value, step) {
      case (.object(let members), .name(let name)): value = members[name] ?? .null
      case (.array(let values), .index(let index)) where values.indices.contains(index):
        value = values[index]
      default: return 0
      }
    }
    if case .array(let values) = value { return values.count }
    return 0
  }

  /// The value with another one at the end of some steps, or without it; nil if there is none.
  private static func replacing(
    _ value: JSONTree,
    _ steps: ArraySlice<MemberPath.Step>,
    by other: JSONTree?
  ) -> JSONTree? {
    guard let step = steps.first else { return other }
    let rest = steps.dropFirst()
    switch (value, step) {
    case (.object(var members), .name(let name)):
      guard let member = members[name] else { return nil }
      members[name] = rest.isEmpty ? other : replacing(member, rest, by: other)
      return .object(members)
    case (.array(var values), .index(let index)) where values.indices.contains(index):
      if let inner = rest.isEmpty ? other : replacing(values[index], rest, by: other) {
        values[index] = inner
      } else {
        values.remove(at: index)
      }
      return .array(values)
    default: return nil
    }
  }
}
