import FoundationEssentials
import WidgetPlatform

/// The files of bundles, to find out when they change.
struct BundleFiles {
  private let paths: [String]
  private var dates: [String: Date]

  /// How often they are looked at.
  private static let interval: Duration = .milliseconds(300)
  /// How deep folders are searched.
  private static let depthLimit = 16

  /// Looks at the files.
  ///
  /// - Parameter paths: The bundles, and other folders.
  init(_ paths: [String]) {
    self.paths = paths
    dates = Self.look(paths)
  }

  /// Looks again at the files below some paths, whose changes up to now do not matter.
  mutating func renew(_ paths: [String]) {
    dates = dates.filter { date in !paths.contains { Self.contains($0, date.key) } }
    dates.merge(Self.look(paths)) { $1 }
  }

  /// Waits until one of them changes, is added or is removed.
  ///
  /// - Parameters:
  ///   - restless: Files whose changes count only after a while.
  ///   - pause: That while.
  /// - Returns: The files that have changed.
  @discardableResult
  func change(without restless: Set<String> = [], for pause: Duration = .zero) async -> Set<String>
  {
    let start = ContinuousClock.now
    while true {
      let changed = changes
      let isOver = start.duration(to: .now) >= pause
      if isOver ? !changed.isEmpty : !changed.isSubset(of: restless) { return changed }
      guard !Task.isCancelled else { return [] }
      var timer: (any HostTimer)?
      await withCheckedContinuation { continuation in
        timer = SystemClock().schedule(after: Self.interval) { continuation.resume() }
      }
      timer?.cancel()
    }
  }

  /// The files that are not as they were.
  private var changes: Set<String> {
    let now = Self.look(paths)
    let changed = now.filter { dates[$0.key] != $0.value }.keys
    return Set(changed).union(dates.keys.filter { now[$0] == nil })
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder + "/")
  }

  private static func look(_ paths: [String]) -> [String: Date] {
    var dates: [String: Date] = [:]
    for path in paths { look(path, depth: depthLimit, &dates) }
    return dates
  }

  /// What is new in a folder is found by its name, so that the dates of folders do not matter.
  private static func look(
    _ path: String,
    depth: Int,
    _ dates: inout [String: Date]
  ) {
    guard !path.hasSuffix("/Tests/Goldens"), depth > 0 else { return }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeDirectory else {
      dates[path] = attributes[.modificationDate] as? Date
      return
    }
    // Products of builds, which may be thousands of files.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where ![".build", ".git", "__pycache__"].contains(name) {
      look("\(path)/\(name)", depth: depth - 1, &dates)
    }
  }
}
