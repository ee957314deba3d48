import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// What was permitted once, as other programs see it.
@Suite struct OnceGrantTests {
  private let world: TestWorld
  private let folders: StateFolders
  private let id = ExtensionIdentity("com.example.A")
  private let network = EntitlementRequest(.network)

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  private func widgets(_ request: EntitlementRequest? = nil) -> [String] {
    OnceGrants.widgets(with: request ?? network, of: "com.example.A", in: folders)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folders.once)) ?? [])
      .filter { $0.hasSuffix(".once") }
  }

  @Test func `what is granted once is seen by other programs, until it is forgotten`() throws {
    #expect(widgets() == [])
    let grants = OnceGrants(folders)
    let travel = ExtensionIdentity("com.example.A", instance: InstanceName(rawValue: "travel"))
    let sockets = EntitlementRequest(.sockets, items: ["/run/a"])
    grants.grant([network], to: travel)
    grants.grant([network, sockets], to: id)
    grants.grant([network], to: ExtensionIdentity("com.example.B"))
    #expect(widgets() == ["com.example.A", "com.example.A:travel"])
    #expect(widgets(sockets) == ["com.example.A"])
    #expect(widgets(EntitlementRequest(.sockets, items: ["/run/b"])) == [])
    grants.forget(id)
    #expect(grants[id] == nil)
    #expect(widgets() == ["com.example.A:travel"])
    #expect(files.count == 2)
  }

  @Test func `what a program has granted once ends with it`() {
    var grants: [OnceGrants] = [OnceGrants(folders), OnceGrants(folders)]
    for grant in grants { grant.grant([network], to: id) }
    #expect(files.count == 2)
    grants.removeLast()
    #expect(widgets() == ["com.example.A"])
    #expect(files.count == 1)
    grants.removeLast()
    #expect(widgets() == [])
    #expect(files == [])
  }

  @Test func `files that are no grants, or of other widgets, count for nothing`() throws {
    let grants = OnceGrants(folders)
    grants.grant([network], to: ExtensionIdentity("com.example.B"))
    let name = try #require(files.first)
    let key = name.prefix { $0 != "-" }
    for (index, text) in ["", "{}", "[", #"{"identity": ":", "granted": {}}"#].enumerated() {
      try world.write(text, to: "\(folders.once)/\(key)-\(index).once")
    }
    #expect(widgets() == [])
    #expect(files.count == 5)
  }
}
