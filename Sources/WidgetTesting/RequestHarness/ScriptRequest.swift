import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// A request to a script in a test: one run for each attachment, as the user's host makes them.
struct ScriptRequest {
  /// How it has ended.
  enum Outcome {
    /// What the runs have printed, with the types of what they were given.
    case completed([(type: UniformType, content: RequestSpool)])
    /// The reason is for the user, and is the script's own or the host's.
    case failed(SafeText, isItsOwn: Bool)
  }

  /// Where it runs.
  struct World {
    var environment: [String: String]
    var limits: HostLimits
    /// Where files for a short time are.
    var folder: String
  }

  private let target: ContentExtension
  private let world: World
  private let runs: [(request: FilterRun.Request, content: RequestSpool)]

  /// Prepares the runs.
  ///
  /// - Throws: ``HarnessFailure`` if there is no room for the content, or an option is none of the script's.
  init(
    _ target: ContentExtension,
    _ script: ScriptExtension,
    _ content: HarnessContent,
    _ table: TypeTable,
    _ options: [String: String],
    _ world: World
  ) throws(HarnessFailure) {
    (self.target, self.world) = (target, world)
    for (name, value) in options {
      guard let option = script.options.first(where: { $0.name == name }) else {
        throw HarnessFailure("there is no option “\(name)”", thereIs: script.options.map(\.name))
      }
      guard option.choices.isEmpty || option.choices.contains(value) else {
        throw HarnessFailure("“\(value)” is no choice of “\(name)”", thereIs: option.choices)
      }
    }
    var runs: [(FilterRun.Request, RequestSpool)] = []
    let items = content.extensionItems(table)
    for (attachment, types) in zip(
      content.items.flatMap(\.self),
      items.flatMap(\.attachments).map(\.types)
    ) {
      do throws(HostError) {
        let spool = try RequestSpool(in: world.folder)
        try spool.append(attachment.data)
        var request = FilterRun.Request(
          type: target.accepted(types, table),
          name: attachment.suggestedName,
          options: options
        )
        request.terminal = nil
        runs.append((request, spool))
      } catch {
        throw HarnessFailure(error.description)
      }
    }
    self.runs = runs
  }

  /// Runs the script, in real time.
  ///
  /// - Parameter patience: How long one run may take.
  /// - Returns: What it has printed, or why it has failed.
  func outcome(within patience: Duration) async -> Outcome {
    var results: [(UniformType, RequestSpool)] = []
    for (request, content) in runs {
      let (outcome, hasSaidWhy) = await outcome(request, content, within: patience)
      switch outcome {
      case .completed(let result): results.append((request.type, result))
      case .cancelled(let reason): return .failed(reason, isItsOwn: hasSaidWhy)
      }
    }
    return .completed(results)
  }

  private func outcome(
    _ request: FilterRun.Request,
    _ content: RequestSpool,
    within patience: Duration
  ) async -> (FilterRun.Outcome, hasSaidWhy: Bool) {
    var (run, timer): (FilterRun?, (any HostTimer)?)
    var isOverdue = false
    let outcome = await withCheckedContinuation { continuation in
      do throws(HostError) {
        run = try FilterRun(
          target,
          content,
          request,
          environment: world.environment,
          limits: world.limits
        ) { continuation.resume(returning: $0) }
        timer = SystemClock().schedule(after: patience) {
          isOverdue = true
          run?.cancel()
        }
      } catch {
        continuation.resume(returning: .cancelled(SafeText(error.description)))
      }
    }
    timer?.cancel()
    guard isOverdue else { return (outcome, run?.hasSaidWhy ?? false) }
    return (.cancelled(SafeText("it did not end in \(patience.words)")), false)
  }
}
