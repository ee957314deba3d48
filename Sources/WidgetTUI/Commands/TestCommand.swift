import Glibc
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today test BUNDLE`: checks that a widget conforms to the protocol.
struct TestCommand: Command {
  var options: CommonOptions
  var path: String

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var paths: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      paths.append(argument)
    }
    guard paths.count == 1, let path = paths.first else {
      throw .usage("expected one bundle, a .widget or an .app folder; see “today help test”")
    }
    self.path = path
  }

  func run() async throws(CommandError) -> ExitCode {
    var trace: TraceWriter?
    if let path = options.tracePath {
      do throws(HostError) {
        trace = try TraceWriter(path: path)
      } catch {
        throw .failure(error.description)
      }
    }
    let bundles = try bundles()
    let world = try ScratchWorld(options.environment)
    defer { world.remove() }
    StandardStreams.writeLine("TAP version 13")
    var passed = true
    for bundle in bundles {
      let run = ConformanceRun(
        bundle: bundle,
        environment: world.environment,
        trace: trace
      ) { StandardStreams.writeLine(SafeText($0).onOneLine) }
      passed = await run.run() && passed
    }
    return passed ? .success : .failure
  }

  private func bundles() throws(CommandError) -> [WidgetBundle] {
    guard let absolute = Self.absolute(path) else {
      throw .missing("\(path): no such folder")
    }
    do throws(BundleError) {
      guard absolute.hasSuffix(".app") else { return [try WidgetBundle(path: absolute)] }
      _ = try AppBundle(path: absolute)
    } catch {
      throw .missing(error.description)
    }
    let folder = String(absolute[..<(absolute.lastIndex(of: "/") ?? absolute.startIndex)])
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [folder], environment: options.environment, executable: nil)
    )
    let found = catalog.widgets.filter { $0.containingApp?.path == absolute }
    guard !found.isEmpty else {
      throw .missing("\(path): no usable .widget in PlugIns")
    }
    return found
  }

  /// The path with links followed; nil if it does not exist.
  private static func absolute(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
