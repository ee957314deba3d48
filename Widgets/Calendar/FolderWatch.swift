import Dispatch
import Glibc

/// Reports changes of files in some folders, without polling (inotify(7)).
///
/// A class because it owns a descriptor.
@MainActor final class FolderWatch {
  private static let events = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
      | IN_DELETE_SELF
      | IN_MOVE_SELF
  )
  /// How long after a change the files are read: several come together.
  private static let pause = Duration.milliseconds(200)
  /// The shortest time between two reports.
  private static let longPause = Duration.milliseconds(800)

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private let onChange: () -> Void
  /// The names that matter in each folder, by the number that the kernel gave it; nil for all calendars.
  private var names: [Int32: Set<String>?] = [:]
  private var paths: [String: Int32] = [:]
  private var report: Task<Void, Never>?
  private var lastReport = ContinuousClock.now - FolderWatch.longPause

  /// Creates a watch of no folder; nil if the user has no more watches.
  init?(onChange: @escaping () -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.onChange = onChange
    let descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setCancelHandler { close(descriptor) }
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readEvents() }
    }
    source.activate()
  }

  isolated deinit {
    source.cancel()
  }

  /// Watches these folders from now on, with the names that matter in each; nil for all calendars.
  ///
  /// - Returns: Whether each of them is watched.
  @discardableResult
  func follow(_ folders: [String: Set<String>?]) -> Bool {
    var followed: [String: Int32] = [:]
    names = [:]
    for (path, wanted) in folders {
      let number = unsafe inotify_add_watch(descriptor, path, Self.events | UInt32(IN_ONLYDIR))
      guard number >= 0 else { continue }
      followed[path] = number
      // Two paths can lead to one folder.
      let others: Set<String>? = names[number] ?? []
      if let others, let wanted {
        names[number] = others.union(wanted)
      } else {
        names[number] = .some(nil)
      }
    }
    for (_, number) in paths where !followed.values.contains(number) {
      _ = inotify_rm_watch(descriptor, number)
    }
    paths = followed
    return followed.count == folders.count
  }

  private func readEvents() {
    var isNews = false
    var count = 0
    repeat {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      var offset = 0
      while offset + 16 <= bytes.count {
        // struct inotify_event: wd, mask, cookie, length, each of 32 bits, and the name (inotify(7)).
        let number = Int32(bitPattern: Self.word(bytes, offset))
        let mask = Self.word(bytes, offset + 4)
        let end = min(bytes.count, offset + 16 + Int(Self.word(bytes, offset + 12)))
        let name = String(decoding: bytes[(offset + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
        isNews = isNews || matters(name, mask, in: number)
        offset = max(end, offset + 16)
      }
    } while count > 0
    if isNews { reportSoon() }
  }

  private func matters(_ name: String, _ mask: UInt32, in number: Int32) -> Bool {
    if mask & UInt32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF) != 0 { return true }
    guard let wanted = names[number] else { return false }
    guard let wanted else { return name.isEmpty || CalendarFolder.isCalendar(name) }
    return wanted.contains(name)
  }

  private func reportSoon() {
    guard report == nil else { return }
    let rest = Self.longPause - lastReport.duration(to: .now)
    report = Task { [weak self] in
      try? await Task.sleep(for: max(Self.pause, rest))
      self?.reportNow()
    }
  }

  private func reportNow() {
    report = nil
    lastReport = .now
    onChange()
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }
}
