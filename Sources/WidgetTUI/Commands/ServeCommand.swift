import WidgetHost
import WidgetKitCore

/// `today serve ID`: runs a widget for a page on another machine, which starts this command through ssh.
struct ServeCommand: Command {
  private let options: CommonOptions
  private let name: String

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var names: [String] = []
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      if argument == "--" {
        names += reader.takeRest()
      } else if argument.hasPrefix("-") {
        throw reader.unknown(argument)
      } else {
        names.append(argument)
      }
    }
    guard names.count == 1, let name = names.first else {
      throw .usage("expected one widget; see “today help serve”")
    }
    self.options = options
    self.name = name
  }

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
