import ExtensionContent
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A search in progress: the bundles found so far, and the remaining limits.
struct BundleScan {
  private var catalog = BundleCatalog()
  private let limits: BundleLimits
  private var searched: Set<String> = []
  private var pathsByIdentifier: [String: String] = [:]
  private var readCount = 0
  private var passedOverCount = 0
  private var firstPassedOver: String?
  private var trust: BundleTrust
  /// Whether the bundles that are searched may have the identifiers of the program.
  private var mayBeOwn = true
  /// The folder with the blocks of status commands; nil if no scripts are searched.
  private let blocks: String?

  init(limits: BundleLimits, trust: BundleTrust, blocks: String? = nil) {
    self.limits = limits
    self.trust = trust
    self.blocks = blocks
  }

  /// Adds every bundle in `folder`.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isRequired: Whether the user named it.
  ///   - trust: The owners whose bundles are added.
  ///   - mayBeOwn: Whether they may have the identifiers of the program.
  mutating func search(
    _ folder: String,
    isRequired: Bool,
    trust: BundleTrust,
    mayBeOwn: Bool = true
  ) {
    // Two search paths may lead to the same folder; its bundles are not duplicates of themselves.
    guard searched.insert(resolvedPath(folder) ?? folder).inserted else { return }
    self.trust = trust
    self.mayBeOwn = mayBeOwn
    for name in names(in: folder, isRequired: isRequired) {
      let path = "\(folder)/\(name)"
      if ExtensionBundle.isNamed(name) {
        let byteLimit = limits.propertyListBytes
        addExtension(at: path) { () throws(BundleError) in
          try ExtensionBundle(path: path, byteLimit: byteLimit, trust: trust)
        }
      } else if name.hasSuffix(".app") {
        addApp(at: path)
      }
    }
  }

