import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The numbers that a script has yielded, in its container, so that they are there after a restart.
///
/// A class because the writing thread and the timer use it.
@MainActor final class ScriptHistory {
  /// What is kept.
  struct Memory: Codable, Hashable, Sendable {
    /// The last numbers, the newest at the end.
    var values: [Double] = []
    /// Whether the last number was worth a notification.
    var isAlerting = false
  }

  private let path: String
  private let clock: any HostClock
  private(set) var memory: Memory
  private var isDirty = false
  private var timer: (any HostTimer)?
  /// What the worker has not written yet, by path: a script that starts again at once has it.
  private static var unwritten: [String: Memory] = [:]

  /// The numbers that are kept.
  static let limit = 240
  /// The most bytes of the file.
  private static let byteLimit = 64 * 1024
  /// From a number to the file that has it.
  private static let pause = Duration.seconds(30)

  /// Reads the history of a script, whose container is `folder`; one that cannot be read is empty.
  init(folder: String, clock: any HostClock) {
    path = "\(folder)/history.json"
    self.clock = clock
    memory = Self.unwritten[path] ?? Self.read(path)
  }

  private static func read(_ path: String) -> Memory {
    let bytes = DurableFile.read(path, byteLimit: byteLimit)
    let read = bytes.flatMap { try? JSONDecoder().decode(Memory.self, from: Data($0)) }
    var memory = read ?? Memory()
    memory.values = memory.values.filter(\.isFinite).suffix(limit)
    return memory
  }

  /// Adds a number; returns whether it is the first that is worth a notification.
  func add(_ number: Double, alert: ScriptAlert?) -> Bool {
    guard number.isFinite else { return false }
    memory.values = (memory.values + [number]).suffix(Self.limit)
    let isAlerting = alert?.includes(number) == true
    defer { memory.isAlerting = isAlerting }
    isDirty = true
    if timer == nil {
      timer = clock.schedule(after: Self.pause) { [weak self] in
        self?.timer = nil
        self?.write()
      }
    }
    return isAlerting && !memory.isAlerting
  }

  /// Writes what is not on the disk yet.
  func write() {
    guard isDirty else { return }
    isDirty = false
    timer?.cancel()
    timer = nil
    let (memory, path) = (memory, path)
    Self.unwritten[path] = memory
    Worker.writing.async {
      // A history is not data of the user: without it, the line starts again.
      if let bytes = try? JSONEncoder().encode(memory) {
        try? DurableFile.write(bytes, to: path, waitsForDisk: false)
      }
      MainQueue.perform {
        if Self.unwritten[path] == memory { Self.unwritten[path] = nil }
      }
    }
  }
}

extension ScriptPicture {
  /// The picture with the colour of its number in the first row, and a line of past numbers at its end.
  func decorated(_ options: ScriptOptions, past: [Double]) -> ScriptPicture {
    var rows: [ViewNode] =
      if case .vstack(let stack) = view.content { stack.children } else { [view] }
    let color = options.thresholds?.last { $0.at <= number ?? -.infinity }?.foreground
    if let color, number != nil, !rows.isEmpty, rows[0].style.foreground == nil {
      rows[0].style.foreground = color
    }
    if options.history == true, past.count > 1 {
      var line = ViewNode(.sparkline(SparklineContent(values: past.suffix(Self.shownValues))))
      if let color { line.style = TextStyle(foreground: color) }
      rows.append(line)
    }
    var picture = self
    picture.view = ScriptWords.stack(rows)
    return picture
  }

  /// The numbers that the line shows.
  private static let shownValues = 120
}
