import Foundation
import Testing
import WidgetTestSupport

/// The package that an installed program brings for extensions in Swift and their tests.
@Suite struct InstalledLibraryTests {
  @Test func `each target depends on what it depends on in the program`() throws {
    let installed = try dependencies(in: "Templates/library/Package.swift")
    let own = try dependencies(in: "Package.swift")
    #expect(installed["WidgetTesting"]?.contains("WidgetRequests") == true)
    for (target, names) in installed {
      #expect(own[target] == names, "\(target)")
      #expect(names.subtracting(installed.keys).isEmpty, "\(target)")
    }
  }

  /// The names in `dependencies` of each `.target`.
  private func dependencies(in file: String) throws -> [Substring: Set<Substring>] {
    let text = try String(contentsOf: BuiltTool.package.appending(path: file), encoding: .utf8)
    let target = /\.target\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/
    let targets = text.matches(of: target).map { match in
      let names = (match.2 ?? "").matches(of: /\w+/).map(\.output)
      return (match.1, Set(names))
    }
    return Dictionary(uniqueKeysWithValues: targets)
  }
}
