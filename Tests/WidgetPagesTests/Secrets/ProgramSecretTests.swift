import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// The secrets of the program itself, such as the passwords of brokers.
@Suite struct ProgramSecretTests {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  private func find(_ storage: SecretStorage) throws -> Result<SecretValue?, SecretFault>? {
    let secret = try #require(ProgramSecret("mqtt://me@b", in: storage))
    var found: Result<SecretValue?, SecretFault>?
    secret.find { found = $0 }
    return found
  }

  @Test func `one that is stored is found, and one that is not is nil`() throws {
    let storage = SecretStorage(files: StateFolders(environment: world.environment()))
    #expect(try find(storage)?.get() == .some(nil))
    try ProgramSecret("mqtt://me@b", in: storage)?.store(#require(SecretValue("word")))
    #expect(try find(storage)?.get()?.text == "word")
    try ProgramSecret("mqtt://me@b", in: storage)?.store(#require(SecretValue("other")))
    #expect(try find(storage)?.get()?.text == "other")
  }

  @Test func `a keyring that cannot be used is no missing secret`() throws {
    var environment = world.environment()
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    let storage = SecretStorage(.service, environment: environment, executable: "/nowhere/today")
    let fault = #expect(throws: SecretFault.self) { try find(storage)?.get() }
    #expect(fault?.words.contains("not installed") == true)
  }
}
