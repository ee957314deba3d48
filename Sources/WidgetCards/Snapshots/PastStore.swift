package import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The contents that cards have had during the last day, on the disk beside their snapshots.
///
/// At most one content a minute is kept of a card in each form and language, ``fileLimit`` of bytes, and ``limit`` for
/// all cards together. Nothing is synced: what a power failure takes is missing in a look back, and nowhere else.
nonisolated struct PastStore: Sendable {
  private let generations: SnapshotGenerations

  /// What the names of files end with.
  static let ending = ".past"
  /// The most bytes of one file.
  static let fileLimit = 2 << 20
  /// The most bytes of all files.
  static let limit = 64 << 20
  /// How long a content is kept, in seconds.
  static let age: TimeInterval = 24 * 60 * 60
  /// The shortest time between two contents of a card, in seconds.
  static let pause: TimeInterval = 60
  /// How long older contents may stay in a file, so that it is not written anew each minute, in seconds.
  private static let slack: TimeInterval = 60 * 60

  init(_ generations: SnapshotGenerations) {
    self.generations = generations
  }

  // MARK: - Writing

  /// Appends the content of a snapshot, unless one was appended within the last minute.
  ///
  /// A file that cannot be written is left as it is.
  func note(_ snapshot: Snapshot, now: Date) {
    guard let folder = try? OwnFolder.open(generations.folder(of: snapshot.key)) else { return }
    let name = snapshot.key.variant + Self.ending
    if let status = folder.status(name), status.st_size > 0 {
      let age = now.timeIntervalSince(Self.date(of: status))
      guard age < 0 || age >= Self.pause else { return }
    }
    guard let body = PastBody(snapshot).bytes, body.count <= Self.fileLimit / 4 else { return }
    let lock = FolderLock(folder, patience: SnapshotGenerations.lockPatience)
    defer { withExtendedLifetime(lock) {} }
    // Without the lock another program may be writing it anew.
    guard lock != nil else { return }
    do throws(FileFault) {
      let file = try folder.file(name, O_RDWR | O_APPEND | O_CREAT)
      // A last entry that was cut off ends here.
      let size = file.status().map { Int($0.st_size) } ?? 0
      let isTorn = size > 0 && file.read(1, from: size - 1) != [UInt8(ascii: "\n")]
      let entry = PastFile.bytes(of: body[...], made: snapshot.made)
      try file.write((isTorn ? [UInt8(ascii: "\n")] : []) + entry)
      try shorten(file, name, in: folder, now: now)
      Self.setDate(now, of: name, in: folder)
    } catch {
      // Nothing but a look back lacks it.
    }
  }

  /// Removes what is too old or too much of a file, a part at once.
  private func shorten(
    _ file: borrowing Descriptor,
    _ name: String,
    in folder: borrowing OwnFolder,
    now: Date
  ) throws(FileFault) {
    let size = file.status().map { Int($0.st_size) } ?? 0
    let first = PastFile.firstDate(file.read(PastFile.firstDateBytes)) ?? now
    guard size > Self.fileLimit || now.timeIntervalSince(first) > Self.age + Self.slack else {
      return
    }
    let past = PastFile(file.read(min(size, 2 * Self.fileLimit)))
    let kept = past.keeping(
      since: now.addingTimeInterval(-Self.age),
      byteLimit: Self.fileLimit / 4 * 3
    )
    try folder.replace(name, with: kept, waitsForDisk: false)
  }

  /// Removes the files that were written longest ago, until the others have no more than ``limit``.
  func shortenAll() {
    guard let root = try? OwnFolder.open(generations.folder) else { return }
    var files: [(card: String, name: String, date: Date, size: Int)] = []
    for card in root.names() {
      guard let folder = try? root.folder(card) else { continue }
      for name in folder.names() where name.hasSuffix(Self.ending) {
        guard let status = folder.status(name) else { continue }
        files.append((card, name, Self.date(of: status), Int(status.st_size)))
      }
    }
    var sum = 0
    for file in files.sorted(by: { $0.date > $1.date }) {
      sum = sum.addingSaturated(file.size)
      guard sum > Self.limit, let folder = try? root.folder(file.card) else { continue }
      folder.remove(file.name)
    }
  }

  /// When a content was last appended.
  private static func date(of status: stat) -> Date {
    let time = status.st_mtim
    return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// Sets that to the time of the clock, which need not be that of the kernel.
  private static func setDate(_ date: Date, of name: String, in folder: borrowing OwnFolder) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let nanoseconds = (date.timeIntervalSince1970 - seconds) * 1e9
    let time = timespec(
      tv_sec: Int(exactly: seconds) ?? 0,
      tv_nsec: Int(min(max(nanoseconds, 0), 999_999_999))
    )
    unsafe [time, time].withUnsafeBufferPointer { times in
      _ = unsafe utimensat(folder.number, name, times.baseAddress, AT_SYMLINK_NOFOLLOW)
    }
  }

  // MARK: - Reading

  /// The contents of a card during the day before `now`, oldest first: in one form, and in the other one where the
  /// card was not shown in that form; of equal ones that follow each other, the first.
  func contents(of key: Snapshot.Key, now: Date) -> PastContents {
    var other = key
    other.displayMode = key.displayMode == .compact ? .expanded : .compact
    return PastContents(file(of: key), besides: file(of: other), now: now, generations.limits.view)
  }

  private func file(of key: Snapshot.Key) -> PastFile {
    guard let folder = try? OwnFolder.open(generations.folder(of: key)),
      let file = try? folder.file(key.variant + Self.ending, O_RDONLY),
      case .whole(let bytes) = DurableFile.Contents(file, byteLimit: 2 * Self.fileLimit)
    else { return PastFile([]) }
    return PastFile(bytes)
  }
}

