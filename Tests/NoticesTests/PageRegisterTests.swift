import FoundationEssentials
import Glibc
import Testing
import WidgetPlatform

@testable import Notices

/// Which program tells of a notice.
@Suite(.timeLimit(.minutes(1))) struct PageRegisterTests {
  private func tells(_ duty: PageRegister.Duty) -> [Int]? {
    if case .tell(let notices) = duty { notices.map(\.id) } else { nil }
  }

  /// Lets a page end as a kill does: its lock goes, its file stays.
  private func kill(_ page: OpenPage) { page.close() }

  @Test func `without a page the program that posts tells`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let notice = try folder.store().add(.sample("a"))
    #expect(register.duty(afterPosting: notice).map(\.id) == [1])
  }

  @Test func `of several pages the one that had the focus last tells, once`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let (one, other) = (try register.join(), try register.join())
    other.set(.here)
    one.set(.here)
    other.set(.elsewhere)
    one.set(.elsewhere, at: PageEntry.now + 1)
    let notice = try folder.store().add(.sample("a"))
    #expect(register.duty(afterPosting: notice).isEmpty)
    #expect(register.duty(of: other) == .nothing)
    #expect(tells(register.duty(of: one)) == [1])
    #expect(register.duty(of: one) == .nothing && register.duty(of: other) == .nothing)
  }

  @Test func `while a page has the focus nobody tells, and not later`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let (one, other) = (try register.join(), try register.join())
    one.set(.elsewhere)
    other.set(.here)
    let notice = try folder.store().add(.sample("a"))
    #expect(register.duty(afterPosting: notice).isEmpty)
    #expect(register.duty(of: one) == .nothing)
    other.set(.elsewhere)
    #expect(register.duty(of: one) == .nothing && register.duty(of: other) == .nothing)
    try folder.store().post(.sample("b"))
    #expect(tells(register.duty(of: other)) == [2])
  }

  @Test func `what a page tells of that is killed, another page tells of`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let (one, other) = (try register.join(), try register.join())
    other.set(.elsewhere)
    one.set(.elsewhere, at: PageEntry.now + 1)
    for title in ["a", "b", "c"] { try folder.store().post(.sample(title)) }
    #expect(tells(register.duty(of: one)) == [1, 2, 3])
    one.finish(1)
    kill(one)
    #expect(tells(register.duty(of: other)) == [2, 3])
    #expect(register.duty(of: other) == .nothing)
  }

  @Test func `what the last page left that was killed, the next program tells of that posts`()
    throws
  {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let page = try register.join()
    page.set(.elsewhere)
    try folder.store().post(.sample("a"))
    #expect(tells(register.duty(of: page)) == [1])
    // Nobody has seen this one.
    try folder.store().post(.sample("b"))
    kill(page)
    let notice = try folder.store().add(.sample("c"))
    #expect(register.duty(afterPosting: notice).map(\.id) == [1, 2, 3])
    let next = try folder.store().add(.sample("d"))
    #expect(register.duty(afterPosting: next).map(\.id) == [4])
  }

  @Test func `a page that ends leaves nothing, or what it has not told of`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let page = try register.join()
    register.leave(page)
    #expect(try FileManager.default.contentsOfDirectory(atPath: register.folder) == ["last"])
    let second = try register.join()
    second.set(.elsewhere)
    try folder.store().post(.sample("a"))
    #expect(tells(register.duty(of: second)) == [1])
    register.leave(second)
    let notice = try folder.store().add(.sample("b"))
    #expect(register.duty(afterPosting: notice).map(\.id) == [1, 2])
  }

  @Test func `what was posted before a page was opened is not told of`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    try folder.store().post(.sample("a"))
    let page = try register.join()
    page.set(.elsewhere)
    #expect(register.duty(of: page) == .nothing)
  }

  @Test func `what is new is decided by the order of the journal, not by clocks`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let page = try register.join()
    page.set(.elsewhere)
    for hours in [-200.0, -1, 1, 5_000] {
      let id = try folder.store().post(.sample("a"), now: Date(timeIntervalSinceNow: hours * 3_600))
      #expect(tells(register.duty(of: page)) == [id])
    }
    // Of another machine, what has come with a new connection is no news.
    var content = NoticeContent.sample("b")
    content.host = "server"
    try folder.store().post(content, now: Date(timeIntervalSinceNow: -3_600))
    #expect(register.duty(of: page) == .nothing)
    let id = try folder.store().post(content)
    #expect(tells(register.duty(of: page)) == [id])
  }

  @Test func `a page that is stopped is told for by others, and joins again when it goes on`()
    throws
  {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let child = try StoppableChild()
    let page = try register.join(as: child.identity)
    page.set(.here)
    try child.stop()
    let first = try folder.store().add(.sample("a"))
    #expect(register.duty(afterPosting: first).map(\.id) == [1])
    #expect(!register.has(page) && register.duty(of: page) == .removed)
    try child.resume()
    let again = try register.join(as: child.identity)
    again.set(.elsewhere)
    #expect(register.duty(of: again) == .nothing)
    let second = try folder.store().add(.sample("b"))
    #expect(register.duty(afterPosting: second).isEmpty)
    #expect(tells(register.duty(of: again)) == [2])
    // It is stopped while it tells of it.
    let other = try register.join()
    other.set(.elsewhere, at: 1)
    try child.stop()
    #expect(tells(register.duty(of: other)) == [2])
    #expect(register.duty(of: again) == .removed && register.duty(of: other) == .nothing)
  }

  @Test func `a process that has the number of a stopped page is not taken for it`() throws {
    let child = try StoppableChild()
    var identity = child.identity
    try child.stop()
    #expect(identity.isStopped)
    identity.start += 1
    #expect(!identity.isStopped && !PageProcess.own.isStopped)
    #expect(!PageProcess(number: .max, start: 1).isStopped)
  }

  @Test func `a journal that begins anew, and one of many notices, lose none`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    for _ in 0..<20 {
      try folder.store().post(.sample("a", body: String(repeating: "x", count: 9_000)))
    }
    let page = try register.join()
    page.set(.elsewhere)
    for _ in 0..<20 {
      try folder.store().post(.sample("b", body: String(repeating: "x", count: 9_000)))
    }
    #expect(tells(register.duty(of: page)) == Array(21...40))
    page.claim([])
    #expect(unlink(folder.journal) == 0)
    try folder.store().post(.sample("c"))
    #expect(tells(register.duty(of: page)) == [1])
  }

  @Test func `files that are none of a page, and damaged ones, stop nobody`() throws {
    let folder = try StoreFolder()
    let register = PageRegister(folder.store())
    let page = try register.join()
    page.set(.elsewhere)
    for (name, text) in [
      ("page-x", "rubbish \u{1B}"), ("page-y", "1 f 99999999999999 9 1"), ("z", ""),
    ] {
      try DurableFile.write(Array(text.utf8), to: "\(register.folder)/\(name)")
    }
    #expect(mkfifo("\(register.folder)/page-z", 0o600) == 0)
    try folder.store().post(.sample("a"))
    #expect(tells(register.duty(of: page)) == [1])
  }

  @Test func `a terminal that says nothing of the focus has it for a minute after a key`() {
    var entry = PageEntry(name: "a")
    #expect(entry.hasFocus)
    entry.since -= 61_000
    #expect(!entry.hasFocus)
    entry.focus = .here
    #expect(entry.hasFocus && PageEntry(entry.bytes, name: "a") == entry)
    entry.claimed = 3...1 << 52
    entry.process = PageProcess(number: .max, start: .max)
    #expect(entry.bytes.count == PageEntry.size && PageEntry(entry.bytes, name: "a") == entry)
  }
}
