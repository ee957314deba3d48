import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
import WidgetPages
package import WidgetPlatform

/// Installs entries of registries: checked step by step, and whole or not at all.
package final class EntryInstaller {
  /// An entry whose files were obtained and checked, and are not in their place yet.
  package struct Prepared {
    package let listing: Listing
    package let content: StagedContent
    /// What is installed until now; nil if nothing is.
    package let previous: InstalledVersion?
    fileprivate let files: ObtainedFiles
    fileprivate let digest: String
    /// What was noted of it when it was prepared.
    fileprivate let known: [InstalledVersion]

    /// What it asks for and the installed version does not.
    package var growth: [EntitlementRequest] {
      guard let previous, let asked = listing.entry.permissions else { return [] }
      return asked.beyond(previous.permissionSet)
    }

    /// What the installed version asks for and this one does not.
    package var shrinkage: [EntitlementRequest] {
      guard let previous, let asked = listing.entry.permissions else { return [] }
      return previous.permissionSet.beyond(asked)
    }
  }

  /// The steps of an installation, in their order.
  package enum Step: CaseIterable, Sendable {
    case obtained, staged, noted, placed, done
  }

  private let environment: [String: String]
  private let catalog: BundleCatalog
  private let cache: RegistryCache
  private let book: InstalledBook
  /// Called after each step; for tests.
  package var onStep: (Step) -> Void = { _ in }

  package init(
    environment: [String: String],
    catalog: BundleCatalog,
    cache: RegistryCache,
    book: InstalledBook
  ) {
    (self.environment, self.catalog) = (environment, catalog)
    (self.cache, self.book) = (cache, book)
  }

  // MARK: - Preparing

  /// Obtains and checks the files of an entry.
  ///
  /// - Returns: What is to be installed; call ``install(_:)`` or ``discard(_:)`` next.
  /// - Throws: ``HostError`` that says what is refused; nothing is left behind.
  package func prepare(_ listing: Listing) async throws(HostError) -> Prepared {
    let entry = listing.entry
    let book = book
    let (state, known) = await Worker.background.result {
      book.settle(entry.id)
      return (book.state(of: entry.id), book.versions(of: entry.id))
    }
    let previous = try previous(state, of: entry, from: listing.source)
    let files: ObtainedFiles
    do throws(HostError) {
      files = try await cache.obtain(entry.source, sha256: entry.sha256, from: listing.registry)
    } catch {
      throw HostError(code: error.code, description: "\(entry.id): \(error.description)")
    }
    onStep(.obtained)
    do throws(HostError) {
      let content = try await StagedContent(files.path, environment: environment, catalog: catalog)
      do throws(HostError) {
        try check(content, for: entry, previous)
        let path = files.path
        guard let digest = await Worker.background.result(of: { TreeDigest.hex(of: path) }) else {
          throw HostError(code: .file, description: "its files cannot be read")
        }
        onStep(.staged)
        return Prepared(
          listing: listing,
          content: content,
          previous: previous,
          files: files,
          digest: digest,
          known: known
        )
      } catch {
        content.discard()
        throw error
      }
    } catch {
      cache.discard(files)
      throw HostError(
        code: error.code,
        description:
          "\(entry.id): \(error.description.replacing(files.path, with: entry.source.name))"
      )
    }
  }

  /// The version that is installed, of which the new one may take the place.
  private func previous(
    _ state: InstalledBook.State?,
    of entry: RegistryEntry,
    from source: RegistrySource
  ) throws(HostError) -> InstalledVersion? {
    if let least = entry.leastHost, let own = EntryVersion(HostVersion.current), own < least {
      throw refused("\(entry.id) needs today \(least); this is \(HostVersion.current)")
    }
    guard let state else {
      guard let other = present(entry.id) else { return nil }
      throw refused(
        "\(entry.id) is there already, and not from the gallery: \(other); uninstall it first"
      )
    }
    let installed = state.version
    guard installed.source == source.identity else {
      throw refused(
        "\(entry.id) was installed from \(installed.sourceWords); remove it first to install that of "
          + "\(source.place)"
      )
    }
    guard entry.version >= installed.number else {
      throw refused(
        "\(entry.id): version \(entry.version) is older than \(installed.version), which is installed"
      )
    }
    if entry.version == installed.number, entry.sha256 != installed.sha256 {
      throw refused(
        "\(entry.id): its files have changed, and its version \(entry.version) has not; "
          + "tell its registry, \(source.place)"
      )
    }
    return installed
  }

  /// The path of what has an identifier already; nil if nothing has.
  private func present(_ id: String) -> String? {
    catalog.widget(withIdentifier: id)?.path ?? catalog.app(withIdentifier: id)?.path
      ?? catalog.otherExtensions.first { $0.bundleIdentifier == id }?.path
  }

  private func check(
    _ content: StagedContent,
    for entry: RegistryEntry,
    _ previous: InstalledVersion?
  ) throws(HostError) {
    guard content.identifier == entry.id else {
      throw refused("its files have the identifier \(content.identifier)")
    }
    guard content.kind == entry.kind else {
      throw refused("it is \(content.kind.rawValue), and its entry says otherwise")
    }
    let (asked, named) = (content.permissions, entry.permissions ?? PermissionSet())
    let hidden = asked.beyond(named)
    guard hidden.isEmpty else {
      throw refused(
        "its files ask to \(PermissionSet(hidden).words), which its entry does not name"
      )
    }
    let unused = named.beyond(asked)
    guard unused.isEmpty else {
      throw refused(
        "its entry says that it asks to \(PermissionSet(unused).words), and it does not"
      )
    }
    if case .script(let found, _) = content, found.widget.script?.options.host != nil {
      throw refused("it would run on another machine, outside of the sandbox")
    }
    if case .bundle(let staged, let installer) = content,
      let (scheme, owner) = installer.takenSchemes(of: staged).first
    {
      throw refused("its app opens \(scheme):, which \(owner) does already")
    }
    // Bundles were compared with all others when they were copied.
    guard case .script = content, let other = present(entry.id), other != content.replaced else {
      return
    }
    throw refused("\(other) already has the identifier \(entry.id)")
  }

  private func refused(_ words: String) -> HostError {
    HostError(code: .refused, description: words)
  }

  // MARK: - Installing

  /// Puts a checked entry in its place.
  ///
  /// - Returns: Its path.
  /// - Throws: ``HostError``; what was there before is still there.
  @discardableResult
  package func install(_ prepared: Prepared) throws(HostError) -> String {
    defer { discard(prepared) }
    let entry = prepared.listing.entry
    let version = InstalledVersion(
      id: entry.id,
      kind: prepared.content.kind.rawValue,
      source: prepared.listing.source.identity,
      version: entry.version.description,
      sha256: entry.sha256 ?? "",
      digest: prepared.digest,
      path: prepared.content.target,
      permissions: String(
        decoding: prepared.content.permissions.json.json,
        as: UTF8.self
      ),
      date: Date()
    )
    return try book.whileLocked { () throws(HostError) in
      var present = prepared.previous
      // Another program may have installed a newer one since.
      if book.versions(of: entry.id) != prepared.known {
        book.settleWhileLocked(entry.id)
        present = try previous(book.state(of: entry.id), of: entry, from: prepared.listing.source)
      }
      try book.write([present, version].compactMap(\.self), of: entry.id)
      onStep(.noted)
      let path = try prepared.content.install()
      onStep(.placed)
      try book.write([version], of: entry.id)
      onStep(.done)
      return path
    }
  }

  /// Removes what was prepared and is not to be installed.
  package func discard(_ prepared: Prepared) {
    prepared.content.discard()
    cache.discard(prepared.files)
  }
}