/// The contents that a card has had, which are decoded one by one.
package nonisolated struct PastContents: Sendable {
  private let limits: ViewLimits
  private let entries: [(file: PastFile, entry: PastFile.Entry)]

  init(_ file: PastFile, besides other: PastFile, now: Date, _ limits: ViewLimits) {
    self.limits = limits
    let start = now.addingTimeInterval(-PastStore.age)
    let dates = file.entries.map(\.made).sorted()
    let others = other.entries.filter { entry in
      !dates.contains { abs($0.timeIntervalSince(entry.made)) < PastStore.pause }
    }
    let all = file.entries.map { (file, $0) } + others.map { (other, $0) }
    var entries: [(file: PastFile, entry: PastFile.Entry)] = []
    // After the clock was set back, later ones are from before that.
    for (file, entry) in all.sorted(by: { $0.1.made < $1.1.made })
    where entry.made >= start && entry.made <= now {
      if entry.checksum != entries.last?.entry.checksum { entries.append((file, entry)) }
    }
    self.entries = entries
  }

  /// When each was made, in order.
  package var dates: [Date] { entries.map(\.entry.made) }

  /// Returns the content of an index; nil if there is none, or it exceeds the limits of views.
  package func content(at index: Int) -> PastContent? {
    guard let body = body(at: index) else { return nil }
    return PastContent(
      made: entries[index].entry.made,
      view: body.view,
      preferredHeight: body.preferredHeight,
      before: self.body(at: index - 1)?.view,
      number: index + 1,
      count: entries.count
    )
  }

  /// Returns the content that was there at a moment; nil if there was none yet.
  package func content(at date: Date) -> PastContent? {
    index(at: date).flatMap { (0...$0).reversed().lazy.compactMap(content(at:)).first }
  }

  /// Returns the index of the content that was there at a moment; nil if there was none yet.
  package func index(at date: Date) -> Int? {
    entries.lastIndex { $0.entry.made <= date }
  }

  private func body(at index: Int) -> PastBody? {
    guard entries.indices.contains(index) else { return nil }
    let (file, entry) = entries[index]
    return PastBody(file.body(of: entry), limits)
  }
}
