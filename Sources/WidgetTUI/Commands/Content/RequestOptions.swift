import ExtensionContent
import WidgetKitCore

/// The options of extensions that a user has given as `--option KEY=VALUE`.
struct RequestOptions {
  private(set) var values: [String: String] = [:]

  /// Reads the options; the last value of a name applies.
  ///
  /// - Throws: ``CommandError`` for the first that has no name.
  init(_ given: [String]) throws(CommandError) {
    for text in given {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw .usage("--option \(text): expected KEY=VALUE")
      }
      values[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
  }

  /// Sets an option that another argument stands for.
  mutating func set(_ name: String, _ value: String) { values[name] = value }

  /// Checks that the extensions have these options and accept the values.
  ///
  /// - Throws: ``CommandError`` for the first that is wrong.
  func check(with extensions: [ContentExtension]) throws(CommandError) {
    let known = Set(
      extensions.flatMap { target in
        // The options of a bundle are its settings.
        target.script?.options.map(\.name) ?? WidgetBundle(target.bundle).settings.map(\.name)
      }
    )
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      try check(name, value, known, extensions)
    }
  }

  private func check(
    _ name: String,
    _ value: String,
    _ known: Set<String>,
    _ extensions: [ContentExtension]
  ) throws(CommandError) {
    guard known.contains(name) else {
      let near = NearName.nearest(to: name, among: known.sorted()).map { "did you mean “\($0)”? " }
      let all =
        known.isEmpty ? "there are none" : "there are \(known.sorted().joined(separator: ", "))"
      let owner = extensions.count == 1 && extensions[0].shares ? "this extension" : "these actions"
      throw .usage("unknown option “\(name)” of \(owner); \(near ?? "")\(all)")
    }
    for option in extensions.flatMap({ $0.script?.options ?? [] }) where option.name == name {
      guard option.choices.isEmpty || option.choices.contains(value) else {
        throw .usage(
          "--option \(name)=\(value): expected \(option.choices.joined(separator: ", "))"
        )
      }
    }
  }
}
