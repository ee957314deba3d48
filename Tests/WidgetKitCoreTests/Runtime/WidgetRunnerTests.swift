import Testing

@testable import WidgetKitCore

/// Implements only a body.
private struct Plain: Widget {
  var body: some View { Text("plain") }
}

/// Implements every method, and shows the calls in its view.
private final class Diligent: Widget {
  static var gate: CheckedContinuation<Void, Never>?
  var diary: [String] = []

  var body: some View { Text(diary.joined(separator: " ")) }

  func widgetPerformUpdate(reason: UpdateReason) async -> UpdateResult {
    await withCheckedContinuation { Self.gate = $0 }
    diary.append("updated")
    return .newData
  }
  func viewWillAppear() { diary.append("willAppear\(extensionContext.size.columns)") }
  func viewDidAppear() { diary.append("didAppear") }
  func viewWillDisappear() async { diary.append("willDisappear") }
  func viewDidDisappear() { diary.append("didDisappear") }
  func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator?) {}
  func widgetMarginInsets(forProposed proposed: EdgeInsets) -> EdgeInsets {
    EdgeInsets(top: 1, left: proposed.left)
  }
  func widgetActiveDisplayModeDidChange(_ mode: DisplayMode, maximumSize: Size) {
    diary.append(mode.rawValue)
  }
  func perform(action: String, value: Bool?) -> UpdateResult {
    diary.append("\(action)=\(value.map(String.init) ?? "-")")
    return .newData
  }
  func widgetDidBeginEditing() { diary.append("begin") }
  func widgetDidEndEditing() { diary.append("end") }
  func appearanceDidChange() {
    diary.append(extensionContext.appearance.dark ? "dark" : "light")
  }
  func configurationDidChange() {
    diary.append(extensionContext.configuration.list("zones")?.joined() ?? "none")
  }
  func didReceiveMemoryWarning() { diary.append("memory") }
  func hostDidBecomeActive() { diary.append("active") }
  func hostWillResignActive() { diary.append("resigns") }
  func hostDidEnterBackground() { diary.append("background") }
  func hostWillEnterForeground() { diary.append("foreground") }
}

/// A list whose rows can be removed, moved and added, and a field.
private final class Listing: Widget {
  struct Full: Error, CustomStringConvertible { let description = "the list is full" }
  var diary: [String] = []

  var body: some View { Text(diary.joined(separator: " ")) }

  func perform(action: String, text: String) { diary.append("\(action):\(text)") }
  func fieldDidChange(_ field: String, text: String) { diary.append("\(field)=\(text)") }
  func listShouldRemoveRow(_ row: String, in list: String) -> Bool { row != "kept" }
  func listDidRemoveRow(_ row: String, in list: String) async { diary.append("-\(row)") }
  func listDidMoveRow(_ row: String, in list: String, before: String?) {
    diary.append("\(row)<\(before ?? "end")")
  }
  func widgetListPerformAddAction(in list: String) throws { throw Full() }
}

/// Has a view only after its first press, and none after the second.
private final class Late: Widget {
  private var words: String?

  var body: some View { if let words { Text(words) } }

  func perform(action: String, value: Bool?) { words = action == "clear" ? nil : action }
}

/// Answers updates with a result set by the test.
private final class Updating: Widget {
  struct Fault: Error, CustomStringConvertible { let description: String }
  static var answer: Result<UpdateOutcome, Fault> = .success(.noData)
  var body: some View { Text("view") }
  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateOutcome {
    try Self.answer.get()
  }
}

@MainActor @Suite(.serialized)
struct WidgetRunnerTests {
  @Test func `only implemented methods are announced`() throws {
    #expect(Plain.implements.contains("viewWillAppear"))
    for method in ["widgetPerformUpdate", "performAction", "widgetMarginInsets"] {
      #expect(!Plain.implements.contains(method))
      #expect(Diligent.implements.contains(method))
    }
    for method in [
      "didReceiveMemoryWarning", "widgetDidBeginEditing", "widgetDidEndEditing",
      "configurationDidChange", "hostDidBecomeActive", "hostWillResignActive",
      "hostDidEnterBackground", "hostWillEnterForeground",
    ] {
      #expect(!Plain.implements.contains(method))
      #expect(Diligent.implements.contains(method))
    }
    #expect(Set(Diligent.implements).count == Diligent.implements.count)
  }

