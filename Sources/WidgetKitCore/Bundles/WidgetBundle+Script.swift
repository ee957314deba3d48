import Glibc

extension WidgetBundle {
  /// The bytes of a script in which its line is looked for.
  private static let searchedBytes = 16 * 1024

  /// Reads the script at `path`; nil if the file is none: not a regular file, not executable and without `#!`, or with a
  /// name that scripts do not have.
  ///
  /// Nothing is run.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - trust: The owners whose files are used.
  ///   - source: What its folder says; its own lines come before that.
  ///   - overrides: What config.json says about single scripts, by their identifiers, which comes first.
  /// - Returns: The widget, and the values of its line that cannot be used, without which it is shown.
  /// - Throws: The error that keeps the file from being used.
  package static func script(
    at path: String,
    trust: BundleTrust,
    source: ScriptOptions = ScriptOptions(),
    overrides: [String: ScriptOptions] = [:]
  ) throws(BundleError) -> (widget: WidgetBundle, faults: [BundleError])? {
    let location = BundleLocation(path)
    guard let name = ScriptName(file: location.name), let target = resolvedPath(path) else {
      return nil
    }
    var status = stat()
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // What is listed of another machine was executable there, and must not be here.
    let isThere = source.folderThere != nil
    guard isThere || status.st_mode & 0o111 != 0 && access(target, X_OK) == 0 else {
      guard isWritten(target) else { return nil }
      let fault = BundleFault(
        code: .notExecutable,
        key: nil,
        found: "not executable",
        expected: "an executable script (chmod +x)"
      )
      throw fault.located("", in: location)
    }
    let identifier =
      isThere ? name.identifier(on: source.host?.machine ?? "") : name.identifier
    var line = ScriptLine(in: "")
    var values: [String: JSONTree] = [:]
    var readsColumns = false
    do throws(BundleFault) {
      let text = try beginning(of: target, status, trust)
      line = ScriptLine(in: text)
      readsColumns = text.contains("COLUMNS")
      if !line.variables.isEmpty { values = Self.variables(beside: target) }
    } catch {
      throw error.located("", in: location)
    }
    let faults = line.faults.map { $0.located("", in: location) }
    let settings = ScriptVariable.settings(line.variables, values: values)
    var script = ScriptProgram(path: location.path, options: source)
    script.identifier = identifier
    script.readsColumns = readsColumns
    script.source = source
    script.own = overrides[identifier]
    script.options.interval = name.interval ?? source.interval
    script.options.set(line.options)
    // A script of a source that is in the sandbox does not leave it by itself.
    if source.sandbox == true { script.options.sandbox = true }
    if let own = script.own { script.options.set(own) }
    // It is nowhere else.
    if isThere { script.options.host = source.host }
    let title = script.options.title ?? SafeText(name: name.name, orIfInvisible: identifier)
    return (WidgetBundle(location, title, identifier, script, settings), faults)
  }

  /// The beginning of a script, in which its lines are looked for.
  static func beginning(
    of target: String,
    _ status: stat,
    _ trust: BundleTrust
  ) throws(BundleFault) -> String {
    try trust.check(status)
    try trust.check(folderOf: target)
    let file = try BundleFile.open(target, expected: "a script that can be read")
    return String(decoding: try file.prefix(searchedBytes), as: UTF8.self)
  }

  /// Whether a file that is not executable was probably meant to be a script: it begins with `#!`.
  private static func isWritten(_ path: String) -> Bool {
    guard let file = try? BundleFile.open(path, expected: "a script"),
      let start = try? file.prefix(2)
    else { return false }
    return start.elementsEqual("#!".utf8)
  }

  /// Makes the widget of one block of a status command.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - identifier: The identifier of its widget, which begins with that of the script.
  ///   - own: What config.json says about it; what concerns the program is not used.
  /// - Returns: The widget; nil for a script whose blocks are no cards.
  package func block(
    _ block: ScriptBlock,
    identifier: String,
    own: ScriptOptions?
  ) -> WidgetBundle? {
    guard var script, script.isSplit, script.block == nil else { return nil }
    script.shared = script.options
    script.ownOfProgram = script.own
    script.block = block
    script.own = own
    let location = BundleLocation(path)
    let name = SafeText(
      name: ScriptName(file: location.name)?.name ?? "",
      orIfInvisible: identifier
    )
    var title = block.title(of: script.options.title ?? name)
    script.options.title = nil
    if let own { script.options.set(ofCard: own) }
    title = script.options.title ?? title
    return WidgetBundle(location, title, identifier, script, [])
  }

