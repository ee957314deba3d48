import FoundationEssentials
import Glibc
import Testing

/// A folder for bundles that is removed after the test.
final class BundleOnDisk {
  let root: String

  init() throws {
    root = "/tmp/today-bundles-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  /// Writes a file, and the folders above it.
  func write(_ bytes: some Sequence<UInt8>, to path: String, mode: Int = 0o644) throws {
    let path = "\(root)/\(path)"
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    chmod(path, mode_t(mode))
  }

  func write(_ text: String, to path: String, mode: Int = 0o644) throws {
    try write(text.utf8, to: path, mode: mode)
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/\(path)",
      withDestinationPath: target
    )
  }

  /// Writes a whole widget; `changes` replaces lines of its Info.plist, and "" removes them.
  func widget(
    _ folder: String = "Clock.widget",
    changes: [String: String] = [:],
    script: String = "#!/bin/sh\n"
  ) throws {
    try write(Self.infoPlist(changes), to: "\(folder)/Info.plist")
    try write(script, to: "\(folder)/clock", mode: 0o755)
  }

  /// A good Info.plist in the old form, whose values can be replaced by key.
  static func infoPlist(_ changes: [String: String] = [:]) -> String {
    let point = "NSExtensionPointIdentifier = \"com.apple.widget-extension\";"
    var values = [
      "CFBundleIdentifier": "\"com.example.Clock\"",
      "CFBundleExecutable": "clock",
      "NSExtension": "{ \(point) NSExtensionPrincipalClass = Clock; }",
    ]
    values.merge(changes) { $1 }
    let lines = values.sorted { $0.key < $1.key }
      .filter { !$0.value.isEmpty }.map { "  \"\($0.key)\" = \($0.value);" }
    return "{\n\(lines.joined(separator: "\n"))\n}\n"
  }
}
