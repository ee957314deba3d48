import PageRecords
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Which cards of a page are published: those that the user agrees to, once for each page and place.
struct PublishChoice {
  let book: PageBook
  let page: PageName
  let destination: PublishDestination
  let environment: [String: String]
  /// The cards given with `--only`.
  var only: [String] = []
  var question = InstallQuestion()

  /// The cards of the page.
  private var members: [PageMember] {
    book.widgets.compactMap { member, place in
      if case .position(_, let found) = place, found.isSame(as: page) { member } else { nil }
    }
  }

  /// Finds the cards, asks where nothing was agreed to, and stores the answer.
  ///
  /// - Returns: The cards that are published.
  /// - Throws: ``CommandError`` if nothing is to be published.
  func cards() throws(CommandError) -> [CardID] {
    let members = members
    if !only.isEmpty {
      let chosen = try named(among: members)
      try agree(to: chosen)
      return chosen.map(\.id)
    }
    guard !members.isEmpty else {
      throw .missing("the page “\(page)” has no cards; “today add ID --page …” adds one")
    }
    let stored = PublishAgreement.stored(page, destination, environment)
    let known = Set(stored?.cards ?? [])
    let agreed = members.filter { known.contains($0.id.description) }
    let new = members.filter { !known.contains($0.id.description) }
    guard !new.isEmpty else {
      try agreeToOthers(stored)
      return agreed.map(\.id)
    }
    if stored != nil, !question.isAgreed, !question.hasTerminal {
      // A program that starts again publishes what was agreed to, and nothing else.
      StandardStreams.writeError(Self.omitted(new.map(\.id)))
      return agreed.map(\.id)
    }
    guard asks(about: new, besides: agreed) else {
      guard stored != nil else {
        throw CommandError(
          exitCode: .refused,
          description:
            "nothing was published; --yes agrees to these cards, --only ID to one of them"
        )
      }
      return agreed.map(\.id)
    }
    try agree(to: members)
    return members.map(\.id)
  }

  /// What is said of cards to which nobody has agreed.
  static func omitted(_ ids: [CardID]) -> String {
    "not published without your agreement: "
      + ids.map(\.description).joined(separator: ", ")
      + "; run “today publish” again in a terminal, or with --yes"
  }

  private func named(among members: [PageMember]) throws(CommandError) -> [PageMember] {
    var ids: Set<CardID> = []
    for name in only {
      let found = try book.catalog.required(name)
      guard members.contains(where: { found.contains($0.id) }) else {
        throw .missing("“\(SafeText(name))” is not on the page “\(page)”")
      }
      ids.formUnion(found)
    }
    return members.filter { ids.contains($0.id) }
  }

  private func asks(about new: [PageMember], besides agreed: [PageMember]) -> Bool {
    let what = agreed.isEmpty ? "these cards" : "these cards too"
    say("The page “\(page)” would show \(what) at \(SafeText(destination.name)):")
    for member in new { say("  \(member.heading.onOneLine)  (\(member.id))") }
    say("Everybody who can read that place can read them; what is private in them is covered.")
    if question.isAgreed { return true }
    guard question.hasTerminal else { return false }
    return question.agrees(to: "Publish \(what)?")
  }

  /// With a terminal on standard output, else on standard error, as a program may read the former.
  private func say(_ words: SafeText) {
    if question.hasTerminal {
      StandardStreams.writeLine(words)
    } else {
      StandardStreams.writeError(words.string)
    }
  }

  private func agree(to members: [PageMember]) throws(CommandError) {
    let stored = PublishAgreement.stored(page, destination, environment)
    let agreement = PublishAgreement(
      page: page.rawValue,
      destination: destination.name,
      cards: members.map(\.id.description),
      isBesideOthers: question.isAgreed || stored?.isBesideOthers == true
    )
    if agreement != stored { try store(agreement) }
  }

  /// Stores that the user has agreed on the command line to files of others at the place, for a service.
  private func agreeToOthers(_ stored: PublishAgreement?) throws(CommandError) {
    guard question.isAgreed, var stored, !stored.isBesideOthers else { return }
    stored.isBesideOthers = true
    try store(stored)
  }

  private func store(_ agreement: PublishAgreement) throws(CommandError) {
    try CommandError.from { () throws(HostError) in
      try agreement.store(page, destination, environment)
    }
  }
}
