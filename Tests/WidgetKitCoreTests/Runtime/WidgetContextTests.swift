import Testing

@testable import WidgetKitCore

/// Runs what a test tells it, with its own context.
private final class Obedient: Widget {
  static var work: (Obedient) async -> Void = { _ in }
  var words = "start"

  init() {
    extensionContext.setPreferredContentSize(height: 5)
    extensionContext.largestAvailableDisplayMode = .expanded
  }

  var body: some View { Text(words) }
  func perform(action: String, value: Bool?) async { await Self.work(self) }
}

@MainActor @Suite(.serialized)
struct WidgetContextTests {
  private func hosted(_ work: @escaping (Obedient) async -> Void) -> ScriptedHost<Obedient> {
    Obedient.work = work
    let host = ScriptedHost<Obedient>()
    host.launch()
    return host
  }

  private func press(_ host: ScriptedHost<Obedient>) {
    host.request(PerformActionRequest(action: "go"))
  }

  @Test func `properties set in init are in the answer, later ones are sent at once`() throws {
    let host = ScriptedHost<Obedient>()
    let reply = try host.result(InitializeRequest.Reply.self, for: host.request(.sample))
    #expect(reply.content.preferredContentSize == .value(PreferredContentSize(height: 5)))
    #expect(reply.largestAvailableDisplayMode == .expanded)
    Obedient.work = {
      $0.extensionContext.setPreferredContentSize(height: 99_999)
      $0.extensionContext.setPreferredContentSize(height: nil)
      $0.extensionContext.largestAvailableDisplayMode = .compact
    }
    press(host)
    let heights = try host.notifications(SetPreferredContentSizeNotification.self)
    #expect(heights.map(\.size.height) == [10_000, nil])
    #expect(
      try host.notifications(SetLargestAvailableDisplayModeNotification.self).map(\.mode)
        == [.compact]
    )
  }

  @Test func `many invalidations send one view`() async throws {
    var gate: CheckedContinuation<Void, Never>?
    let host = hosted { widget in
      for number in 1...3 {
        widget.words = "\(number)"
        widget.extensionContext.setNeedsDisplay()
      }
      await withCheckedContinuation { gate = $0 }
    }
    press(host)
    await host.settle()
    gate?.resume()
    #expect(try host.notifications(SetViewNotification.self).map(\.view.words) == ["3"])
  }

  @Test(arguments: [true, false])
  func `open waits for the answer of the host`(success: Bool) async throws {
    let host = hosted { widget in
      let opened = await widget.extensionContext.open("clowntown://post/7")
      widget.words = "opened \(opened)"
    }
    press(host)
    let (id, request) = try #require(try host.requests(OpenURLRequest.self).first)
    #expect(request.url == "clowntown://post/7")
    host.say(OutgoingLine.result(OpenURLRequest.Reply(success: success), id: id))
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    let reply = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(reply.content.view?.words == "opened \(success)")
  }

  @Test func `an error as an answer to setHasContent is thrown`() async throws {
    let host = hosted { widget in
      do {
        try await widget.extensionContext.setHasContent(false)
      } catch {
        widget.words = "\(error)"
      }
    }
    press(host)
    let (id, request) = try #require(try host.requests(SetHasContentRequest.self).first)
    #expect(request == .init(flag: false, bundleIdentifier: "com.example.Sample"))
    host.say(OutgoingLine.error(WireError(code: .notPermitted, message: "not yours"), id: id))
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    let reply = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(reply.content.view?.words == "not yours (-32001)")
  }

  @Test func `a secret is requested by its name`() async throws {
    let host = hosted { widget in
      let secret = try? await widget.extensionContext.secrets.find("token")
      widget.words = secret ?? "none"
    }
    press(host)
    let (id, request) = try #require(try host.requests(SecretFindRequest.self).first)
    #expect(request.name.description == "token")
    #expect(request.group == nil)
    let reply = SecretFindRequest.Reply(value: SecretValue("hunter2"))
    host.say(OutgoingLine.result(reply, id: id))
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    let answer = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(answer.content.view?.words == "hunter2")
  }

  @Test func `a name that no secret can have is an error without a request`() async throws {
    let host = hosted { widget in
      do {
        try await widget.extensionContext.secrets.add("x", named: "a\nb", in: "com.example")
      } catch {
        widget.words = "\(error)"
      }
    }
    press(host)
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    #expect(try host.requests(SecretAddRequest.self).isEmpty)
    let answer = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(answer.content.view?.words.contains("control characters") == true)
  }

  @Test func `shared defaults are read and written with their suite`() async throws {
    let host = hosted { widget in
      let defaults = SharedDefaults(suiteName: "group.a", context: widget.extensionContext)
      let cups = try? await defaults.value(forKey: "cups")?.integer
      try? await defaults.set(.integer((cups ?? 0) + 1), forKey: "cups")
    }
    press(host)
    let (id, read) = try #require(try host.requests(DefaultsReadRequest.self).first)
    #expect(read == DefaultsReadRequest(suite: "group.a", keys: ["cups"]))
    host.say(OutgoingLine.result(DefaultsReadRequest.Reply(values: ["cups": .integer(3)]), id: id))
    await host.wait { (try? host.requests(DefaultsWriteRequest.self).isEmpty) == false }
    let (_, write) = try #require(try host.requests(DefaultsWriteRequest.self).first)
    #expect(write == DefaultsWriteRequest(suite: "group.a", values: ["cups": .integer(4)]))
  }

  @Test func `a widget knows what it may not`() async throws {
    Obedient.work = { $0.words = $0.extensionContext.denied.sorted().joined(separator: " ") }
    let host = ScriptedHost<Obedient>()
    var request: InitializeRequest = .sample
    request.denied = ["b", "a"]
    host.request(request)
    press(host)
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    let answer = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(answer.content.view?.words == "a b")
  }

  @Test(arguments: [false, true])
  func `a coordinated access ends with what is done in it, also with an error`(
    fails: Bool
  ) async throws {
    struct Failure: Error {}
    let host = hosted { widget in
      let words = try? await widget.extensionContext.coordinate(.write, "/a") {
        if fails { throw Failure() }
        return "done"
      }
      widget.words = words ?? "failed"
    }
    press(host)
    let (id, request) = try #require(try host.requests(CoordinateBeginRequest.self).first)
    #expect(request == CoordinateBeginRequest(path: "/a", intent: .write))
    #expect(try host.notifications(CoordinateEndNotification.self).isEmpty)
    host.say(OutgoingLine.result(CoordinateBeginRequest.Reply(token: 3), id: id))
    await host.wait { host.sent.contains { $0.kind == .result(.number(2)) } }
    let answer = try host.result(PerformActionRequest.Reply.self, for: .number(2))
    #expect(answer.content.view?.words == (fails ? "failed" : "done"))
    let ends = try host.notifications(CoordinateEndNotification.self)
    #expect(ends == [CoordinateEndNotification(token: 3)])
  }
}

