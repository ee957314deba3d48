import Testing

@testable import Calendar

struct MultiStatusTests {
  private func parts(_ text: String) -> [MultiStatus.Part] {
    MultiStatus(parsing: Array(text.utf8)).parts
  }

  @Test func `elements are known by their local names`() {
    let found = parts(
      """
      <multistatus xmlns="DAV:" xmlns:x="urn:ietf:params:xml:ns:caldav"><response>
        <href> /a%20b/ </href><!-- <href>no</href> --><propstat><prop><resourcetype><collection/>
        <x:calendar /></resourcetype><x:calendar-data type='a'>1 &lt; 2 &amp;&#38;&#x41;<![CDATA[&nbsp;]]></x:calendar-data>
      </prop></propstat></response></multistatus>
      """
    )
    #expect(
      found == [MultiStatus.Part(href: "/a%20b/", isCalendar: true, data: "1 < 2 &&A&nbsp;")]
    )
  }

  @Test(
    arguments: [
      "", "<", "<>", "</>", "<a", "</response>", "<response>", "<response><href>/a", "&",
      "<![CDATA[",
      "<!--", "<response><response></href></response>", String(repeating: "<a>", count: 100_000),
      String(repeating: "<response/>", count: 1000), "\u{0}<\u{0}>",
      "<response></a></response></response>",
    ]
  )
  func `what is no answer has no part with anything in it`(text: String) {
    #expect(parts(text).allSatisfy { $0 == MultiStatus.Part() })
  }

  @Test func `what a document defines is left out`() {
    let definitions = "<!DOCTYPE a [<!ENTITY b '/b'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>"
    let found = parts("\(definitions)<response><href>/a&b;&c;&amp;</href></response>")
    #expect(found == [MultiStatus.Part(href: "/a&")])
  }

  @Test func `what is before an error counts, and characters that XML does not have are blanks`() {
    let bytes =
      Array("<m><response><href>/a</href><calendar-data>b\u{C}".utf8) + [0xFF]
      + Array("c</calendar-data></response><response><href>/d</href>&nbsp;</response></m>".utf8)
    let part = MultiStatus.Part(href: "/a", data: "b \u{FFFD}c")
    #expect(MultiStatus(parsing: bytes).parts == [part])
  }

  @Test func `an address of another server is not followed`() throws {
    let address = try ServerAddress(parsing: "https://Example.com:8443/dav/?x#y")
    #expect(address.url == "https://example.com:8443/dav/?x")
    #expect(address.host == "example.com:8443")
    #expect(address.resolving("/cal/")?.url == "https://example.com:8443/cal/")
    #expect(address.resolving("https://example.com:8443/b")?.path == "/b")
    for href in [
      "https://example.com/b", "http://example.com:8443/b", "//evil.example/b", "b", "", "/a b",
      "https://example.com:8443.evil.example/", "file:///etc/passwd",
    ] {
      #expect(address.resolving(href) == nil, "\(href)")
    }
    #expect(try ServerAddress(parsing: "webcal://example.com").url == "https://example.com/")
  }
}
