import Testing

@testable import ExtensionContent

/// What is found in texts as people and programs write them.
struct DataDetectorTests {
  private func kinds(_ text: String) -> [DetectedItem.Kind] {
    DataDetector.items(in: text).map(\.kind)
  }

  private func date(_ words: String) -> [String] {
    kinds(words).map { kind in
      if case .date(let date) = kind { date.words } else { "\(kind)" }
    }
  }

  @Test(arguments: [
    ("See https://example.com/a_(b).", "https://example.com/a_(b)"),
    ("(https://example.com/a)", "https://example.com/a"),
    ("<https://example.com>", "https://example.com"),
    ("[words](https://example.com/x?y=1&z=%20#a), and", "https://example.com/x?y=1&z=%20#a"),
    ("url=ssh://git@example.com:22/x.git", "ssh://git@example.com:22/x.git"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("file:///etc/hosts", "file:///etc/hosts"),
    ("www.example.com,", "https://www.example.com"),
    ("mailto:a@example.com?subject=x", "mailto:a@example.com?subject=x"),
  ])
  func `an address is found without the punctuation of its sentence`(text: String, link: String) {
    #expect(kinds(text) == [.link(link)])
  }

  @Test(arguments: [
    "://", "a ://b", "http://", "http://)", "/usr//lib", "a:b", "12:30", "1.2.3", "1.2.3.4.5",
    "localhost:8080",
  ])
  func `what only looks like something is nothing`(text: String) {
    #expect(kinds(text) == [])
  }

  @Test func `an address of e-mail is found in a header`() {
    #expect(
      kinds("From: Ann Other <ann.o+x@mail.example.org>;") == [.mail("ann.o+x@mail.example.org")]
    )
    #expect(kinds("git@example.com:owner/name @user user@host") == [])
  }

  @Test(
    arguments: [
      ("Sources/main.swift:12:5: error: no", "Sources/main.swift", 12, 5),
      ("src/a.c:7:int main", "src/a.c", 7, nil),
      ("  --> src/lib.rs:3:9", "src/lib.rs", 3, 9),
      ("    at run (/srv/app.js:10:21)", "/srv/app.js", 10, 21),
      ("  File \"/usr/lib/x y.py\", line 41, in run", "/usr/lib/x y.py", 41, nil),
      ("Makefile:3: *** missing separator.", "Makefile", 3, nil),
    ] as [(String, String, Int, Int?)]
  )
  func `a line of a file is found as compilers, grep and tracebacks write it`(
    text: String,
    path: String,
    line: Int,
    column: Int?
  ) {
    #expect(kinds(text) == [.line(path: path, line: line, column: column)])
  }

