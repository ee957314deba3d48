import FoundationEssentials
import Registries
import WidgetKitCore
import WidgetPlatform

/// `today gallery sources`: the registries.
struct GallerySources {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  private struct Row: Encodable {
    var address: String
    var isSigned: Bool
    var isOwn: Bool
    var key: SafeText?
    var serial: Int
    /// How many entries it lists; nil where only its address is known.
    var entries: Int?
  }

  private func row(_ source: RegistrySource, entries: Int? = nil, serial: Int? = nil) -> Row {
    Row(
      address: source.place.description,
      isSigned: source.key != nil,
      isOwn: source.isOwn,
      key: source.key?.words,
      serial: serial ?? source.serial,
      entries: entries
    )
  }

  func list() throws(CommandError) -> ExitCode {
    let sources = try CommandError.from { () throws(HostError) in try desk.gallery.sources() }
    if desk.terms.isJSON {
      StandardStreams.writeJSON(sources.map { row($0) })
      return .success
    }
    for source in sources {
      let key = source.key.map { ", \($0.words)" } ?? ""
      StandardStreams.writeLine(SafeText("\(source.place)  (\(source.trust)\(key))"))
    }
    if sources.isEmpty {
      StandardStreams.writeLine("no registries; “sources add ADDRESS” adds one")
    }
    return .success
  }

  private func place(_ text: String) throws(CommandError) -> RegistrySource.Place {
    guard let place = RegistrySource.Place(text) else {
      throw .usage(
        "“\(SafeText(text).onOneLine)”: expected \(RepositoryAddress.rule), or the absolute path of a folder"
      )
    }
    return place
  }

  func add(_ text: String) async throws(CommandError) -> ExitCode {
    let place = try place(text)
    let named = try namedKey()
    let present = try CommandError.from { () throws(HostError) in try desk.gallery.book.sources() }
      .first { $0.place == place }
    let candidate = try await CommandError.from { () async throws(HostError) in
      try await desk.gallery.candidate(place)
    }
    let key = named ?? (candidate.isSigned ? candidate.offeredKey : nil)
    let isAgreed =
      if let pinned = present?.key, pinned != key {
        agrees(toReplace: pinned, with: key, of: place)
      } else {
        agrees(to: candidate, key, isNamed: named != nil)
      }
    guard isAgreed else {
      desk.gallery.discard(candidate)
      return .failure
    }
    let checked = try await CommandError.from { () async throws(HostError) in
      try await desk.gallery.add(candidate, key: key)
    }
    for problem in checked.shownProblems { StandardStreams.writeError(problem.string) }
    if desk.terms.isJSON {
      let source = RegistrySource(place: place, key: key)
      StandardStreams.writeJSON(
        row(source, entries: checked.entries.count, serial: checked.index.serial)
      )
    }
    desk.say(SafeText("Added \(place) with \(GalleryDesk.entries(checked.entries.count))."))
    return .success
  }

  private func namedKey() throws(CommandError) -> SignatureKey? {
    guard let text = desk.terms.key else { return nil }
    guard let key = SignatureKey(argument: text) else {
      throw .usage(
        "--key: expected a minisign key, or a file with one or with the output of gpg --export"
      )
    }
    return key
  }

  /// Asks whether another key than the one until now is pinned, to which `--yes` does not agree.
  private func agrees(
    toReplace pinned: SignatureKey,
    with key: SignatureKey?,
    of place: RegistrySource.Place
  ) -> Bool {
    desk.say(SafeText("\(place) was added with another key, and has a new one:"))
    desk.say("  until now: \(pinned.words)")
    desk.say("  now: \(key?.words ?? "none; its list cannot be verified")")
    return desk.agreesOnTerminal(
      to: "Does its maintainer say elsewhere that the key has changed?",
      otherwise:
        "\(place): another key was pinned; add it in a terminal to confirm the new one"
    )
  }

  private func agrees(
    to candidate: Gallery.Candidate,
    _ key: SignatureKey?,
    isNamed: Bool
  ) -> Bool {
    if isNamed { return true }
    guard let key else {
      desk.say(
        SafeText(
          candidate.isSigned
            ? "\(candidate.place) is signed but contains no key; give it with --key. Without a key its list cannot be verified."
            : "\(candidate.place) is not signed: anyone who can change it, or the connection to it, controls what it lists."
        )
      )
      return desk.agrees(to: "Add it without a signature?")
    }
    desk.say(
      SafeText(
        "\(candidate.place) is signed with its own key, which the registry provides itself; compare it elsewhere:"
      )
    )
    desk.say("  \(key.words)")
    return desk.agrees(to: "Is this the key that its maintainer names elsewhere?")
  }

  func remove(_ text: String) throws(CommandError) -> ExitCode {
    let place = try place(text)
    let isRemoved = try CommandError.from { () throws(HostError) in
      try desk.gallery.remove(place)
    }
    guard isRemoved else { throw .missing("\(place) is not among the registries that were added") }
    if desk.terms.isJSON { StandardStreams.writeJSON(["removed": place.description]) }
    desk.say(SafeText("Removed \(place); what was installed from it stays."))
    return .success
  }
}
