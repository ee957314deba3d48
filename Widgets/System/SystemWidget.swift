import FoundationEssentials
import WidgetKitCore

/// Processor, memory, disks and network of this machine, sampled while the card is visible: the essence, or
/// everything.
@main final class SystemWidget: Widget {
  private var sampler = SystemSampler(
    proc: KernelFolder(path: ProcessInfo.processInfo.environment["TODAY_PROC"] ?? "/proc"),
    sys: KernelFolder(path: ProcessInfo.processInfo.environment["TODAY_SYS"] ?? "/sys")
  )
  private var load = LoadHistory()

  init() {
    if let data = FileManager.default.contents(atPath: historyPath) {
      load = LoadHistory(data) ?? LoadHistory()
    }
    choose()
    extensionContext.largestAvailableDisplayMode = .expanded
  }

  func configurationDidChange() {
    choose()
    sample()
  }

  private var historyPath: String { extensionContext.containers.data + "/load.json" }

  /// Takes a sample, and stores the history of the load when it has a new average.
  private func sample() {
    sampler.sample()
    guard case .success(let average) = sampler.state.load,
      load.add(average.longest, at: extensionContext.now), let data = load.data
    else { return }
    do {
      try data.write(to: URL(filePath: historyPath), options: .atomic)
    } catch {
      extensionContext.log("\(historyPath) cannot be written: \(error)", level: "error")
    }
  }

  private func choose() {
    let configuration = extensionContext.configuration
    sampler.disks = configuration.list("disks") ?? []
    sampler.interfaces = configuration.list("interfaces") ?? []
  }

  var body: some View {
    if extensionContext.activeDisplayMode == .expanded {
      ExpandedRows(
        state: sampler.state,
        load: load.averages(at: extensionContext.now),
        chosenInterfaces: sampler.interfaces,
        columns: extensionContext.size.columns
      )
    } else {
      CompactRows(state: sampler.state)
    }
  }

  /// A new process has no last sample to appear with.
  func viewWillAppear() {
    if !sampler.hasLooked { sample() }
  }

  /// The view appears with the last sample; a new one follows.
  func viewDidAppear() {
    sampler.resume()
    sample()
    extensionContext.every(.seconds(2)) { self.sample() }
  }

  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateResult {
    if !sampler.hasRates {
      // Rates need two samples; the second one soon, as the first content waits for it.
      if !sampler.hasLooked { sample() }
      try await Task.sleep(for: .milliseconds(200))
    }
    sample()
    return .newData
  }
}
