import FoundationEssentials
import WidgetKitCore

/// Counts cups; a press counts one more.
@main final class __NAME__: Widget {
  private var cups = 0

  /// Called once, before the first view.
  init() {
    if let bytes = FileManager.default.contents(atPath: path) {
      cups = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
    // A card that offers an expanded form has More and Less: “m”, or a click on its heading.
    extensionContext.largestAvailableDisplayMode = .expanded
  }

  var body: some View {
    HStack {
      Text("\(cups) of \(goal) cups").bold()
      Spacer()
      Button("One more", action: "more")
    }
    Gauge("Today", value: Double(min(cups, goal)), in: 0...Double(goal))
    if extensionContext.activeDisplayMode == .expanded, cups > 0 {
      ForEach(Array(1...cups), id: \.self) { number in
        Text("Cup \(number)").foregroundStyle(.secondary)
      }
    }
  }

  /// New data from elsewhere are fetched here; `.failed("why")` if there are none.
  func widgetPerformUpdate(reason: UpdateReason) -> UpdateOutcome { .newData }

  /// What can be made again is let go of here; a process that needs ever more is ended.
  func didReceiveMemoryWarning() {}

  func perform(action: String, value: Bool?) {
    guard action == "more" else { return }
    cups += 1
    try? Data("\(cups)".utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// The body is evaluated again with the other settings.
  func configurationDidChange() {}

  func widgetActiveDisplayModeDidChange(_ mode: DisplayMode, maximumSize: Size) {}

  private var goal: Int { Int(extensionContext.configuration.number("goal") ?? 6) }

  private var path: String { extensionContext.containers.data + "/cups" }
}
