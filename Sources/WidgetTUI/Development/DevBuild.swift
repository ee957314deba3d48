import FoundationEssentials
import WidgetHost

/// The script `build` beside a bundle, which makes its program.
struct DevBuild {
  /// The bundle whose program it makes.
  let bundle: String
  /// The script.
  let path: String

  /// The script of a bundle; nil if there is none, as for a widget that is a script.
  init?(bundle: String) {
    let folder = bundle.split(separator: "/").dropLast().joined(separator: "/")
    self.bundle = bundle
    path = "/\(folder)/build"
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
  }

  /// The folder with the sources.
  var folder: String { String(path.dropLast("/build".count)) }

  /// Runs it.
  ///
  /// - Parameter environment: The user's environment.
  /// - Returns: The lines about errors; empty if it has succeeded.
  func run(environment: [String: String]) async -> [String] {
    let output = "\(environment["TMPDIR"] ?? "/tmp")/today-build-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let isBuilt = await HostTool.run(
      "/bin/sh",
      ["-c", "exec \"$0\" debug >\"$1\" 2>&1", path, output],
      environment: environment
    )
    guard !isBuilt else { return [] }
    let text = UserFile.bytes(output, byteLimit: 16 << 20) ?? []
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    var seen: Set<String> = []
    // FILE:LINE:COLUMN: error: words, as compilers write it.
    let errors = lines.filter { $0.contains(": error:") && seen.insert($0).inserted }
    let shown = errors.map { line in
      line.hasPrefix(folder + "/") ? String(line.dropFirst(folder.count + 1)) : line
    }
    return shown.isEmpty ? Array(lines.suffix(5)) : shown
  }
}
