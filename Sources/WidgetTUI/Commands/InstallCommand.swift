import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today install`: installs an app, a widget or a script for this user.
struct InstallCommand: Command {
  static let name = "install"
  static let syntax = CommandSyntax<InstallCommand>(
    name,
    "install an app, an extension or a script for this user",
    expected: "a bundle, an archive or a script",
    details: """
      Copies an .app, a .widget or an .appex, or the one in an archive, to the widgets of this user,
      whole or not at all; one with the same identifier is replaced. Only plain files and folders are
      installed.
      A script is copied too, and runs in the sandbox; “today add SCRIPT” is for your own.
      Prints what it contains, and asks first; without a terminal --yes agrees.
      """,
    operands: [.one("BUNDLE|ARCHIVE|SCRIPT", .path, \.source)],
    options: [
      .flag("--yes", \.question.isAgreed): "agree without a question"
    ]
  )

  var options = CommonOptions()
  private var source = ""
  private var question = InstallQuestion()

  func run() async throws(CommandError) -> ExitCode {
    if let code = try installScript(source) { return code }
    let paths = SearchPaths(
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
    let catalog = BundleCatalog.scan(paths)
    return try await install(
      source,
      BundleInstaller(environment: options.environment, catalog: catalog)
    )
  }

  /// Installs a script; nil if the file is none.
  private func installScript(_ source: String) throws(CommandError) -> ExitCode? {
    guard let installer = ScriptInstaller(environment: options.environment) else { return nil }
    let found = try CommandError.from { () throws(HostError) in try installer.find(source) }
    guard let found else { return nil }
    let identifier = found.widget.bundleIdentifier
    let name = SafeText(quoting: found.widget.displayName.string, columns: Self.nameColumns)
    question.say(SafeText("Script \(identifier) (\(name))"))
    if let path = found.replaced { question.say(SafeText("  replaces \(path)")) }
    let asked = found.widget.script?.options.entitlements.requests ?? []
    question.say(
      asked.isEmpty
        ? "  runs in the sandbox, without the network and your files" : "  runs in the sandbox"
    )
    for request in asked {
      question.say("    \(sandbox.wish(request, among: asked))")
    }
    guard question.agrees(to: found.replaced == nil ? "Install it?" : "Replace it?") else {
      return .failure
    }
    let path = try CommandError.from { () throws(HostError) in try installer.install(found) }
    question.say(SafeText("Installed \(path)."))
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
    guard question.agrees(to: staged.replaced == nil ? "Install it?" : "Replace it?") else {
      installer.discard()
      return .failure
    }
    let path = try CommandError.from { () throws(HostError) in try installer.install(staged) }
    question.say(SafeText("Installed \(path)."))
    if staged.replaced == nil, let name = staged.widgets.first?.bundleIdentifier {
      question.say(SafeText("“today add \(name)” puts it on the page."))
    }
    if staged.replaced == nil, let first = staged.contents.first {
      let (command, name) = (first.shares ? "share" : "act", first.identifier)
      question.say(SafeText("“today \(command) --with \(name)” uses it."))
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
      question.say(words)
      guard !question.isAgreed, question.agrees(to: "Permit it?") else {
        let name = request.entitlement.rawValue
        question.say(
          SafeText("  not permitted; “today permissions \(id) --grant \(name)” permits it")
        )
        continue
      }
      let paths = SearchPaths(
        environment: options.environment,
        executable: HostProcess.executablePath()
      )
      let catalog = BundleCatalog.scan(paths)
      let all = catalog.widgets + catalog.contentExtensions.map { WidgetBundle($0.bundle) }
      guard let widget = all.first(where: { $0.permissionHolder == id }) else { return }
      try CommandError.from { () throws(HostError) in
        try PermissionBook(paths, environment: options.environment).set(true, [request], of: widget)
      }
    }
  }

  /// What a person calls an extension for content.
  private static func kind(_ target: ContentExtension) -> String {
    target.shares ? "Share extension" : "Action"
  }

  /// The most columns of what a bundle says of itself.
  private static let (nameColumns, descriptionColumns) = (60, 240)

  /// Says what is to be installed, and what its widgets ask for.
  private func describe(
    _ staged: BundleInstaller.Staged,
    _ foreign: [EntitlementRequest],
    _ installer: BundleInstaller
  ) {
    let kind =
      staged.app != nil ? "App" : staged.contents.first.map(Self.kind) ?? "Widget"
    question.say(SafeText("\(kind) \(staged.bundleIdentifier) (\(staged.name))"))
    if let path = staged.replaced { question.say(SafeText("  replaces \(path)")) }
    if let schemes = staged.app?.urlSchemes, !schemes.isEmpty {
      question.say(
        SafeText("  opens \(schemes.map { "\($0):" }.joined(separator: ", "))")
      )
    }
    for (scheme, owner) in installer.takenSchemes(of: staged) {
      question.say(
        SafeText("  \(scheme): is a scheme of \(owner) too, and only one of the two opens it")
      )
    }
    if let app = staged.app {
      question.say(
        SafeText(
          "  its program runs in the sandbox, after a press only; “today permissions "
            + "\(app.bundleIdentifier) --grant trust” lets it do what you can"
        )
      )
      describe(app.entitlements.requests)
    }
    for request in foreign {
      question.say(SafeText("  asks to \(request.words)"))
    }
    let kinds = staged.widgets.map { _ in "widget" } + staged.contents.map(Self.kind)
    for (widget, kind) in zip(staged.bundles, kinds) {
      // What the bundle says of itself stands in quotation marks.
      let name = SafeText(quoting: widget.displayName.string, columns: Self.nameColumns)
      question.say(SafeText("  \(kind.lowercased()) \(name) (\(widget.bundleIdentifier))"))
      if let words = widget.infoPlist.widgetDescription {
        let quoted = SafeText(quoting: words.string, columns: Self.descriptionColumns)
        question.say(SafeText("    \(quoted)"))
      }
      describe(widget.entitlements.requests)
    }
  }

  /// Says what is asked for, in the words of the question in the card.
  private func describe(_ requests: [EntitlementRequest]) {
    let asked = requests.filter(\.entitlement.needsPermission)
    for request in asked {
      question.say("    \(sandbox.wish(request, among: asked))")
    }
  }

  /// The sandbox in which it will run.
  private var sandbox: Sandbox {
    Sandbox(
      UserConfiguration(environment: options.environment).settings.sandbox,
      environment: options.environment
    )
  }
}
