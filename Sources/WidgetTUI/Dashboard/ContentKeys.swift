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
      folder = try ContentFolder(in: TemporaryFolder.path(owner.base.environment))
    } catch {
      return owner.center.say(SafeText(error.description).onOneLine)
    }
    guard let path = file ?? folder.add(content) else {
      folder.remove()
      return owner.center.say("The content could not be written to a file.")
    }
    let output = verb == .act ? ["--output", folder.result] : []
    let program = TerminalProgram(
      launch([verb.rawValue] + output + [path]),
      didStart: { [weak owner] hasStarted in
        guard !hasStarted else { return }
        folder.remove()
        owner?.center.say("It could not be started.")
      },
      didEnd: { [weak self] status in
        self?.take(status, verb, folder)
        folder.remove()
      }
    )
    guard let handover = owner.center.urls.terminalHandover else { return program.refuse() }
    handover(program)
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

/// A folder of this user alone, with the content on its way and what comes back.
private struct ContentFolder {
  private let path: String
  private static let names = ["content.txt", "result"]

  init(in temporary: String) throws(HostError) {
    path = "\(temporary)/today-\(OwnFolder.temporaryName())"
    guard unsafe mkdir(path, 0o700) == 0 else { throw .file("make the folder", path, errno) }
  }

  /// The file for what comes back.
  var result: String { "\(path)/\(Self.names[1])" }

  /// Writes the content; returns its file, or nil if it could not be written.
  func add(_ bytes: [UInt8]) -> String? {
    let file = "\(path)/\(Self.names[0])"
    let number = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    defer { close(number) }
    let count = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
    return count == bytes.count ? file : nil
  }

  /// What came back, at most so many bytes; nil if nothing did.
  func read(_ limit: Int) -> [UInt8]? { UserFile.bytes(result, byteLimit: limit) }

  func remove() {
    for name in Self.names { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}
