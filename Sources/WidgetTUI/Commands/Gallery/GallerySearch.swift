import Registries
import WidgetKitCore

/// `today gallery search` and `info`.
struct GallerySearch {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  private func installed(_ listing: Listing) -> String? {
    let version = desk.gallery.installed.state(of: listing.entry.id)?.version
    return version?.source == listing.source.identity ? version?.version : nil
  }

  /// Lists the entries that have some words, the best ones first.
  func search(_ words: [String]) async throws(CommandError) -> ExitCode {
    let listings = try await desk.find(.recent)
    let found = listings.compactMap { listing in
      listing.entry.score(of: words).map { (listing, $0) }
    }
    .sorted { left, right in
      (right.1, left.0.entry.name.string.lowercased())
        < (left.1, right.0.entry.name.string.lowercased())
    }
    .map(\.0)
    if desk.terms.isJSON {
      StandardStreams.writeJSON(found.map { ListingRow($0, installed: installed($0)) })
      return .success
    }
    let hasSeveral = Set(listings.map(\.source.place)).count > 1
    for listing in found { describe(listing, namesRegistry: hasSeveral) }
    guard found.isEmpty else { return .success }
    let text = SafeText(words.joined(separator: " ")).onOneLine
    desk.say(
      listings.isEmpty
        ? "no registry lists anything; “today gallery sources” lists registries"
        : SafeText("no entry has “\(text)”")
    )
    return .failure
  }

  private func describe(_ listing: Listing, namesRegistry: Bool) {
    let entry = listing.entry
    var notes: [String] = []
    if let installed = installed(listing) {
      let isOld = EntryVersion(installed).map { $0 < entry.version } ?? false
      notes.append(isOld ? "\(installed) is installed" : "installed")
    }
    if listing.source.key == nil, !listing.source.isOwn { notes.append("not signed") }
    if namesRegistry { notes.append("from \(listing.source.place)") }
    let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
    StandardStreams.writeLine(SafeText("\(entry.id)  \(entry.version)  \(entry.name)\(note)"))
    StandardStreams.writeParagraph(SafeText("    \(entry.description)"))
  }

  /// Says all that is known of an entry.
  func info(_ id: String) async throws(CommandError) -> ExitCode {
    let listing = try desk.listing(id, in: try await desk.find(.recent))
    if desk.terms.isJSON {
      StandardStreams.writeJSON(
        ListingRow(listing, installed: installed(listing), hasPicture: true)
      )
      return .success
    }
    for line in GalleryWords(desk).lines(of: listing) { desk.say(line) }
    if let installed = installed(listing) { desk.say(SafeText("  installed: \(installed)")) }
    for line in listing.entry.picture { StandardStreams.writeLine("    \(line)") }
    return .success
  }
}

/// What is said of an entry before it is installed.
struct GalleryWords {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  func lines(of listing: Listing) -> [SafeText] {
    let entry = listing.entry
    let kind = entry.kind?.rawValue ?? "entry"
    var lines: [SafeText] = [
      SafeText(
        "\(kind) \(entry.id) \(entry.version) (\(SafeText(quoting: entry.name.string, columns: 60)))"
      ),
      SafeText("  \(SafeText(quoting: entry.description.string, columns: 240))"),
      SafeText("  from \(listing.source.place) (\(listing.source.trust))"),
      SafeText("  files: \(entry.source.words)"),
    ]
    func quoted(_ text: SafeText) -> String { SafeText(quoting: text.string, columns: 80).string }
    let about = [
      entry.author.map { "by \(quoted($0))" }, "licence \(quoted(entry.license))",
      entry.homepage.map(quoted),
      entry.needs.isEmpty ? nil : "needs \(entry.needs.map(quoted).joined(separator: ", "))",
    ]
    lines.append(SafeText("  \(about.compactMap(\.self).joined(separator: ", "))"))
    let wishes = desk.wishes(entry.permissions?.requests ?? [])
    lines.append(
      wishes.isEmpty
        ? "  runs in the sandbox, without the network and your files" : "  runs in the sandbox"
    )
    return lines + wishes.map { "    \($0)" }
  }
}
