public import PageRecords
public import WidgetCards
public import WidgetKitCore
public import WidgetPlatform

/// What the user changes on the open page: each change takes effect at once and can be undone.
///
/// A class because the page and the interface share it.
public final class PageEdits {
  /// What became of a change.
  public nonisolated enum Outcome: Hashable, Sendable {
    /// The page has changed.
    case made
    /// config.json declares the page; this is how it would have to declare it.
    case declared(DeclaredPage)
    /// The page could not be written, which is said below it.
    case failed
  }

  /// A change that was made.
  private struct Step {
    /// The pages before it.
    var before: PageArrangement
    /// The card that it has added; nil for any other change.
    var added: CardID?
    /// Whether others have changed the pages since, such as a command.
    var isOvertaken = false
  }

  /// A change that was undone.
  private struct Undone {
    /// The pages with it.
    var after: PageArrangement
    /// The card that it has added; nil for any other change.
    var added: CardID?
  }

  private let page: PageCards
  private let notices: PageNotices
  private var steps: [Step] = []
  /// What was undone, the next one to redo at the end.
  private var undone: [Undone] = []
  /// The cards of each page after the last change.
  private var last: [PageName: [CardID]] = [:]

  /// How many changes can be undone.
  private static let stepLimit = 200

  init(page: PageCards, notices: PageNotices) {
    self.page = page
    self.notices = notices
  }

  /// Whether there is a change to undo.
  public var canUndo: Bool { steps.contains { !$0.isOvertaken || isStillAdded($0) } }

  /// Whether there is an undone change to redo.
  public var canRedo: Bool { !undone.isEmpty }
  /// How many changes were made so far, of which some may be undone; redoing one does not count.
  public private(set) var madeCount = 0

  /// Whether the card that a change has added is on a page.
  private func isStillAdded(_ step: Step) -> Bool {
    step.added.map { page.members.page(of: $0) != nil } ?? false
  }

  /// How many changes were made and not undone or forgotten.
  public var changeCount: Int { steps.count }
  /// Whether changes cannot be undone because others have followed, such as by a command.
  public private(set) var isCutOff = false

  /// Begins to change the pages: earlier changes can still be undone unless others have followed, such as
  /// by a command; of these, only cards that were added are removed again.
  public func begin() {
    guard cards != last else { return }
    last = cards
    undone = []
    guard !steps.isEmpty else { return }
    for index in steps.indices { steps[index].isOvertaken = true }
    let kept = steps.filter { isStillAdded($0) }
    isCutOff = isCutOff || kept.count < steps.count
    steps = kept
  }

  /// Forgets the earlier changes, so that they stay.
  package func forget() {
    steps = []
    undone = []
  }

  /// Forgets what was undone, as something else was done since.
  public func forgetUndone() { undone = [] }

  private var cards: [PageName: [CardID]] {
    let pages = page.members.pages
    return Dictionary(pages.map { ($0.name, $0.members.map(\.id)) }) { first, _ in first }
  }

  /// Makes a change.
  @discardableResult
  public func make(_ changes: [PageChange]) -> Outcome {
    if let declared = page.editor.declarations(for: changes).first { return .declared(declared) }
    var added: CardID?
    if changes.count == 1, case .add(let id, _)? = changes.first { added = id }
    return make(adding: added) { editor throws(HostError) in
      try editor.apply(changes, within: Self.patience)
    }
  }

  /// Gives a page another name.
  ///
  /// - Parameters:
  ///   - name: The page.
  ///   - new: The name, which no other page may have.
  /// - Returns: What became of it.
  public func rename(_ name: PageName, to new: PageName) -> Outcome {
    if let declared = page.members.pages.first(where: { $0.name == name })?.declared {
      return .declared(declared)
    }
    return make { editor throws(HostError) in
      try editor.rename(name, to: new, within: Self.patience)
    }
  }

  private func make(
    adding added: CardID? = nil,
    _ change: (PageEditor) throws(HostError) -> PageArrangement
  ) -> Outcome {
    do throws(HostError) {
      take(Step(before: try page.edit(change), added: added))
      (undone, isCutOff) = ([], false)
      madeCount += 1
      return .made
    } catch {
      notices.sayUnlessLocked(SafeText("The page was not changed: \(error)"))
      return .failed
    }
  }

  private func take(_ step: Step) {
    steps.append(step)
    if steps.count > Self.stepLimit { steps.removeFirst() }
    last = cards
  }

  /// Undoes the last change; returns whether there was one.
  @discardableResult
  public func undo() -> Bool {
    guard let step = steps.popLast() else { return false }
    do throws(HostError) {
      let after = try page.edit { editor throws(HostError) in
        if step.isOvertaken, let added = step.added {
          return try editor.apply([.remove(added)], within: Self.patience)
        }
        return try editor.restore(step.before, within: Self.patience)
      }
      undone.append(Undone(after: after, added: step.added))
      last = cards
      return true
    } catch {
      steps.append(step)
      notices.sayUnlessLocked(SafeText("The change was not undone: \(error)"))
      return false
    }
  }

  /// Makes the change again that was undone last; returns whether there was one.
  @discardableResult
  public func redo() -> Bool {
    guard let change = undone.popLast() else { return false }
    do throws(HostError) {
      let before = try page.edit { editor throws(HostError) in
        try editor.restore(change.after, within: Self.patience)
      }
      take(Step(before: before, added: change.added))
      return true
    } catch {
      undone.append(change)
      notices.sayUnlessLocked(SafeText("The change was not made again: \(error)"))
      return false
    }
  }

