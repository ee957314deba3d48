import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today serve`: runs a widget, or those of a page, for a page on another machine, which starts this command through
/// ssh.
struct ServeCommand: Command {
  static let name = "serve"
  static let syntax = CommandSyntax<ServeCommand>(
    name,
    "run widgets for a page on another machine, or show a page to everybody",
    expected: "one widget, --page or --public",
    forms: ["ID", "--page PAGE", "--public PAGE [--viewers N]"],
    details: """
      Runs a widget, or those of a page, for a page on another machine, which starts this command through
      ssh; ID may have a name behind a colon. Messages are read from standard input and written to
      standard output, everything else to standard error. The sandbox, the permissions and the limits
      are those of this machine; the widgets end with the input.

      With --public it is the login of a user of sshd: a page that is locked for good and can only be
      looked at. All logins share one refresh of each widget, and may do nothing else on this machine.
      Without a terminal, or with a command, which is not run, the page is printed once as text.

      Exit status: 1 if a widget has failed, 66 if there is none, or no such page, 69 if the other
      program is newer, the page cannot be shown safely, or too many people look at it.
      """,
    operands: [.optional("ID", .widget, \.name)],
    options: [
      .value("--page PAGE", .text(.pages), \.page): """
      the widgets of a page, with its list of cards; their settings are those of this machine; "" for \
      the first page
      """,
      .value("--public PAGE", .text(.pages), \.publicPage): """
      show a page to whoever logs in, as ForceCommand of sshd; "" for the first page
      """,
      .value("--viewers N", .number(1...PublicPage.mostViewers), \.viewers): """
      at most N people at a time look at the page of --public; 200 by default
      """,
    ]
  )

  var options = CommonOptions()
  private var name: String?
  private var page: String?
  private var publicPage: String?
  private var viewers: Int?

  func validate() throws(CommandError) {
    guard [name, page, publicPage].count(where: { $0 != nil }) == 1,
      viewers == nil || publicPage != nil
    else { throw Self.misused }
    guard publicPage == nil || options.widgetFolders.isEmpty else {
      throw .usage("--widgets cannot be used with --public")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    if let publicPage {
      // What is wrong in config.json names files and values, which are not for everybody.
      StandardStreams.isDiscreet = true
      defer { StandardStreams.isDiscreet = false }
      let login = try PublicLogin(publicPage, options, viewers: viewers ?? PublicPage.usualViewers)
      return try await login.run()
    }
    let settings = UserConfiguration(environment: options.environment).settings
    let paths = SearchPaths(options, settings)
    let terms = ServingTerms(
      paths: paths,
      environment: options.environment,
      sandbox: Sandbox(settings.sandbox, environment: options.environment),
      limits: settings.limits,
      version: HostVersion.current
    )
    if let page { return try await ServedPageFollower(options, settings, page: page).serve(terms) }
    let name = name ?? ""
    let catalog = BundleCatalog.scan(paths, limits: settings.limits.bundles)
    // A name of its instance is that of the page on the other side, and need not be on one here.
    var id = try? ExtensionIdentity(parsing: name)
    if id.map({ catalog.widget(withIdentifier: $0.bundleIdentifier) == nil }) != false {
      id = try catalog.requiredOne(name)
    }
    guard let id, let bundle = catalog.widget(withIdentifier: id.bundleIdentifier) else {
      throw catalog.missing(name)
    }
    let status: TerminationStatus
    do throws(HostError) {
      status = try await serve(bundle, id, terms)
    } catch {
      throw .failure(error.description)
    }
    return status == .exited(0) ? .success : .failure
  }

  private func serve(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ terms: ServingTerms
  ) async throws(HostError) -> TerminationStatus {
    let (ends, end) = AsyncStream.makeStream(of: TerminationStatus.self)
    let server = try WidgetServer(
      bundle,
      id,
      terms,
      log: { StandardStreams.writeError($0.string) },
      completion: {
        end.yield($0)
        end.finish()
      }
    )
    var status = TerminationStatus.unknown
    for await found in ends { status = found }
    withExtendedLifetime(server) {}
    return status
  }
}
