import FoundationEssentials
import Testing
import WidgetPlatform
import WidgetTestSupport

@testable import Notices
@testable import WidgetTUI

/// The notice of a command that is running.
@Suite struct RunningCommandTests {
  private let store: NoticeStore
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    store = NoticeStore(folder: "\(world.path)/state/today/notices")
  }

  private func command(after shortest: Duration) -> RunningCommand {
    var draft = NoticeDraft(title: "", CommonOptions(environment: ["HOME": "/nowhere"]))
    draft.content.application = "make"
    draft.content.tag = "t"
    return RunningCommand("make -j8", draft, after: shortest, in: store)
  }

  private func notices() throws -> [Notice] {
    let list = try store.read()
    return list.entries.compactMap(list.notice)
  }

  private func told(_ text: String) -> ArraySlice<UInt8> {
    Array("\u{1B}]9;4;\(text)\u{7}".utf8)[...]
  }

  @Test func `it comes with the time from which the end is told, and is one with its progress`()
    throws
  {
    var running = command(after: .seconds(10))
    #expect(running.pause(after: .seconds(4)) == .seconds(6))
    running.take(told("1;5"), after: .seconds(9))
    #expect(try notices().isEmpty)
    running.take([], after: .seconds(10))
    let first = try #require(try notices().first)
    #expect(first.content.title == "make -j8 is running" && first.content.progress == 5)
    #expect(first.content.isOngoing == true && first.content.isTransient == true)
    #expect(first.expiry != nil && first.content.urgency == .low)

    // Not more often than once a second, and then the last one.
    running.take(told("1;20"), after: .milliseconds(10_200))
    running.take(told("2;30"), after: .milliseconds(10_400))
    #expect(try notices().map(\.content.progress) == [5])
    #expect(running.pause(after: .milliseconds(10_400)) == .milliseconds(600))
    running.take([], after: .seconds(11))
    #expect(try notices().map(\.content.progress) == [30])
    #expect(try notices().map(\.content.body) == ["it reports an error"])
    running.take(told("4"), after: .seconds(13))
    #expect(try notices().map(\.content.body) == ["it is paused"])
    running.take(told("0"), after: .seconds(15))
    #expect(try notices().map(\.content.progress) == [nil])
  }

  @Test func `one of which nothing is heard any more goes, and one that runs is renewed`() throws {
    var running = command(after: .zero)
    running.take([], after: .zero)
    let first = try #require(try notices().first)
    #expect(running.pause(after: .zero) < .seconds(600))
    running.take([], after: running.pause(after: .zero))
    let second = try #require(try notices().first)
    #expect(try notices().count == 1 && second.id > first.id)
    #expect(try store.read(now: Date().addingTimeInterval(601)).entries.isEmpty)
    running.remove()
    #expect(try notices().isEmpty)
  }

  @Test func `one that a person has dismissed stays away`() throws {
    var running = command(after: .zero)
    running.take(told("1;5"), after: .zero)
    try store.note(.dismissed, of: [1])
    running.take(told("1;50"), after: .seconds(5))
    running.take(told("1;60"), after: .seconds(500))
    #expect(try notices().isEmpty && running.pause(after: .seconds(500)) > .seconds(100))
  }

  @Test func `it is announced to nobody, and rules wait for its end`() throws {
    var rules = NoticeSettings()
    rules.rules = [NoticeRule(.critical)]
    let store = NoticeStore(folder: store.folder, settings: rules)
    let page = try PageRegister(store).join()
    page.set(.elsewhere)
    var content = NoticeContent(application: "a", source: .post, title: "a is running")
    content.isOngoing = true
    content.tag = "t"
    #expect(try store.add(content, expiresAfter: 10).content.urgency == .normal)
    #expect(PageRegister(store).duty(of: page) == .nothing)
    content.isOngoing = nil
    let end = try store.add(content)
    #expect(end.content.urgency == .critical)
    guard case .tell(let told) = PageRegister(store).duty(of: page) else {
      Issue.record("the end is not told")
      return
    }
    #expect(told.map(\.id) == [end.id])
  }
}
