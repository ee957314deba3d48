import FoundationEssentials
import Testing

@testable import WidgetKitCore

@Suite struct ExtensionBundleTests {
  private static let point = "NSExtensionPointIdentifier = \"com.apple.widget-extension\";"

  private func read(_ disk: BundleOnDisk) throws -> ExtensionBundle {
    try ExtensionBundle(
      path: "\(disk.root)/Clock.widget",
      byteLimit: InfoPlist.byteLimit,
      trust: .named(disk.root)
    )
  }

  @Test func `attributes keep their arrays and dictionaries`() throws {
    let disk = try BundleOnDisk()
    let attributes = "NSExtensionAttributes = { zones = (UTC, { name = Tokyo; }); on = YES; };"
    try disk.widget(
      changes: ["NSExtension": "{ \(Self.point) NSExtensionPrincipalClass = C; \(attributes) }"]
    )
    let found = try read(disk).attributes
    #expect(found["zones"]?.array?.first?.string == "UTC")
    #expect(found["zones"]?.array?.last?.dictionary == ["name": .string("Tokyo")])
    #expect(found["on"]?.boolean == true)
  }

  @Test func `entitlements are read from their file, and a bundle without it has none`() throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    #expect(try read(disk).entitlements == Entitlements())
    try disk.write(
      """
      { "com.apple.security.network.client" = YES;
        "com.apple.security.application-groups" = ("group.example.a", "group.example.b"); }
      """,
      to: "Clock.widget/Entitlements.plist"
    )
    let entitlements = try read(disk).entitlements
    #expect(entitlements.isTrue("com.apple.security.network.client"))
    #expect(!entitlements.isTrue("org.today.devices"))
    #expect(
      entitlements.strings("com.apple.security.application-groups")
        == ["group.example.a", "group.example.b"]
    )
  }

  @Test(arguments: ["( a )", "{", "\u{1}"])
  func `entitlements that cannot be read are an error with the name of the file`(
    text: String
  ) throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    try disk.write(text, to: "Clock.widget/Entitlements.plist")
    let error = try #require(throws: BundleError.self) { try read(disk) }
    #expect(error.description.contains("Clock.widget/Entitlements.plist"))
  }

  @Test func `a link in place of the entitlements is refused, also one to nothing`() throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    try disk.link("Clock.widget/Entitlements.plist", to: "/none")
    let error = try #require(throws: BundleError.self) { try read(disk) }
    #expect(error.description.contains("Entitlements.plist is a symbolic link"))
  }

  /// A list of 17 arrays, each of which refers to the next one 16 times, has 16^17 values.
  @Test func `a binary list whose references share each other is refused`() throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    // Objects: 0 the dictionary, 1 its key, 2…18 arrays, 19 a string.
    var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, UInt8(ascii: "a")]]
    for next in UInt8(3)...19 {
      objects.append([0xAF, 0x10, 16] + Array(repeating: next, count: 16))
    }
    objects.append([0x51, UInt8(ascii: "b")])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = UInt8(truncatingIfNeeded: bytes.count >> 8)
    let rest = UInt8(truncatingIfNeeded: bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    bytes += Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, table, rest]
    try disk.write(bytes, to: "Clock.widget/Entitlements.plist")
    let error = try #require(throws: BundleError.self) { try read(disk) }
    #expect(error.description.contains("is too complex; expected at most 1000 values"))
  }

  @Test func `an extension of something else is read, and is no widget`() throws {
    let disk = try BundleOnDisk()
    try disk.widget(
      changes: ["NSExtension": "{ NSExtensionPointIdentifier = \"com.example.share\"; }"]
    )
    let found = try read(disk)
    #expect(found.pointIdentifier == "com.example.share")
    #expect(found.point == nil)
  }
}