  /// The values that a user has given a plugin in xbar (`load.5s.sh.vars.json`) or SwiftBar
  /// (`load.5s.vars.json`); none if there is no such file, or it is not an object.
  private static func variables(beside script: String) -> [String: JSONTree] {
    var stem = script
    if let dot = script.lastIndex(of: "."), !script[dot...].contains("/") {
      stem = String(script[..<dot])
    }
    var values: [String: JSONTree] = [:]
    for path in ["\(stem).vars.json", "\(script).vars.json"] {
      guard let file = try? BundleFile.open(path, expected: "an object"),
        let bytes = try? file.prefix(searchedBytes), let members = try? JSONTree(bytes).members
      else { continue }
      for member in members { values[member.name] = member.value }
    }
    return values
  }

  private init(
    _ location: BundleLocation,
    _ title: SafeText,
    _ identifier: String,
    _ script: ScriptProgram,
    _ settings: [SettingDeclaration]
  ) {
    let options = script.options
    var title = title
    if let host = options.host { title = SafeText("\(title) · \(host.machine)") }
    let infoPlist = InfoPlist(
      bundleIdentifier: identifier,
      displayName: title,
      executable: location.name,
      urlSchemes: [],
      widgetExtension: InfoPlist.WidgetExtension(
        pointIdentifier: ExtensionPoint.today.identifier,
        principal: nil,
        attributes: [:],
        refreshInterval: script.refreshInterval,
        addressSpace: nil,
        settings: settings,
        span: options.span,
        mark: CardMark(glyph: options.icon, tint: options.tint)
      ),
      widgetDescription: options.purpose,
      isBackgroundOnly: false,
      needsTerminal: false
    )
    let asked = script.isSandboxed ? options.entitlements : Entitlements()
    base = ExtensionBundle(script: location.path, infoPlist, asked)
    self.script = script
  }

  /// Where it is, in words: for a script on another machine, where it is there.
  package var place: String {
    guard let script, let path = script.pathThere, let host = script.options.host else {
      return path
    }
    return "\(host):\(path)"
  }

  /// Reads the widget again, which may have changed on the disk.
  ///
  /// - Parameter byteLimit: The longest property list that is read.
  /// - Returns: The widget as it is now.
  /// - Throws: The first error in it or in its app.
  package func readAgain(byteLimit: Int) throws(BundleError) -> WidgetBundle {
    guard let script else { return try WidgetBundle(path: path, byteLimit: byteLimit) }
    var options = [bundleIdentifier: script.own]
    if script.block != nil { options[script.identifier] = script.ownOfProgram }
    return try readAgain(script, options: options.compactMapValues { $0 })
  }

  /// Reads a script again, with what config.json says now.
  ///
  /// - Parameter options: What it says about scripts, by their identifiers.
  /// - Returns: The widget as it is now; the same for one that is not a script.
  /// - Throws: The error that keeps the file from being used.
  package func readAgain(
    options: [String: ScriptOptions]
  ) throws(BundleError) -> WidgetBundle {
    guard let script else { return self }
    return try readAgain(script, options: options)
  }

  private func readAgain(
    _ script: ScriptProgram,
    options: [String: ScriptOptions]
  ) throws(BundleError) -> WidgetBundle {
    let found = try Self.script(
      at: path,
      trust: .searchPath("/", includesOwner: false),
      source: script.source,
      overrides: options
    )
    guard let found else {
      throw BundleFault.unreadable("not there, or not executable", expected: "an executable script")
        .located("", in: BundleLocation(path))
    }
    guard let block = script.block else { return found.widget }
    // One that is not split any more is about to be replaced by the card of all blocks.
    return found.widget.block(
      block,
      identifier: bundleIdentifier,
      own: options[bundleIdentifier]
    ) ?? self
  }
}

extension ScriptOptions {
  /// What a script in the sandbox asks for, as a bundle does in its Entitlements.plist.
  package var entitlements: Entitlements {
    var values: [String: PropertyValue] = [:]
    if let network { values[Entitlement.network.rawValue] = .boolean(network) }
    if let files { values[Entitlement.homeFiles.rawValue] = .array(files.map { .string($0) }) }
    return Entitlements(values)
  }
}
