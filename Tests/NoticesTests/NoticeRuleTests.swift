import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

@testable import Notices

/// What rules of the user do with notices.
@Suite(.timeLimit(.minutes(1))) struct NoticeRuleTests {
  @Test(arguments: [
    ("mail", "Mail", true), ("mail", "Mailer", false), ("mail*", "Mailer", true), ("*", "", true),
    ("?", "", false), ("?", "ä", true), ("*newsletter*", "Your NEWSLETTER\nof May", true),
    ("a*b*c", "aXXbYYc", true), ("a*b*c", "aXXbYYcd", false), ("**a**", "a", true),
    ("[ab]", "a", false), ("[ab]", "[AB]", true), ("STRASSE", "strasse", true), ("", "", true),
  ])
  func `a pattern is for the whole text, without regard to case`(
    pattern: String,
    text: String,
    fits: Bool
  ) {
    #expect(NoticePattern(pattern).fits(text) == fits)
  }

  @Test func `no pattern and no text takes long`() {
    let pattern = NoticePattern(String(repeating: "*a", count: 90) + "*b")
    #expect(!pattern.fits(String(repeating: "a", count: NoticeLimits.bodyBytes)))
  }

  @Test func `the first rule that fits counts`() throws {
    let folder = try StoreFolder()
    var (hide, earlier, critical) = (
      NoticeRule(.hide), NoticeRule(.earlier), NoticeRule(.critical)
    )
    hide.application = NoticePattern("spam*")
    earlier.title = NoticePattern("*newsletter*")
    earlier.urgency = .normal
    critical.body = NoticePattern("*\nFATAL*")
    var settings = NoticeSettings()
    settings.rules = [hide, earlier, critical, NoticeRule(.hide)]
    let store = folder.store(settings)
    let hidden = try store.add(.sample("FATAL", body: "x\nfatal", application: "Spammer"))
    #expect(hidden.id == 1 && hidden.state == .earlier)
    let second = try store.add(.sample("The Newsletter", body: "x\nfatal"))
    #expect(second.id == 3 && second.state == .earlier)
    let third = try store.add(.sample("a newsletter", body: "x\nfatal", urgency: .low))
    #expect(third.content.urgency == .critical && third.expiry == nil && third.state == .waiting)
    try store.add(.sample("anything"))
    let list = try folder.store().read()
    #expect(list.titles == ["The Newsletter", "a newsletter"])
    #expect(list.entries.map(\.state) == [.earlier, .waiting])
    // As far as they are told of: not those that wait no longer.
    #expect(try store.waiting(after: 0).notices.map(\.id) == [third.id])
  }

  @Test func `a program gets the notice as JSON, without what is private`() throws {
    let folder = try StoreFolder()
    let output = "\(folder.path)-ran"
    defer { unlink(output) }
    var rule = NoticeRule(.run(["sh", "-c", "cat > \"$0~\"; mv \"$0~\" \"$0\"", output]))
    rule.title = NoticePattern("secret*")
    var settings = NoticeSettings()
    settings.rules = [rule]
    settings.privateApplications = ["Signal"]
    let notice = try folder.store(settings).add(.sample("secret word", application: "Signal"))
    #expect(notice.state == .waiting)
    let deadline = ContinuousClock.now + TestDeadline.duration
    while access(output, F_OK) != 0, .now < deadline { sched_yield() }
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.hasPrefix("{\"id\":\"1\",\"date\":\"") && text.hasSuffix("}\n"))
    #expect(text.contains("\"title\":\"a message\"") && !text.contains("secret"))
  }
}
