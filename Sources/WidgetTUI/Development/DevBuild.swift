import FoundationEssentials
import WidgetPlatform

/// The script `build` beside bundles, which makes their programs.
///
/// A class because it can be interrupted while it runs.
final class DevBuild {
  /// The bundles whose programs it makes.
  let bundles: [String]
  /// The script.
  let path: String
  /// Whether it has made the programs once.
  private(set) var hasSucceeded = false
  private var interruption: (() -> Void)?

  /// How often its output is looked at while it runs.
  private static let interval: Duration = .milliseconds(200)
  /// How much of its output is read.
  private static let byteLimit = 16 << 20

  private init(_ path: String, bundles: [String]) {
    self.path = path
    self.bundles = bundles
  }

  /// The scripts of some bundles, in their order; a widget that is a script has none.
  static func all(of bundles: [String]) -> [DevBuild] {
    var paths: [String] = []
    var built: [String: [String]] = [:]
    for bundle in bundles {
      let folder = bundle.split(separator: "/").dropLast().joined(separator: "/")
      let path = "/\(folder)/build"
      guard FileManager.default.isExecutableFile(atPath: path) else { continue }
      if built[path] == nil { paths.append(path) }
      built[path, default: []].append(bundle)
    }
    return paths.map { DevBuild($0, bundles: built[$0] ?? []) }
  }

  /// The folder with the sources.
  var folder: String { String(path.dropLast("/build".count)) }

  /// Runs it.
  ///
  /// - Parameters:
  ///   - environment: The user's environment.
  ///   - check: Returns what is wrong with the bundles that it should have completed; nil if nothing is.
  ///   - onProgress: Called with the last line of its output whenever there is another one.
  /// - Returns: The lines about errors; empty if it has succeeded.
  func run(
    environment: [String: String],
    check: ([String]) -> String?,
    onProgress: @escaping (String) -> Void
  ) async -> [String] {
    let output = "\(environment["TMPDIR"] ?? "/tmp")/today-build-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let look = Task {
      var last = ""
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.interval)
        guard let line = Self.lines(of: output).last, line != last else { continue }
        last = line
        if !Task.isCancelled { onProgress(line) }
      }
    }
    let isBuilt = await HostTool.run(
      "/bin/sh",
      ["-c", "exec \"$0\" debug >\"$1\" 2>&1", path, output],
      environment: environment,
      onStart: { interruption = $0 }
    )
    look.cancel()
    interruption = nil
    let errors =
      isBuilt ? check(bundles).map { [$0] } ?? [] : errors(in: Self.lines(of: output))
    hasSucceeded = hasSucceeded || errors.isEmpty
    return errors
  }

  /// Ends it, as Ctrl-C would.
  func interrupt() {
    interruption?()
  }

  // MARK: - Errors

  private static func lines(of output: String) -> [String] {
    String(decoding: UserFile.bytes(output, byteLimit: byteLimit) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private func errors(in lines: [String]) -> [String] {
    var seen: Set<String> = []
    // FILE:LINE:COLUMN: error: words, as compilers write it.
    let errors = lines.filter { $0.contains(": error:") && seen.insert($0).inserted }
    guard errors.isEmpty else {
      return errors.map { line in
        line.hasPrefix(folder + "/") ? String(line.dropFirst(folder.count + 1)) : line
      }
    }
    return lines.isEmpty ? ["\(path) failed without an error message"] : Array(lines.suffix(5))
  }
}
