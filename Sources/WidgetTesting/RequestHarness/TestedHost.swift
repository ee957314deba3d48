import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests
import WidgetSessions

/// The host of an extension in a test: what it offers to it, and the folders in which it lives.
///
/// A class because its host is made with the first request, and anew with other settings.
final class TestedHost {
  /// The extension.
  let target: ContentExtension
  /// Its identity.
  let id: ExtensionIdentity
  private let table: TypeTable
  private let folders: HarnessFolders
  private var configuration: CenterConfiguration
  private let options: HarnessOptions
  private var host: RequestHost?

  init(
    _ target: ContentExtension,
    _ table: TypeTable,
    _ folders: HarnessFolders,
    _ configuration: CenterConfiguration,
    _ options: HarnessOptions
  ) {
    (self.target, self.table, self.folders) = (target, table, folders)
    id = ExtensionIdentity(target.identifier)
    self.configuration = configuration
    self.options = options
    // No permission is asked for while a test runs.
    self.configuration.schedulesUpdates = false
    self.configuration.widgetFolders = [target.bundle.path]
  }

  /// Sets the settings of the extension, for the next request.
  ///
  /// - Parameter json: An object, as in `widgets` of config.json.
  /// - Throws: ``HarnessFailure`` if it is wrong, or names what is none of its settings.
  func configure(_ json: String) throws(HarnessFailure) {
    let settings = RehearsedSettings(json, of: target.identifier)
    let read = UserConfiguration(bytes: Array(settings.text.utf8), path: "configuration")
    if let problem = read.problems.first {
      throw HarnessFailure(settings.words(problem.string))
    }
    let book = SettingsBook(
      WidgetBundle(target.bundle),
      id,
      file: read.settings.widgets,
      environment: configuration.environment
    )
    if let problem = book.problems.first {
      throw HarnessFailure(settings.words(problem.string))
    }
    configuration.widgetSettings = read.settings.widgets
    // The next one begins a trace of its own.
    if host != nil, let traces = options.traces {
      configuration.tracePath = traces.next(options.part)
    }
    host = nil
  }

  /// Notes a message of the test in the trace, which the host does not know of.
  func trace(_ direction: TraceWriter.Direction, _ bytes: [UInt8]) {
    host?.trace?.write(direction, widget: id, message: bytes, isJSON: true, isOfTest: true)
  }

  /// Why the extension would not be offered for a content; nil if it would.
  func refusal(of content: HarnessContent) -> String? {
    if case .refused(let words) = target.verdict(on: content.extensionItems(table), table) {
      words
    } else {
      nil
    }
  }

  /// Prepares a request, of which nothing is started.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - options: Settings that have other values for this request.
  /// - Returns: The request.
  /// - Throws: ``HarnessFailure`` if there is no room for the content, or an option is none of the settings.
  func request(
    _ content: HarnessContent,
    options: [String: String]
  ) throws(HarnessFailure) -> ExtensionRequest {
    let content = try content.requestContent(table, in: folders.path)
    do throws(HostError) {
      let host = if let host { host } else { try RequestHost(configuration) }
      self.host = host
      return try host.request(target, content, size: ShownRequest.size, options: options)
    } catch {
      throw HarnessFailure(error.description)
    }
  }

  /// Runs the extension as a script, in real time.
  ///
  /// - Parameters:
  ///   - script: What it is as a script.
  ///   - content: The content.
  ///   - options: Settings that have other values for this request.
  ///   - patience: How long one run may take.
  /// - Returns: What it has printed, or why it has failed.
  /// - Throws: ``HarnessFailure`` if there is no room for the content, or an option is none of the script's.
  func run(
    _ script: ScriptExtension,
    _ content: HarnessContent,
    options: [String: String],
    within patience: Duration
  ) async throws(HarnessFailure) -> ScriptRequest.Outcome {
    let world = ScriptRequest.World(
      environment: configuration.environment,
      limits: configuration.limits,
      folder: folders.path
    )
    let run = try ScriptRequest(target, script, content, table, options, world)
    return await run.outcome(within: patience)
  }

  private var stateFolders: StateFolders { StateFolders(environment: configuration.environment) }

  /// The folders that the extension may write to.
  var containers: Containers { stateFolders.containers(of: id, WidgetBundle(target.bundle)) }

  /// The log of the extension.
  var log: [String] {
    (stateFolders.readLog(of: id) ?? "").split(separator: "\n").map(String.init)
  }
}
