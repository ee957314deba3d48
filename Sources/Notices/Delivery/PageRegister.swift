import FoundationEssentials
import Glibc
package import WidgetPlatform

/// The pages that are open, each with a file in `notices/pages` that it has locked as long as it lives.
///
/// ```
/// 1 f 812345678 41 43 4711 8123456
/// ```
/// After the version come whether the page has the focus, since when, the numbers of the first and the last notice
/// that it is telling of, and its process: number and start. A page that is killed leaves its file without a lock:
/// the next program that finds it announces those notices. A page whose process is stopped (SIGSTOP) loses its file in
/// the same way, and registers again when it continues. All decisions are made with the lock of the folder, so that each
/// notice is announced once.
package struct PageRegister: Sendable {
  /// The folder of the files.
  package let folder: String
  let store: NoticeStore

  /// The file with the number of the last notice that was told of, or that was on a page with the focus.
  private static let lastName = "last"
  /// The first letters of the names of the files.
  private static let prefix = "page-"
  /// Notices of other machines that are older have come with a new connection, and are not told of.
  private static let longestDelay = 600.0

  /// The pages of the user whose notices a store has.
  package init(_ store: NoticeStore) {
    self.store = store
    folder = "\(store.folder)/pages"
  }

  /// The folder of the files of a user.
  package static func folder(_ folders: StateFolders) -> String { "\(folders.notices)/pages" }

  /// Whether somebody may have something to tell of after a file of this name was changed.
  package static func hasChanged(_ name: String) -> Bool {
    name == NoticeStore.journalName || name.hasPrefix(prefix) && !name.contains(".")
  }

  /// Whether a name is that of a file of the notices or the register.
  package static func isOwn(_ name: String) -> Bool {
    hasChanged(name) || name == lastName
  }

  /// What somebody who tells of notices has to do now.
  package enum Duty: Equatable {
    /// Others tell of them, or there are none.
    case nothing
    /// Another program is deciding; ask again.
    case busy
    /// The page is not in the register any more, as it was stopped for a while: others tell of what it had to tell.
    case removed
    case tell([Notice])
  }

  // MARK: - Without a page

  /// What a program without a page has to tell of, after it has stored a notice.
  ///
  /// - Parameter notice: The notice.
  /// - Returns: It, and those that a page has left that was killed or is stopped; nothing if a page is open, which then
  ///   tells.
  package func duty(afterPosting notice: Notice) -> [Notice] {
    guard let open = try? OwnFolder.open(folder) else { return [notice] }
    // A page decides within a millisecond. Without the lock nobody else can take over what was left.
    let lock = FolderLock(open, patience: .milliseconds(50))
    defer { _ = lock }
    var others = Others(open)
    guard others.open.isEmpty else { return [] }
    guard lock != nil, !others.left.isEmpty, let last = last(in: open) else { return [notice] }
    let first = others.left.compactMap(\.first).min() ?? .max
    let waiting = try? store.waiting(after: min(first - 1, last))
    let claimed = others.left.compactMap(\.claimed)
    others.removeLeft(from: open)
    let old = (waiting?.notices ?? []).filter { old in
      old.id != notice.id && isNews(old)
        && (old.id > last || claimed.contains { $0.contains(old.id) })
    }
    return old + [notice]
  }

  // MARK: - Pages

  /// Opens the file of a page.
  package func join() throws(HostError) -> OpenPage { try join(as: .own) }

  func join(as process: PageProcess) throws(HostError) -> OpenPage {
    try OwnFolder.whileLocked(folder, of: "pages", patience: .milliseconds(200)) {
      open throws(HostError) in
      let last = try store.waiting(after: .max - 1).last
      let name = Self.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
      var others = Others(open)
      do throws(FileFault) {
        let file = try open.file(name, O_RDWR | O_CREAT | O_EXCL)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw .system(errno) }
        if others.open.isEmpty {
          // The person has opened it, and sees what others have not told of.
          others.removeLeft(from: open)
          try setLast(last, in: open)
        }
        return OpenPage(file: file.take(), name: name, process: process)
      } catch {
        throw .file("write", "\(folder)/\(name)", error)
      }
    }
  }

  /// What a page has to tell of now; it must be told ``OpenPage/finish(_:)`` when it has.
  package func duty(of page: OpenPage) -> Duty {
    guard let open = try? OwnFolder.open(folder), let lock = FolderLock(open, patience: .zero)
    else { return .busy }
    defer { _ = lock }
    return duty(of: page, open)
  }

  private func duty(of page: OpenPage, _ open: borrowing OwnFolder) -> Duty {
    guard open.hasFile(page.name) else { return .removed }
    guard var last = last(in: open) else { return .nothing }
    var others = Others(open, except: page.name)
    let isSeen = page.entry.hasFocus || others.open.contains(where: \.hasFocus)
    let latest = others.open.map(\.rank).max()
    guard isSeen || latest.map({ $0 < page.entry.rank }) ?? true else { return .nothing }
    let first = others.left.compactMap(\.first).min() ?? .max
    guard var waiting = try? store.waiting(after: min(first - 1, last)) else { return .nothing }
    if waiting.last < last {
      // Somebody has removed the journal, and its numbers have begun anew.
      last = 0
      guard let all = try? store.waiting(after: 0) else { return .nothing }
      waiting = all
    }
    let claimed = others.left.compactMap(\.claimed)
    others.removeLeft(from: open)
    if waiting.last != last, (try? setLast(waiting.last, in: open)) == nil { return .nothing }
    guard !isSeen else { return .nothing }
    let mine = waiting.notices.filter { notice in
      isNews(notice)
        && (notice.id > last || claimed.contains { $0.contains(notice.id) })
    }
    guard !mine.isEmpty else { return .nothing }
    page.claim(mine.map(\.id))
    return .tell(mine)
  }

  /// Closes a page: what it has not told of, others do.
  package func leave(_ page: OpenPage) {
    guard let open = try? OwnFolder.open(folder) else { return page.close() }
    let lock = FolderLock(open, patience: .milliseconds(100))
    defer { _ = lock }
    _ = duty(of: page, open)
    if page.entry.claimed == nil { open.remove(page.name) }
    page.close()
  }

  /// Whether a page is still in the register: not after it was stopped for a while.
  package func has(_ page: OpenPage) -> Bool {
    guard let open = try? OwnFolder.open(folder) else { return false }
    return open.hasFile(page.name)
  }

  /// Whether one is told of a notice: what is new is decided by the order of the journal, as clocks may be wrong or set.
  ///
  /// Of what is still going on nobody is told.
  private func isNews(_ notice: Notice) -> Bool {
    guard notice.content.isOngoing != true else { return false }
    return notice.content.host == nil || notice.date.timeIntervalSinceNow > -Self.longestDelay
  }

  private func last(in folder: borrowing OwnFolder) -> Int? {
    guard let file = try? folder.file(Self.lastName, O_RDONLY) else { return nil }
    return Int(String(decoding: file.read(32), as: UTF8.self).prefix { $0 != "\n" })
  }

  private func setLast(_ number: Int, in folder: borrowing OwnFolder) throws(FileFault) {
    try folder.replace(Self.lastName, with: Array("\(number)\n".utf8), waitsForDisk: false)
  }

  /// The files of other pages.
  private struct Others {
    var open: [PageEntry] = []
    /// Those of pages that were killed or are stopped, or have not told of everything.
    var left: [PageEntry] = []

    init(_ folder: borrowing OwnFolder, except own: String? = nil) {
      for name in folder.names(limit: 1_000)
      where name.hasPrefix(PageRegister.prefix) && name != own {
        // To close a file that was opened for writing would wake up all pages.
        guard let file = try? folder.file(name, O_RDONLY) else { continue }
        let entry = PageEntry(file.read(PageEntry.size), name: name)
        let isLeft =
          flock(file.number, LOCK_EX | LOCK_NB) == 0 || entry.process?.isStopped == true
        if isLeft { left.append(entry) } else { open.append(entry) }
      }
    }

    mutating func removeLeft(from folder: borrowing OwnFolder) {
      for entry in left { folder.remove(entry.name) }
      left = []
    }
  }
}
