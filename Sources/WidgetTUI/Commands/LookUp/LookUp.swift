import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// Finds what a text names, and what can be done with it here: only files, commits and issues that there are.
struct LookUp {
  private let environment: [String: String]
  private let today: String
  private let repository: GitRepository?

  /// The bytes that are searched, of all texts of the content.
  private static let byteLimit = DataDetector.byteLimit

  /// - Parameter environment: The environment of the user.
  init(environment: [String: String]) {
    self.environment = environment
    today = resolvedPath("/proc/self/exe") ?? "today"
    repository = GitRepository(environment: environment)
  }

  /// What looks like something that can be looked up in content.
  ///
  /// - Parameters:
  ///   - content: The content, of whose texts ``DataDetector/byteLimit`` bytes are searched.
  ///   - charset: The charset of text that is not in UTF-8.
  ///   - limit: The most things that are found; the search ends with the last of them.
  /// - Returns: What was found, in the order of the texts.
  static func items(
    in content: SharedContent,
    charset: TextCharset?,
    limit: Int = DataDetector.itemLimit
  ) async -> [DetectedItem] {
    await items(in: beginnings(of: content, byteLimit), charset, limit)
  }

  /// Whether content names anything that can be looked up, as far as that is known at once; nil if a longer text has to
  /// be searched for that.
  static func namesAnything(_ content: SharedContent, charset: TextCharset?) -> Bool? {
    let parts = beginnings(of: content, instantBytes)
    if !found(in: parts, charset, limit: 1).isEmpty { return true }
    let searched = parts.map(\.bytes.count).reduce(0, +)
    return searched < instantBytes ? false : nil
  }

  /// The bytes of content that are searched before its list is shown: it takes a few milliseconds.
  private static let instantBytes = 16 * 1024

  /// The beginning of a text, and whether it is the whole.
  private typealias Part = (bytes: [UInt8], isWhole: Bool)

  private static func beginnings(of content: SharedContent, _ limit: Int) -> [Part] {
    var rest = limit
    var parts: [Part] = []
    for source in content.sources where rest > 0 {
      let bytes = source.content.beginning(rest)
      rest -= bytes.count
      parts.append((bytes, bytes.count == source.content.size))
    }
    return parts
  }

  /// Searches while the program takes keys.
  @concurrent
  private nonisolated static func items(
    in parts: [Part],
    _ charset: TextCharset?,
    _ limit: Int
  ) async -> [DetectedItem] {
    found(in: parts, charset, limit: limit)
  }

  private nonisolated static func found(
    in parts: [Part],
    _ charset: TextCharset?,
    limit: Int
  ) -> [DetectedItem] {
    let texts = parts.compactMap { part in
      TextCharset.text(part.bytes[...], isWhole: part.isWhole, charset: charset)
    }
    return DataDetector.items(in: texts.map { $0 + "\n" }.joined(), limit: limit)
  }

  /// What there is of these, with what can be done with it.
  func results(for items: [DetectedItem]) async -> [LookUpResult] {
    let commits = await repository?.commits(among: items.compactMap(\.commit)) ?? []
    let needsAddress = items.contains { if case .issue(_, nil) = $0.kind { true } else { false } }
    let address = needsAddress ? await repository?.webAddress() : nil
    return items.compactMap { item in
      let (kind, actions) = actions(for: item, commits, address)
      guard let actions else { return nil }
      return LookUpResult(kind: kind, text: item.text, actions: actions + [copy(item)])
    }
  }

  private func actions(
    for item: DetectedItem,
    _ commits: Set<String>,
    _ address: String?
  ) -> (kind: String, [LookUpAction]?) {
    switch item.kind {
    case .link(let link): return ("link", [LookUpAction("open", [today, "open", "--", link])])
    case .mail(let mail):
      return ("e-mail", [LookUpAction("write", [today, "open", "--", "mailto:\(mail)"])])
    case .line(let path, let line, let column):
      return ("line", self.line(path, line, column))
    case .commit(let name):
      guard commits.contains(name) else { return ("commit", nil) }
      return ("commit", [LookUpAction("show", ["git", "show", name])])
    case .issue(let number, let named):
      guard let base = named.map({ "https://github.com/\($0)" }) ?? address else {
        return ("issue", nil)
      }
      return ("issue", [LookUpAction("open", [today, "open", "--", "\(base)/issues/\(number)"])])
    case .date(let date):
      let options = ["--option", "to=calendar", "--option", "when=\(date.words)"]
      return (
        "date",
        [LookUpAction("add to the calendar", share(item.context, "script.remember", options))]
      )
    case .uuid: return ("UUID", [])
    case .networkAddress: return ("network address", [])
    }
  }

  private func copy(_ item: DetectedItem) -> LookUpAction {
    LookUpAction("copy", share(item.plain, "script.copy", ["--yes"]))
  }

  private func share(_ text: String, _ target: String, _ options: [String]) -> [String] {
    // In one word, as a text may be what asks for the help.
    [today, "share", "--text=\(text)", "--with", target] + options
  }

  // MARK: - Lines of files

  private func line(_ path: String, _ line: Int, _ column: Int?) -> [LookUpAction]? {
    // git names files from the root of the repository.
    let candidates =
      [path] + (path.hasPrefix("/") ? [] : repository.map { ["\($0.root)/\(path)"] } ?? [])
    guard let found = candidates.first(where: Self.isFile) else { return nil }
    // A name that begins like an option is none.
    let file = found.hasPrefix("-") || found.hasPrefix("+") ? "./\(found)" : found
    var actions = [
      LookUpAction(
        "edit",
        Editor(environment: environment).command(file, line: line, column: column)
      )
    ]
    if let repository, repository.contains(file) {
      let range = "\(max(1, line - Self.blameMargin)),+\(2 * Self.blameMargin + 1)"
      actions.append(LookUpAction("blame", ["git", "blame", "-L", range, "--", file]))
    }
    return actions
  }

  /// The lines before and after one whose authors are shown.
  private static let blameMargin = 10

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

nonisolated extension DetectedItem {
  fileprivate var commit: String? {
    if case .commit(let name) = kind { name } else { nil }
  }

  /// What is copied of it.
  fileprivate var plain: String {
    switch kind {
    case .link(let link): link
    case .networkAddress(let address): address
    default: text
    }
  }
}
