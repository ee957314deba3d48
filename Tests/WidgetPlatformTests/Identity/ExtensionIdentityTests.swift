import Testing

@testable import WidgetPlatform

@Suite struct ExtensionIdentityTests {
  @Test(arguments: [
    ("com.example.A", "com.example.A", nil),
    ("com.example.A:travel", "com.example.A", "travel"),
    ("com.example.A:.", "com.example.A", "."),
    ("com.example.A:A-z_0.9", "com.example.A", "A-z_0.9"),
    ("a:" + String(repeating: "n", count: 64), "a", String(repeating: "n", count: 64)),
  ])
  func `an identity is read as it is written`(
    text: String,
    identifier: String,
    name: String?
  ) throws {
    let identity = try ExtensionIdentity(parsing: text)
    #expect(identity.bundleIdentifier == identifier)
    #expect(identity.instance?.rawValue == name)
    #expect(identity.description == text)
  }

  @Test(arguments: [
    ("com.example.A:", ""), ("com.example.A:a b", "a b"), ("com.example.A:a:b", "a:b"),
    ("com.example.A:größe", "größe"), ("com.example.A:../x", "../x"),
    ("com.example.A:a\u{0}", "a\u{0}"),
    ("a:" + String(repeating: "n", count: 65), String(repeating: "n", count: 65)),
  ])
  func `an invalid name of an instance is an error that says what a name is`(
    text: String,
    name: String
  ) {
    #expect(InstanceName(rawValue: name) == nil)
    let error = #expect(throws: HostError.self) { try ExtensionIdentity(parsing: text) }
    #expect(error?.code == .identity)
    #expect(error?.description.contains("“\(name)” in “\(text)”") == true)
    #expect(error?.description.contains("1 to 64 of the characters") == true)
  }

  @Test(arguments: ["", ":", ":travel"])
  func `an identity without an identifier is an error`(text: String) {
    let error = #expect(throws: HostError.self) { try ExtensionIdentity(parsing: text) }
    #expect(error?.description.contains("has no identifier") == true)
  }

  @Test(arguments: [
    (ExtensionIdentity("org.today.Clock"), "org.today.Clock"),
    (
      ExtensionIdentity("org.today.Clock", instance: InstanceName(rawValue: "2")),
      "org.today.Clock:2"
    ),
    (ExtensionIdentity("org.today.Clock:2"), "org.today.Clock%3A2"),
    (ExtensionIdentity("../../etc/passwd"), "..%2F..%2Fetc%2Fpasswd"),
    (ExtensionIdentity("..", instance: InstanceName(rawValue: "..")), "%2E%2E:.."),
    (ExtensionIdentity("größe 1"), "gr%C3%B6%C3%9Fe%201"),
    (ExtensionIdentity("a\u{0}\n"), "a%00%0A"),
  ])
  func `no identifier leads out of its folder`(identity: ExtensionIdentity, name: String) {
    #expect(identity.fileName == name)
    #expect(OwnPath.isPlain(identity.fileName))
  }

  @Test func `the longest identity has a file name that the system accepts`() {
    let name = InstanceName(rawValue: String(repeating: "n", count: InstanceName.byteLimit))
    let long = ExtensionIdentity("com." + String(repeating: "a", count: 251), instance: name)
    #expect((long.fileName + ".log.1").utf8.count < 256)
    #expect(long.fileName != ExtensionIdentity(long.bundleIdentifier).fileName)
  }
}
