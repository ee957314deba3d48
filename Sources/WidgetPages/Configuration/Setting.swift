import WidgetKitCore
import WidgetPlatform

/// The declaration of one setting: its path, its kind, where it goes, and its documentation.
///
/// Reading, checking, the texts of errors and the table in Docs/Configuration.md come from it. Its
/// default is what ``Settings/init()`` has in its place.
nonisolated struct Setting: Sendable {
  /// When a new value takes effect in a dashboard that is running.
  enum Effect: String, Sendable {
    case atOnce = "at once"
    case nextStart = "at the next start"
  }

  /// Its path in the file: `limits.lineBytes`.
  let path: MemberPath
  let effect: Effect
  /// Its line of documentation, in Markdown.
  let meaning: String
  /// What it may be in short, for the table of the documentation.
  let range: String
  /// What is left out of it where something is wrong.
  let part: SettingPruning.Part
  /// Checks a value of the file and puts it in its place.
  let set: @Sendable (JSONTree, inout Settings) throws(SettingFault) -> Void
  /// Puts the value of other settings in its place.
  let copy: @Sendable (_ source: Settings, _ target: inout Settings) -> Void
  /// What applies where the file is wrong, in words and as a change; nil for the previous value.
  let whenWrong: (words: String, change: @Sendable (inout Settings) -> Void)?
  /// The value as it is written in the file.
  let text: @Sendable (Settings) -> String

  init<Value>(
    _ names: String,
    _ kind: SettingKind<Value>,
    _ place: any WritableKeyPath<Settings, Value> & Sendable,
    _ effect: Effect,
    _ meaning: String,
    whenWrong: Value? = nil,
    part: SettingPruning.Part = .whole
  ) {
    let path = MemberPath(names)
    self.path = path
    self.effect = effect
    self.meaning = meaning
    self.part = part
    range = kind.range
    set = { value, settings throws(SettingFault) in
      settings[keyPath: place] = try kind.value(value, path)
    }
    copy = { $1[keyPath: place] = $0[keyPath: place] }
    self.whenWrong = whenWrong.map { value in (kind.text(value), { $0[keyPath: place] = value }) }
    text = { kind.text($0[keyPath: place]) }
  }
}