  @Test func `a difference between versions names the lines that have changed`() {
    let text = """
      diff --git a/x/one.c b/x/one.c
      index 83db48f..bf2e2c5 100644
      --- a/x/one.c
      +++ b/x/one.c
      @@ -1,3 +4,5 @@ int main
       same
      -old
      +new
      @@ -20 +24 @@
      +added
      --- a/gone.c
      +++ /dev/null
      @@ -1 +0,0 @@
      """
    #expect(
      kinds(text) == [
        .line(path: "x/one.c", line: 5, column: nil), .line(path: "x/one.c", line: 24, column: nil),
      ]
    )
  }

  @Test func `commits and UUIDs are told from words and numbers`() {
    let name = "0123456789abcdef0123456789abcdef01234567"
    #expect(
      kinds("commit \(name)\n1a2b3c4 Fix it\ndefaced 1234567 1A2B3C4") == [
        .commit(name), .commit("1a2b3c4"),
      ]
    )
    #expect(
      kinds("id=123E4567-e89b-12d3-a456-426614174000.") == [
        .uuid("123E4567-e89b-12d3-a456-426614174000")
      ]
    )
  }

  @Test func `issues are of the repository, or of the one that is named`() {
    #expect(
      kinds("Fixes #12, GH-7 (owner/name.js#345) # 1 #0 C# a#1 #12345678901")
        == [
          .issue(12, repository: nil), .issue(7, repository: nil),
          .issue(345, repository: "owner/name.js"),
        ]
    )
  }

  @Test(arguments: [
    ("on 2027-01-31.", "2027-01-31"), ("2027-01-31T14:00:05Z", "2027-01-31 14:00+00:00"),
    ("2027-01-31 9:05,", "2027-01-31 09:05"),
    ("2027-01-31 14:00:05 +0200", "2027-01-31 14:00+02:00"),
    ("bis 31.01.2027", "2027-01-31"), ("31 Jan 2027 14:00", "2027-01-31 14:00"),
    ("January 31st, 2027", "2027-01-31"), ("(29 February 2028)", "2028-02-29"),
    ("1. Mar. 2027", "2027-03-01"),
  ])
  func `a date is found as people and programs write it`(text: String, words: String) {
    #expect(date(text) == [words])
  }

  @Test(arguments: [
    "2027-02-29", "2027-13-01", "0000-01-01", "31.04.2027", "01/02/2027", "31 Foo 2027", "2027-01",
    "Mark 31 2027",
  ])
  func `a day that does not exist, or may be two, is none`(text: String) {
    #expect(date(text) == [])
  }

  @Test func `a network address is found, with or without a port`() {
    #expect(
      kinds("10.0.0.1 192.168.1.7:8080 256.1.1.1 010.1.1.1") == [
        .networkAddress("10.0.0.1"), .networkAddress("192.168.1.7"), .networkAddress("010.1.1.1"),
      ]
    )
  }

  @Test func `each thing is found once, in the order of the text`() {
    #expect(
      kinds("https://b.test https://a.test\nhttps://b.test") == [
        .link("https://b.test"), .link("https://a.test"),
      ]
    )
  }

  @Test func `colors of a terminal separate words`() {
    #expect(kinds("\u{1B}[33m1a2b3c4\u{1B}[m fix").contains(.commit("1a2b3c4")))
  }

  @Test func `a line behind three hyphens is searched, unless it names a file of a difference`() {
    #expect(kinds("--- https://example.com/ ---") == [.link("https://example.com/")])
    #expect(kinds("a\n--- #1\n--- #2") == [1, 2].map { .issue($0, repository: nil) })
    let text = """
      --- a/x.sql\t2027-01-31 14:00:00
      +++ b/x.sql\t2027-02-01 14:00:00
      @@ -3,3 +3,2 @@
       same
      --- see #12
       same
      """
    #expect(
      kinds(text) == [
        .line(path: "x.sql", line: 4, column: nil), .issue(12, repository: nil),
      ]
    )
  }

  @Test(arguments: [
    "--since=2027-01-31", "--since 2027-01-31", "--text='2027-01-31'", "a=b=2027-01-31,",
  ])
  func `a date is found as the value of an option`(text: String) {
    #expect(date(text) == ["2027-01-31"])
    #expect(date(text + " 14:00").first?.hasPrefix("2027-01-31") == true)
  }

  @Test func `a date of a link is none of its own`() {
    let link = "https://example.com/?day=2027-01-31"
    #expect(kinds(link) == [.link(link)])
  }

  @Test func `with a limit the search ends with the last thing that is wanted`() {
    let text = "#1 #2\n#3\n" + String(repeating: "some words, and no more. ", count: 10_000)
    let all = DataDetector.items(in: text)
    #expect(all.count == 3)
    for limit in 0...4 {
      #expect(DataDetector.items(in: text, limit: limit) == Array(all.prefix(limit)))
    }
    let clock = ContinuousClock()
    let whole = clock.measure { _ = DataDetector.items(in: text) }
    let first = clock.measure { _ = DataDetector.items(in: text, limit: 1) }
    #expect(first * 10 < whole)
  }

  @Test func `a large text is searched in a time that is proportional to it`() {
    let clock = ContinuousClock()
    let texts = [":", "a:", "(", "@a", "#1", "://", "1.", "\u{1B}["].map {
      String(repeating: $0, count: 1 << 17)
    }
    for text in texts + texts.map({ $0 + " " }) {
      // A quadratic search would take minutes.
      #expect(clock.measure { _ = DataDetector.items(in: text) } < .seconds(10))
    }
    let many = (0..<5_000).map { "https://example.com/\($0)" }.joined(separator: " ")
    #expect(DataDetector.items(in: many).count == DataDetector.itemLimit)
  }
}
