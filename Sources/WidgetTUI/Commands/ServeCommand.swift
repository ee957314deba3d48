import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today serve ID`: runs a widget for a page on another machine, which starts this command through ssh.
struct ServeCommand: Command {
  static let name = "serve"
  static let syntax = CommandSyntax<ServeCommand>(
    name,
    "run a widget for a page on another machine",
    expected: "one widget",
    details: """
      Runs a widget for a page on another machine, which starts this command through ssh; ID may
      have a name behind a colon. Messages are read from standard input and written to standard
      output, everything else to standard error. The sandbox, the permissions and the limits are those
      of this machine; the widget ends with its input.

      Exit status: 1 if the widget has failed, 66 if there is none.
      """,
    operands: [.one("ID", .widget, \.name)]
  )

  var options = CommonOptions()
  private var name = ""

  func run() async throws(CommandError) -> ExitCode {
    let settings = UserConfiguration(environment: options.environment).settings
    let paths = SearchPaths(options, settings)
    let catalog = BundleCatalog.scan(paths, limits: settings.limits.bundles)
    // A name of its instance is that of the page on the other side, and need not be on one here.
    var id = try? ExtensionIdentity(parsing: name)
    if id.map({ catalog.widget(withIdentifier: $0.bundleIdentifier) == nil }) != false {
      id = try catalog.requiredOne(name)
    }
    guard let id, let bundle = catalog.widget(withIdentifier: id.bundleIdentifier) else {
      throw catalog.missing(name)
    }
    let sandbox = Sandbox(settings.sandbox, environment: options.environment)
    let status: TerminationStatus
    do throws(HostError) {
      status = try await serve(bundle, id, paths, sandbox, settings.limits)
    } catch {
      throw .failure(error.description)
    }
    return status == .exited(0) ? .success : .failure
  }

  private func serve(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ paths: SearchPaths,
    _ sandbox: Sandbox,
    _ limits: HostLimits
  ) async throws(HostError) -> TerminationStatus {
    let (ends, end) = AsyncStream.makeStream(of: TerminationStatus.self)
    let server = try WidgetServer(
      bundle,
      id,
      paths: paths,
      environment: options.environment,
      sandbox: sandbox,
      limits: limits,
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
