import WidgetKitCore
import WidgetPlatform

/// Reads `sources`.
nonisolated enum ScriptSourceReading {
  private static var expectation: String {
    "a folder such as ~/bin/status, or { path: \"~/bin/status\", interval: \"1m\" }"
  }

  /// A list of folders, each a text or an object with its path and what is said about its scripts.
  static var kind: SettingKind<[ScriptSource]> {
    let limit = 100
    return SettingKind(
      expectation: "a list of at most \(limit) folders",
      range: "a list of texts or objects",
      text: { "[" + $0.map { "\"\($0.folder)\"" }.joined(separator: ", ") + "]" },
      value: { value, path throws(SettingFault) in
        guard case .array(let values) = value, values.count <= limit else {
          throw SettingFault(path: path, expectation: "a list of at most \(limit) folders")
        }
        var sources: [ScriptSource] = []
        for (index, value) in values.enumerated() {
          sources.append(try source(value, at: path.element(index)))
        }
        return sources
      }
    )
  }

  private static func source(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> ScriptSource {
    switch value {
    case .string(let text):
      guard isFolder(text) else { throw SettingFault(path: path, expectation: expectation) }
      return ScriptSource(folder: text)
    case .object(let members):
      // The second is what others call it.
      let key = members["path"] == nil && members["folder"] != nil ? "folder" : "path"
      guard case .string(let folder)? = members[key], isFolder(folder) else {
        throw SettingFault(
          path: members[key] == nil ? path : path.member(key),
          expectation: "a path that begins with / or ~/ as the member “path”"
        )
      }
      for name in members.map(\.name).sorted() where name != key && !ScriptOptions.isName(name) {
        throw SettingFault(
          path: path.member(name),
          expectation: "path, or a name of a script's line",
          isOfName: true
        )
      }
      return ScriptSource(
        folder: folder,
        options: try ScriptOptions.reading(members, at: path) ?? ScriptOptions()
      )
    default: throw SettingFault(path: path, expectation: expectation)
    }
  }

  private static func isFolder(_ text: String) -> Bool {
    (text.hasPrefix("/") || text.hasPrefix("~/")) && text.utf8.count <= 4_096
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

nonisolated extension ScriptOptions {
  /// Reads the members that have names of options; nil if there are none.
  static func reading(
    _ members: [JSONTree.Member],
    at path: MemberPath
  ) throws(SettingFault) -> ScriptOptions? {
    var options = ScriptOptions()
    for member in members.byName where isName(member.name) {
      let name = member.name
      let text: String? =
        switch member.value {
        case .string(let text): text
        case .boolean(let flag): "\(flag)"
        case .number(let number):
          // Times are seconds where they are numbers.
          (Int64(exactly: number).map { "\($0)" } ?? "\(number)")
            + (["interval", "timeout"].contains(name) ? "s" : "")
        case .object, .array, .null, .wholeNumber: nil
        }
      let expected =
        text == nil ? "a text, a number, true or false" : text.flatMap { options.set(name, $0) }
      if let expected { throw SettingFault(path: path.member(name), expectation: expected) }
    }
    return options == ScriptOptions() ? nil : options
  }
}
