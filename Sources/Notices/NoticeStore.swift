package import FoundationEssentials
import Glibc
package import WidgetPlatform

/// The notices of a user on disk: `notices/journal` in the state folder, to which any number of programs append.
///
/// What a person is told is a line of the journal, and so is what becomes of it. A program appends one while it has
/// the lock of the folder, with one call, so that a kill at any moment leaves all lines that were written before, and
/// at most one that is not finished, which readers leave out. Nobody waits for a reader, and readers wait for nobody.
/// Now and then the program that appends writes the journal anew without what is no longer kept, and puts the new file
/// in the place of the old one.
package struct NoticeStore: Sendable {
  /// The folder of the journal.
  package let folder: String
  private let settings: NoticeSettings
  /// How long another program that appends is waited for; each takes less than a millisecond.
  package var patience: Duration = .seconds(5)

  /// The file that is followed.
  package static let journalName = "journal"

  /// The store of a user.
  package init(_ folders: StateFolders, settings: NoticeSettings) {
    self.init(folder: folders.notices, settings: settings)
  }

  /// The store in a folder.
  package init(folder: String, settings: NoticeSettings = NoticeSettings()) {
    (self.folder, self.settings) = (folder, settings)
  }

  /// The path of the journal, for messages.
  private var path: String { "\(folder)/\(Self.journalName)" }

  // MARK: - Reading

  /// Reads all notices.
  ///
  /// - Parameter now: The present date, by which notices are too old, or no longer wait.
  /// - Returns: The notices; an empty list if there never was one.
  /// - Throws: ``HostError`` if the journal cannot be read: it is no file of the program, or has more than 256 MiB.
  package func read(now: Date = Date()) throws(HostError) -> NoticeList {
    do throws(FileFault) {
      let file = try OwnFolder.open(folder).file(Self.journalName, O_RDONLY)
      return NoticeList(try NoticeJournal(file), file, settings: settings, now: now)
    } catch {
      if error == .absent { return NoticeList() }
      throw .file("read", path, error)
    }
  }

  /// Reads the notices that were posted after a number and wait, from the end of the journal.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - now: The present date.
  /// - Returns: The notices, those that were posted first before the others, and the number of the last line.
  /// - Throws: ``HostError`` if the journal cannot be read.
  package func waiting(
    after number: Int,
    now: Date = Date()
  ) throws(HostError) -> (notices: [Notice], last: Int) {
    do throws(FileFault) {
      let file = try OwnFolder.open(folder).file(Self.journalName, O_RDONLY)
      let journal = try NoticeJournal(endOf: file, after: number)
      let list = NoticeList(journal, file, settings: settings, now: now)
      let new = list.entries.filter { $0.id > number && $0.state == .waiting }
      return (new.compactMap(list.notice), journal.lastSequence)
    } catch {
      if error == .absent { return ([], 0) }
      throw .file("read", path, error)
    }
  }

  // MARK: - Writing

  /// Stores a notice.
  ///
  /// - Parameters:
  ///   - content: What it says; it is cut where it is too long.
  ///   - expiresAfter: The seconds after which it no longer waits; nil for the usual ones. Critical ones wait in any
  ///     case.
  ///   - now: The present date.
  /// - Returns: The number of the notice, which is stored when this returns.
  /// - Throws: ``HostError``, with `busy` if another program does not let go of the journal; nothing was stored then.
  @discardableResult
  package func post(
    _ content: NoticeContent,
    expiresAfter: Double? = nil,
    now: Date = Date()
  ) throws(HostError) -> Int {
    try add(content, expiresAfter: expiresAfter, now: now).id
  }

  /// Stores a notice as the rules of the user say, and runs the command of the rule that fits.
  ///
  /// - Parameters:
  ///   - content: As for ``post(_:expiresAfter:now:)``.
  ///   - expiresAfter: The seconds after which it no longer waits.
  ///   - now: The present date.
  /// - Returns: The notice as it is stored.
  /// - Throws: ``HostError`` as for ``post(_:expiresAfter:now:)``.
  @discardableResult
  package func add(
    _ content: NoticeContent,
    expiresAfter: Double? = nil,
    now: Date = Date()
  ) throws(HostError) -> Notice {
    var content = content.limited
    let effect = settings.rules.first { $0.fits(content) }?.effect
    content = content.concealed(settings)
    if effect == .critical { content.urgency = .critical }
    // One that is not waiting and transient is in no list, and goes when the journal is written anew.
    if effect == .hide { content.isTransient = true }
    let usual = content.urgency == .low ? NoticeLimits.lowSeconds : nil
    var expiry: Int?
    if content.urgency != .critical, let seconds = expiresAfter ?? usual {
      let wait = min(max(seconds, 0.001), NoticeLimits.longestSeconds)
      expiry = NoticeTime.milliseconds(now.addingTimeInterval(wait))
    }
    guard let json = NoticeJSON.text(content) else {
      throw HostError(code: .refused, description: "the notice cannot be stored")
    }
    let fields = NoticeJournal.Post.fields(content, expiry: expiry, json: Array(json.utf8))
    let change: JournalLine.Kind? =
      switch effect {
      case .hide: .dismissed
      case .earlier: .seen
      case .critical, .run, nil: nil
      }
    let id = try append(now) { id in
      [(.post, fields)] + (change.map { [($0, Array("\(id)".utf8))] } ?? [])
    }
    let notice = Notice(
      id: id,
      date: now,
      expiry: expiry.map(NoticeTime.date),
      content: content,
      state: change == nil ? .waiting : .earlier
    )
    if case .run(let command) = effect {
      let state = notice.state
      let line = NoticeJSON.line(id, now, notice.expiry, state, content: Array(json.utf8)[...])
      DetachedProgram.start(command, input: line + [JournalLine.end])
    }
    return notice
  }

  /// Notes what became of notices.
  ///
  /// - Parameters:
  ///   - change: What became of them.
  ///   - ids: Their numbers.
  ///   - now: The present date.
  /// - Throws: ``HostError``, with `busy` if another program does not let go of the journal.
  package func note(
    _ change: NoticeChange,
    of ids: [Int],
    now: Date = Date()
  ) throws(HostError) {
    guard !ids.isEmpty else { return }
    let (kind, words) = change.line
    try append(now) { _ in ids.map { (kind, Array("\($0)\(words)".utf8)) } }
  }

  /// Appends the lines that are made from the number of the first one, which is returned.
  @discardableResult
  private func append(
    _ now: Date,
    _ lines: (_ first: Int) -> [(kind: JournalLine.Kind, rest: [UInt8])]
  ) throws(HostError) -> Int {
    try OwnFolder.whileLocked(folder, of: "notices", patience: patience) {
      folder throws(HostError) in
      do throws(FileFault) {
        let file = try folder.file(Self.journalName, O_RDWR | O_CREAT | O_APPEND)
        let time = NoticeTime.milliseconds(now)
        let head = JournalHead(file)
        let end = try JournalEnd(file, head)
        guard end.sequence < JournalHead.sequenceLimit / 2 else {
          // Somebody has written a number that leaves none for later ones.
          let bytes = JournalHead.first(time) + Self.bytes(lines(1), after: 0, time)
          try JournalDamage.keep(Self.journalName, in: folder, replacing: bytes)
          JournalDamage(lineCount: 1, date: now).note(in: folder)
          return 1
        }
        let first = end.sequence + 1
        var bytes = end.isFinished ? [] : [JournalLine.end]
        if end.size == 0 { bytes += JournalHead.first(time) }
        bytes += Self.bytes(lines(first), after: end.sequence, time)
        try Self.append(bytes, to: file, end.size)
        let isDue = JournalHead(file).isDue(size: end.size + bytes.count, time: time)
        if isDue || end.isDamaged {
          // What was to be stored is stored, also if there is no space for a second journal.
          _ = try? compact(folder, file, now, after: end.time)
        }
        return first
      } catch {
        throw .file("write", path, error)
      }
    }
  }

  /// The lines with the numbers behind one.
  private static func bytes(
    _ lines: [(kind: JournalLine.Kind, rest: [UInt8])],
    after last: Int,
    _ time: Int
  ) -> [UInt8] {
    lines.enumerated().flatMap { offset, line in
      JournalLine.compose(line.kind, last + 1 + offset, time, line.rest)
    }
  }

  /// Appends with one call; if only a part could be written, what is not a whole line is taken back.
  private static func append(
    _ bytes: [UInt8],
    to file: borrowing Descriptor,
    _ size: Int
  ) throws(FileFault) {
    do throws(FileFault) {
      try file.write(bytes)
    } catch {
      // Readers have read whole lines only, which must stay.
      let written = (file.status()?.st_size ?? size) - size
      let kept = bytes.prefix(max(0, written)).lastIndex(of: JournalLine.end).map { $0 + 1 } ?? 0
      if written > kept { ftruncate(file.number, size + kept) }
      throw error
    }
  }

  /// Writes the journal anew without what is no longer kept.
  ///
  /// A day after the last line before is the latest date by which anything is too old: a clock may be wrong once. One
  /// with damaged lines is kept beside the new one.
  private func compact(
    _ folder: borrowing OwnFolder,
    _ file: borrowing Descriptor,
    _ now: Date,
    after last: Int?
  ) throws(FileFault) {
    let latest = last.map { NoticeTime.date($0).addingTimeInterval(86_400) } ?? now
    folder.removeStrays()
    let journal = try NoticeJournal(file)
    let list = NoticeList(journal, settings: settings, now: min(now, latest))
    var kept: [NoticeJournal.Place] = []
    var size = 0
    for entry in list.entries.reversed() {
      let places = [entry.place] + (list.place(ofChangeOf: entry).map { [$0] } ?? [])
      size += places.reduce(0) { $0 + Int($1.count) + 1 }
      guard size <= NoticeLimits.keptBytes else { break }
      kept += places
    }
    // Numbers must grow from line to line, as they did before.
    kept.sort { $0.start < $1.start }
    let time = NoticeTime.milliseconds(now)
    let name = journal.head.name ?? .random(in: 1 ... .max)
    var bytes = JournalHead.line(name, size: size, last: journal.lastSequence, time)
    bytes.reserveCapacity(bytes.count + size)
    var rest = kept[...]
    while let first = rest.first {
      // Most of them are one behind another.
      var end = first.range.upperBound
      rest = rest.dropFirst()
      while let next = rest.first, next.start == end + 1, end - first.start < 1 << 20 {
        end = next.range.upperBound
        rest = rest.dropFirst()
      }
      bytes += file.read(end + 1 - first.start, from: first.start)
    }
    guard journal.damagedCount > 0 else {
      try folder.replace(Self.journalName, with: bytes, waitsForDisk: false)
      return
    }
    try JournalDamage.keep(Self.journalName, in: folder, replacing: bytes)
    JournalDamage(lineCount: journal.damagedCount, date: now).note(in: folder)
  }

  // MARK: - Damage

  /// What was lost with damaged lines; nil if there were none, or the files of them were removed.
  package var damage: JournalDamage? {
    guard let folder = try? OwnFolder.open(folder) else { return nil }
    return JournalDamage(in: folder)
  }

  /// Writes the journal anew without its damaged lines, and keeps it as it was beside the new one.
  package func repair(now: Date = Date()) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "notices", patience: patience) {
      folder throws(HostError) in
      do throws(FileFault) {
        let file = try folder.file(Self.journalName, O_RDONLY)
        let end = try JournalEnd(file, JournalHead(file))
        guard try NoticeJournal(file).damagedCount > 0 else { return }
        try compact(folder, file, now, after: end.time)
      } catch {
        throw .file("write", path, error)
      }
    }
  }

  /// The user was told of the damage.
  package func didTellDamage() {
    guard let folder = try? OwnFolder.open(folder), var damage = JournalDamage(in: folder) else {
      return
    }
    damage.isTold = true
    damage.write(in: folder)
  }
}

extension NoticeChange {
  /// The kind of its line, and what follows the number of the notice there.
  fileprivate var line: (JournalLine.Kind, String) {
    switch self {
    case .dismissed: (.dismissed, "")
    case .seen: (.seen, "")
    case .waiting: (.waiting, "")
    case .acted(let action):
      (.acted, NoticeJSON.text(NoticeAction(name: action)).map { " \($0)" } ?? "")
    }
  }
}
