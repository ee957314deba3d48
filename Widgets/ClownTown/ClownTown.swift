import FoundationEssentials
import WidgetKitCore

/// The newest posts: two, or all of them after More.
///
/// The sample of Apple's session on Today widgets: the preferred height follows the button, the
/// new rows come in alongside the card's animation, and the button changes when that has ended.
@main final class ClownTown: Widget {
  private static let shortCount = 2
  private static let group = "group.com.example.ClownTown"
  private static let colors: [Color] = [.red, .teal, .orange, .purple, .green, .pink]

  private var posts: [Post] = []
  private var trouble: String?
  /// The state that the user selected.
  private var isExpanded = false
  /// The state on the screen; follows `isExpanded` alongside the transition.
  private var showsAll = false
  private var buttonTitle = "More"
  /// Whether the content may differ from the last snapshot; true at the start.
  private var isDirty = true

  init() {
    isExpanded = FileManager.default.fileExists(atPath: statePath)
    _ = refreshPosts()
    settle()
    updatePreferredContentSize()
  }

  var body: some View {
    if let trouble, posts.isEmpty {
      Text(trouble).foregroundStyle(.red)
    } else if posts.isEmpty {
      Text("Nothing new in town").dim()
    }
    ForEach(showsAll ? posts[...] : posts.prefix(Self.shortCount)) { post in
      HStack {
        Text("●").foregroundStyle(color(of: post.author))
        Text(post.author).lineLimit(1).frame(width: authorWidth)
        Text(post.text).lineLimit(1)
      }
      .action("open:" + post.id)
    }
    if posts.count > Self.shortCount {
      HStack {
        Spacer()
        Button(buttonTitle, action: "more").id("more")
      }
    }
  }

  func widgetPerformUpdate(reason: UpdateReason) -> UpdateOutcome {
    let changed = refreshPosts()
    if changed { updatePreferredContentSize() }
    let isNew = changed || isDirty
    isDirty = false
    if let trouble { return .failed(trouble) }
    return isNew ? .newData : .noData
  }

  func perform(action: String, value: Bool?) async {
    if action == "more" {
      isExpanded.toggle()
      isDirty = true
      updatePreferredContentSize()
    } else if let id = action.split(separator: ":", maxSplits: 1).last, action.hasPrefix("open:") {
      _ = await extensionContext.open("clowntown://post/\(id)")
    }
  }

  func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator?) {
    guard let coordinator else { return settle() }
    coordinator.animate(
      alongsideTransition: { _ in self.showsAll = self.isExpanded },
      completion: { _ in self.settle() }
    )
  }

  func viewWillDisappear() {
    if isExpanded {
      try? Data().write(to: URL(filePath: statePath))
    } else {
      try? FileManager.default.removeItem(atPath: statePath)
    }
  }

  /// Shows the selected state, including the title of the button.
  private func settle() {
    showsAll = isExpanded
    buttonTitle = isExpanded ? "Less" : "More"
  }

  /// Reads the feed; keeps the old posts if it cannot be read.
  ///
  /// - Returns: Whether the content has changed.
  private func refreshPosts() -> Bool {
    let (oldPosts, oldTrouble) = (posts, trouble)
    do throws(FeedError) {
      posts = try [Post](contentsOf: feedPath)
      trouble = nil
    } catch {
      trouble = error.description
    }
    return posts != oldPosts || (posts.isEmpty && trouble != oldTrouble)
  }

  /// The feed that the app shares with the widget, or the posts that came with the widget before the
  /// app was first opened.
  private var feedPath: String {
    let own = extensionContext.bundlePath + "/posts.json"
    guard let group = extensionContext.containers.groups[Self.group] else { return own }
    let shared = group + "/posts.json"
    return FileManager.default.fileExists(atPath: shared) ? shared : own
  }

  private func updatePreferredContentSize() {
    let rows = isExpanded ? posts.count : min(posts.count, Self.shortCount)
    let footer = posts.count > Self.shortCount ? 1 : 0
    extensionContext.setPreferredContentSize(height: posts.isEmpty ? nil : rows + footer)
  }

  private var statePath: String { extensionContext.containers.data + "/expanded" }

  private var authorWidth: Int { min(posts.map(\.author.count).max() ?? 0, 12) }

  /// The colour of an author, always the same; `hashValue` differs in each process.
  private func color(of author: String) -> Color {
    Self.colors[author.utf8.reduce(0) { $0 + Int($1) } % Self.colors.count]
  }
}
