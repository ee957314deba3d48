import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// Which requests for transfers are accepted.
@Suite("Requests for transfers") struct TransferOrderTests {
  private static let group = "group.com.example"

  private func fault(
    _ url: String = "https://example.com/a",
    identifier: String = "news",
    group: String? = TransferOrderTests.group,
    headers: [String: String] = [:],
    byteLimit: Int? = nil
  ) -> String? {
    let request = DownloadInBackgroundRequest(
      identifier: identifier,
      url: url,
      sharedContainer: group,
      headers: headers,
      byteLimit: byteLimit
    )
    do throws(WireError) {
      _ = try TransferOrder(request, groups: [Self.group], secrets: ["com.a"])
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `a session without a group of widget and app is invalid at once`() {
    #expect(fault() == nil)
    for group in [nil, "", "group.other"] {
      #expect(
        fault(group: group)?.hasPrefix("params.sharedContainer: the session is invalid") == true
      )
    }
  }

  @Test(arguments: [
    "", "example.com", "file:///etc/passwd", "ftp://example.com/a", "https:", "https:///a",
    "javascript:1", "https://user:word@example.com/", "https://example.com/\u{1b}[31m",
    "http://" + String(repeating: "x", count: 3_000),
  ])
  func `only http and https URLs with a host and without a password are accepted`(url: String) {
    #expect(fault(url)?.hasPrefix("params.url: ") == true)
  }

  @Test func `identifiers, headers and limits are checked`() {
    #expect(fault(identifier: "") != nil && fault(identifier: "a\nb") != nil)
    #expect(fault(identifier: String(repeating: "x", count: 201)) != nil)
    #expect(fault(headers: ["Accept": "text/plain", "Authorization": "Bearer x"]) == nil)
    for headers in [
      ["Host": "other"], ["range": "bytes=1-"], ["a b": "c"], ["a:": "c"], ["": "c"],
      ["a": "b\r\nX: y"], ["a": String(repeating: "x", count: 20_000)],
    ] {
      #expect(fault(headers: headers)?.hasPrefix("params.headers: ") == true, "\(headers)")
    }
    #expect(fault(byteLimit: 1) == nil && fault(byteLimit: 1 << 30) == nil)
    for limit in [0, -1, Int.min, Int.max] {
      #expect(fault(byteLimit: limit)?.hasPrefix("params.byteLimit: ") == true)
    }
  }

  @Test(arguments: [
    "", "/etc/passwd", "../x", "a/../b", "a//b", ".", "a/", "a/\u{0}",
    // What the program keeps there itself.
    ".today", ".today/defaults.json", ".today/posted/1",
  ])
  func `a file that is sent lies below the folder of the group`(file: String) throws {
    let request = UploadInBackgroundRequest(
      identifier: "news",
      url: "https://example.com",
      sharedContainer: Self.group,
      method: "POST",
      file: file
    )
    let error = #expect(throws: WireError.self) {
      try TransferOrder(request, groups: [Self.group], secrets: ["com.a"])
    }
    #expect(error?.message.hasPrefix("params.file: ") == true)
  }

  @Test(arguments: [
    "a", "outbox/7.json", "a/.today", ".todays", "today", ".TODAY", ".today\u{301}",
  ])
  func `other files in the folder of the group are sent`(file: String) throws {
    let request = UploadInBackgroundRequest(
      identifier: "news",
      url: "https://example.com",
      sharedContainer: Self.group,
      method: "PUT",
      file: file
    )
    _ = try TransferOrder(request, groups: [Self.group], secrets: ["com.a"])
  }

  nonisolated private static let faultyCredentials: [(String?, String?, String)] = [
    ("password", nil, "params.authentication: "), ("password", "digest", "params.authentication: "),
    (nil, "basic", "params.credential: "), ("a\nb", "basic", "params.credential: "),
  ]