  /// How long the page waits for another program that changes it.
  private static let patience: Duration = .milliseconds(200)

  // MARK: - What can be added

  /// A widget, or an instance, that can be added.
  public nonisolated struct Choice: Hashable, Sendable {
    /// The card that it would be; one that is on a page stands for another instance.
    public var id: CardID
    /// The name in the heading.
    public var name: SafeText
    /// What the widget is for; nil if its manifest does not say.
    public var words: SafeText?
    /// The page on which it is; nil for none.
    public var page: PageName?
    /// Whether it was never on a page.
    public var isNew: Bool
    /// Whether it has something to show; if not, its card is not shown until its app says so.
    public var hasContent = true
  }

  /// All widgets that were found, new ones first, and the instances that are on no page.
  public var choices: [Choice] {
    let members = page.members
    func choice(_ member: PageMember, _ place: PageName?, isNew: Bool = false) -> Choice {
      Choice(
        id: member.id,
        name: member.heading,
        words: member.bundle.infoPlist.widgetDescription,
        page: place,
        isNew: isNew,
        hasContent: self.page.hasContent(member.id)
      )
    }
    let removed = (members.available + members.removed).map { choice($0, nil) }
    // Of a widget that is on a page, one line is enough to add another instance.
    var seen: Set<String> = []
    let shown = members.shown.sorted {
      ($0.id.instance == nil ? 0 : 1) < ($1.id.instance == nil ? 0 : 1)
    }
    .filter { seen.insert($0.id.bundleIdentifier).inserted }
    .map { choice($0, $0.page) }
    return members.new.map { choice($0, nil, isNew: true) }
      + (removed + shown).sorted { $0.name.string.lowercased() < $1.name.string.lowercased() }
  }

  /// A card on one of the pages.
  public nonisolated struct PlacedCard: Hashable, Sendable {
    /// Its identity.
    public var id: CardID
    /// The name in its heading.
    public var name: SafeText
    /// The page.
    public var page: PageName
    /// Whether its widget declares settings.
    public var hasSettings: Bool
    /// Whether its widget requests something beyond its own files.
    public var hasRequests: Bool
    /// Whether the user has chosen one of its forms.
    package var hasChosenForm: Bool
  }

  /// The cards of all pages, in their order; those without content are left out.
  public var placedCards: [PlacedCard] {
    page.members.shown.filter { page[$0.id]?.isHidden == false }.map { member in
      PlacedCard(
        id: member.id,
        name: member.heading,
        page: member.page,
        hasSettings: !member.bundle.settings.isEmpty,
        hasRequests: member.bundle.entitlements.requests.contains(
          where: \.entitlement.needsPermission
        ),
        hasChosenForm: page[member.id].map { $0.card.offersExpanded && $0.card.chosenMode != nil }
          ?? false
      )
    }
  }

  /// The name of a card in its heading; its identity, if it is on no page.
  public func name(of id: CardID) -> SafeText {
    page.members.shown.first { $0.id == id }?.heading ?? SafeText(id.description)
  }

  /// A name for another instance of a widget that no instance of it has: a number from 2.
  public func freeName(for bundleIdentifier: String) -> String {
    let members = page.members
    let names = Set(
      (members.shown + members.removed).filter { $0.id.bundleIdentifier == bundleIdentifier }
        .compactMap { $0.id.instance?.rawValue }
    )
    return (2...).lazy.map { "\($0)" }.first { !names.contains($0) } ?? "2"
  }

  /// Whether `widgets` of config.json sets how many columns a card takes up.
  public func isSpanFixed(_ id: CardID) -> Bool { page.fixedSpan(of: id) != nil }

  /// A page as it can be written in config.json: as it is declared, or as it is now.
  public func text(of name: PageName) -> DeclaredPage? {
    guard let page = page.members.pages.first(where: { $0.name == name }) else { return nil }
    return page.declared
      ?? DeclaredPage(
        name: page.name,
        cards: page.members.map { DeclaredPage.Card($0.id, span: self.page.chosenSpan(of: $0.id)) }
      )
  }

  /// Whether config.json declares a page.
  public func isDeclared(_ name: PageName) -> Bool {
    page.members.pages.contains { $0.name == name && $0.declared != nil }
  }

  /// Moves a card by places among the cards of its page that have content; nil if it is at the end.
  public func move(_ id: CardID, by step: Int) -> PageChange? {
    guard let own = page.members.page(of: id),
      let cards = page.members.pages.first(where: { $0.name == own })?.members.map(\.id),
      let index = cards.firstIndex(of: id)
    else { return nil }
    // Cards that are not drawn are passed over.
    var target = index
    repeat {
      target += step.signum()
    } while cards.indices.contains(target)
      && page[cards[target]]?.isHidden == true
    guard cards.indices.contains(target) else { return nil }
    return .move(id, page: own, position: target + 1)
  }

  /// Puts a card where another one is.
  public func move(_ id: CardID, to other: CardID) -> PageChange? {
    guard id != other, let own = page.members.page(of: other),
      let cards = page.members.pages.first(where: { $0.name == own })?.members.map(\.id),
      let index = cards.firstIndex(of: other)
    else { return nil }
    return .move(id, page: own, position: index + 1)
  }
}
