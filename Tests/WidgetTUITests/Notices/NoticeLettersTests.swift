import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

@testable import Notices
@testable import WidgetTUI

/// The letters by which people name notices.
@Suite struct NoticeLettersTests {
  private let world: TestWorld
  private let store: NoticeStore

  init() throws {
    world = try TestWorld()
    store = NoticeStore(folder: "\(world.path)/state/today/notices")
  }

  @discardableResult
  private func post(_ title: String, tag: String? = nil) throws -> Int {
    var content = NoticeContent(application: "a", source: .post, title: title)
    content.tag = tag
    return try store.post(content)
  }

  private func letters() throws -> [Int: String] {
    NoticeLetters.letters(of: try store.read(), in: store)
  }

  @Test func `a notice keeps its letter, also when another one takes its place`() throws {
    let first = try post("one")
    let second = try post("10 %", tag: "t")
    #expect(try letters() == [first: "a", second: "b"])
    let third = try post("20 %", tag: "t")
    try store.note(.dismissed, of: [first])
    let fourth = try post("four")
    // One that is free again is the last to be given.
    #expect(try letters() == [third: "b", fourth: "c"])
    let list = try store.read()
    #expect(NoticeLetters.notice("b", in: list, of: store) == third)
    #expect(NoticeLetters.notice("a", in: list, of: store) == nil)
  }

  @Test func `after z comes what is free, and then two letters`() throws {
    let ids = try (0..<30).map { try post("\($0)") }
    #expect(try letters()[ids[25]] == "z" && letters()[ids[26]] == "aa")
    #expect(try letters()[ids[29]] == "ad")
    try store.note(.dismissed, of: [ids[3]])
    let next = try post("next")
    #expect(try letters()[next] == "d" && letters()[ids[26]] == "aa")
    #expect(NoticeLetters.notice("ad", in: try store.read(), of: store) == ids[29])
  }

  @Test(arguments: ["", "1", "1 99\n0 x", "2 0\n0 x", "1 0\nno\n-1 x\n9999 x\n", "\0\u{1B}"])
  func `a damaged file costs the letters and nothing else`(text: String) throws {
    let id = try post("one")
    try world.write(text, to: "\(store.folder)/letters")
    #expect(try letters() == [id: "a"])
  }

  @Test func `where they cannot be stored there are numbers`() throws {
    try post("one")
    #expect(chmod(store.folder, 0o500) == 0)
    defer { chmod(store.folder, 0o700) }
    let found = try letters()
    #expect(found.isEmpty || getuid() == 0)
  }

  @Test(arguments: [
    ("a", true), ("zz", true), ("", false), ("abc", false), ("A", false), ("1", false),
    ("é", false),
  ])
  func `letters are one or two of the alphabet`(word: String, expected: Bool) {
    #expect(NoticeLetters.areLetters(word) == expected)
  }
}
