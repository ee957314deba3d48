import FoundationEssentials
import Testing

@testable import ClownTown
@testable import WidgetKitCore

/// A containing app in a temporary folder, and the widget in it.
@MainActor
private final class Town {
  let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private(set) var heights: [Int?] = []
  let context: WidgetContext

  init(posts: String?, first: String? = nil) throws {
    let bundle = root.appending(path: "PlugIns/Today.widget")
    let group = root.appending(path: "group")
    for folder in [bundle, group] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    if let posts { try Data(posts.utf8).write(to: group.appending(path: "posts.json")) }
    if let first { try Data(first.utf8).write(to: bundle.appending(path: "posts.json")) }
    context = WidgetContext(host: HostConnection { _ in }, bundlePath: bundle.path)
    context.launch(
      InitializeRequest(
        host: HostInfo(name: "test", version: "0"),
        bundleIdentifier: "com.example.ClownTown.Today",
        reason: .appear,
        activeDisplayMode: .compact,
        maximumSize: Size(columns: 36, rows: 200),
        marginInsets: .zero,
        locale: "C",
        timeZone: "UTC",
        appearance: Appearance(colors: 0, dark: true),
        containers: Containers(
          data: root.path,
          cache: root.path,
          groups: ["group.com.example.ClownTown": group.path]
        )
      )
    )
  }

  isolated deinit {
    try? FileManager.default.removeItem(at: root)
  }

  func run<Result>(_ work: @MainActor () throws -> Result) rethrows -> Result {
    try CurrentContext.bind(context, work)
  }

  var preferredHeight: Int? {
    guard case .value(let size) = context.preferredHeight else { return nil }
    return size.height
  }

  static let posts = """
    [{"id": "1", "author": "Corbin", "text": "Suspenders"},
     {"id": 2, "author": "Ida", "text": "Weddings"},
     {"id": "3", "author": "Beppo", "text": "Small car"}]
    """
}

extension ViewNode {
  fileprivate var rows: [ViewNode] {
    switch content {
    case .vstack(let stack), .hstack(let stack): stack.children
    default: [self]
    }
  }

  fileprivate var buttonTitle: String? {
    guard case .button(let control) = content, case .text(let text) = control.label.content
    else { return rows == [self] ? nil : rows.lazy.compactMap(\.buttonTitle).first }
    return text.spans.map(\.text.string).joined()
  }
}

@MainActor
struct ClownTownTests {
  private func coordinator() -> TransitionCoordinator {
    TransitionCoordinator(
      ViewWillTransitionToSizeRequest(
        size: .zero,
        transition: 1,
        duration: 0.25,
        curve: .easeInOut,
        animated: true
      )
    )
  }

  @Test func `two posts at first, each with an id and a link`() throws {
    let town = try Town(posts: Town.posts)
    let widget = town.run { ClownTown() }
    let rows = town.run { widget.body.node.rows }
    #expect(rows.map(\.id) == ["1", "2", nil])
    #expect(rows.map(\.action) == ["open:1", "open:2", nil])
    #expect(town.preferredHeight == 3)
  }

  @Test func `More grows the card: rows animate alongside, the title changes at the end`()
    async throws
  {
    let town = try Town(posts: Town.posts)
    let widget = town.run { ClownTown() }
    await CurrentContext.bind(town.context) {
      await widget.perform(action: "more", value: nil)
    }
    #expect(town.preferredHeight == 4)
    #expect(town.run { widget.body.node.rows.count } == 3)
    let coordinator = coordinator()
    town.run { widget.viewWillTransition(to: .zero, with: coordinator) }
    coordinator.begin()
    #expect(town.run { widget.body.node.rows.count } == 4)
    #expect(town.run { widget.body.node.buttonTitle } == "More")
    coordinator.complete(finished: true)
    #expect(town.run { widget.body.node.buttonTitle } == "Less")
  }

  @Test func `without a coordinator everything changes at once`() async throws {
    let town = try Town(posts: Town.posts)
    let widget = town.run { ClownTown() }
    await CurrentContext.bind(town.context) {
      await widget.perform(action: "more", value: nil)
    }
    town.run { widget.viewWillTransition(to: .zero, with: nil) }
    #expect(town.run { widget.body.node.buttonTitle } == "Less")
  }

  @Test func `a press on More is new data once, an unchanged feed is not`() async throws {
    let town = try Town(posts: Town.posts)
    let widget = town.run { ClownTown() }
    #expect(town.run { widget.widgetPerformUpdate(reason: .user) } == .newData)
    #expect(town.run { widget.widgetPerformUpdate(reason: .user) } == .noData)
    await CurrentContext.bind(town.context) {
      await widget.perform(action: "more", value: nil)
    }
    #expect(town.run { widget.widgetPerformUpdate(reason: .user) } == .newData)
    #expect(town.run { widget.widgetPerformUpdate(reason: .user) } == .noData)
  }

  @Test func `the state of the last disappearance is restored`() async throws {
    let town = try Town(posts: Town.posts)
    let widget = town.run { ClownTown() }
    await CurrentContext.bind(town.context) {
      await widget.perform(action: "more", value: nil)
    }
    town.run { widget.viewWillDisappear() }
    let next = town.run { ClownTown() }
    #expect(town.run { next.body.node.rows.count } == 4)
    #expect(town.run { next.body.node.buttonTitle } == "Less")
  }

  @Test func `the posts that the app shares replace those of the widget`() throws {
    let first = #"[{"id":"1","author":"Otto","text":"First"}]"#
    let before = try Town(posts: nil, first: first)
    let alone = try Town(posts: first)
    #expect(before.run { ClownTown().body.node } == alone.run { ClownTown().body.node })
    let after = try Town(posts: Town.posts, first: first)
    let shared = try Town(posts: Town.posts)
    #expect(after.run { ClownTown().body.node } == shared.run { ClownTown().body.node })
    #expect(before.run { ClownTown().body.node } != after.run { ClownTown().body.node })
  }

  @Test(arguments: [
    (nil, "Cannot read posts.json of the ClownTown app"),
    ("{", "posts.json of the ClownTown app is not a list of posts"),
  ])
  func `a feed that cannot be read is reported, and fails the update`(
    posts: String?,
    words: String
  ) throws {
    let town = try Town(posts: posts)
    let widget = town.run { ClownTown() }
    #expect(town.run { widget.body.node } == Text(words).foregroundStyle(.red).node)
    #expect(town.run { widget.widgetPerformUpdate(reason: .user) } == .failed(words))
  }
}
