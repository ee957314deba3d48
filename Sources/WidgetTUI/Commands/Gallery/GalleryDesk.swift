import FoundationEssentials
import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// What all verbs of `today gallery` share.
struct GalleryDesk {
  let options: CommonOptions
  let terms: GalleryTerms
  let gallery: Gallery

  init(_ options: CommonOptions, _ terms: GalleryTerms) {
    (self.options, self.terms) = (options, terms)
    gallery = Gallery(environment: options.environment, share: ShareFolder.path)
  }

  /// What is installed now.
  var catalog: BundleCatalog {
    BundleCatalog.scan(
      SearchPaths(environment: options.environment, executable: HostProcess.executablePath())
    )
  }

  /// What the registries list; problems go to standard error.
  func find(_ freshness: Gallery.Freshness) async throws(CommandError) -> [Listing] {
    let found = try await CommandError.from { () async throws(HostError) in
      try await gallery.find(freshness)
    }
    for problem in found.problems { StandardStreams.writeError(problem.string) }
    return found.listings
  }

  /// The identifier that a word names: an identifier, or the name of one entry alone in whichever case.
  ///
  /// - Parameters:
  ///   - word: The word of the command line.
  ///   - identifiers: Those that are meant.
  ///   - listings: What the registries list.
  /// - Returns: The identifier; the word if it names none.
  /// - Throws: ``CommandError`` with `usage` if several have the name.
  static func identifier(
    _ word: String,
    among identifiers: some Collection<String>,
    in listings: [Listing]
  ) throws(CommandError) -> String {
    guard !identifiers.contains(word) else { return word }
    let name = word.lowercased()
    let named = Set(listings.filter { $0.entry.name.string.lowercased() == name }.map(\.entry.id))
      .filter { identifiers.contains($0) }
    guard named.count <= 1 else {
      throw .usage(
        "“\(SafeText(word).onOneLine)” is ambiguous; use one of: \(named.sorted().joined(separator: ", "))"
      )
    }
    return named.first ?? word
  }

  /// What a word names among what was installed from the gallery; see ``identifier(_:among:in:)``.
  func installedIdentifier(_ word: String) async throws(CommandError) -> String {
    let identifiers = gallery.installed.states().map(\.version.id)
    guard !identifiers.contains(word) else { return word }
    let stored = try? await gallery.find(.stored)
    return try Self.identifier(word, among: identifiers, in: stored?.listings ?? [])
  }

  /// The one entry with an identifier or a name, from the registry that the user has named, or from which it was installed.
  func listing(_ word: String, in listings: [Listing]) throws(CommandError) -> Listing {
    let id = try Self.identifier(word, among: listings.map(\.entry.id), in: listings)
    let all = listings.filter { $0.entry.id == id }
    let address = terms.source ?? gallery.installed.state(of: id)?.version.source
    let matches = all.filter { listing in
      address.map { [listing.source.identity, "\(listing.source.place)"].contains($0) } ?? true
    }
    guard let first = matches.first else {
      if let address, let other = all.first {
        let name = SafeText(address).onOneLine
        throw .missing("\(name) does not list “\(id)”; \(other.source.place) does")
      }
      let nearest = NearName.nearest(to: id, among: listings.map(\.entry.id))
      let advice = nearest.map { "did you mean “\($0)”?" } ?? "“today gallery search” lists all"
      throw .missing("no registry has “\(SafeText(id).onOneLine)”; \(advice)")
    }
    guard matches.count == 1 else {
      let places = matches.map(\.source.place.description).joined(separator: ", ")
      throw .usage("“\(id)” is in several registries (\(places)); choose one with --from")
    }
    return first
  }

  /// A number of entries in words.
  static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

  /// Says something to a person, which JSON replaces.
  func say(_ words: SafeText) {
    if !terms.isJSON { terms.question.say(words) }
  }

  /// Asks, also where JSON is printed: then only `--yes` agrees.
  func agrees(to question: String) -> Bool {
    guard terms.isJSON, !terms.question.isAgreed else { return terms.question.agrees(to: question) }
    StandardStreams.writeError("nothing was changed; --json needs --yes to confirm")
    return false
  }

  /// Asks about something to which `--yes` does not agree; `refusal` is said where nobody can answer.
  func agreesOnTerminal(to words: String, otherwise refusal: String) -> Bool {
    var question = terms.question
    question.isAgreed = false
    guard !terms.isJSON, question.hasTerminal else {
      StandardStreams.writeError(refusal)
      return false
    }
    return question.agrees(to: words)
  }

  /// Requests in the words of the question in a card.
  func wishes(_ requests: [EntitlementRequest]) -> [SafeText] {
    let settings = UserConfiguration(environment: options.environment).settings
    let sandbox = Sandbox(settings.sandbox, environment: options.environment)
    let asked = requests.filter(\.entitlement.needsPermission)
    return requests.map { request in
      request.entitlement.needsPermission
        ? sandbox.wish(request, among: asked) : "asks to \(request.words)"
    }
  }
}

/// An entry as JSON.
struct ListingRow: Encodable {
  var id: String
  var name: SafeText
  var description: SafeText
  var version: String
  var kind: String?
  var categories: [SafeText]
  var license: SafeText
  var author: SafeText?
  var homepage: SafeText?
  var needs: [SafeText]
  var source: String
  var registry: String
  var isSigned: Bool
  /// Whether the registry comes with the program.
  var isOwn: Bool
  /// What it asks for, in words.
  var permissions: [SafeText]
  var picture: [SafeText]?
  /// The installed version; nil if none is.
  var installed: String?
  /// When the registry was fetched.
  var fetched: Date?

  init(_ listing: Listing, installed: String?, hasPicture: Bool = false) {
    let entry = listing.entry
    (id, name, description, version) = (
      entry.id, entry.name, entry.description, entry.version.description
    )
    (kind, categories, license) = (entry.kind?.rawValue, entry.categories, entry.license)
    (author, homepage, needs) = (entry.author, entry.homepage, entry.needs)
    (source, registry) = (entry.source.words, listing.source.place.description)
    (isSigned, isOwn) = (listing.source.key != nil, listing.source.isOwn)
    permissions = (entry.permissions?.requests ?? []).map(\.words)
    picture = hasPicture ? entry.picture : nil
    (self.installed, fetched) = (installed, listing.date)
  }
}
