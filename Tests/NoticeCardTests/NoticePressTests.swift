import FoundationEssentials
import Testing
import WidgetKitCore

@testable import NoticeCard

@Suite struct NoticePressTests {
  private let notice = UserNotice(id: "42", date: .distantPast, application: "ci", title: "failed")

  @Test func `a press says which notice is meant, and which of its actions`() throws {
    var notice = notice
    notice.actions = [UserNotice.Action("Log"), UserNotice.Action("Try it again")]
    let plain = try #require(NoticePress(NoticePress(notice).text))
    #expect(plain.id == "42" && plain.action(of: notice) == "Log")
    #expect(plain.action(of: self.notice) == nil)
    let second = NoticePress(notice, try #require(notice.actions?[1]))
    let press = try #require(NoticePress(second.text))
    #expect(press.id == "42" && press.action(of: notice) == "Try it again")
  }

  @Test(arguments: ["", "open", "open 1 2", "act 1", "close 1"])
  func `any other action is none of a notice`(text: String) {
    #expect(NoticePress(text) == nil)
  }
}
