import WidgetKitCore

/// The time in several zones; the host keeps the clocks ticking and the process sleeps.
@main struct Clock: Widget {
  var body: some View {
    ForEach(zones, id: \.self) { zone in
      if let offset = LocalTime.secondsFromGMT(in: zone) {
        HStack(spacing: 2) {
          Text(.currentDate, style: .time, timeZone: zone).layoutPriority(1)
          Text(zone.split(separator: "/").last?.replacing("_", with: " ") ?? zone).lineLimit(1)
          Spacer()
          Text(words(forOffset: offset - localOffset)).dim().lineLimit(1)
        }
      } else {
        Text("No time zone is called \(zone)").foregroundStyle(.red)
      }
    }
  }

  func viewDidAppear() {
    extensionContext.every(.seconds(900)) {}  // Summer time changes the offsets.
  }

  private var zones: [String] {
    let others = extensionContext.setting("zones", environment: "TODAY_CLOCK_ZONES")
    return [local]
      + (others ?? "Europe/London,America/New_York,Asia/Tokyo").split(separator: ",")
      .map(String.init).filter { $0 != local }
  }

  private var local: String { extensionContext.timeZone }
  private var localOffset: Int { LocalTime.secondsFromGMT(in: local) ?? 0 }

  private func words(forOffset seconds: Int) -> String {
    let minutes = abs(seconds) / 60 % 60
    let hours = "\(abs(seconds) / 3600)" + (minutes == 0 ? "" : ":\(minutes)")
    return seconds == 0 ? "" : (seconds < 0 ? "−" : "+") + hours + " h"
  }
}
