import Glibc
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPages
package import WidgetPlatform

/// The files of an entry, read as what they are: a bundle that was copied beside its place, or a script.
package enum StagedContent {
  case bundle(BundleInstaller.Staged, BundleInstaller)
  case script(ScriptInstaller.Found, ScriptInstaller)

  /// Reads files without running anything.
  ///
  /// - Parameters:
  ///   - path: The file or the folder.
  ///   - environment: The user's environment.
  ///   - catalog: What is installed already.
  /// - Throws: ``HostError`` that names what cannot be installed.
  package init(
    _ path: String,
    environment: [String: String],
    catalog: BundleCatalog
  ) async throws(HostError) {
    if let installer = ScriptInstaller(environment: environment),
      let found = try installer.find(path)
    {
      self = .script(found, installer)
      return
    }
    // An archive would be unpacked by another program, with none of the checks of what was fetched.
    var status = stat()
    guard unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFREG else {
      throw HostError(
        code: .refused,
        description: "\(path) is neither a folder with a bundle nor a script that can be run"
      )
    }
    let installer = BundleInstaller(environment: environment, catalog: catalog)
    self = .bundle(try await installer.stage(path), installer)
  }

  /// Its identifier.
  package var identifier: String {
    switch self {
    case .bundle(let staged, _): staged.bundleIdentifier
    case .script(let found, _): found.widget.bundleIdentifier
    }
  }

  /// What it is.
  package var kind: RegistryEntry.Kind {
    switch self {
    case .bundle(let staged, _):
      staged.app != nil ? .app : staged.widgets.isEmpty ? .extension : .widget
    case .script: .script
    }
  }

  /// What it is called.
  package var name: SafeText {
    switch self {
    case .bundle(let staged, _):
      staged.app?.name ?? staged.bundles.first?.displayName ?? SafeText(staged.name)
    case .script(let found, _): found.widget.displayName
    }
  }

  /// What it is for; nil if its manifest does not say.
  package var words: SafeText? {
    switch self {
    case .bundle(let staged, _):
      staged.bundles.lazy.compactMap(\.infoPlist.widgetDescription).first
    case .script(let found, _): found.widget.infoPlist.widgetDescription
    }
  }

  /// What its manifests ask for.
  package var permissions: PermissionSet {
    switch self {
    case .bundle(let staged, _):
      let all = staged.bundles.flatMap(\.entitlements.requests)
      return PermissionSet((staged.app?.entitlements.requests ?? []) + all)
    case .script(let found, _):
      return PermissionSet(found.widget.script?.options.entitlements.requests ?? [])
    }
  }

  /// The widgets and scripts in it, which may be added to the page.
  package var widgets: [String] {
    switch self {
    case .bundle(let staged, _): staged.widgets.map(\.bundleIdentifier)
    case .script(let found, _): [found.widget.bundleIdentifier]
    }
  }

  /// The path of what it replaces; nil if it is new.
  package var replaced: String? {
    switch self {
    case .bundle(let staged, _): staged.replaced
    case .script(let found, _): found.replaced
    }
  }

  /// Where it will be.
  var target: String {
    switch self {
    case .bundle(let staged, let installer): staged.replaced ?? "\(installer.folder)/\(staged.name)"
    case .script(let found, let installer): installer.path(of: found)
    }
  }

  /// Puts it in its place, in one step.
  func install() throws(HostError) -> String {
    switch self {
    case .bundle(let staged, let installer): try installer.install(staged)
    case .script(let found, let installer): try installer.install(found)
    }
  }

  /// Removes what was copied.
  package func discard() {
    if case .bundle(_, let installer) = self { installer.discard() }
  }
}
