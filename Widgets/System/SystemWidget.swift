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
    if let data = FileManager.default.contents(atPath: samplesPath),
      let history = SampleHistory(data, at: extensionContext.now)
    {
      sampler.history = history
    }
    choose()
    extensionContext.largestAvailableDisplayMode = .expanded
  }

  func configurationDidChange() {
    choose()
    sample()
  }

  private var samplesPath: String { extensionContext.containers.data + "/samples.json" }
  private var historyPath: String { extensionContext.containers.data + "/load.json" }

  /// Takes a sample, and stores the history of the load when it has a new average.
  private func sample() {
    sampler.sample(at: extensionContext.now)
    guard case .success(let average) = sampler.state.load,
      load.add(average.longest, at: extensionContext.now), let data = load.data
    else { return }
    write(data, historyPath)
    storeSamples()
  }

  /// Stores the graphs, with each new average and when the card goes: not with every sample, to spare the disk.
  private func storeSamples() {
    if let data = sampler.history.data { write(data, samplesPath) }
  }

  private func write(_ data: Data, _ path: String) {
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      extensionContext.log("\(path) cannot be written: \(error)", level: "error")
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
        history: sampler.history,
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
    sampler.resume(at: extensionContext.now)
    sample()
    extensionContext.every(.seconds(2)) { self.sample() }
  }

  func viewWillDisappear() {
    storeSamples()
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
