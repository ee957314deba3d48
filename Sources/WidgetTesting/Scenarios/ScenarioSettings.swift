import WidgetKitCore
import WidgetPlatform

/// Settings in a scenario, and where in its file each of them is.
nonisolated struct ScenarioSettings: Sendable {
  /// An object as in `widgets` of config.json.
  let json: String
  /// Where the object is: `Tests/counts.json:3:18`.
  private let place: String
  /// What it is called: `configuration`.
  private let name: String
  /// The places in the file of names and values, by those in the one line of ``json``: `7` is `Tests/counts.json:4:5`.
  private var places: [Int: String] = [:]

  /// Takes an object of a scenario.
  ///
  /// - Parameters:
  ///   - value: The object.
  ///   - path: Where it is.
  ///   - file: The name of the file in messages.
  ///   - outline: The places in the file.
  init(_ value: JSONTree, at path: MemberPath, in file: String, _ outline: JSON5Outline) {
    json = String(decoding: value.json, as: UTF8.self)
    name = "\(path)"
    place = outline[path].map { "\(file):\($0.value)" } ?? file
    guard let own = try? JSON5File(Array(json.utf8), path: name) else { return }
    note(value, (.top, path), own.outline, outline, file)
  }

  private mutating func note(
    _ value: JSONTree,
    _ paths: (own: MemberPath, file: MemberPath),
    _ own: JSON5Outline,
    _ outline: JSON5Outline,
    _ file: String
  ) {
    if let here = own[paths.own], let there = outline[paths.file] {
      places[here.value.column] = "\(file):\(there.value)"
      if let name = here.name, let found = there.name {
        places[name.column] = "\(file):\(found)"
      }
    }
    for member in value.members ?? [] {
      let inner = (paths.own.member(member.name), paths.file.member(member.name))
      note(member.value, inner, own, outline, file)
    }
    for (index, item) in (value.items ?? []).enumerated() {
      let inner = (paths.own.element(index), paths.file.element(index))
      note(item, inner, own, outline, file)
    }
  }

  /// What is wrong with the settings, at its place in the file of the scenario.
  ///
  /// - Parameter failure: `configuration:1:7: unti: there is no such setting`; any other is returned as it is.
  /// - Returns: `Tests/counts.json:4:5: configuration.unti: there is no such setting`.
  func located(_ failure: HarnessFailure) -> HarnessFailure {
    let parts = failure.description.split(separator: ":", maxSplits: 3)
    guard parts.count == 4, parts[0] == "configuration", let column = Int(parts[2]) else {
      return failure
    }
    let words = parts[3].drop { $0 == " " }
    return HarnessFailure(located: "\(places[column] ?? place): \(name).\(words)")
  }
}
