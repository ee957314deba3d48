import Testing
import WidgetExtensions
import WidgetKitCore

@testable import EngineTestSupport

struct `A registry of schemes` {
  @Test
  func `gives a scheme to the first app that claims it and lists the others`() throws {
    let folder = try BundleFolder()
    try folder.app("A.app", "com.example.A", schemes: ["clown", "https"])
    try folder.app("B.app", "com.example.B", schemes: ["Clown", "bee"])
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [folder.path], environment: [:], executable: nil)
    )
    let registry = SchemeRegistry(apps: catalog.apps)

    #expect(registry.app(forScheme: "CLOWN")?.bundleIdentifier == "com.example.A")
    #expect(registry.app(forScheme: "bee")?.bundleIdentifier == "com.example.B")
    #expect(registry.app(forScheme: "https") == nil)
    #expect(registry.app(forScheme: "nobody") == nil)
    #expect(
      registry.conflicts.map(\.description) == [
        "\(folder.path)/A.app: no app can claim the URL scheme https",
        "\(folder.path)/B.app: the URL scheme clown is claimed by \(folder.path)/A.app too, "
          + "which opens it for all but this app's own widgets",
      ]
    )
  }

  @Test(arguments: [
    "today", "ssh", "http", "https", "file", "javascript", "data", "mailto", "TODAY",
  ])
  func `gives no app a reserved scheme, and reports it`(scheme: String) throws {
    let folder = try BundleFolder()
    try folder.app("A.app", "com.example.A", schemes: [scheme])
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [folder.path], environment: [:], executable: nil)
    )
    let registry = SchemeRegistry(apps: catalog.apps)
    #expect(registry.app(forScheme: scheme) == nil)
    #expect(
      registry.conflicts.map(\.description) == [
        "\(folder.path)/A.app: no app can claim the URL scheme \(scheme.lowercased())"
      ]
    )
  }

  @Test
  func `gives a scheme to the app that asks, if it claims it itself`() throws {
    let folder = try BundleFolder()
    // Made in another order than that of their names.
    for name in ["C", "A", "B"] {
      try folder.app("\(name).app", "com.example.\(name)", schemes: ["clown"])
    }
    try folder.app("D.app", "com.example.D", schemes: ["bee"])
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let apps = BundleCatalog.scan(paths).apps
    let registry = SchemeRegistry(apps: apps)

    func owner(for name: String?) -> String? {
      let caller = apps.first { $0.bundleIdentifier == name.map { "com.example.\($0)" } }
      return registry.app(forScheme: "clown", calledFrom: caller)?.bundleIdentifier
    }
    #expect(owner(for: nil) == "com.example.A")
    #expect(owner(for: "B") == "com.example.B")
    #expect(owner(for: "C") == "com.example.C")
    #expect(owner(for: "D") == "com.example.A")
    #expect(registry.conflicts.count == 2)
  }
}
