import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions

@Suite struct PermissionTests {
  private let network = EntitlementRequest(.network)
  private let documents = EntitlementRequest(.homeFiles, items: ["Documents"])

  private func bundle(in world: TestWorld, _ entitlements: String) throws -> WidgetBundle {
    let path = try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    try world.write(entitlements, to: "\(path)/Entitlements.plist")
    return try WidgetBundle(path: path)
  }

  private let asking = #"""
    { "com.apple.security.network.client" = YES;
      "com.apple.security.files.home-relative-path.read-only" = (Documents); }
    """#

  @Test func `what a bundle may do depends on where it comes from`() throws {
    let world = try TestWorld()
    let bundle = try bundle(in: world, asking)
    var record = PermissionRecord()
    func states(_ origin: BundleOrigin) -> [Permission.State] {
      Permission.all(of: bundle, from: origin, record).map(\.state)
    }
    #expect(states(.named) == [.granted, .granted])
    #expect(states(.bundled) == [.granted, .granted])
    #expect(states(.installed) == [.open, .open])
    record.grant(network)
    record.refuse(documents)
    #expect(states(.named) == [.granted, .granted])
    #expect(states(.bundled) == [.granted, .refused])
    #expect(states(.installed) == [.granted, .refused])
  }

  @Test func `a request for more asks again, and one for less does not`() {
    var record = PermissionRecord()
    record.grant(EntitlementRequest(.homeFiles, items: ["a", "b"]))
    #expect(record.grants(EntitlementRequest(.homeFiles, items: ["b"])))
    #expect(!record.grants(EntitlementRequest(.homeFiles, items: ["a", "c"])))
    #expect(!record.refuses(EntitlementRequest(.homeFiles, items: ["a", "c"])))
    #expect(!record.grants(network))
  }

  @Test func `permissions are stored for the user alone, and can be withdrawn`() throws {
    let world = try TestWorld()
    let bundle = try bundle(in: world, asking)
    let paths = SearchPaths(environment: world.environment(), executable: nil)
    let book = PermissionBook(paths, environment: world.environment())
    #expect(book.permissions(of: bundle).map(\.state) == [.open, .open])
    #expect(!book.isTrusted(bundle))
    try book.set(true, [network, documents], of: bundle)
    try book.setTrusted(true, bundle)
    let another = PermissionBook(paths, environment: world.environment())
    #expect(another.permissions(of: bundle).map(\.state) == [.granted, .granted])
    #expect(another.isTrusted(bundle))
    let folder = "\(world.path)/state/today/permissions"
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".permissions") }
    )
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try another.set(false, [network], of: bundle)
    #expect(book.permissions(of: bundle).map(\.state) == [.refused, .granted])
  }

  @Test(arguments: [
    "", "{", "[]", "{\"granted\":7}", "{\"granted\":{\"com.apple.security.network.client\":1e300}}",
    "link", "folder",
  ])
  func `a file that cannot be used permits nothing`(text: String) throws {
    let world = try TestWorld()
    let bundle = try bundle(in: world, asking)
    let book = PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
    try book.set(true, [network], of: bundle)
    let folder = "\(world.path)/state/today/permissions"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".permissions") }
    )
    let path = "\(folder)/\(name)"
    let content = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    switch text {
    case "link":
      try content.write(to: URL(filePath: "\(world.path)/home/permissions"))
      try FileManager.default.createSymbolicLink(
        atPath: path,
        withDestinationPath: "\(world.path)/home/permissions"
      )
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    default: try world.write(text, to: path)
    }
    #expect(book.permissions(of: bundle).map(\.state) == [.open, .open])
  }

  @Test func `an answer about a scheme is kept with the permissions, and can be withdrawn`() throws
  {
    let world = try TestWorld()
    let bundle = try bundle(in: world, asking)
    let book = PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
    try book.set(true, [network], of: bundle)
    try book.set(true, schemes: ["slack", "irc"], of: bundle)
    try book.set(false, schemes: ["slack"], of: bundle)
    #expect(book.schemes(of: bundle).map(\.scheme) == ["irc", "slack"])
    #expect(book.schemes(of: bundle).map(\.isGranted) == [true, false])
    #expect(book.permissions(of: bundle).map(\.state) == [.granted, .open])
  }

  @Test func `a record of another version may lack what was not answered`() throws {
    let text = #"{"granted":{"com.apple.security.network.client":[]},"later":7}"#
    let record = try JSONDecoder().decode(PermissionRecord.self, from: Data(text.utf8))
    #expect(record.grants(network))
    #expect(!record.isTrusted && record.schemes.isEmpty)
  }

  @Test(arguments: Entitlement.allCases)
  func `every entitlement has words`(entitlement: Entitlement) {
    let words = EntitlementRequest(entitlement, items: ["a", "b"]).words.string
    #expect(!words.isEmpty && words.count < 100)
  }
}
