import CPlatform
import Glibc

/// An inotify instance, and the watches that it serves.
///
/// A class because watches share it; it is closed with the last one of them.
@MainActor final class FolderEvents {
  /// A watch, and what is reported to it next.
  private struct Listener {
    weak var watch: FolderWatch?
    var news = News()
  }

  /// Changes that were read; any file may have changed if there were too many.
  private struct News {
    var names: Set<String> = []
    var hasOverflowed = false

    var isEmpty: Bool { names.isEmpty && !hasOverflowed }

    /// Adds an event with the name of a file, if there is one.
    mutating func add(_ name: String?, endsFolder: Bool) {
      if endsFolder || names.count > FolderEvents.nameLimit { hasOverflowed = true }
      if let name, !hasOverflowed { names.insert(name) }
    }
  }

  /// The instance for the user's folders, as long as one is watched.
  private weak static var shared: FolderEvents?

  /// An instance that may be gone.
  private struct Instance {
    weak var events: FolderEvents?
  }

  private static var instances: [Instance] = []

  let watch: DescriptorWatch
  private var listeners: [ObjectIdentifier: Listener] = [:]
  /// Who watches each folder, by the number that the kernel gave it.
  private var folders: [Int32: Set<ObjectIdentifier>] = [:]
  private var pace = Pace()
  private var pauseEnd: (any HostTimer)?

  /// Opens an instance.
  ///
  /// - Throws: ``HostError`` if there is none left for the user.
  init() throws(HostError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else {
      let reason = FolderWatchFault.words(errno)
      throw HostError(code: .system, description: "could not watch folders: \(reason)")
    }
    watch = DescriptorWatch(descriptor, for: .reading)
    watch.handler = { [weak self] in self?.readEvents() }
    watch.resume()
    Self.instances.append(Instance(events: self))
  }

  /// Ends all watches, as the program ends.
  ///
  /// The kernel needs up to 20 ms to close an instance that has had watches. Another process closes the last descriptors
  /// of them, so that the program does not wait for it when it exits.
  static func endAll() {
    let descriptors = instances.compactMap { $0.events?.watch.descriptor }
    _ = unsafe platform_outlive(descriptors, descriptors.count)
    for instance in instances { instance.events?.end() }
  }

  /// Ends its watches, for which the kernel goes on working for a moment.
  func end() {
    watch.pause()
    for number in folders.keys { _ = inotify_rm_watch(watch.descriptor, number) }
    folders = [:]
    listeners = [:]
  }

  /// The instance that all watches of the user's folders share.
  static func ofUser() throws(HostError) -> FolderEvents {
    if let shared { return shared }
    let events = try FolderEvents()
    shared = events
    return events
  }

  /// Reports the events of a folder to a watch; all watches of an instance have the same `mask`.
  func add(_ path: String, _ mask: UInt32, for watch: FolderWatch) throws(FileFault) {
    let number = unsafe inotify_add_watch(self.watch.descriptor, path, mask)
    guard number >= 0 else { throw .system(errno) }
    let id = ObjectIdentifier(watch)
    listeners[id] = listeners[id] ?? Listener(watch: watch)
    folders[number, default: []].insert(id)
  }

  /// Reports nothing to a watch any more.
  func remove(_ id: ObjectIdentifier) {
    listeners[id] = nil
    for (number, watches) in folders where watches.contains(id) {
      folders[number]?.remove(id)
      guard watches.count == 1 else { continue }
      folders[number] = nil
      _ = inotify_rm_watch(watch.descriptor, number)
    }
  }

  /// Reports what has happened until now, at once.
  func flush() {
    readEvents()
  }

  private func readEvents() {
    readAll()
    let notified = listeners.filter { !$0.value.news.isEmpty }
    guard !notified.isEmpty else { return }
    for id in notified.keys { listeners[id]?.news = News() }
    // If files come by the thousand, the kernel collects them meanwhile: at most 16,384 (inotify(7)),
    // after which it reports an overflow.
    if !pace.take() {
      watch.pause()
      let isLong = notified.values.contains { $0.news.hasOverflowed }
      let pause = isLong ? Pace.longPause : Pace.pause
      pauseEnd = EventLoop.main.schedule(after: pause) { [weak self] in self?.watch.resume() }
    }
    for listener in notified.values {
      listener.watch?.report(listener.news.hasOverflowed ? [] : listener.news.names)
    }
  }

  /// Reads all pending events.
  private func readAll() {
    var count = 0
    repeat {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
        count = unsafe read(watch.descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      // The rest is only discarded, because all files must be checked anyway.
      if listeners.values.allSatisfy(\.news.hasOverflowed) { continue }
      var offset = 0
      while offset + 16 <= bytes.count {
        // struct inotify_event: wd, mask, cookie, length, each of 32 bits, and the name (inotify(7)).
        let folder = Int32(bitPattern: Self.word(bytes, offset))
        let mask = Self.word(bytes, offset + 4)
        let length = Int(Self.word(bytes, offset + 12))
        let name = bytes[min(bytes.count, offset + 16)..<min(bytes.count, offset + 16 + length)]
        take(mask, name, in: folder)
        offset += 16 + length
      }
    } while count > 0
  }

  private func take(_ mask: UInt32, _ name: ArraySlice<UInt8>, in folder: Int32) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      for id in listeners.keys { listeners[id]?.news.hasOverflowed = true }
      return
    }
    let isEnd = mask & FolderWatch.endEvents != 0
    let watches = folders[folder, default: []].filter { listeners[$0]?.news.hasOverflowed == false }
    if !watches.isEmpty {
      let name = Self.fileName(name)
      for id in watches { listeners[id]?.news.add(name, endsFolder: isEnd) }
    }
    // The kernel does not watch the folder any more.
    if mask & UInt32(IN_IGNORED) != 0 { folders[folder] = nil }
  }

  /// The name of a file that is complete; nil for one that is not, and for none.
  private nonisolated static func fileName(_ bytes: ArraySlice<UInt8>) -> String? {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let count = unsafe strnlen(start, bytes.count)
      let isTemporary = unsafe count >= 4 && memcmp(start + (count - 4), ".tmp", 4) == 0
      guard count > 0, !isTemporary else { return nil }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: start, count: count),
        as: UTF8.self
      )
    }
  }

  private nonisolated static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
  }

  /// The number of names above which a report means that any file may have changed.
  private nonisolated static let nameLimit = 1_000

  /// The rate of reports: immediate, in a burst ten times a second, and twice a second if any file may
  /// have changed.
  private struct Pace {
    static let pause: Duration = .milliseconds(100)
    static let longPause: Duration = .milliseconds(500)
    private static let burst = 20.0
    private var left = burst
    private var last = ContinuousClock.now

    /// Counts one report; returns false if it exceeds the rate.
    mutating func take() -> Bool {
      let now = ContinuousClock.now
      left = min(Self.burst, left + last.duration(to: now) / Self.pause) - 1
      last = now
      return left >= 0
    }
  }

  isolated deinit {
    watch.pause()
    Self.instances.removeAll { $0.events == nil || $0.events === self }
    // Takes up to 20 ms until the kernel has done with a watch that was removed a moment ago.
    Worker.background.async { [descriptor = watch.descriptor] in _ = close(descriptor) }
  }
}
