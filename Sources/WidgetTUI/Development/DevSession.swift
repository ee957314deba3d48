import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions
import WidgetTesting

/// What the keys of `today dev` do with the widgets of the page, and what a saved file starts.
final class DevSession {
  private let center: WidgetCenter
  private let screen: DevScreen
  private let clock: SteppedClock
  /// What finds misspelt members of messages.
  private let members: MemberWatch
  private let redraw: () -> Void
  private var turn: (any HostTimer)?
  private var panelTimer: (any HostTimer)?
  private var locales: [String] = []
  /// The last line of the log of each widget by the program that it had before.
  private var formerLines: [CardID: SafeText] = [:]
  /// When it was opened, as in logs.
  private let start = Date().formatted(.iso8601)
  /// How often new messages were looked for.
  private var turns = 0

  /// The widths that the key goes through; nil for all columns.
  private static let widths: [Int?] = [40, 60, 80, 120, nil]
  /// The locales that the key goes through, after that of the user: with other commas, another order of dates,
  /// wide characters, and from right to left.
  private static let locales = ["en_US", "de_DE", "fr_FR", "ja_JP", "ar_EG"]
  /// How many errors of a build a card has room for.
  private static let errorLimit = 20
  /// How often new messages are shown.
  private static let interval: Duration = .milliseconds(250)
  /// How lines of logs begin that say what every saved file leads to.
  private static let ownWords = ["ended: exit 0", "the bundle has changed: "]
  /// In how many of these times the logs are read.
  private static let logTurns = 2

  init(
    _ center: WidgetCenter,
    _ screen: DevScreen,
    _ clock: SteppedClock,
    _ members: MemberWatch,
    redraw: @escaping () -> Void
  ) {
    self.center = center
    self.screen = screen
    self.clock = clock
    self.members = members
    self.redraw = redraw
    screen.onKey = { [weak self] key in
      // After what every key does to the page: it is shown, and has the focus.
      self?.turn = SystemClock().schedule(after: .zero) { self?.perform(key) }
    }
    locales =
      [center.sessions.localeIdentifier]
      + Self.locales.filter { $0 != center.sessions.localeIdentifier }
    screen.panel.locale = center.sessions.localeIdentifier
    follow()
  }

  private var pages: [RehearsedPage] { center.page.all.map { RehearsedPage(center, $0.id) } }

  /// Shows new messages, and what was logged since the start.
  private func follow() {
    let messages = pages.flatMap(\.messages).sorted { $0.date < $1.date }
    let log = turns.isMultiple(of: Self.logTurns) ? newLog : screen.panel.log
    turns += 1
    if messages != screen.panel.messages || log != screen.panel.log {
      screen.panel.messages = messages
      screen.panel.log = log
      redraw()
    }
    panelTimer = SystemClock().schedule(after: Self.interval) { [weak self] in self?.follow() }
  }

  /// The last lines of the logs of the present programs, without their times, and the members that nobody reads.
  private var newLog: [SafeText] {
    let lines = center.page.all.flatMap { card -> [SafeText] in
      let lines = RehearsedPage(center, card.id).lastLog.filter { $0.string >= start }
      guard let last = formerLines[card.id], let index = lines.lastIndex(of: last) else {
        return lines
      }
      return Array(lines[(index + 1)...])
    }
    return lines.map { String($0.string.drop { $0 != " " }.dropFirst()) }
      .filter { line in !Self.ownWords.contains { line.hasPrefix($0) } }
      .map { SafeText($0) } + members.sentences.map { SafeText($0) }
  }

  // MARK: - Keys

  private func perform(_ key: Character) {
    let words = DevPanel.keys.first { $0.key == key }?.words
    screen.panel.notice = words
    switch key {
    case "a": center.screen.setHost(.active)
    case "d": center.screen.setHost(.background)
    case "i": center.screen.setHost(.inactive)
    case "u": for page in pages { page.update(.user) }
    case "e": for card in center.page.all { center.input.toggleDisplayMode(card.id) }
    case "m": for page in pages { page.warnOfMemory() }
    case "x", "g": for page in pages { page.denyActivities(key == "x") }
    case "p": for page in pages { page.expireActivities() }
    case "l": takeNextLocale()
    case "n":
      let names = pages.flatMap { $0.postNotifications() }
      screen.panel.notice =
        names.isEmpty ? "no app group" : "posted \(names.joined(separator: ", "))"
    case "t": deliver()
    case "k": for page in pages { page.kill() }
    case "r": restart()
    case "w":
      let index = Self.widths.firstIndex(of: screen.panel.width) ?? -1
      screen.panel.width = Self.widths[(index + 1) % Self.widths.count]
    case "s": advance(by: clock.timeToNextStep)
    case "c": advance(by: .seconds(60))
    case "h": advance(by: .seconds(3_600))
    case "b": advance(by: .seconds(86_400))
    default: screen.panel.isChoosing = true
    }
    redraw()
  }

