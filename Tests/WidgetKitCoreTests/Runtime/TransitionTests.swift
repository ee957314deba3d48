import Testing

@testable import WidgetKitCore

/// Grows like the sample widget: rows alongside, the title at the end.
private final class Growing: Widget {
  static var endings: [Bool] = []
  private var rows = 2
  private var title = "More"

  var body: some View {
    Text("\(rows) rows")
    Button(title, action: "more")
  }

  func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator?) {
    guard let coordinator else {
      (rows, title) = (size.rows, "Less")
      return
    }
    coordinator.animate(
      alongsideTransition: { context in self.rows = context.size.rows },
      completion: { context in
        Self.endings.append(context.isCancelled)
        self.title = "Less"
      }
    )
  }
}

/// Shows its size.
private struct Measuring: Widget {
  var body: some View { Text("\(extensionContext.size.columns) wide") }
}

@MainActor @Suite(.serialized)
struct TransitionTests {
  private func transition(_ number: Int, rows: Int, animated: Bool)
    -> ViewWillTransitionToSizeRequest
  {
    ViewWillTransitionToSizeRequest(
      size: Size(columns: 36, rows: rows),
      transition: number,
      duration: animated ? 0.25 : 0,
      curve: .easeInOut,
      animated: animated
    )
  }

  @Test func `rows animate alongside and the title changes at completion`() throws {
    Growing.endings = []
    let host = ScriptedHost<Growing>()
    host.launch()
    let id = host.request(transition(1, rows: 6, animated: true))
    let reply = try host.result(ViewWillTransitionToSizeRequest.Reply.self, for: id)
    #expect(reply.alongside?.words == "6 rows|[More]")
    #expect(try host.notifications(SetViewNotification.self).isEmpty)
    host.notify(TransitionDidCompleteNotification(transition: 1, finished: true))
    #expect(
      try host.notifications(SetViewNotification.self).map(\.view.words) == ["6 rows|[Less]"]
    )
    #expect(Growing.endings == [false])
  }

  @Test func `without a coordinator everything changes at once`() throws {
    let host = ScriptedHost<Growing>()
    host.launch()
    let id = host.request(transition(1, rows: 6, animated: false))
    let reply = try host.result(ViewWillTransitionToSizeRequest.Reply.self, for: id)
    #expect(reply.alongside?.words == "6 rows|[Less]")
    host.notify(TransitionDidCompleteNotification(transition: 1, finished: true))
    #expect(try host.notifications(SetViewNotification.self).isEmpty)
  }

  @Test func `an interrupted transition completes once, as cancelled`() {
    Growing.endings = []
    let host = ScriptedHost<Growing>()
    host.launch()
    host.request(transition(1, rows: 6, animated: true))
    host.request(transition(2, rows: 2, animated: true))
    host.notify(TransitionDidCompleteNotification(transition: 1, finished: false))
    host.notify(TransitionDidCompleteNotification(transition: 1, finished: false))
    host.notify(TransitionDidCompleteNotification(transition: 2, finished: true))
    #expect(Growing.endings == [true, false])
  }

  @Test func `a body that depends on the size is evaluated at the new size`() throws {
    let host = ScriptedHost<Measuring>()
    host.launch()
    let id = host.request(transition(1, rows: 6, animated: true))
    let reply = try host.result(ViewWillTransitionToSizeRequest.Reply.self, for: id)
    #expect(reply.alongside?.words == "36 wide")
    let again = host.request(transition(2, rows: 7, animated: true))
    #expect(
      try host.result(ViewWillTransitionToSizeRequest.Reply.self, for: again).alongside == nil
    )
  }
}
