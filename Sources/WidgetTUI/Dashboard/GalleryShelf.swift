import FoundationEssentials
import Registries
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// What registries list, for the gallery on the page, and installing it from there.
///
/// A class because it has tasks of its own, which end when the gallery is closed; an installation goes on.
final class GalleryShelf {
  private unowned let owner: any DashboardKeysOwner
  /// Called when the page has found what was installed; with the card that it is, or can be.
  private let onInstalled: (_ choice: PageEdits.Choice, _ isNew: Bool) -> Void
  private var gallery: Gallery?
  private var listings: [String: Listing] = [:]
  private var loading: Task<Void, Never>?
  private var hasRefreshed = false
  private var isInstalling = false
  /// What was installed, until the page has found it.
  private var awaited: (card: CardID, isNew: Bool)?
  private var patience: (any HostTimer)?

  /// How long the page may take to find it: it reads its folders a moment after they have changed.
  private static let findingTime: Duration = .seconds(10)

  init(
    owner: any DashboardKeysOwner,
    onInstalled: @escaping (_ choice: PageEdits.Choice, _ isNew: Bool) -> Void
  ) {
    (self.owner, self.onInstalled) = (owner, onInstalled)
  }

  /// Shows what is stored of the registries; nothing is fetched.
  func open() {
    hasRefreshed = false
    gallery = Gallery(environment: owner.environment, share: ShareFolder.path)
    take(AvailableGallery(), isNew: true)
    load(.stored)
  }

  /// Fetches what is not recent, once for each time that the gallery is open.
  func refresh() {
    guard !hasRefreshed else { return }
    hasRefreshed = true
    load(.recent)
  }

  func close() {
    loading?.cancel()
    loading = nil
  }

  private func take(_ available: AvailableGallery, isNew: Bool = false) {
    guard var editing = owner.model.editing, editing.gallery != nil else { return }
    guard isNew || editing.gallery?.available != nil else { return }
    editing.gallery?.available = available
    owner.model.mode = .edit(editing)
    owner.showModel()
  }

  private func load(_ freshness: Gallery.Freshness) {
    loading?.cancel()
    note(freshness == .stored ? nil : "Fetching the registries…")
    loading = Task { [weak self, gallery] in
      guard let gallery else { return }
      do throws(HostError) {
        let found = try await gallery.find(freshness)
        let book = gallery.installed
        let states = await Worker.background.result { book.states() }
        guard !Task.isCancelled else { return }
        self?.show(found, states)
      } catch {
        if !Task.isCancelled { self?.note(SafeText(error.description).onOneLine) }
      }
    }
  }

  private var available: AvailableGallery? { owner.model.editing?.gallery?.available }

  private func note(_ words: SafeText?) {
    guard var available else { return }
    available.take(rows, note: words)
    take(available)
  }

  private var rows: [AvailableGallery.Row] = []

  private func show(_ found: Gallery.Contents, _ states: [InstalledBook.State]) {
    listings = [:]
    let settings = UserConfiguration(environment: owner.environment).settings
    let sandbox = Sandbox(settings.sandbox, environment: owner.environment)
    rows = found.listings.map { listing in
      let state = states.first { $0.version.id == listing.entry.id }
      let row = row(listing, state, sandbox)
      listings[row.key] = listing
      return row
    }
    .sorted { $0.name.string.lowercased() < $1.name.string.lowercased() }
    note(found.problems.first)
  }

  private func row(
    _ listing: Listing,
    _ installed: InstalledBook.State?,
    _ sandbox: Sandbox
  ) -> AvailableGallery.Row {
    let entry = listing.entry
    let requests = entry.permissions?.requests ?? []
    let state = installed?.version.source == listing.source.identity ? installed : nil
    let own = state?.version
    let more = own.flatMap { entry.permissions?.beyond($0.permissionSet) } ?? []
    let wishes = requests.map { sandbox.wish($0, among: requests) }
    let about = [
      entry.author.map { "by \($0)" }, entry.license.string, "from \(listing.source.place)",
    ]
    return AvailableGallery.Row(
      key: "\(entry.id) \(listing.source.place)",
      id: entry.id,
      name: entry.name,
      words: entry.description,
      version: SafeText(entry.version.description),
      about: SafeText(about.compactMap(\.self).joined(separator: ", ")),
      warning: listing.source.isOwn || listing.source.key != nil ? nil : "not signed",
      wishes: wishes,
      more: zip(requests, wishes).filter { request, _ in
        more.contains { $0.entitlement == request.entitlement }
      }
      .map(\.1),
      picture: entry.picture,
      installed: own.map { SafeText($0.version) },
      isChanged: state?.isUnchanged == false
    )
  }

  // MARK: - Installing

  /// Installs an entry, about which the user was asked; the page adds it.
  func install(_ row: AvailableGallery.Row) {
    guard !isInstalling else {
      return refuse("Another entry is being installed; try again when that is done.")
    }
    guard let listing = listings[row.key], let gallery else {
      return refuse("The list has changed; choose the entry again.")
    }
    isInstalling = true
    owner.pageDidChange()
    Task { [self] in
      do throws(HostError) {
        let paths = SearchPaths(
          environment: owner.environment,
          executable: HostProcess.executablePath()
        )
        let catalog = await Worker.background.result { BundleCatalog.scan(paths) }
        let installer = gallery.installer(catalog)
        let prepared = try await installer.prepare(listing)
        let widgets = prepared.content.widgets
        try installer.install(prepared)
        owner.center.notices.say("Installed \(row.name).")
        guard let first = widgets.first else { return finish() }
        awaitCard(CardID(first), isNew: row.installed == nil)
      } catch {
        fail(SafeText(error.description).onOneLine)
      }
    }
  }

  private func finish() {
    isInstalling = false
    if var available {
      available.endInstalling()
      take(available)
    }
    load(.stored)
    owner.showModel()
  }

  private func fail(_ words: SafeText) {
    isInstalling = false
    refuse(words)
  }

  private func refuse(_ words: SafeText) {
    guard var available else {
      owner.center.notices.say(words)
      return owner.showModel()
    }
    available.fail(words)
    take(available)
  }

  /// Waits until the page has found what was installed.
  private func awaitCard(_ id: CardID, isNew: Bool) {
    awaited = (id, isNew)
    patience = owner.schedule(after: Self.findingTime) { [weak self] in
      self?.awaited = nil
      self?.finish()
    }
    contentDidChange()
  }

  /// The page has other contents.
  func contentDidChange() {
    guard let awaited,
      let choice = owner.center.edits.choices.first(where: {
        $0.id.bundleIdentifier == awaited.card.bundleIdentifier
      })
    else { return }
    patience?.cancel()
    (self.awaited, isInstalling) = (nil, false)
    onInstalled(choice, awaited.isNew)
    owner.showModel()
  }
}