@MainActor @Suite(.serialized)
struct TickerTests {
  @Test func `a ticker runs while the view is visible`() async throws {
    var ticks = 0
    Obedient.work = { $0.extensionContext.every(.seconds(2)) { ticks += 1 } }
    let host = ScriptedHost<Obedient>()
    host.launch()
    host.request(ViewWillAppearRequest(size: .zero, animated: false))
    host.request(PerformActionRequest(action: "go"))
    await host.wait { host.pauses.count == 1 }
    #expect(ticks == 0)
    host.endPause()
    await host.wait { ticks == 1 && host.pauses.count == 1 }
    host.notify(ViewDidDisappearNotification())
    host.endPause()
    await host.settle()
    #expect(ticks == 1)
    #expect(host.pauses.isEmpty)
  }

  @Test func `a ticker without a view is logged as an error`() async throws {
    Obedient.work = { $0.extensionContext.every(.seconds(2)) {} }
    let host = ScriptedHost<Obedient>()
    host.launch()
    host.request(PerformActionRequest(action: "go"))
    await host.settle()
    #expect(try host.notifications(LogNotification.self).count == 1)
    #expect(host.pauses.isEmpty)
  }
}

@MainActor @Suite(.serialized)
struct ExpiringActivityTests {
  private func begin(
    _ block: @escaping @MainActor (Bool) async -> Void
  ) throws -> (ScriptedHost<Obedient>, MessageID) {
    Obedient.work = { widget in
      widget.extensionContext.performExpiringActivity(reason: "save", block)
    }
    let host = ScriptedHost<Obedient>()
    host.launch()
    host.request(PerformActionRequest(action: "go"))
    let (id, request) = try #require(try host.requests(BeginExpiringActivityRequest.self).first)
    #expect(request.reason == "save")
    return (host, id)
  }

  @Test("a granted block is called with false, and the activity ends when it returns")
  func granted() async throws {
    var calls: [Bool] = []
    let (host, id) = try begin { calls.append($0) }
    #expect(calls.isEmpty)
    host.say(
      OutgoingLine.result(BeginExpiringActivityRequest.Reply(activity: 4, expired: false), id: id)
    )
    await host.settle()
    #expect(calls == [false])
    #expect(try host.notifications(EndExpiringActivityNotification.self).map(\.activity) == [4])
    host.notify(ExpiringActivityNotification(activity: 4, expired: true))
    await host.settle()
    #expect(calls == [false])
  }

  @Test("a block whose time runs out is called again while the first call waits")
  func runsOut() async throws {
    var calls: [Bool] = []
    var gate: CheckedContinuation<Void, Never>?
    let (host, id) = try begin { expired in
      calls.append(expired)
      if expired { gate?.resume() } else { await withCheckedContinuation { gate = $0 } }
    }
    host.say(
      OutgoingLine.result(BeginExpiringActivityRequest.Reply(activity: 4, expired: false), id: id)
    )
    await host.wait { gate != nil }
    #expect(try host.notifications(EndExpiringActivityNotification.self).isEmpty)
    host.notify(ExpiringActivityNotification(activity: 4, expired: true))
    await host.settle()
    #expect(calls == [false, true])
    #expect(try host.notifications(EndExpiringActivityNotification.self).count == 1)
  }

  @Test("a block that is not granted is called only with true")
  func refused() async throws {
    var calls: [Bool] = []
    let (host, id) = try begin { calls.append($0) }
    host.say(
      OutgoingLine.result(BeginExpiringActivityRequest.Reply(activity: 0, expired: true), id: id)
    )
    await host.settle()
    #expect(calls == [true])
    #expect(try host.notifications(EndExpiringActivityNotification.self).isEmpty)
  }
}
