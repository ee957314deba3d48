import Testing
import WidgetHost
import WidgetKitCore

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
        "\(folder.path)/A.app: https belongs to the system; it stays there",
        "\(folder.path)/B.app: clown belongs to \(folder.path)/A.app; it stays there",
      ]
    )
  }

  @Test(arguments: [
    "today", "ssh", "http", "https", "file", "javascript", "data", "mailto", "TODAY",
  ])
  func `gives no app a scheme of the system's, and says so`(scheme: String) throws {
    let folder = try BundleFolder()
    try folder.app("A.app", "com.example.A", schemes: [scheme])
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [folder.path], environment: [:], executable: nil)
    )
    let registry = SchemeRegistry(apps: catalog.apps)
    #expect(registry.app(forScheme: scheme) == nil)
    #expect(
      registry.conflicts.map(\.description) == [
        "\(folder.path)/A.app: \(scheme.lowercased()) belongs to the system; it stays there"
      ]
    )
  }
}
