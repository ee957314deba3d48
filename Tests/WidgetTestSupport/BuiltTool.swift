package import FoundationEssentials

/// A program of this package that tests run, such as the fuzzer.
package enum BuiltTool {
  /// The path of the program `name`: beside the tests, or in the debug build.
  package static func path(_ name: String) -> String {
    let files = FileManager.default
    if let tests = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      let beside = URL(filePath: tests).deletingLastPathComponent().appending(path: name)
        .path(percentEncoded: false)
      if files.isExecutableFile(atPath: beside) { return beside }
    }
    return package.appending(path: ".build/debug/\(name)").path(percentEncoded: false)
  }

  /// The folder of the package.
  package static var package: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }
}
