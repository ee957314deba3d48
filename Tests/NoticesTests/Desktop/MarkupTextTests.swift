import Testing

@testable import Notices

/// The markup of bodies of notifications.
@Suite struct MarkupTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("<b>bold</b> and <I>x</I>", "bold and x"),
    ("Tom &amp; Jerry &lt;3 &quot;x&quot; &apos;y&apos;", "Tom & Jerry <3 \"x\" 'y'"),
    ("&#65;&#x42;&#X43;", "ABC"), ("<a href=\"https://example.com/?a=1&amp;b\">link</a>", "link"),
    ("<img src=\"a.png\" alt=\"a &amp; b\"/>", "a & b"), ("<img src='a.png' alt='c'>", "c"),
    ("<img src=\"a.png\"/>", ""), ("one<br/>two<br>three", "one\ntwo\nthree"),
    ("<p>one</p><p>two</p>", "one\ntwo\n"), ("<span foreground=\"red\">x</span>", "x"),
    // What is no markup stays.
    ("a < b && c > d", "a < b && c > d"), ("I <3 you", "I <3 you"),
    ("Jo <jo@example.com>", "Jo <jo@example.com>"), ("<image>", "<image>"), ("<b", "<b"),
    ("<", "<"),
    ("<>", "<>"), ("</>", "</>"), ("&", "&"), ("&;", "&;"), ("&nothing;", "&nothing;"),
    ("&#;", "&#;"), ("&#xD800;", "&#xD800;"), ("&#99999999999;", "&#99999999999;"),
    ("grün <b>é</b>", "grün é"), ("&amp;lt;", "&lt;"),
  ])
  func `tags go, entities are characters, and what is no markup stays`(
    text: String,
    plain: String
  ) {
    #expect(MarkupText.plain(text) == plain)
  }

  @Test(arguments: ["<", "&", "<b", "<img alt=\"", "<b>", "&amp;"])
  func `256 KiB of a beginning take no long time`(part: String) {
    let text = String(repeating: part, count: 256 * 1024 / part.utf8.count)
    let time = ContinuousClock().measure { _ = MarkupText.plain(text) }
    // Were each beginning looked at up to the end of the text, it would be hours.
    #expect(time < .seconds(20))
  }
}
