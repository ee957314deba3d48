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
    "run widgets for a page on another machine",
    expected: "one widget, or --page",
    forms: ["ID", "--page PAGE"],
    details: """
      Runs a widget, or those of a page, for a page on another machine, which starts this command through
      ssh; ID may have a name behind a colon. Messages are read from standard input and written to
      standard output, everything else to standard error. The sandbox, the permissions and the limits
      are those of this machine; the widgets end with the input.

      Exit status: 1 if a widget has failed, 66 if there is none, or no such page, 69 if the other
      program is newer.
      """,
    operands: [.optional("ID", .widget, \.name)],
    options: [
      .value("--page PAGE", .text, \.page): """
      the widgets of a page, with its list of cards; their settings are those of this machine; "" for \
      the first page
      """
    ]
  )

  var options = CommonOptions()
  private var name: String?
  private var page: String?

  func validate() throws(CommandError) {
    guard (name == nil) != (page == nil) else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
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
