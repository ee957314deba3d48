import FoundationEssentials
import Glibc
import Notices
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// A notice as a command makes it, before it is stored.
struct NoticeDraft {
  var content: NoticeContent
  /// The seconds after which it no longer waits; nil for the usual ones.
  var seconds: Double?
  /// Whether the command waits until somebody deals with it.
  var waits = false
  /// Whether it is of a command that a person has ended at the terminal.
  var isInterrupted = false

  /// What can be done about it, before it is stored; where it was posted is added to it.
  var actions: [NoticeAction] {
    get { content.actions ?? [] }
    set { content.actions = newValue }
  }

  /// A notice of the program that runs the command, from the pane of tmux that it is in.
  init(title: String, _ options: CommonOptions) {
    content = NoticeContent(application: Self.parent ?? "post", source: .post, title: title)
    pane = Self.pane(options.environment)
  }

  /// The action that goes where the notice was posted.
  private var pane: NoticeAction?

  /// The content with the action that goes where it was posted, behind all others.
  var stored: NoticeContent {
    var stored = content
    if let pane { stored.actions = actions + [pane] }
    return stored
  }

  /// The name of the program that runs this one: of a script, the name of its file.
  private static var parent: String? {
    let name = ProcFile.text("/proc/\(getppid())/comm")?.split(separator: "\n").first
    return name.map { SafeText(lineOf: String($0)).string }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func pane(_ environment: [String: String]) -> NoticeAction? {
    guard let pane = environment["TMUX_PANE"], NoticeActionRun.isPane(pane),
      let server = environment["TMUX"]?.split(separator: ",").first
    else { return nil }
    var action = NoticeAction(name: "Go to pane")
    action.pane = pane
    action.server = String(server)
    return action
  }

  /// The action of `NAME=URL`, or of `NAME`.
  static func action(_ text: String) throws(CommandError) -> NoticeAction {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var action = NoticeAction(name: String(parts[0]))
    guard !action.name.allSatisfy(\.isWhitespace) else {
      throw .usage("--action \(text): expected NAME=URL")
    }
    if parts.count == 2 { action.url = try url(String(parts[1]), of: text) }
    return action
  }

  private static func url(_ url: String, of text: String) throws(CommandError) -> String {
    guard CheckedURL(url) != nil else {
      throw .usage("--action \(text): expected NAME=URL, with a URL such as https://example.com/")
    }
    return url
  }
}

extension NoticeDraft {
  /// Reads the notice of `--json`.
  init(_ bytes: [UInt8], _ options: CommonOptions) throws(CommandError) {
    let tree: JSONTree
    do throws(JSONTree.Failure) {
      tree = try JSONTree(bytes)
    } catch {
      throw .usage("standard input is \(error.description)")
    }
    guard case .object(let members) = tree else {
      throw .usage("standard input is no object of JSON, such as {\"title\": \"Done\"}")
    }
    self.init(title: "", options)
    var hasTitle = false
    for member in members where member.value != .null {
      try take(member)
      hasTitle = hasTitle || member.name == "title"
    }
    guard hasTitle, !content.title.allSatisfy(\.isWhitespace) else {
      throw .usage("standard input: expected a member “title”")
    }
    guard content.urgency != .critical || seconds == nil else {
      throw .usage("a critical notice waits until it is dismissed; leave out “expire”")
    }
  }

  private static let names = [
    "title", "body", "urgency", "tag", "progress", "action", "expire", "app", "wait",
  ]

  private mutating func take(_ member: JSONTree.Member) throws(CommandError) {
    let value = member.value
    switch member.name {
    case "title": content.title = try Self.text(member)
    case "body": content.body = try Self.text(member)
    case "tag": content.tag = try Self.text(member)
    case "app": content.application = try Self.text(member)
    case "urgency":
      guard let urgency = NoticeContent.Urgency(rawValue: try Self.text(member)) else {
        throw Self.expected("low, normal or critical", of: member)
      }
      content.urgency = urgency
    case "progress":
      guard case .number(let number) = value, 0...100 ~= number else {
        throw Self.expected("a number from 0 to 100", of: member)
      }
      content.progress = Int(number)
    case "expire":
      switch value {
      case .number(let number) where number > 0: seconds = min(number, 1e9)
      case .string(let text): seconds = ScriptName.seconds(text)
      default: break
      }
      guard seconds != nil else {
        throw Self.expected("a time such as \"10s\", \"5m\" or \"1h\", or seconds", of: member)
      }
    case "wait":
      guard case .boolean(let waits) = value else {
        throw Self.expected("true or false", of: member)
      }
      self.waits = waits
    case "action":
      guard case .array(let items) = value else { throw Self.expected("a list", of: member) }
      for item in items { actions.append(try Self.action(item)) }
    default:
      let near = NearName.nearest(to: member.name, among: Self.names)
      let advice = near.map { "did you mean “\($0)”?" } ?? "see “today help post”"
      throw .usage("standard input: unknown member “\(member.name)”; \(advice)")
    }
  }

  private static func text(_ member: JSONTree.Member) throws(CommandError) -> String {
    guard case .string(let text) = member.value else { throw expected("a text", of: member) }
    return text
  }

  private static func expected(_ words: String, of member: JSONTree.Member) -> CommandError {
    .usage("standard input: “\(member.name)”: expected \(words)")
  }

  private static func action(_ item: JSONTree) throws(CommandError) -> NoticeAction {
    if case .string(let text) = item { return try action(text) }
    guard let action = try? JSONDocumentDecoder().decode(NoticeAction.self, from: item.json[...]),
      !action.name.allSatisfy(\.isWhitespace), action.command?.isEmpty != true,
      action.pane.map(NoticeActionRun.isPane) ?? true
    else {
      throw .usage(
        "standard input: “action”: expected NAME=URL, or an object with name and url, command (a list) or pane (%3)"
      )
    }
    if let url = action.url { _ = try Self.url(url, of: url) }
    return action
  }
}

extension NoticeDraft {
  /// The notice of the end of a command.
  ///
  /// - Parameters:
  ///   - end: How it ended.
  ///   - command: Its words.
  ///   - time: How long it took.
  ///   - options: The options of the command that makes the notice.
  init(_ end: TerminationStatus, of command: String, _ time: Duration, _ options: CommonOptions) {
    let name = Self.name(of: command)
    self.init(title: "", options)
    let length = Self.words(for: time)
    switch end {
    case .exited(0):
      content.title = "\(name) ended"
      content.body = "after \(length)"
    case .exited(let code):
      content.title = "\(name) failed"
      content.body = "exit status \(code) after \(length)"
    case .signaled(let number):
      isInterrupted = number == SIGINT
      content.title = "\(name) was ended"
      content.body = "signal \(number) after \(length)"
    case .unknown:
      content.title = "\(name) ended"
      content.body = "after \(length)"
    }
  }

  /// A command as a notice names it: one that begins with a blank is not named, as shells do not remember it.
  static func name(of command: String) -> String {
    let isNamed = command.first.map { !$0.isWhitespace } ?? false
    return isNamed ? SafeText(lineOf: command).truncated(to: 120).string : "a command"
  }

  /// A time in at most two units: `45 s`, `3 min 12 s`, `2 h 5 min`.
  static func words(for time: Duration) -> String {
    let seconds = Int(min(max(0, time.seconds.rounded()), 1e9))
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600:
      seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
