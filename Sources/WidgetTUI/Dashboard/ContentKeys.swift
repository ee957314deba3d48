import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// Gives what has the focus to a share extension or an action, for which a command of the program has the terminal.
final class ContentKeys {
  /// The command that asks the person.
  enum Verb: String {
    case share
    case act
  }

  /// The most bytes of what an action returns that are copied.
  private static let byteLimit = 1 << 20

  private unowned let owner: any DashboardKeysOwner
  /// Where content is on its way; nil before there was any.
  private var folder: ContentFolder?
  private let copy: (String) -> Void

  /// - Parameters:
  ///   - owner: The dashboard.
  ///   - copy: Copies a text, and says so.
  init(owner: any DashboardKeysOwner, copy: @escaping (String) -> Void) {
    (self.owner, self.copy) = (owner, copy)
  }

  /// What the element or the card with the focus is as content; nil if it has none yet.
  private var content: [UInt8]? {
    if let link = owner.model.focusedTarget?.link { return Array(link.utf8) }
    guard let text = owner.model.textToCopy, !text.isEmpty else { return nil }
    return Array("\(text)\n".utf8)
  }

  /// The file that the element with the focus leads to; nil if it leads to none.
  private var file: String? {
    guard let link = owner.model.focusedTarget?.link, link.hasPrefix("file://") else { return nil }
    let path = URL(string: link)?.path(percentEncoded: false) ?? ""
    return path.hasPrefix("/") ? path : nil
  }

  /// Hands the terminal over to the command.
  func begin(_ verb: Verb) {
    guard !owner.model.content.isLocked else { return owner.center.say(owner.center.lockedWords) }
    guard let content else { return owner.center.say("There is nothing to share yet.") }
    let folder: ContentFolder
    do throws(HostError) {
      if let own = self.folder {
        folder = own
      } else {
        folder = try ContentFolder(environment: owner.base.environment)
      }
    } catch {
      return owner.center.say(SafeText(error.description).onOneLine)
    }
    self.folder = folder
    guard let path = file ?? folder.add(content) else {
      folder.clear()
      return owner.center.say("The content could not be written to a file.")
    }
    let output = verb == .act ? ["--output", folder.result] : []
    let program = TerminalProgram(
      launch([verb.rawValue] + output + [path]),
      didStart: { [weak owner] hasStarted in
        guard !hasStarted else { return }
        folder.clear()
        owner?.center.say("It could not be started.")
      },
      didEnd: { [weak self] status in
        self?.take(status, verb, folder)
        folder.clear()
      }
    )
    guard let handover = owner.center.urls.terminalHandover else { return program.refuse() }
    handover(program)
  }

  /// Removes what is left of the content, at the end of the page.
  func end() {
    folder?.remove()
    folder = nil
  }

  /// How a command of the program is started, with all extensions that are installed.
  private func launch(_ arguments: [String]) -> LaunchDescription {
    LaunchDescription(
      program: owner.base.executablePath,
      arguments: arguments,
      environment: owner.base.environment,
      folder: "."
    )
  }

  private func take(_ status: TerminationStatus, _ verb: Verb, _ folder: ContentFolder) {
    // The statuses that `today share` and `today act` have.
    switch status {
    case .exited(0):
      guard verb == .act, let bytes = folder.read(Self.byteLimit) else { return }
      guard let text = String(validating: bytes, as: UTF8.self), bytes.count < Self.byteLimit else {
        return owner.center.say("What the action has returned is no text that can be copied.")
      }
      // As a shell takes what a command has printed.
      let end = text.lastIndex { !$0.isNewline }
      if let end { copy(String(text[...end])) }
    case .exited(130): break
    case .exited(65):
      owner.center.say("Nothing accepts this content; “today extensions --why” says why.")
    default: owner.center.say(SafeText("today \(verb.rawValue): \(status)"))
    }
  }
}
