import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today uninstall`: removes an app, a widget or a script with all that is stored for it.
struct UninstallCommand: Command {
  static let name = "uninstall"
  static let syntax = CommandSyntax<UninstallCommand>(
    name,
    "remove it with all that is stored for it",
    expected: "the identifier of an app or a widget",
    details: """
      Removes an installed app or widget, with the containers, settings, snapshots and logs of its
      widgets and their places on the pages. Asks first; without a terminal --yes agrees.
      """,
    operands: [.one("ID", .widget, \.name)],
    options: [
      .flag("--yes", \.question.isAgreed): "agree without a question"
    ]
  )

  var options = CommonOptions()
  private var name = ""
  private var question = InstallQuestion()

  func run() async throws(CommandError) -> ExitCode {
    let paths = SearchPaths(
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
    let catalog = BundleCatalog.scan(paths)
    let installer = BundleInstaller(environment: options.environment, catalog: catalog)
    let identifier = try identifier(of: name, in: catalog)
    if let code = try uninstallScript(identifier) { return code }
    return try uninstall(identifier, installer)
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

  /// Uninstalls a script; nil if none of this name is installed.
  private func uninstallScript(_ identifier: String) throws(CommandError) -> ExitCode? {
    guard let installer = ScriptInstaller(environment: options.environment),
      let path = installer.installed(identifier)
    else { return nil }
    question.say(SafeText("\(path)"))
    guard question.agrees(to: "Uninstall it?") else { return .failure }
    try CommandError.from { () throws(HostError) in
      try installer.uninstall(identifier, at: path)
    }
    return .success
  }

  private func uninstall(
    _ identifier: String,
    _ installer: BundleInstaller
  ) throws(CommandError) -> ExitCode {
    let installed = try CommandError.from { () throws(HostError) in
      try installer.installed(identifier)
    }
    question.say(SafeText("\(installed.path)"))
    for identifier in installed.identifiers {
      question.say(
        SafeText("  \(identifier): its files, settings, secrets and logs are removed too")
      )
    }
    let groups = installer.groupsLeft(by: installed)
    if !groups.isEmpty {
      question.say(
        SafeText("  \(groups.joined(separator: ", ")): nobody else uses it, and it is removed too")
      )
    }
    guard question.agrees(to: "Uninstall it?") else { return .failure }
    let trouble = try CommandError.from { () throws(HostError) in
      try installer.uninstall(installed, secrets: SecretStorage(options))
    }
    if let trouble { throw .failure("\(identifier) is uninstalled; \(trouble)") }
    return .success
  }
}