  @Test func `a widget without a view keeps the stored one, until it has had one itself`() throws {
    let host = ScriptedHost<Late>()
    host.launch()
    let appear = host.request(
      ViewWillAppearRequest(size: Size(columns: 30, rows: 4), animated: false)
    )
    #expect(try host.result(ContentUpdate.self, for: appear).view == nil)
    func press(_ action: String) throws -> ViewNode? {
      let id = host.request(PerformActionRequest(action: action))
      return try host.result(PerformActionRequest.Reply.self, for: id).content.view
    }
    #expect(try press("clear") == nil)
    #expect(try press("words")?.words == "words")
    #expect(try press("clear") == ViewNode(.vstack(StackContent(children: []))))
  }

  @Test(arguments: [(LaunchReason.update, "plain" as String?), (.appear, nil)])
  func `a widget without updates shows itself when it is started for one`(
    reason: LaunchReason,
    words: String?
  ) throws {
    var launch = InitializeRequest.sample
    launch.reason = reason
    let plain = ScriptedHost<Plain>()
    let id = plain.request(launch)
    #expect(
      try plain.result(InitializeRequest.Reply.self, for: id).content.view?.words == words
    )
    let diligent = ScriptedHost<Diligent>()
    let other = diligent.request(launch)
    #expect(try diligent.result(InitializeRequest.Reply.self, for: other).content.view == nil)
  }

  @Test func `a widget hears of its rows and of typing`() throws {
    for method in [
      "performAction", "fieldDidChange", "listShouldRemoveRow", "listDidRemoveRow",
      "listDidMoveRow", "widgetListPerformAddAction",
    ] {
      #expect(Listing.implements.contains(method))
      #expect(!Plain.implements.contains(method))
    }
    let host = ScriptedHost<Listing>()
    host.launch()
    for (row, isAllowed) in [("kept", false), ("other", true)] {
      let id = host.request(ListShouldRemoveRowRequest(list: "l", row: row))
      #expect(
        try host.result(ListShouldRemoveRowRequest.Reply.self, for: id).allowed == isAllowed
      )
    }
    let removal = host.request(ListDidRemoveRowRequest(list: "l", row: "a"))
    #expect(try host.result(ContentUpdate.self, for: removal).view?.words == "-a")
    host.request(ListDidMoveRowRequest(list: "l", row: "b", before: nil))
    host.request(ListDidMoveRowRequest(list: "l", row: "b", before: "c"))
    host.say(
      #"{"jsonrpc":"2.0","method":"fieldDidChange","params":{"field":"f","text":"x"}}"#
    )
    let entry = host.request(PerformActionRequest(action: "go", text: "y"))
    let words = try host.result(PerformActionRequest.Reply.self, for: entry).content.view?.words
    #expect(words == "-a b<end b<c f=x go:y")
    host.request(WidgetListPerformAddActionRequest(list: "l"))
    #expect(try host.error().message == "the list is full")
  }

  @Test func `initialize is answered once, and fills the context`() throws {
    let host = ScriptedHost<Diligent>()
    let reply = try host.result(InitializeRequest.Reply.self, for: host.request(.sample))
    #expect(reply.protocolVersion == 1)
    #expect(reply.allowsEditing == true)
    #expect(reply.implements == Diligent.implements + ["clockDidChange"])
    #expect(host.context?.bundleIdentifier == "com.example.Sample")
    #expect(host.context?.configuration.string("name") == "value")
    host.request(.sample)
    #expect(try host.error().code == .invalidRequest)
  }

  @Test func `a request that fails is answered with its error`() throws {
    let host = ScriptedHost<Plain>()
    host.request(ViewWillAppearRequest(size: .zero, animated: false))
    #expect(try host.error().code == .invalidRequest)
    host.launch()
    host.request(WidgetPerformUpdateRequest(reason: .user))
    #expect(try host.error().code == .methodNotFound)
    host.say(#"{"jsonrpc":"2.0","id":9,"method":"viewWillAppear","params":{"size":3}}"#)
    #expect(try host.error().code == .invalidParams)
    host.say(#"{"jsonrpc":"2.0","#)
    #expect(try host.error().code == .parseError)
    #expect(host.sent.last?.kind == .error(nil))
  }

  @Test func `an unknown notification is ignored`() {
    let host = ScriptedHost<Plain>()
    host.launch()
    host.say(#"{"jsonrpc":"2.0","method":"somethingOfTomorrow"}"#)
    #expect(host.sent.isEmpty)
  }

  @Test func `appearance answers with the view at that size`() throws {
    let host = ScriptedHost<Diligent>()
    host.launch()
    let size = Size(columns: 33, rows: 4)
    let id = host.request(ViewWillAppearRequest(size: size, animated: false))
    #expect(try host.result(ContentUpdate.self, for: id).view?.words == "willAppear33")
    #expect(host.context?.isVisible == true)
  }

  @Test func `a press is answered while an update is waiting`() async throws {
    let host = ScriptedHost<Diligent>()
    host.launch()
    let update = host.request(WidgetPerformUpdateRequest(reason: .user))
    let press = host.request(PerformActionRequest(action: "tick", value: true))
    let reply = try host.result(PerformActionRequest.Reply.self, for: press)
    #expect(reply.content.view?.words == "tick=true")
    #expect(reply.result == .newData)
    #expect(!host.sent.contains { $0.kind == .result(update) })
    Diligent.gate?.resume()
    await host.wait { host.sent.contains { $0.kind == .result(update) } }
    let answer = try host.result(WidgetPerformUpdateRequest.Reply.self, for: update)
    #expect(answer.content.view?.words == "tick=true updated")
  }

  @Test func `the view is sent after a notification only if it has changed`() throws {
    let host = ScriptedHost<Diligent>()
    host.launch()
    host.notify(ViewDidAppearNotification())
    host.notify(
      ActiveDisplayModeDidChangeNotification(
        activeDisplayMode: .expanded,
        maximumSize: Size(columns: 36, rows: 9)
      )
    )
    host.say(#"{"jsonrpc":"2.0","method":"widgetDidBeginEditing"}"#)
    host.notify(AppearanceDidChangeNotification(appearance: Appearance(colors: 16, dark: false)))
    let views = try host.notifications(SetViewNotification.self).map(\.view.words)
    #expect(
      views == [
        "didAppear", "didAppear expanded", "didAppear expanded begin",
        "didAppear expanded begin light",
      ]
    )
    #expect(host.context?.appearance == Appearance(colors: 16, dark: false))
    let configuration = WidgetConfiguration(["zones": .list(["Rome"])])
    host.notify(ConfigurationDidChangeNotification(configuration: configuration))
    #expect(host.context?.configuration == configuration)
    let last = try host.notifications(SetViewNotification.self).last?.view.words
    #expect(last == "didAppear expanded begin light Rome")

    let still = ScriptedHost<Plain>()
    still.launch()
    still.request(ViewWillAppearRequest(size: .zero, animated: false))
    still.notify(ViewDidAppearNotification())
    #expect(try still.notifications(SetViewNotification.self).isEmpty)
  }

  @Test func `the margins of the widget are returned`() throws {
    let host = ScriptedHost<Diligent>()
    host.launch()
    let id = host.request(WidgetMarginInsetsRequest(proposed: EdgeInsets(left: 1, right: 1)))
    #expect(try host.result(EdgeInsets.self, for: id) == EdgeInsets(top: 1, left: 1))
  }

  @Test func `newData contains the view, noData does not`() throws {
    let host = ScriptedHost<Updating>()
    host.launch()
    Updating.answer = .success(.newData(refreshAfter: .seconds(90)))
    var reply = try host.update()
    #expect(reply.result == .newData)
    #expect(reply.content.view?.words == "view")
    #expect(reply.refreshAfter == 90)
    Updating.answer = .success(.noData)
    reply = try host.update()
    #expect(reply == WidgetPerformUpdateRequest.Reply(.noData))
  }

  @Test func `a thrown error is a failed update with its description`() throws {
    let host = ScriptedHost<Updating>()
    host.launch()
    Updating.answer = .failure(.init(description: "no network"))
    #expect(try host.update() == .init(.failed, error: "no network"))
  }

  @Test func `shutdown ends the loop even before initialize`() {
    let host = ScriptedHost<Plain>()
    host.notify(ShutdownNotification())
    #expect(host.isShutDown)
  }
}

extension ScriptedHost {
  /// The last error that was sent.
  func error() throws -> WireError {
    let line = try #require(sent.last)
    guard case .error = line.kind else { throw WireError.invalidRequest("no error: \(line.kind)") }
    return try line.decode(WireError.self)
  }

  func update() throws -> WidgetPerformUpdateRequest.Reply {
    let id = request(WidgetPerformUpdateRequest(reason: .user))
    return try result(WidgetPerformUpdateRequest.Reply.self, for: id)
  }
}
