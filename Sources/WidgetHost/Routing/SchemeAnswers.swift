import FoundationEssentials
import WidgetKitCore

/// The user's answers to the question whether the widgets of an app may open URLs with a scheme: a file
/// for each app below the state folder.
nonisolated struct SchemeAnswers {
  private let folder: String
  private static let byteLimit = 64 * 1024
  private static let patience: Duration = .seconds(2)

  init(_ folders: StateFolders) {
    folder = folders.schemes
  }

  /// The answers for an app, or for a widget without one, by scheme.
  ///
  /// A file that is not the program's, or that has something else in it, counts as missing: the user is
  /// asked again.
  func answers(for owner: String) -> [String: Bool] {
    guard ExtensionIdentity.isIdentifier(owner),
      let bytes = DurableFile.read(path(owner), byteLimit: Self.byteLimit)
    else { return [:] }
    return (try? JSONDecoder().decode([String: Bool].self, from: Data(bytes))) ?? [:]
  }

  /// Stores an answer; nil forgets it, so that the user is asked again.
  ///
  /// - Throws: ``HostError`` that names the file, with `busy` if another program is changing it.
  func set(_ answer: Bool?, for scheme: String, of owner: String) throws(HostError) {
    guard ExtensionIdentity.isIdentifier(owner) else { return }
    let open: OwnFolder
    do throws(FileFault) {
      open = try OwnFolder.open(folder, makes: true)
    } catch {
      throw .file("use", folder, error)
    }
    guard let lock = FolderLock(open, patience: Self.patience) else {
      throw HostError(
        code: .busy,
        description: "another program is changing the answers in \(folder); try again"
      )
    }
    defer { _ = lock }
    var answers = answers(for: owner)
    answers[scheme] = answer
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let bytes = try? encoder.encode(answers) else { return }
    try DurableFile.write(Array(bytes) + [0x0A], to: path(owner))
  }

  private func path(_ owner: String) -> String { "\(folder)/\(owner)" }
}