  /// Starts the widgets again in another locale, which they receive when they start.
  private func takeNextLocale() {
    let index = locales.firstIndex(of: center.sessions.localeIdentifier) ?? -1
    center.sessions.localeIdentifier = locales[(index + 1) % locales.count]
    screen.panel.locale = center.sessions.localeIdentifier
    restart()
  }

  private func advance(by duration: Duration?) {
    guard let duration else {
      screen.panel.notice = "nothing is due"
      return
    }
    clock.advance(by: duration)
    screen.panel.offset = clock.offset
    for page in pages { page.tellTime() }
  }

  private func deliver() {
    let event = BackgroundTransferEvent(
      task: "dev",
      url: "https://example.com/",
      path: nil,
      error: nil,
      reason: nil,
      status: 200
    )
    for page in pages { page.deliver(.init(identifier: "dev", events: [event])) }
  }

  // MARK: - Saved files

  /// Replaces the processes by those of the bundles as they are now; what is wrong with a bundle is shown in its
  /// card.
  func restart() {
    members.forget()
    for card in center.page.all {
      let page = RehearsedPage(center, card.id)
      let line = page.lastLog.last
      guard let problem = page.restart() else {
        // What was wrong with the last program is mended, or comes again.
        formerLines[card.id] = line
        continue
      }
      page.show(Self.view(of: [problem.description]))
      screen.panel.notice = "the bundle cannot be used; the last one still runs"
    }
    redraw()
  }

  /// Says how far a build is; in the cards of widgets that have no program yet too.
  ///
  /// - Parameters:
  ///   - build: The build.
  ///   - line: The last line that it has printed; nil before the first.
  func show(_ build: DevBuild, progress line: String?) {
    screen.panel.notice = "building" + (line.map { ": \($0)" } ?? "")
    if !build.hasSucceeded {
      for page in pages(of: build) { page.show(Self.progress(line ?? build.path)) }
    }
    redraw()
  }

  /// Shows what builds have printed about errors in the cards of their widgets, whose content comes back when
  /// a build succeeds, and the new programs.
  ///
  /// - Parameter results: The builds, and the lines about errors of each; none for one that succeeded.
  func show(_ results: [(build: DevBuild, errors: [String])]) {
    for page in pages {
      let lines = results.filter { isBuilt(page, by: $0.build) }.flatMap(\.errors)
      page.show(Self.view(of: lines))
    }
    let failed = results.filter { !$0.errors.isEmpty }.map(\.build)
    screen.panel.notice = failed.first.map { build in
      build.hasSucceeded ? "the build has failed; the last one still runs" : "the build has failed"
    }
    if failed.isEmpty { restart() }
    redraw()
  }

  private func isBuilt(_ page: RehearsedPage, by build: DevBuild) -> Bool {
    build.bundles.contains { page.bundlePath == $0 || page.bundlePath.hasPrefix($0 + "/") }
  }

  private func pages(of build: DevBuild) -> [RehearsedPage] {
    pages.filter { isBuilt($0, by: build) }
  }

  /// What a card shows while its first program is being built.
  private static func progress(_ line: String) -> ViewNode {
    var title = ViewNode(.text(TextContent(spans: [TextSpan(SafeText("Building…"))])))
    title.style.bold = true
    var detail = ViewNode(.text(TextContent(spans: [TextSpan(SafeText(line))], lineLimit: 1)))
    detail.style.foreground = .semantic(.secondaryLabel)
    return ViewNode(.vstack(StackContent(children: [title, detail])))
  }

  /// The errors of a build, for a card; nil without any.
  private static func view(of errors: [String]) -> ViewNode? {
    guard !errors.isEmpty else { return nil }
    let rest = errors.count > errorLimit ? ["and \(errors.count - errorLimit) more"] : []
    let lines = (errors.prefix(errorLimit) + rest).map { line in
      var node = ViewNode(.text(TextContent(spans: [TextSpan(SafeText(line))])))
      node.style.foreground = .semantic(.red)
      return node
    }
    return ViewNode(.vstack(StackContent(children: lines)))
  }

  /// Says that a file changes after every build, and how long nothing is built for it alone.
  func note(_ path: String, changesAgainFor pause: Duration) {
    let name = path.split(separator: "/").last ?? ""
    note("\(name) changes all the time: the next build for it is in \(pause.components.seconds) s")
  }

  func note(_ words: String) {
    screen.panel.notice = words
    redraw()
  }
}
