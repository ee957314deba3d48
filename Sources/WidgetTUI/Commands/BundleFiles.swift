import FoundationEssentials
import WidgetHost

/// The files of bundles, to find out when they change.
struct BundleFiles {
  private let paths: [String]
  private let dates: [String: Date]

  /// How often they are looked at.
  private static let interval: Duration = .milliseconds(300)

  /// Looks at the files.
  init(_ paths: [String]) {
    self.paths = paths
    dates = Self.look(paths)
  }

  /// Waits until one of them changes, is added or is removed.
  func change() async {
    while Self.look(paths) == dates {
      var timer: (any HostTimer)?
      await withCheckedContinuation { continuation in
        timer = SystemClock().schedule(after: Self.interval) { continuation.resume() }
      }
      timer?.cancel()
    }
  }

  private static func look(_ paths: [String]) -> [String: Date] {
    var dates: [String: Date] = [:]
    let files = FileManager.default
    for path in paths {
      let below = (try? files.subpathsOfDirectory(atPath: path)) ?? []
      for name in [""] + below.map({ "/\($0)" })
      where !name.hasPrefix("/.build") && !name.hasPrefix("/Tests/Goldens") {
        let attributes = try? files.attributesOfItem(atPath: path + name)
        dates[path + name] = attributes?[.modificationDate] as? Date ?? .distantPast
      }
    }
    return dates
  }
}
