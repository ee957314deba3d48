internal import FoundationEssentials
internal import Glibc

/// A temporary home of its own for a program under test, with widgets in it.
///
/// It is a class because it owns a folder: `deinit` ends what still runs from it and removes it.
package final class TestWorld {
  /// The folder, without symbolic links, as /proc shows it.
  package let path: String

  /// Makes a world with copies of the fixture widgets of these names (`Good`, `Crashing`, …).
  package init(fixtures: [String] = []) throws {
    // As the program itself does: a write to a widget that is gone must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let folder = parent.appending(path: "today-test-\(UUID().uuidString.prefix(13))")
    path = folder.path(percentEncoded: false)
    for name in ["home", "config", "state", "cache", "data", "run", "widgets"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)",
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    for name in fixtures { try add(fixture: name) }
  }

  deinit {
    ProcessList.killAll(naming: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The folder to give to `--widgets`.
  package var widgets: String { "\(path)/widgets" }

  /// Where the fixture widgets are in the repository.
  package static var fixtures: String {
    let support = URL(filePath: #filePath).deletingLastPathComponent()
    return support.deletingLastPathComponent().appending(path: "Fixtures")
      .path(percentEncoded: false)
  }

  /// Copies a fixture widget in; returns its bundle's path.
  @discardableResult
  package func add(fixture name: String, below folder: String? = nil) throws -> String {
    let bundle = "\(folder ?? widgets)/\(name).widget"
    try Self.copy("\(Self.fixtures)/\(name).widget", to: bundle)
    return bundle
  }

  /// Copies a folder's files with their permissions.
  ///
  /// `copyItem` would keep their owner too, so that a checkout of root's could be tested by root
  /// alone, and the program would refuse another user's.
  private static func copy(_ folder: String, to copy: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: folder) {
      let attributes = try files.attributesOfItem(atPath: "\(folder)/\(name)")
      if attributes[.type] as? FileAttributeType == .typeDirectory {
        try Self.copy("\(folder)/\(name)", to: "\(copy)/\(name)")
      } else {
        let content = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        try ProgramStarts.whileAlone { try content.write(to: URL(filePath: "\(copy)/\(name)")) }
        let mode = attributes[.posixPermissions] as? Int ?? 0o755
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(copy)/\(name)")
      }
    }
  }

  /// Writes a small text file.
  package func write(_ text: String, to path: String) throws {
    try ProgramStarts.whileAlone { try Data(text.utf8).write(to: URL(filePath: path)) }
  }

  /// Writes a script of the user, for `/bin/sh`.
  package func script(_ name: String, _ text: String) throws {
    let scripts = "\(path)/config/today/scripts"
    let files = FileManager.default
    try files.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    try write("#!/bin/sh\n\(text)\n", to: "\(scripts)/\(name)")
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(scripts)/\(name)")
  }

  /// The path of config.json.
  package var configurationPath: String { "\(path)/config/today/config.json" }

  /// Saves config.json, or another file beside it, as an editor does: written under another name, and
  /// renamed.
  package func saveConfiguration(_ text: String, as name: String = "config.json") throws {
    let path = "\(path)/config/today/\(name)"
    try FileManager.default.createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
      withIntermediateDirectories: true
    )
    try write(text, to: path + "~")
    guard unsafe rename(path + "~", path) == 0 else {
      throw SystemCallFailure(call: "rename", code: errno)
    }
  }

  /// What the program gets as its environment: everything that it may write is in this world.
  ///
  /// Locale, zone and `TERM` are those of the seed of the run. A `term` of nil leaves `TERM` out.
  package func environment(
    term: String? = TestSurroundings.current.term
  ) -> [String: String] {
    var variables = [
      "HOME": "\(path)/home",
      "PATH": "/usr/local/bin:/usr/bin:/bin",
      "LANG": TestSurroundings.current.locale,
      "TZ": TestSurroundings.current.zone,
      "XDG_CONFIG_HOME": "\(path)/config",
      "XDG_STATE_HOME": "\(path)/state",
      "XDG_CACHE_HOME": "\(path)/cache",
      "XDG_DATA_HOME": "\(path)/data",
      "XDG_RUNTIME_DIR": "\(path)/run",
    ]
    variables["TERM"] = term
    return variables
  }

  /// The processes of this world that are left when all have had time to end.
  package func processesLeft() -> [ProcessList.Entry] {
    ProcessList.waitUntilGone(naming: path)
  }
}
