import FoundationEssentials
import WidgetHost

/// The files of bundles, to find out when they change.
struct BundleFiles {
  private let paths: [String]
  /// Files whose changes do not matter.
  private let ignored: Set<String>
  private let dates: [String: Date]

  /// How often they are looked at.
  private static let interval: Duration = .milliseconds(300)
  /// How deep folders are searched.
  private static let depthLimit = 16

  /// Looks at the files.
  ///
  /// - Parameters:
  ///   - paths: The bundles, and other folders.
  ///   - ignored: Files whose changes do not matter, such as programs that are built from others.
  init(_ paths: [String], except ignored: Set<String> = []) {
    self.paths = paths
    self.ignored = ignored
    dates = Self.look(paths, except: ignored)
  }

  /// The files that have changed, or are new.
  var changed: Set<String> {
    Set(Self.look(paths, except: ignored).filter { dates[$0.key] != $0.value }.keys)
  }

  /// Waits until one of them changes, is added or is removed.
  func change() async {
    while Self.look(paths, except: ignored) == dates {
      var timer: (any HostTimer)?
      await withCheckedContinuation { continuation in
        timer = SystemClock().schedule(after: Self.interval) { continuation.resume() }
      }
      timer?.cancel()
    }
  }

  private static func look(_ paths: [String], except ignored: Set<String>) -> [String: Date] {
    var dates: [String: Date] = [:]
    for path in paths { look(path, except: ignored, depth: depthLimit, &dates) }
    return dates
  }

  /// What is new in a folder is found by its name, so that the dates of folders do not matter.
  private static func look(
    _ path: String,
    except ignored: Set<String>,
    depth: Int,
    _ dates: inout [String: Date]
  ) {
    guard !ignored.contains(path), !path.hasSuffix("/Tests/Goldens"), depth > 0 else { return }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
      dates[path] = attributes?[.modificationDate] as? Date ?? .distantPast
      return
    }
    // Products of builds, which may be thousands of files.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where ![".build", ".git", "__pycache__"].contains(name) {
      look("\(path)/\(name)", except: ignored, depth: depth - 1, &dates)
    }
  }
}
