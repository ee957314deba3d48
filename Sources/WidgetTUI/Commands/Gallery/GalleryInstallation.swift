import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today gallery install` and `update`.
struct GalleryInstallation {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  /// What has become of an entry, as JSON.
  private struct Row: Encodable {
    var id: String
    /// `installed`, `updated`, `current`, `declined` or `failed`.
    var result: String
    var version: String?
    var path: String?
    /// What the new version asks for and the installed one does not.
    var more: [SafeText] = []
    /// What it does not ask for any more.
    var less: [SafeText] = []
    var error: SafeText?
  }

  // MARK: - Installing

  func install(_ word: String) async throws(CommandError) -> ExitCode {
    let listing = try desk.listing(word, in: try await desk.find(.recent))
    let id = listing.entry.id
    let state = desk.gallery.installed.state(of: id)
    if let state, state.isUnchanged, state.version.number == listing.entry.version,
      state.version.source == listing.source.identity
    {
      report(
        Row(id: id, result: "current", version: state.version.version, path: state.version.path)
      )
      desk.say(SafeText("\(id) \(state.version.version) is installed already."))
      return .success
    }
    for line in GalleryWords(desk).lines(of: listing) { desk.say(line) }
    let installer = desk.gallery.installer(desk.catalog)
    let prepared = try await CommandError.from { () async throws(HostError) in
      try await installer.prepare(listing)
    }
    sayDifference(prepared)
    if state?.isUnchanged == false { desk.say("  your changes to it will be overwritten") }
    guard agrees(to: prepared, "Install it?") else {
      installer.discard(prepared)
      report(row(prepared, "declined"))
      return .failure
    }
    let path = try CommandError.from { () throws(HostError) in try installer.install(prepared) }
    report(row(prepared, "installed", path: path))
    desk.say(SafeText("Installed \(path)."))
    if let widget = prepared.content.widgets.first, prepared.previous == nil {
      desk.say(
        prepared.content.kind == .script
          ? "It is on the page now." : SafeText("“today add \(widget)” puts it on the page.")
      )
    }
    return .success
  }

  /// Asks about an entry; `--yes` does not agree to one that asks for more than the installed version.
  private func agrees(to prepared: EntryInstaller.Prepared, _ words: String) -> Bool {
    guard !prepared.growth.isEmpty else { return desk.agrees(to: words) }
    let id = prepared.listing.entry.id
    return desk.agreesOnTerminal(
      to: "It needs more permissions than the installed version. Install it?",
      otherwise:
        "\(id): the new version needs more permissions; update it in a terminal to confirm"
    )
  }

  private func sayDifference(_ prepared: EntryInstaller.Prepared) {
    guard let previous = prepared.previous else { return }
    desk.say(SafeText("  replaces version \(previous.version)"))
    for wish in desk.wishes(prepared.growth) { desk.say("  + \(wish)") }
    for request in prepared.shrinkage {
      desk.say("  - does not ask any more to \(request.words)")
    }
  }

  // MARK: - Updating

  func update(_ word: String?) async throws(CommandError) -> ExitCode {
    var id = word
    if let word { id = try await desk.installedIdentifier(word) }
    let listings = try await desk.find(.present)
    let states = desk.gallery.installed.states().filter { id == nil || $0.version.id == id }
    if let id, states.isEmpty {
      throw .missing("“\(SafeText(id).onOneLine)” is not installed from the gallery")
    }
    var rows: [Row] = []
    for state in states { rows.append(await update(state, in: listings)) }
    if desk.terms.isJSON { StandardStreams.writeJSON(rows) }
    if rows.isEmpty { desk.say("nothing is installed from the gallery") }
    return rows.contains { ["declined", "failed"].contains($0.result) } ? .failure : .success
  }

  private func update(
    _ state: InstalledBook.State,
    in listings: [Listing]
  ) async -> Row {
    let installed = state.version
    guard
      let listing = listings.first(where: {
        $0.entry.id == installed.id && $0.source.identity == installed.source
      })
    else {
      return failed(installed.id, "\(installed.sourceWords) does not list \(installed.id) now")
    }
    if state.isUnchanged, listing.entry.version == installed.number,
      listing.entry.sha256 == installed.sha256
    {
      desk.say(SafeText("\(installed.id) \(installed.version) is the newest version"))
      return Row(id: installed.id, result: "current", version: installed.version)
    }
    if !state.isUnchanged, listing.entry.version == installed.number {
      desk.say(
        SafeText("\(installed.id) \(installed.version) was changed here, and is the newest version")
      )
      return Row(id: installed.id, result: "current", version: installed.version)
    }
    let installer = desk.gallery.installer(desk.catalog)
    do throws(HostError) {
      let prepared = try await installer.prepare(listing)
      desk.say(SafeText("\(installed.id) \(installed.version) → \(listing.entry.version)"))
      sayDifference(prepared)
      if !state.isUnchanged { desk.say("  it was changed here") }
      guard state.isUnchanged || desk.agrees(to: "Overwrite what was changed?"),
        prepared.growth.isEmpty || agrees(to: prepared, "Install it?")
      else {
        installer.discard(prepared)
        return row(prepared, "declined")
      }
      return row(prepared, "updated", path: try installer.install(prepared))
    } catch {
      return failed(installed.id, error.description)
    }
  }

  private func failed(_ id: String, _ words: String) -> Row {
    let clean = SafeText(words).onOneLine
    StandardStreams.writeError(clean.string)
    return Row(id: id, result: "failed", error: clean)
  }

  private func row(
    _ prepared: EntryInstaller.Prepared,
    _ result: String,
    path: String? = nil
  ) -> Row {
    Row(
      id: prepared.listing.entry.id,
      result: result,
      version: prepared.listing.entry.version.description,
      path: path,
      more: prepared.growth.map(\.words),
      less: prepared.shrinkage.map(\.words)
    )
  }

  private func report(_ row: Row) {
    if desk.terms.isJSON { StandardStreams.writeJSON(row) }
  }
}
