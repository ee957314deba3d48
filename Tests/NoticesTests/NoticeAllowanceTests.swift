import Testing

@testable import Notices

/// How many notices of an application or a machine are taken.
@Suite struct NoticeAllowanceTests {
  private let start = ContinuousClock.now

  @Test func `so many are taken at once, and then one after each pause`() {
    var allowance = NoticeAllowance(.init(burst: 3, pause: .seconds(1)))
    func take(_ seconds: Double) -> Bool { allowance.take("a", at: start + .seconds(seconds)) }
    #expect((0..<5).map { _ in take(0) } == [true, true, true, false, false])
    #expect(!take(0.9) && take(1) && !take(1.5) && take(2))
    // After a long time not more than at first.
    #expect((0..<5).map { _ in take(1e6) } == [true, true, true, false, false])
    // A clock that goes back takes nothing away.
    #expect(!take(0))
  }

  @Test(arguments: [
    (NoticeAllowance.Rate.application, "100 at once and then one a second"),
    (.desktop, "500 at once and then 5 a second"), (.machine, "1000 at once and then 5 a second"),
  ])
  func `a limit is said in words`(rate: NoticeAllowance.Rate, words: String) {
    #expect(rate.words == words)
  }

  @Test func `others are not counted, and many names share what is left`() {
    var allowance = NoticeAllowance(.init(burst: 1, pause: .seconds(1)))
    #expect(allowance.take("a", at: start) && allowance.take("b", at: start))
    #expect((0..<5_000).count { allowance.take("\($0)", at: start) } == 999)
    #expect((0..<5_000).count { allowance.take("\($0)", at: start + .seconds(1)) } == 1_001)
  }

  @Test func `what was left out is counted and said once`() throws {
    var omitted = OmittedNotices()
    #expect(omitted.notice("", tag: "t") == nil)
    omitted.add(of: "mail")
    #expect(omitted.notice("r", tag: "t")?.title == "1 notice was left out")
    #expect(omitted.notice("r", tag: "t") == nil)
    omitted.add(2, of: "mail")
    for _ in 0..<2 { omitted.add(.max, of: "chat") }
    for number in 0..<50 { omitted.add(of: "\(number)") }
    let last = omitted.notice("Why.", tag: "t")
    let notice = try #require(last)
    #expect(notice.title == "\(Int.max) notices were left out")
    #expect(notice.body?.contains("chat: \(Int.max)\nother applications: 32\nmail: 3") == true)
    #expect(notice.body?.hasSuffix("\nWhy.") == true && notice.tag == "t")
  }
}
