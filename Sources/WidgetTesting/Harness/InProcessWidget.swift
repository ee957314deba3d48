import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A run of an extension in the process of its test.
final class InProcessWidget: @MainActor StandInConnection {
  private var widget: WidgetInProcess?
  private let report: (WidgetReport) -> Void
  /// What it was sent and has not been given.
  private var waiting: [[UInt8]] = []
  private var isSuspended = false
  private var turn: (any HostTimer)?

  init(report: @escaping (WidgetReport) -> Void) {
    self.report = report
  }

  /// What starts an extension in this process, in place of what would start its program.
  ///
  /// - Parameter make: Makes it, with what is called with each line that it says.
  /// - Returns: The launcher.
  static func launcher(
    _ make: @escaping (_ say: @escaping @MainActor ([UInt8]) -> Void) -> WidgetInProcess
  ) -> WidgetLauncher {
    { _, _, report in
      let run = InProcessWidget(report: report)
      run.widget = make { [weak run] line in
        guard let run, run.widget != nil else { return }
        run.report(.line(line.dropLast()))
      }
      return run
    }
  }

  func send(_ message: any ConnectionMessage) {
    guard widget != nil else { return }
    waiting.append(message.line.dropLast())
    goOn()
  }

  func resume() {
    isSuspended = false
    goOn()
  }

  func suspend() -> String? {
    isSuspended = true
    return nil
  }

  var isIdle: Bool { isSuspended || waiting.isEmpty }

  /// Gives the widget the next message in the next turn, as a process would get it.
  private func goOn() {
    guard turn == nil else { return }
    turn = SystemClock().schedule(after: .zero) { [weak self] in
      guard let self else { return }
      turn = nil
      guard !isSuspended, !waiting.isEmpty, let widget else { return }
      let goesOn = widget.receive(waiting.removeFirst())
      if !goesOn { return end(.exited(0)) }
      if !waiting.isEmpty { goOn() }
    }
  }

  func end(_ status: TerminationStatus) {
    guard widget != nil else { return }
    widget = nil
    waiting = []
    turn = nil
    let report = report
    ending = SystemClock().schedule(after: .zero) { report(.ended(status)) }
  }

  private var ending: (any HostTimer)?
}

/// A widget in the process of its test, with the bundle and the folders that it would have.
struct StandInWidget {
  let folders: HarnessFolders
  let bundle: WidgetBundle
  let launcher: WidgetLauncher

  /// - Parameters:
  ///   - make: Makes the widget; called for each process that the page would start.
  ///   - attributes: What is in `NSExtensionAttributes`, as XML.
  ///   - entitlements: What is in Entitlements.plist, as XML.
  ///   - options: The options of the test.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders.
  init<Program: Widget>(
    _ make: @escaping @MainActor () -> Program,
    _ attributes: String,
    _ entitlements: String,
    _ options: HarnessOptions
  ) throws(HarnessFailure) {
    folders = try HarnessFolders(options.environment)
    bundle = try StandInBundle.make(
      "\(Program.self)",
      in: folders.path,
      attributes,
      entitlements: entitlements
    )
    let path = bundle.path
    launcher = InProcessWidget.launcher {
      WidgetInProcess(bundlePath: path, make: make, say: $0)
    }
  }
}
