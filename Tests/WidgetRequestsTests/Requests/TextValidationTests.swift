import Testing

@testable import WidgetRequests

@Suite struct TextValidationTests {
  @Test func `one question is open at a time, and the next is about the newest text`() {
    var validation = TextValidation()
    #expect(validation.change(to: "a") == "a")
    #expect(validation.change(to: "ab") == nil)
    #expect(validation.change(to: "abc") == nil)
    let first = validation.answered()
    #expect(first.counts && first.next == "abc")
    let second = validation.answered()
    #expect(second.counts && second.next == nil)
    #expect(validation.change(to: "b") == "b")
  }

  @Test func `what the extension says by itself is newer than an open question`() {
    var validation = TextValidation()
    _ = validation.change(to: "a")
    validation.forgetAnswer()
    #expect(!validation.answered().counts)
    _ = validation.change(to: "b")
    #expect(validation.answered().counts)
  }
}