  @Test(arguments: faultyCredentials)
  func `a credential needs a name and a way to send it`(
    name: String?,
    authentication: String?,
    beginning: String
  ) throws {
    var request = DownloadInBackgroundRequest(
      identifier: "news",
      url: "https://example.com",
      sharedContainer: Self.group
    )
    (request.credential, request.authentication) = (name, authentication)
    let error = #expect(throws: WireError.self) {
      try TransferOrder(request, groups: [Self.group], secrets: ["com.a"])
    }
    #expect(error?.message.hasPrefix(beginning) == true)
  }

  @Test func `a secret is looked up when the transfer starts, and is not in its record`() throws {
    let world = try TestWorld()
    let secrets = SecretStorage(files: StateFolders(environment: world.environment()))
    var request = DownloadInBackgroundRequest(
      identifier: "news",
      url: "https://example.com",
      sharedContainer: Self.group
    )
    (request.credential, request.authentication) = ("login", "basic")
    let order = try TransferOrder(request, groups: [Self.group], secrets: ["com.a"])
    let credential = try #require(try TransferCredential("login", "basic", ["com.a"]))
    let missing = #expect(throws: WireError.self) { try credential.line(secrets) }
    #expect(missing?.code == .notFound)
    let name = try #require(SecretName("login"))
    let value = try #require(SecretValue("ida:hunter2"))
    try SecretAccess(groups: ["com.a"], secrets)
      .perform(SecretAddRequest(name: name, group: "com.a", value: value))
    #expect(try credential.line(secrets) == "basic ida:hunter2")
    #expect(!"\(order)".contains("hunter2"))
  }
}

/// The files of transfers, and what the program that makes them reports.
@Suite("Records of transfers") struct TransferBookTests {
  private final class World {
    let world: TestWorld
    let book: TransferBook

    init() throws {
      world = try TestWorld()
      book = TransferBook(environment: world.environment())
    }

    func record(_ identifier: String = "news") -> TransferRecord {
      TransferRecord(
        task: TransferBook.newTask(),
        kind: .download,
        identifier: identifier,
        group: "group.com.example",
        widget: "com.example.app.today",
        app: "com.example.app",
        appPath: "/nowhere/Example.app",
        method: "GET",
        url: "https://example.com/",
        byteLimit: 1_000
      )
    }
  }

  @Test func `are kept on the disk until they are removed`() throws {
    let world = try World()
    var record = world.record()
    try world.book.write(record)
    #expect(world.book.records() == [record] && record.event == nil)
    record.result = .init(path: "/a", status: 200)
    try world.book.write(record)
    #expect(world.book.read(record.task)?.event?.path == "/a")
    try world.book.cancel(record.task)
    #expect(world.book.isCancelled(record.task))
    world.book.remove([record.task])
    #expect(world.book.records() == [] && !world.book.isCancelled(record.task))
    #expect(world.book.read("../../etc/passwd") == nil)
  }

  @Test func `a damaged one is left out`() throws {
    let world = try World()
    let record = world.record()
    try world.book.write(record)
    for (task, text) in [
      ("0000000000000001", "{"), ("0000000000000002", #"{"task":"0000000000000001"}"#),
      ("0000000000000003", #"{"byteLimit":1e300}"#),
    ] {
      try world.world.write(text, to: "\(world.book.folder)/\(task).transfer")
    }
    #expect(world.book.records() == [record])
  }

  @Test func `a session and a transfer belong to one process at a time`() throws {
    let world = try World()
    let record = world.record()
    var lock = world.book.lock(record.session)
    #expect(lock != nil)
    #expect(world.book.lock(record.session) == nil)
    #expect(world.book.lock(world.record("other").session) != nil)
    var other = record
    other.app = "com.example.other"
    #expect(world.book.lock(other.session) != nil)
    lock = nil
    #expect(world.book.lock(record.session) != nil)
    let kept = world.book.lock(record.task)
    #expect(world.book.isKept(record.task))
    withExtendedLifetime((lock, kept)) {}
  }

  @Test func `lines of the transfer program are read, and others are not`() {
    #expect(TransferAgent.report("progress 10 20") == .progress(bytes: 10, total: 20))
    #expect(TransferAgent.report("progress 10 -1") == .progress(bytes: 10, total: nil))
    #expect(TransferAgent.report("validator \"a b\"") == .validator("\"a b\""))
    #expect(TransferAgent.report("validator ") == .validator(nil))
    #expect(TransferAgent.report("done 206 100") == .done(status: 206))
    #expect(
      TransferAgent.report("failed tls 0 no certificate")
        == .failed(reason: "tls", status: nil, words: "no certificate")
    )
    for line in ["", "progress", "progress x 1", "progress -1 1", "done", "done 1e300", "failed x"]
    {
      #expect(TransferAgent.report(line) == nil)
    }
  }
}
