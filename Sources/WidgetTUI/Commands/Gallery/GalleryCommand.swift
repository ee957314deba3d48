import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today gallery VERB`: widgets, scripts and extensions of others, from registries.
struct GalleryCommand: Command {
  /// What is done.
  enum Verb: String, CaseIterable {
    case search, info, install, update, remove, sources, verify, index, publish

    /// What completions offer after each.
    static let followers = Dictionary(
      uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.follower) }
    )

    private var follower: CompletionKind {
      switch self {
      case .info, .install: .entries
      case .update, .remove: .installedEntries
      case .sources: .words(["add", "remove"])
      case .index, .publish: .path
      case .search, .verify: .none
      }
    }
  }

  static let name = "gallery"
  static let syntax = CommandSyntax<GalleryCommand>(
    name,
    "find and install third-party widgets from signed lists",
    expected: "one of \(Verb.allCases.map(\.rawValue).joined(separator: ", "))",
    forms: [
      "search [WORDS...] [--json]", "info ID [--json]",
      "install ID [--from ADDRESS] [--yes] [--json]",
      "update [ID] [--yes] [--json]", "remove ID [--yes] [--json]", "sources [--json]",
      "sources add ADDRESS [--key KEY] [--yes] [--json]", "sources remove ADDRESS [--json]",
      "verify [--json]", "index DIR [--check] [--json]",
      "publish BUNDLE --to ADDRESS [--license ID] [--yes] [--json]",
    ],
    details: """
      Finds, installs and updates what registries list: the one of the program, and git repositories and folders
      that are added with “sources add”. Each step is checked before the next: the signature of the list, the hash
      of the entry, the commit and the hash of its files, and what they ask for. Nothing of an entry is run before
      its card is on the page. Without a network, what was fetched before is used.
      """,
    operands: [.rest("VERB [ARGUMENT...]", .text(.verbs(Verb.followers)), \.words)],
    options: [
      .flag("--json", \.terms.isJSON): "print JSON",
      .flag("--yes", \.terms.question.isAgreed): """
      agree without a question; an update that asks for more than the installed version is not agreed to
      """,
      .value("--from ADDRESS", .text, \.terms.source):
        "the registry, where several have the identifier",
      .value("--key KEY", .path, \.terms.key):
        "the public key of a registry: one of minisign, or a file with it or with keys of gpg --export",
      .flag("--check", \.terms.onlyChecks):
        "index: write nothing, and fail if something would change",
      .value("--to ADDRESS", .text, \.terms.target): "publish: the repository of the registry",
      .value("--license ID", .text, \.terms.license):
        "publish: the identifier of the licence in the list of SPDX, such as MIT",
      .custom("search"): "list the entries that have all WORDS; all entries without them",
      .custom("info"): "say what an entry is, what it may do, and how it looks",
      .custom("install"): "install an entry",
      .custom("update"):
        "install newer versions; asks if one asks for more than the installed version",
      .custom("remove"): "uninstall an entry with all that is stored for it",
      .custom("sources"): "list, add or remove registries",
      .custom("verify"):
        "check all lists and signatures, and whether what is installed is unchanged",
      .custom("index"): "check the entries of a registry of your own, and write its list",
      .custom("publish"): "check a bundle, and propose an entry for it to a registry",
    ]
  )

  var options = CommonOptions()
  private var words: [String] = []
  private var terms = GalleryTerms()
  private var verb = Verb.search

  mutating func validate() throws(CommandError) {
    guard let first = words.first, let verb = Verb(rawValue: first) else { throw Self.misused }
    self.verb = verb
    let count = words.count - 1
    let expected: ClosedRange<Int> =
      switch verb {
      case .search: 0...50
      case .info, .install, .remove, .index, .publish: 1...1
      case .update: 0...1
      case .verify: 0...0
      case .sources: count == 0 ? 0...0 : 2...2
      }
    guard expected.contains(count) else {
      throw Self.misused("wrong arguments of \(verb.rawValue)")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let desk = GalleryDesk(options, terms)
    let first = words.count > 1 ? words[1] : ""
    switch verb {
    case .search: return try await GallerySearch(desk).search(Array(words.dropFirst()))
    case .info: return try await GallerySearch(desk).info(first)
    case .install: return try await GalleryInstallation(desk).install(first)
    case .update: return try await GalleryInstallation(desk).update(words.count > 1 ? first : nil)
    case .remove: return try await GalleryRemoval(desk).remove(first)
    case .sources:
      let sources = GallerySources(desk)
      switch first {
      case "": return try sources.list()
      case "add": return try await sources.add(words[2])
      case "remove": return try sources.remove(words[2])
      default: throw Self.misused("expected sources, sources add or sources remove")
      }
    case .verify: return try await GalleryVerification(desk).run()
    case .index: return try await GalleryIndexing(desk).run(first)
    case .publish: return try await GalleryPublishing(desk).run(first)
    }
  }
}

/// The options of `today gallery`.
struct GalleryTerms {
  var isJSON = false
  var question = InstallQuestion()
  /// The registry from which something is installed.
  var source: String?
  /// The key of a registry that is added.
  var key: String?
  var onlyChecks = false
  /// The registry to which something is proposed.
  var target: String?
  var license: String?
}