  /// Adds what a user has named if it is a bundle or a file, which is a script then; false for a folder of bundles.
  mutating func addNamed(_ path: String, _ paths: SearchPaths) -> Bool {
    let isBundle = Self.isBundle(path)
    let trust = BundleTrust.named(path)
    let bundleTrust = paths.acceptMissingPrograms ? trust.beforeBuild : trust
    var isFolder: Bool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return isBundle && addBundle(path, bundleTrust)
    }
    guard !isFolder else { return isBundle && addBundle(path, bundleTrust) }
    addScript(at: path, trust: trust, source: ScriptOptions(), paths.scriptOptions)
    return true
  }

  private mutating func addBundle(_ path: String, _ trust: BundleTrust) -> Bool {
    self.trust = trust
    mayBeOwn = true
    guard ExtensionBundle.isNamed(path) else {
      addApp(at: path)
      return true
    }
    let byteLimit = limits.propertyListBytes
    addExtension(at: path) { () throws(BundleError) in
      try ExtensionBundle(path: path, byteLimit: byteLimit, trust: trust)
    }
    return true
  }

  /// Adds every script in a folder of scripts; a folder that is missing has none.
  mutating func searchScripts(_ source: ScriptSource, _ overrides: [String: ScriptOptions]) {
    let folder = source.folder
    let trust = BundleTrust.searchPath(folder, includesOwner: false)
    guard FileIdentity(folder) != nil else { return }
    do throws(BundleError) {
      try trust.check(folder: folder)
    } catch {
      catalog.problems.append(error)
      return
    }
    guard searched.insert(resolvedPath(folder) ?? folder).inserted else { return }
    for name in scriptNames(in: folder) {
      // What is listed of another machine is written while it is read.
      if source.options.folderThere != nil, OwnFolder.isTemporary(name) { continue }
      addScript(at: "\(folder)/\(name)", trust: trust, source: source.options, overrides)
    }
  }

  /// Adds the share extensions and actions that come with the program as scripts; one of the user with the same
  /// name takes the place of one of these.
  mutating func searchBundledExtensions(_ folder: String) {
    guard FileIdentity(folder) != nil else { return }
    let trust = BundleTrust.searchPath(folder, includesOwner: true)
    for name in scriptNames(in: folder) {
      let path = "\(folder)/\(name)"
      do throws(BundleError) {
        guard let found = try ExtensionBundle.script(at: path, trust: trust),
          pathsByIdentifier[found.bundle.bundleIdentifier] == nil
        else { continue }
        try add(found.bundle, found.declaration, at: path)
      } catch {
        catalog.problems.append(error)
      }
    }
  }

  private mutating func add(
    _ bundle: ExtensionBundle,
    _ declaration: ScriptExtension,
    at path: String
  ) throws(BundleError) {
    guard mayRead(path), isFirst(bundle.bundleIdentifier, script: path) else { return }
    catalog.otherExtensions.append(bundle)
    catalog.contentExtensions.append(try ContentExtension(bundle, script: declaration))
  }

  private mutating func addScript(
    at path: String,
    trust: BundleTrust,
    source: ScriptOptions,
    _ overrides: [String: ScriptOptions]
  ) {
    do throws(BundleError) {
      let isConfined = source.sandbox == true
      if source.folderThere == nil,
        let found = try ExtensionBundle.script(at: path, trust: trust, isConfined: isConfined)
      {
        return try add(found.bundle, found.declaration, at: path)
      }
      let found = try WidgetBundle.script(
        at: path,
        trust: trust,
        source: source,
        overrides: overrides
      )
      guard let (widget, faults) = found else { return }
      guard mayRead(path), isFirst(widget.bundleIdentifier, script: path) else { return }
      catalog.widgets += parts(of: widget, overrides)
      catalog.problems += faults
    } catch {
      catalog.problems.append(error)
    }
  }

  /// The widgets of a script: one for each block that is known of a status command that is split, else itself.
  private mutating func parts(
    of widget: WidgetBundle,
    _ overrides: [String: ScriptOptions]
  ) -> [WidgetBundle] {
    guard let blocks, let script = widget.script, script.isSplit else { return [widget] }
    let path = ScriptBlockList.path(of: script.identifier, in: blocks)
    let entries = ScriptBlockList.read(path, of: script.identifier).entries
      .filter { script.wants($0.block) }
    let room = max(0, limits.widgets - catalog.widgets.count)
    let parts = entries.prefix(room).compactMap { entry -> WidgetBundle? in
      guard isFirst(entry.identifier, script: widget.path) else { return nil }
      let own = overrides[entry.identifier]
      return widget.block(entry.block, identifier: entry.identifier, own: own)
    }
    return parts.isEmpty ? [widget] : parts
  }

  private mutating func scriptNames(in folder: String) -> [String] {
    do throws(FileFault) {
      let found = try FolderNames(in: folder)
      report(found.unreadable.filter { !$0.hasPrefix(".") }, in: folder)
      return found.names
    } catch {
      catalog.problems.append(
        BundleError(
          .unreadable,
          bundlePath: folder,
          file: folder,
          found: "not readable (\(error.words))",
          expected: "a folder of scripts"
        )
      )
      return []
    }
  }

  /// Names the files whose names cannot be used.
  private mutating func report(_ names: [String], in folder: String) {
    for name in names {
      catalog.problems.append(
        BundleError(
          .unreadable,
          bundlePath: folder,
          file: "\(folder)/\(name)",
          found: "named in bytes that are not UTF-8",
          expected: "a name in UTF-8; rename the file"
        )
      )
    }
  }

  /// Adds an app and its extensions.
  mutating func add(_ app: AppBundle) {
    guard isFirst(app.bundleIdentifier, path: app.path) else { return }
    catalog.apps.append(app)
    let byteLimit = limits.propertyListBytes
    let trust = trust
    for name in names(in: app.plugInsPath, isRequired: false) where ExtensionBundle.isNamed(name) {
      let path = "\(app.plugInsPath)/\(name)"
      addExtension(at: path) { () throws(BundleError) in
        try ExtensionBundle(path: path, containingApp: app, byteLimit: byteLimit, trust: trust)
      }
    }
  }

  /// Returns the result; the number of skipped bundles is one problem.
  consuming func finish() -> BundleCatalog {
    guard let firstPassedOver else { return catalog }
    catalog.problems.append(
      BundleError(
        .tooMany,
        bundlePath: firstPassedOver,
        file: firstPassedOver,
        found: passedOverCount == 1
          ? "one bundle too many" : "the first of \(passedOverCount) bundles too many",
        expected: "at most \(limits.widgets) widgets, \(limits.bundles) bundles in all"
      )
    )
    return catalog
  }

  private mutating func addApp(at path: String) {
    guard mayRead(path) else { return }
    do throws(BundleError) {
      add(try AppBundle(path: path, byteLimit: limits.propertyListBytes, trust: trust))
    } catch {
      catalog.problems.append(error)
    }
  }

  private mutating func addExtension(
    at path: String,
    read: () throws(BundleError) -> ExtensionBundle
  ) {
    guard mayRead(path) else { return }
    do throws(BundleError) {
      let found = try read()
      guard isFirst(found.bundleIdentifier, path: path) else { return }
      if found.point?.presentation == .card {
        catalog.widgets.append(WidgetBundle(found))
      } else {
        catalog.otherExtensions.append(found)
        if let fault = found.unknownPoint { return catalog.problems.append(fault) }
        catalog.contentExtensions.append(try ContentExtension(found))
      }
    } catch {
      catalog.problems.append(error)
    }
  }

  private mutating func mayRead(_ path: String) -> Bool {
    guard catalog.widgets.count < limits.widgets, readCount < limits.bundles else {
      passedOverCount += 1
      firstPassedOver = firstPassedOver ?? path
      return false
    }
    readCount += 1
    return true
  }

  /// Whether `identifier` is new; if it is not, reports a problem that names both bundles.
  private mutating func isFirst(_ identifier: String, path: String) -> Bool {
    if !mayBeOwn, let rule = ReservedIdentifiers.rule(for: identifier) {
      catalog.problems.append(
        BundleError(
          .reserved,
          bundlePath: path,
          file: "\(path)/Info.plist",
          key: "CFBundleIdentifier",
          found: "\"\(identifier)\"",
          expected: rule
        )
      )
      return false
    }
    guard let first = pathsByIdentifier[identifier] else {
      pathsByIdentifier[identifier] = path
      return true
    }
    catalog.problems.append(
      BundleError(
        .duplicate,
        bundlePath: path,
        file: "\(path)/Info.plist",
        key: "CFBundleIdentifier",
        found: "\"\(identifier)\", which \(first) has already",
        expected: "an identifier of its own"
      )
    )
    return false
  }

  /// Whether no other script has the same name but for its interval and ending.
  private mutating func isFirst(_ identifier: String, script path: String) -> Bool {
    guard let first = pathsByIdentifier[identifier] else {
      pathsByIdentifier[identifier] = path
      return true
    }
    catalog.problems.append(
      BundleError(
        .duplicate,
        bundlePath: path,
        file: path,
        found: "called \(identifier) as \(first) is",
        expected: "a name that differs in more than its interval and its ending"
      )
    )
    return false
  }

  /// Returns the names in `folder` that are bundles, in order.
  private mutating func names(in folder: String, isRequired: Bool) -> [String] {
    do throws(FileFault) {
      let found = try FolderNames(in: folder)
      report(found.unreadable.filter(Self.isBundle), in: folder)
      return found.names.filter(Self.isBundle)
    } catch {
      let isMissing = error == .absent
      if isRequired || !isMissing {
        catalog.problems.append(
          BundleError(
            .unreadable,
            bundlePath: folder,
            file: folder,
            found: isMissing ? "missing" : "not readable (\(error.words))",
            expected: "a folder of bundles"
          )
        )
      }
      return []
    }
  }

  private static func isBundle(_ name: String) -> Bool {
    !name.hasPrefix(".") && (ExtensionBundle.isNamed(name) || name.hasSuffix(".app"))
  }
}
