import Glibc
import WidgetHost
import WidgetKitCore

/// `today install` and `today uninstall`: the bundles of the user.
struct InstallCommand: Command {
  /// What is done.
  enum Action {
    case install(String)
    case uninstall(String)
  }

  var options: CommonOptions
  var action: Action
  /// Whether the user has agreed on the command line.
  var isAgreed = false

  init(
    _ name: String,
    _ reader: inout ArgumentReader,
    _ options: CommonOptions
  ) throws(CommandError) {
    self.options = options
    var arguments: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      if argument == "--yes" {
        isAgreed = true
      } else if argument.hasPrefix("-") {
        throw reader.unknown(argument)
      } else {
        arguments.append(argument)
      }
    }
    let what =
      name == "install"
      ? "a bundle, an archive or a script" : "the identifier of an app or a widget"
    guard arguments.count == 1, let argument = arguments.first else {
      throw .usage("expected \(what); see “today help \(name)”")
    }
    action = name == "install" ? .install(argument) : .uninstall(argument)
  }

  func run() async throws(CommandError) -> ExitCode {
    let paths = SearchPaths(
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
    let catalog = BundleCatalog.scan(paths)
    let installer = BundleInstaller(environment: options.environment, catalog: catalog)
    switch action {
    case .install(let source):
      if let code = try installScript(source) { return code }
      return try await install(source, installer)
    case .uninstall(let name):
      let identifier = try identifier(of: name, in: catalog)
      if let code = try uninstallScript(identifier) { return code }
      return try uninstall(identifier, installer)
    }
  }

  /// The identifier of what an argument names: an app or a widget by itself.
  ///
  /// An identifier that nothing installed has is returned as it is.
  private func identifier(
    of name: String,
    in catalog: BundleCatalog
  ) throws(CommandError) -> String {
    if catalog.apps.contains(where: { $0.bundleIdentifier == name }) { return name }
    let (identifiers, instance) = try catalog.widgets(of: name)
    guard let first = identifiers.first else { return name }
    if let instance {
      throw .usage(
        "“\(name)” is an instance, which “today remove \(name)” removes; leave out "
          + "“:\(instance.rawValue)” to uninstall the widget with all of its instances"
      )
    }
    guard identifiers.count == 1 else { return name }
    let widget = catalog.widget(withIdentifier: first)
    return widget?.script?.identifier ?? first
  }

  /// Installs a script; nil if the file is none.
  private func installScript(_ source: String) throws(CommandError) -> ExitCode? {
    guard let installer = ScriptInstaller(environment: options.environment) else { return nil }
    let found = try CommandError.from { () throws(HostError) in try installer.find(source) }
    guard let found else { return nil }
    let identifier = found.widget.bundleIdentifier
    let name = SafeText(quoting: found.widget.displayName.string, columns: Self.nameColumns)
    Self.say(SafeText("Script \(identifier) (\(name))"))
    if let path = found.replaced { Self.say(SafeText("  replaces \(path)")) }
    let asked = found.widget.script?.options.entitlements.requests ?? []
    Self.say(
      asked.isEmpty
        ? "  runs in the sandbox, without the network and your files" : "  runs in the sandbox"
    )
    for request in asked {
      Self.say("    \(sandbox.wish(request, among: asked))")
    }
    guard agrees(to: found.replaced == nil ? "Install it?" : "Replace it?") else { return .failure }
    let path = try CommandError.from { () throws(HostError) in try installer.install(found) }
    Self.say(SafeText("Installed \(path)."))
    return .success
  }

  /// Uninstalls a script; nil if none of this name is installed.
  private func uninstallScript(_ identifier: String) throws(CommandError) -> ExitCode? {
    guard let installer = ScriptInstaller(environment: options.environment),
      let path = installer.installed(identifier)
    else { return nil }
    Self.say(SafeText("\(path)"))
    guard agrees(to: "Uninstall it?") else { return .failure }
    try CommandError.from { () throws(HostError) in
      try installer.uninstall(identifier, at: path)
    }
    return .success
  }

  private func install(
    _ source: String,
    _ installer: BundleInstaller
  ) async throws(CommandError) -> ExitCode {
    let staged: BundleInstaller.Staged
    do throws(HostError) {
      staged = try await installer.stage(source)
    } catch {
      throw error.code == .missing ? .missing("\(error)") : .failure("\(error)")
    }
    let foreign = installer.foreignRequests(of: staged)
    describe(staged, foreign, installer)
    guard agrees(to: staged.replaced == nil ? "Install it?" : "Replace it?") else {
      installer.discard()
      return .failure
    }
    let path = try CommandError.from { () throws(HostError) in try installer.install(staged) }
    let names = staged.widgets.map(\.bundleIdentifier)
    Self.say(SafeText("Installed \(path)."))
    if staged.replaced == nil, let name = names.first {
      Self.say(SafeText("“today add \(name)” puts it on the page."))
    }
    try ask(foreign, of: staged)
    return .success
  }

  /// Asks about groups of other developers, to which `--yes` does not agree.
  private func ask(
    _ foreign: [EntitlementRequest],
    of staged: BundleInstaller.Staged
  ) throws(CommandError) {
    let id = staged.bundleIdentifier
    for request in foreign {
      let words = SafeText("\(id) asks to \(request.words)")
      Self.say(words)
      guard !isAgreed, agrees(to: "Permit it?") else {
        let name = request.entitlement.rawValue
        Self.say(
          SafeText("  not permitted; “today permissions \(id) --grant \(name)” permits it")
        )
        continue
      }
      let paths = SearchPaths(
        environment: options.environment,
        executable: HostProcess.executablePath()
      )
      let widgets = BundleCatalog.scan(paths).widgets
      guard let widget = widgets.first(where: { $0.permissionHolder == id }) else { return }
      try CommandError.from { () throws(HostError) in
        try PermissionBook(paths, environment: options.environment).set(true, [request], of: widget)
      }
    }
  }

  /// The most columns of what a bundle says of itself.
  private static let (nameColumns, descriptionColumns) = (60, 240)

  /// Writes a paragraph: what a name in it has of line breaks makes no other one.
  private static func say(_ words: SafeText) {
    StandardStreams.writeParagraph(words.onOneLine)
  }

  /// Says what is to be installed, and what its widgets ask for.
  private func describe(
    _ staged: BundleInstaller.Staged,
    _ foreign: [EntitlementRequest],
    _ installer: BundleInstaller
  ) {
    let kind = staged.app == nil ? "Widget" : "App"
    Self.say(SafeText("\(kind) \(staged.bundleIdentifier) (\(staged.name))"))
    if let path = staged.replaced { Self.say(SafeText("  replaces \(path)")) }
    if let schemes = staged.app?.urlSchemes, !schemes.isEmpty {
      Self.say(
        SafeText("  opens \(schemes.map { "\($0):" }.joined(separator: ", "))")
      )
    }
    for (scheme, owner) in installer.takenSchemes(of: staged) {
      Self.say(
        SafeText("  \(scheme): is a scheme of \(owner) too, and only one of the two opens it")
      )
    }
    if let app = staged.app {
      Self.say(
        SafeText(
          "  its program runs in the sandbox, after a press only; “today permissions "
            + "\(app.bundleIdentifier) --grant trust” lets it do what you can"
        )
      )
      describe(app.entitlements.requests)
    }
    for request in foreign {
      Self.say(SafeText("  asks to \(request.words)"))
    }
    for widget in staged.widgets {
      // What the bundle says of itself stands in quotation marks.
      let name = SafeText(quoting: widget.displayName.string, columns: Self.nameColumns)
      Self.say(SafeText("  widget \(name) (\(widget.bundleIdentifier))"))
      if let words = widget.infoPlist.widgetDescription {
        let quoted = SafeText(quoting: words.string, columns: Self.descriptionColumns)
        Self.say(SafeText("    \(quoted)"))
      }
      describe(widget.entitlements.requests)
    }
  }

  /// Says what is asked for, in the words of the question in the card.
  private func describe(_ requests: [EntitlementRequest]) {
    let asked = requests.filter(\.entitlement.needsPermission)
    for request in asked {
      Self.say("    \(sandbox.wish(request, among: asked))")
    }
  }

  /// The sandbox in which it will run.
  private var sandbox: Sandbox {
    Sandbox(
      UserConfiguration(environment: options.environment).settings.sandbox,
      environment: options.environment
    )
  }

  private func uninstall(
    _ identifier: String,
    _ installer: BundleInstaller
  ) throws(CommandError) -> ExitCode {
    let installed = try CommandError.from { () throws(HostError) in
      try installer.installed(identifier)
    }
    Self.say(SafeText("\(installed.path)"))
    for identifier in installed.identifiers {
      Self.say(
        SafeText("  \(identifier): its files, settings, secrets and logs are removed too")
      )
    }
    let groups = installer.groupsLeft(by: installed)
    if !groups.isEmpty {
      Self.say(
        SafeText("  \(groups.joined(separator: ", ")): nobody else uses it, and it is removed too")
      )
    }
    guard agrees(to: "Uninstall it?") else { return .failure }
    let trouble = try CommandError.from { () throws(HostError) in
      try installer.uninstall(installed, secrets: SecretStorage(options))
    }
    if let trouble { throw .failure("\(identifier) is uninstalled; \(trouble)") }
    return .success
  }

  /// Asks on the terminal; without one only `--yes` agrees.
  private func agrees(to question: String) -> Bool {
    if isAgreed { return true }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      StandardStreams.writeError("nothing was changed; --yes agrees without a terminal")
      return false
    }
    StandardStreams.write(text: "\(question) [y/N] ")
    return ["y", "yes"].contains(readLine(strippingNewline: true)?.lowercased() ?? "")
  }
}
