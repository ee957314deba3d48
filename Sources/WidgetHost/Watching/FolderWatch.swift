import Glibc

/// Tells when a folder's files change, without looking: inotify, told on the main thread.
///
/// A class because it owns a descriptor and the watch on it. Only files that
/// are whole are told of: closed after writing, moved in, moved out, or removed.
final class FolderWatch {
  private let watch: DescriptorWatch
  private var pace = Pace()
  private var pauseEnd: (any HostTimer)?
  private let onChange: (Set<String>) -> Void

  /// Watches the folder at `path`, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder; what lies in folders below it is not told of.
  ///   - onChange: Called on the main thread with the names of the files that changed; an empty set
  ///     stands for “look at all of them”: more happened than the kernel kept.
  /// - Throws: ``HostError`` where the folder cannot be made or watched.
  convenience init(_ path: String, onChange: @escaping (Set<String>) -> Void) throws(HostError) {
    try self.init([path], onChange: onChange)
  }

  /// Watches several folders with one descriptor: the kernel gives a user 128 of them.
  ///
  /// - Parameters:
  ///   - paths: The folders; a name that is told of may be in any of them.
  ///   - onChange: As for one folder.
  /// - Throws: ``HostError`` where one of them cannot be made or watched.
  init(_ paths: [String], onChange: @escaping (Set<String>) -> Void) throws(HostError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .system("watch folders", errno) }
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    for path in paths {
      do throws(FileFault) {
        let folder = try OwnFolder.open(path, makes: true)
        // The folder that was opened, whatever has its name meanwhile.
        let open = "/proc/self/fd/\(folder.number)"
        guard unsafe inotify_add_watch(descriptor, open, events | UInt32(IN_ONLYDIR)) >= 0 else {
          throw .system(errno)
        }
      } catch {
        close(descriptor)
        throw .file("watch", path, error)
      }
    }
    self.onChange = onChange
    watch = DescriptorWatch(descriptor, for: .reading)
    watch.handler = { [weak self] in self?.readEvents() }
    watch.resume()
  }

  private func readEvents() {
    guard let names = Self.changedNames(watch.descriptor) else { return }
    // Where files come by the thousand, the kernel collects them meanwhile: at most 16,384
    // (inotify(7)), and then it says that there were more.
    if !pace.take() {
      watch.pause()
      let pause = names.isEmpty ? Pace.longPause : Pace.pause
      pauseEnd = EventLoop.main.schedule(after: pause) { [weak self] in self?.watch.resume() }
    }
    onChange(names)
  }

  /// How often news are told: at once, in a storm ten times a second, and twice a second where
  /// everything is to be looked at.
  private nonisolated struct Pace {
    static let pause: Duration = .milliseconds(100)
    static let longPause: Duration = .milliseconds(500)
    private static let burst = 20.0
    private var left = burst
    private var last = ContinuousClock.now

    /// Counts one time; false where it was one too many.
    mutating func take() -> Bool {
      let now = ContinuousClock.now
      left = min(Self.burst, left + last.duration(to: now) / Self.pause) - 1
      last = now
      return left >= 0
    }
  }

  isolated deinit {
    watch.pause()
    close(watch.descriptor)
  }

  /// More names than this are as good as all.
  private nonisolated static let nameLimit = 1_000

  /// Reads all events that wait; nil where there are none, empty where the kernel dropped some.
  private nonisolated static func changedNames(_ descriptor: Int32) -> Set<String>? {
    var names: Set<String> = []
    var hasOverflowed = false
    var count = 0
    repeat {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      // The rest is only read away: everything is to be looked at anyhow.
      if names.count > nameLimit { hasOverflowed = true }
      if hasOverflowed { continue }
      var offset = 0
      while offset + 16 <= bytes.count {
        // struct inotify_event: wd, mask, cookie, length, each of 32 bits, and the name (inotify(7)).
        let mask = word(bytes, offset + 4)
        let length = Int(word(bytes, offset + 12))
        let name = bytes[min(bytes.count, offset + 16)..<min(bytes.count, offset + 16 + length)]
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
        let end = name.firstIndex(of: 0) ?? name.endIndex
        // Files that are not whole yet are no news.
        if end > name.startIndex, !name[..<end].suffix(4).elementsEqual(".tmp".utf8) {
          names.insert(String(decoding: name[..<end], as: UTF8.self))
        }
        offset += 16 + length
      }
    } while count > 0
    if hasOverflowed { return [] }
    return names.isEmpty ? nil : names
  }

  private nonisolated static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
  }
}
