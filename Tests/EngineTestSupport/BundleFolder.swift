import FoundationEssentials
import Glibc

/// A folder of bundles that is removed after the test.
final class BundleFolder {
  nonisolated let path: String

  /// Creates the folder below `base`, an absolute path.
  init(below base: String = "/tmp") throws {
    path = "\(base)/today-discovery-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  isolated deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a widget at `folder`, a good one where `executable` is the file's name.
  func widget(
    _ folder: String,
    _ identifier: String,
    executable: String = "run",
    attributes: String = "",
    name: String? = nil,
    point: String = "com.apple.widget-extension"
  ) throws {
    let shown = name.map { "CFBundleDisplayName = \"\($0)\"; " } ?? ""
    let point = "NSExtensionPointIdentifier = \"\(point)\";"
    try write(
      folder,
      identifier,
      executable: executable,
      more: shown + "NSExtension = { \(point) NSExtensionPrincipalClass = Main; "
        + "NSExtensionAttributes = { \(attributes) }; };"
    )
  }

  /// Writes an app at `folder` that claims `schemes`.
  func app(
    _ folder: String,
    _ identifier: String,
    schemes: [String] = [],
    more: String = ""
  ) throws {
    let list = schemes.joined(separator: ", ")
    try write(
      folder,
      identifier,
      more: "CFBundleURLTypes = ({ CFBundleURLSchemes = (\(list)); }); \(more)"
    )
  }

  private func write(
    _ folder: String,
    _ identifier: String,
    executable: String = "run",
    more: String
  ) throws {
    let folder = "\(path)/\(folder)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let list = """
      { CFBundleIdentifier = "\(identifier)"; CFBundleExecutable = "\(executable)"; \(more) }
      """
    try Data(list.utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(folder)/run"))
    chmod("\(folder)/run", 0o755)
  }
}
