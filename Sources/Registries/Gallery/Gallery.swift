import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The registries of a user, what they list, and what was installed from them.
package final class Gallery {
  /// What the registries list, and which of them cannot be used.
  package struct Contents {
    package var listings: [Listing] = []
    package var problems: [SafeText] = []
  }

  /// When registries are fetched again.
  package enum Freshness {
    /// Only what is on the disk is read.
    case stored
    /// Those that were not fetched in the last hour.
    case recent
    /// All.
    case present
  }

  private let environment: [String: String]
  private let folders: StateFolders
  private let limits: TreeLimits
  private let own: String?
  private let cache: RegistryCache
  private let signatures: SignatureCheck
  /// The registries that the user has added.
  package let book: SourceBook
  /// What was installed.
  package let installed: InstalledBook

  private static let freshSeconds = 3_600.0

  /// Opens the gallery of a user.
  ///
  /// - Parameters:
  ///   - environment: The user's environment.
  ///   - share: The folder `share/today` of the program, which may have a registry; nil for none.
  ///   - limits: The limits on what is fetched.
  ///   - clock: The clock of these limits.
  package init(
    environment: [String: String],
    share: String?,
    limits: TreeLimits = TreeLimits(),
    clock: any HostClock = SystemClock()
  ) {
    self.environment = environment
    self.limits = limits
    folders = StateFolders(environment: environment)
    own = share.map { "\($0)/gallery" }
    let git = GitCommand(environment: environment, limits: limits, clock: clock)
    cache = RegistryCache(folders, git: git, limits: limits)
    signatures = SignatureCheck(environment: environment, folder: "\(folders.cache)/gallery")
    book = SourceBook(folders)
    installed = InstalledBook(folders)
  }

  // MARK: - Registries

  /// The registries: that of the program, if there is one, and those that the user has added.
  package func sources() throws(HostError) -> [RegistrySource] {
    let added = try book.sources()
    guard let own, UserFile.bytes("\(own)/index.json", byteLimit: RegistryIndex.byteLimit) != nil
    else { return added }
    return [RegistrySource(place: .folder(own), key: nil, isOwn: true)] + added
  }

  /// A registry that is to be added.
  package struct Candidate {
    package let place: RegistrySource.Place
    /// The key that is in it; nil if there is none.
    package let offeredKey: SignatureKey?
    package let isSigned: Bool
    fileprivate let registry: RegistryFolder
  }

  /// Fetches a registry that is to be added; call ``add(_:key:)`` or ``discard(_:)`` next.
  package func candidate(_ place: RegistrySource.Place) async throws(HostError) -> Candidate {
    if case .folder(let path) = place, let own = own.flatMap(FileIdentity.init),
      own == FileIdentity(path)
    {
      throw HostError(
        code: .refused,
        description: "\(path) comes with the program, and is there already"
      )
    }
    let registry =
      switch place {
      case .repository(let address): try await cache.fetch(address)
      case .folder(let path): RegistryFolder(path)
      }
    try registry.requireList(of: place)
    return Candidate(
      place: place,
      offeredKey: registry.offeredKey,
      isSigned: registry.isSigned,
      registry: registry
    )
  }

  /// Adds a registry with the key that is pinned, after it was checked.
  ///
  /// - Returns: What it lists.
  /// - Throws: ``HostError`` if the key has not signed it; nothing is added then.
  @discardableResult
  package func add(
    _ candidate: Candidate,
    key: SignatureKey?
  ) async throws(HostError) -> RegistryFolder.Checked {
    var source = RegistrySource(place: candidate.place, key: key)
    do throws(HostError) {
      let present = try book.sources().first { $0.place == candidate.place }
      source.serial = present?.serial ?? 0
      let checked = try await candidate.registry.checked(for: source, signatures)
      source.serial = checked.index.serial
      if case .repository(let address) = source.place {
        try cache.keep(candidate.registry, of: address)
      }
      try book.add(source)
      return checked
    } catch {
      discard(candidate)
      throw error
    }
  }

  /// Removes what was fetched of a registry that is not added.
  package func discard(_ candidate: Candidate) {
    if case .repository = candidate.place { cache.discard(candidate.registry) }
  }

  /// Removes a registry, and returns whether there was one.
  ///
  /// What was installed from it stays.
  package func remove(_ place: RegistrySource.Place) throws(HostError) -> Bool {
    guard try book.remove(place) else { return false }
    cache.forget(place)
    return true
  }

  // MARK: - Entries

  /// What the registries list.
  package func find(_ freshness: Freshness) async throws(HostError) -> Contents {
    var found = Contents()
    for source in try sources() {
      var fresh: RegistryFolder.Checked?
      do throws(HostError) {
        fresh = try await refresh(source, freshness)
      } catch {
        let date = cache.date(of: source.place)
        let words = date.map { "; what was fetched at \($0.formatted(.iso8601)) is used" } ?? ""
        found.problems.append(SafeText("\(error.description)\(words)").onOneLine)
        if date == nil { continue }
      }
      do throws(HostError) {
        let checked = if let fresh { fresh } else { try await checked(source) }
        found.problems += checked.shownProblems
        let (registry, date) = (cache.registry(at: source.place), cache.date(of: source.place))
        found.listings += checked.entries.map {
          Listing(entry: $0, source: source, registry: registry, date: date)
        }
      } catch {
        found.problems.append(SafeText(error.description).onOneLine)
      }
    }
    return found
  }

  /// Checks what is stored of a registry.
  package func checked(
    _ source: RegistrySource
  ) async throws(HostError) -> RegistryFolder.Checked {
    let registry = cache.registry(at: source.place)
    let checked = try await registry.checked(for: source, signatures)
    if !source.isOwn { try book.note(checked.index.serial, of: source.place) }
    return checked
  }

  /// Fetches a registry, which takes the place of what was fetched before if it holds; nil if it is not due.
  private func refresh(
    _ source: RegistrySource,
    _ freshness: Freshness
  ) async throws(HostError) -> RegistryFolder.Checked? {
    guard case .repository(let address) = source.place else { return nil }
    let date = cache.date(of: source.place)
    switch freshness {
    case .stored: return nil
    case .recent:
      let age = date.map { Date().timeIntervalSince($0) } ?? .infinity
      if (0...Self.freshSeconds).contains(age) { return nil }
    case .present: break
    }
    let registry = try await cache.fetch(address)
    let checked: RegistryFolder.Checked
    do throws(HostError) {
      checked = try await registry.checked(for: source, signatures)
    } catch {
      cache.discard(registry)
      throw error
    }
    try cache.keep(registry, of: address)
    try book.note(checked.index.serial, of: source.place)
    return checked
  }

  /// What installs entries.
  package func installer(_ catalog: BundleCatalog) -> EntryInstaller {
    EntryInstaller(environment: environment, catalog: catalog, cache: cache, book: installed)
  }
}
