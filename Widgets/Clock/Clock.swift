import WidgetKitCore

/// The time in several zones; the host keeps the clocks up to date while the process is suspended.
@main struct Clock: Widget {
  var body: some View {
    ForEach(zones, id: \.self) { zone in
      if LocalTime.secondsFromGMT(in: zone) != nil {
        HStack(spacing: 2) {
          Text(.currentDate, style: .time, timeZone: zone).layoutPriority(2)
          Text(city(zone)).lineLimit(1)
          Spacer()
          if zone != zones.first {
            Text(.currentDate, style: .offset, timeZone: zone).dim().layoutPriority(1)
          }
        }
      } else {
        Text("No time zone is called \(zone)").foregroundStyle(.red)
      }
    }
  }

  private var zones: [String] {
    let local = extensionContext.timeZone
    return [local] + (extensionContext.configuration.list("zones") ?? []).filter { $0 != local }
  }

  /// The body, which is evaluated again, has the new zones.
  func configurationDidChange() {}

  private func city(_ zone: String) -> String {
    (zone.split(separator: "/").last ?? "").split(separator: "_").joined(separator: " ")
  }
}
