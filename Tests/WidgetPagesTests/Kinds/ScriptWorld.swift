import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// A page with the scripts of a user, and real processes.
final class ScriptWorld {
  let world: TestWorld
  /// The folder of scripts.
  let folder: String
  private(set) var center: WidgetCenter?

  /// Creates a world with scripts, by the names of their files; they are executable.
  init(_ scripts: [String: String] = [:]) throws {
    world = try TestWorld()
    folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in scripts { try add(name, text) }
  }

  /// Writes an executable script.
  func add(_ name: String, _ text: String) throws {
    try world.write(text, to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
  }

  var paths: SearchPaths { SearchPaths(environment: world.environment(), executable: nil) }

  /// The identifiers that are found, and the problems.
  var catalog: BundleCatalog { BundleCatalog.scan(paths) }

  /// Opens the page.
  func open(_ configure: (inout CenterConfiguration) -> Void = { _ in }) throws {
    var configuration = CenterConfiguration(
      environment: world.environment().merging(["TODAY_OWN": "mine", "MY_TOKEN": "secret"]) { $1 },
      executablePath: "\(world.path)/bin/today"
    )
    configure(&configuration)
    let center = try WidgetCenter(configuration)
    self.center = center
    center.screen.setWidth(40)
    center.start()
    center.screen.setVisible(Set(center.page.all.map(\.id)))
  }

  /// The card of a script.
  func card(_ name: String) throws -> Card {
    try #require(center?.page.all.first { $0.id.bundleIdentifier == "script.\(name)" })
  }

  /// The rows that a script's card shows.
  func rows(_ name: String) throws -> [String] {
    guard let view = try card(name).view, case .vstack(let stack) = view.content else { return [] }
    return stack.children.map { child in
      switch child.content {
      case .ansi(let content): content.spans.map(\.text.string).joined()
      case .text(let content): content.spans.map(\.text.string).joined()
      default: "?"
      }
    }
  }

  /// The words of what is wrong with a script's card; empty if nothing is.
  func trouble(_ name: String) throws -> String { try card(name).message?.string ?? "" }

  /// Ends the page, and checks that no process is left.
  func end() async {
    var isDone = false
    center?.shutdown { isDone = true }
    await eventually("the end") { isDone }
    #expect(world.processesLeft().isEmpty)
  }
}
