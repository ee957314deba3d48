import Glibc

/// Reports changes of a folder's files without polling: it uses inotify and reports on the main thread.
///
/// This is a class because it owns a descriptor and the watch on it. Only complete files are reported:
/// closed after writing, moved in, moved out, or removed.
final class FolderWatch {
  /// Whose folders are watched.
  nonisolated enum Kind {
    /// The program's own, which are made where they are missing.
    case own
    /// The user's, which may be links, and in which links and folders may appear or the folder
    /// itself may go.
    case user

    fileprivate var events: Int32 {
      let files = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      return switch self {
      case .own: files
      case .user: files | IN_CREATE | Int32(FolderWatch.endEvents)
      }
    }
  }

  /// The folder itself has another place or none.
  private nonisolated static let endEvents = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)

  private let watch: DescriptorWatch
  private var pace = Pace()
  private var pauseEnd: (any HostTimer)?
  private let onChange: (Set<String>) -> Void

  /// Watches the folder at `path`, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder; files in folders below it are not reported.
  ///   - onChange: Called on the main thread with the names of the files that changed; an empty set
  ///     means that any file may have changed, because more happened than the kernel kept.
  /// - Throws: ``HostError`` if the folder cannot be created or watched.
  convenience init(_ path: String, onChange: @escaping (Set<String>) -> Void) throws(HostError) {
    try self.init([path], onChange: onChange)
  }

  /// Watches several folders with one descriptor: the kernel allows a user 128 of them.
  ///
  /// - Parameters:
  ///   - paths: The folders; a reported name may be in any of them.
  ///   - kind: Whose folders they are.
  ///   - onChange: As for one folder.
  /// - Throws: ``HostError`` if one of them cannot be created or watched.
  init(
    _ paths: [String],
    of kind: Kind = .own,
    onChange: @escaping (Set<String>) -> Void
  ) throws(HostError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .system("watch folders", errno) }
    let events = UInt32(kind.events | IN_ONLYDIR)
    for path in paths {
      do throws(FileFault) {
        let folder =
          switch kind {
          case .own: try OwnFolder.open(path, makes: true)
          case .user: try OwnFolder.openThroughLinks(path, makes: false)
          }
        // This is the folder that was opened, even if another one has its name now.
        let open = "/proc/self/fd/\(folder.number)"
        guard unsafe inotify_add_watch(descriptor, open, events) >= 0 else {
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
    // If files come by the thousand, the kernel collects them meanwhile: at most 16,384 (inotify(7)),
    // after which it reports an overflow.
    if !pace.take() {
      watch.pause()
      let pause = names.isEmpty ? Pace.longPause : Pace.pause
      pauseEnd = EventLoop.main.schedule(after: pause) { [weak self] in self?.watch.resume() }
    }
    onChange(names)
  }

  /// The rate of reports: immediate, in a burst ten times a second, and twice a second if any file may
  /// have changed.
  private nonisolated struct Pace {
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
    close(watch.descriptor)
  }

  /// The number of names above which a report means that any file may have changed.
  private nonisolated static let nameLimit = 1_000

  /// Reads all pending events; returns nil if there are none, an empty set if the kernel dropped some.
  private nonisolated static func changedNames(_ descriptor: Int32) -> Set<String>? {
    var names: Set<String> = []
    var hasOverflowed = false
    var count = 0
    repeat {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      // The remaining events are only discarded, because all files must be checked anyway.
      if names.count > nameLimit { hasOverflowed = true }
      if hasOverflowed { continue }
      var offset = 0
      while offset + 16 <= bytes.count {
        // struct inotify_event: wd, mask, cookie, length, each of 32 bits, and the name (inotify(7)).
        let mask = word(bytes, offset + 4)
        let length = Int(word(bytes, offset + 12))
        let name = bytes[min(bytes.count, offset + 16)..<min(bytes.count, offset + 16 + length)]
        if mask & (UInt32(IN_Q_OVERFLOW) | endEvents) != 0 { hasOverflowed = true }
        let end = name.firstIndex(of: 0) ?? name.endIndex
        // Files that are not complete yet are not reported.
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
