import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// A session bus of its own with a Secret Service, which ends with it.
private final class SecretBus {
  let address: String
  private let process = Process()
  private let output = Pipe()

  /// Whether libsecret is installed, without which there is no Secret Service.
  nonisolated static let isThere = unsafe dlopen("libsecret-1.so.0", RTLD_LAZY) != nil

  init(_ mode: String, in world: TestWorld) throws {
    let socket = "\(world.path)/run/test-bus"
    address = "unix:path=\(socket)"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "\(TestWorld.fixtures)/secret-service.py", socket, mode]
    process.standardOutput = output
    try process.run()
    var said = ""
    while !said.contains("ready\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the Secret Service for tests did not start")
      said += String(decoding: data, as: UTF8.self)
    }
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
  }
}

/// Secrets in the Secret Service of a session.
@Suite(
  .enabled(if: SecretBus.isThere, "libsecret-1-0 is not installed"),
  .timeLimit(.minutes(5))
) struct `Secrets in the Secret Service` {
  private let world: TestWorld
  private let folders: StateFolders
  private let token = SecretName("token")

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  private func storage(
    _ bus: SecretBus,
    _ place: SecretPlace = .automatic,
    patience: Duration = .seconds(20)
  ) throws -> SecretStorage {
    var environment = world.environment()
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    let service: SecretService = try #require(
      SecretService(
        environment: environment,
        program: BuiltTool.path("SecretAgent"),
        patience: patience
      )
    )
    return SecretStorage(place, folders, service)
  }

  private func access(_ storage: SecretStorage, _ groups: String...) -> SecretAccess {
    SecretAccess(groups: groups, storage)
  }

  private var files: SecretAccess { access(SecretStorage(files: folders), "com.a") }

  private func add(_ name: String, _ value: String, _ access: SecretAccess) throws {
    let (name, value) = (try #require(SecretName(name)), try #require(SecretValue(value)))
    try access.perform(SecretAddRequest(name: name, group: access.groups[0], value: value))
  }

  private func find(_ name: String, _ access: SecretAccess) throws -> String? {
    try access.perform(SecretFindRequest(name: #require(SecretName(name)))).value?.text
  }

  private func fault(_ work: () throws -> Void) -> SecretFault? {
    do {
      try work()
      return nil
    } catch {
      return error as? SecretFault
    }
  }

  @Test func `a secret is stored, found, replaced, listed and deleted, and is in no file`() throws {
    let bus = try SecretBus("usual", in: world)
    let storage = try storage(bus)
    #expect(storage.keeping() == .service)
    let own = access(storage, "com.a")
    let name = try #require(token)
    // A NUL and the line feed at the end belong to the secret.
    try add("token", "s3\0cret\n", own)
    #expect(try find("token", own) == "s3\0cret\n")
    #expect(fault { try add("token", "x", own) }?.code == .invalidParams)
    try own.perform(SecretUpdateRequest(name: name, value: #require(SecretValue("grün"))))
    #expect(try find("token", own) == "grün")
    #expect(try find("token", access(storage, "com.b")) == nil)
    #expect(try own.names(in: "com.a") == ["token"])
    #expect(try files.names(in: "com.a").isEmpty)
    try own.perform(SecretDeleteRequest(name: name))
    #expect(try find("token", own) == nil)
    #expect(fault { try own.perform(SecretDeleteRequest(name: name)) }?.code == .notFound)
    let other = SecretUpdateRequest(name: name, value: try #require(SecretValue("x")))
    #expect(fault { try own.perform(other) }?.code == .notFound)
    withExtendedLifetime(bus) {}
  }

  @Test func `secrets of a file stay readable, and move when they are read or replaced`() throws {
    try add("one", "1", files)
    try add("two", "2", files)
    try add("three", "3", files)
    let bus = try SecretBus("usual", in: world)
    let own = access(try storage(bus), "com.a")
    #expect(try own.names(in: "com.a") == ["one", "three", "two"])
    #expect(fault { try add("one", "x", own) }?.code == .invalidParams)
    #expect(try find("one", own) == "1")
    let two = try #require(SecretName("two"))
    try own.perform(SecretUpdateRequest(name: two, value: #require(SecretValue("new"))))
    try own.perform(SecretDeleteRequest(name: #require(SecretName("three"))))
    #expect(try files.names(in: "com.a").isEmpty)
    #expect(try find("one", own) == "1")
    #expect(try find("two", own) == "new")
    #expect(try own.names(in: "com.a") == ["one", "two"])
    withExtendedLifetime(bus) {}
  }

  @Test func `a locked keyring is an error that says so, and nothing is lost`() throws {
    try add("old", "kept", files)
    let bus = try SecretBus("dismissing", in: world)
    let own = access(try storage(bus), "com.a")
    for fault in [
      fault { _ = try find("token", own) }, fault { try add("other", "x", own) },
      fault { try own.perform(SecretDeleteRequest(name: #require(token))) },
    ] {
      #expect(fault?.code == .internalError)
      #expect(fault?.words.contains("the keyring of the Secret Service is locked") == true)
    }
    // What cannot be moved stays in the file.
    #expect(try find("old", own) == "kept")
    #expect(try files.names(in: "com.a") == ["old"])
    withExtendedLifetime(bus) {}
  }

  @Test func `a prompt that nobody answers ends with the time limit`() throws {
    let bus = try SecretBus("locked", in: world)
    let own = access(try storage(bus, .service, patience: .seconds(1)), "com.a")
    let fault = fault { _ = try find("token", own) }
    #expect(fault?.words.contains("has not answered within 1 s") == true)
    withExtendedLifetime(bus) {}
  }

  @Test(arguments: ["absent", "silent"])
  func `where no service answers, secrets are in files, unless they must not be`(
    mode: String
  ) throws {
    let bus = try SecretBus(mode, in: world)
    let automatic = try storage(bus, patience: .seconds(1))
    guard case .files(folders.secrets, .some) = automatic.keeping() else {
      Issue.record("\(automatic.keeping())")
      return
    }
    try add("token", "in a file", access(automatic, "com.a"))
    #expect(try find("token", files) == "in a file")
    let strict = access(try storage(bus, .service, patience: .seconds(1)), "com.a")
    #expect(fault { _ = try find("token", strict) }?.words.contains("“service”") == true)
    withExtendedLifetime(bus) {}
  }

  @Test func `without a session bus no program is started, and secrets are in files`() {
    let storage = SecretStorage(
      .automatic,
      environment: world.environment(),
      executable: BuiltTool.path("today")
    )
    #expect(
      storage.keeping() == .files(folder: folders.secrets, reason: "there is no session bus")
    )
  }

  @Test func `a program that is not installed is named`() {
    var environment = world.environment()
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    let storage = SecretStorage(
      .service,
      environment: environment,
      executable: "/nowhere/bin/today"
    )
    #expect(
      storage.keeping() == .unavailable("secret-agent, which comes with today, is not installed")
    )
  }

  @Test func `a widget gets its answers in order, and the trace has no secret`() async throws {
    let bus = try SecretBus("usual", in: world)
    let trace = "\(world.path)/trace"
    let engine = try EngineWorld([:]) {
      $0.tracePath = trace
      $0.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
      $0.executablePath = BuiltTool.path("today")
    }
    let widget = try engine.open()
    let own = EngineWorld.id.bundleIdentifier
    for (id, method, params) in [
      ("1", "secretAdd", #"{"name":"token","group":"\#(own)","value":"hunter2"}"#),
      ("2", "secretFind", #"{"name":"token"}"#), ("3", "secretDelete", #"{"name":"token"}"#),
      ("4", "secretFind", #"{"name":"token"}"#),
    ] {
      widget.say(#"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)","params":\#(params)}"#)
    }
    // Nothing waits for the service: the card is drawn meanwhile.
    widget.notify("setView", #"{"view":"meanwhile"}"#)
    engine.settle()
    #expect(engine.picture == ["meanwhile"])
    await eventually("the last answer") {
      widget.received.contains { $0.kind == .result(.string("4")) }
    }
    let answers = widget.received.map(\.kind).filter { kind in
      (1...4).contains { kind == .result(.string("\($0)")) }
    }
    #expect(answers == (1...4).map { .result(.string("\($0)")) })
    let found = try widget.result(SecretFindRequest.Reply.self, of: .string("2"))
    #expect(found?.value?.text == "hunter2")
    let recorded = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(recorded.contains("<secret>") && !recorded.contains("hunter2"))
    withExtendedLifetime(bus) {}
  }
}
