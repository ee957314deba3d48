import Testing

@testable import WidgetKitCore

@Suite struct EntitlementTests {
  private func read(_ values: [String: PropertyValue]) -> Entitlements { Entitlements(values) }

  @Test func `requests have their values in a normal form, in the order of the entitlements`() {
    let entitlements = read([
      "org.today.sockets": .array([.string("/run//a.sock"), .string("$XDG_RUNTIME_DIR/./b")]),
      "com.apple.security.network.client": .boolean(true),
      "com.apple.security.files.home-relative-path.read-only": .array([
        .string("/Documents/"), .string("a/b"), .string("Documents"),
      ]),
      "org.today.process-info": .string("NO"),
      "org.today.devices": .array([]),
    ])
    #expect(
      entitlements.requests == [
        EntitlementRequest(.network),
        EntitlementRequest(.homeFiles, items: ["Documents", "a/b"]),
        EntitlementRequest(.sockets, items: ["/run/a.sock", "$XDG_RUNTIME_DIR/b"]),
      ]
    )
    #expect(entitlements.problems == [])
    #expect(entitlements[.network] != nil)
    #expect(entitlements[.processInfo] == nil)
  }

  @Test func `an unknown name is a problem, and does not disturb the others`() {
    let entitlements = read(["com.apple.security.network": .boolean(true), "a": .number(1)])
    #expect(entitlements.requests == [])
    #expect(entitlements.problems.map(\.name) == ["a", "com.apple.security.network"])
    #expect(
      entitlements.problems.allSatisfy { $0.isUnknown && $0.words == "is not an entitlement" }
    )
  }

  @Test(arguments: [
    ("com.apple.security.network.client", PropertyValue.string("maybe")),
    ("com.apple.security.network.client", .array([])),
    ("com.apple.security.files.home-relative-path.read-only", .boolean(true)),
    ("com.apple.security.files.home-relative-path.read-only", .array([.string("/")])),
    ("com.apple.security.files.home-relative-path.read-only", .array([.string("")])),
    ("com.apple.security.files.home-relative-path.read-only", .array([.string("../other")])),
    ("com.apple.security.files.home-relative-path.read-only", .array([.string("a\nb")])),
    ("com.apple.security.files.home-relative-path.read-only", .array([.string("a\0b")])),
    ("com.apple.security.application-groups", .array([.string("example")])),
    ("com.apple.security.application-groups", .array([.string("group.a/b")])),
    ("com.apple.security.application-groups", .array([.string("group...")])),
    ("org.today.dbus", .array([.string("name")])),
    ("org.today.dbus", .array([.string("*")])),
    ("org.today.dbus", .array([.string("org.*")])),
    ("org.today.sockets", .array([.string("relative")])),
    ("org.today.sockets", .array([.string("/run/../home")])),
    ("org.today.devices", .array([.string("/dev")])),
    ("org.today.devices", .array([.string("/dev/../etc")])),
    ("org.today.devices", .array([.number(1e300)])),
    ("org.today.devices", .array(Array(repeating: .string("/dev/a"), count: 65))),
    ("org.today.devices", .array([.string("/dev/" + String(repeating: "a", count: 2_000))])),
  ])
  func `a value that cannot be used is not requested, and says what is expected`(
    name: String,
    value: PropertyValue
  ) {
    let entitlements = read([name: value])
    #expect(entitlements.requests == [])
    let problem = entitlements.problems.first
    #expect(problem?.name == name)
    #expect(problem?.words.contains("; expected ") == true)
    #expect(problem?.words.count ?? 0 < 300)
    #expect(problem?.isUnknown == false)
  }

  @Test func `only an explicit false declines the sandbox`() {
    #expect(!read([:]).declinesSandbox)
    #expect(!read(["com.apple.security.app-sandbox": .boolean(true)]).declinesSandbox)
    #expect(read(["com.apple.security.app-sandbox": .boolean(false)]).declinesSandbox)
    #expect(read(["com.apple.security.app-sandbox": .boolean(true)]).requests == [])
  }

  @Test(arguments: ["com.apple.security.application-groups", "keychain-access-groups"])
  func `an invalid name in a list of groups costs that name alone`(name: String) throws {
    let entitlements = Entitlements([
      name: .array([
        .string("group.com.example.A"), .string("sheet"), .string("group.a b"), .boolean(true),
        .string("group.com.example.B"),
      ])
    ])
    let entitlement = try #require(Entitlement(rawValue: name))
    #expect(entitlements[entitlement]?.items == ["group.com.example.A", "group.com.example.B"])
    #expect(entitlements.problems.count == 3)
    #expect(entitlements.problems[0].words.contains("has \"sheet\", which is left out"))
  }
}
