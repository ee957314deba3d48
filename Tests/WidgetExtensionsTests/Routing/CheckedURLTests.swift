import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions

@Suite struct CheckedURLTests {
  @Test(arguments: [
    ("clowntown://post/7", "clowntown", "clowntown://post/7"),
    ("HTTPS://Example.com/A?b=c#d", "https", "https://Example.com/A?b=c#d"),
    ("a:", "a", "a:"),
    ("a+b-c.d:x", "a+b-c.d", "a+b-c.d:x"),
    ("mailto:a@b?subject=%20", "mailto", "mailto:a@b?subject=%20"),
    ("http://gr%C3%B6%C3%9Fe/", "http", "http://gr%C3%B6%C3%9Fe/"),
  ])
  func `a URL is taken with its scheme in lower case`(
    text: String,
    scheme: String,
    written: String
  ) {
    #expect(CheckedURL(text)?.scheme == scheme)
    #expect(CheckedURL(text)?.text == written)
  }

  @Test(arguments: [
    "", ":", "no scheme", "/etc/passwd", "-oProxyCommand=x", "-a:b", "1a:b", "a b:c", "ä:b",
    "http://a\nb", "http://a\u{1b}[2J", "http://a\u{7f}", "http://a\u{9b}2J", "a:\u{0}",
  ])
  func `text without a scheme or with control characters is not a URL`(text: String) {
    #expect(CheckedURL(text) == nil)
  }

  @Test(arguments: [
    ("http://a b", "http://a%20b"), ("http://a\"b'c", "http://a%22b'c"),
    ("http://a`id`", "http://a%60id%60"), ("http://a|{b}", "http://a%7C%7Bb%7D"),
    ("http://<a>", "http://%3Ca%3E"), ("http://a\\b^c", "http://a%5Cb%5Ec"),
    ("https://de.wikipedia.org/wiki/Größe", "https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe"),
    ("a:50%", "a:50%25"), ("a:%4", "a:%254"), ("a:%zz%41", "a:%25zz%41"), ("a:%", "a:%25"),
    ("app://post/7;rm -rf ~&$(x)", "app://post/7;rm%20-rf%20~&$(x)"),
    ("http://[::1]:80/", "http://[::1]:80/"),
  ])
  func `characters that a URL cannot have are escaped`(text: String, escaped: String) {
    #expect(CheckedURL(text)?.text == escaped)
  }

  @Test(arguments: [
    ("slack://channel/x", "channel"), ("a://u:p@example.com:80/x", "example.com:80"),
    ("a://h?x", "h"), ("mailto:a@b", nil), ("a:///x", nil), ("a://#", nil),
  ])
  func `the host is between the slashes and the path`(text: String, host: String?) throws {
    #expect(try #require(CheckedURL(text)).host == host)
  }

  @Test(arguments: [
    ("file:///etc/a%20b", "/etc/a b"), ("file:/etc", "/etc"), ("file://localhost/x#y", "/x"),
    ("file:///a?b", "/a"), ("FILE:///G", "/G"), ("file://server/x", nil), ("file:x", nil),
    ("file:///a%00b", nil), ("file:///%ff", nil), ("http:///etc", nil),
  ])
  func `a file URL has a path on this machine`(text: String, path: String?) throws {
    #expect(try #require(CheckedURL(text)).filePath == path)
  }

  @Test func `a URL may have 2,048 bytes and no more`() {
    let longest = "a:" + String(repeating: "x", count: 2_046)
    #expect(CheckedURL(longest) != nil)
    #expect(CheckedURL(longest + "x") == nil)
  }
}

@Suite struct URLRouterTests {
  private let folder: BundleFolder
  private let router: URLRouter

  init() throws {
    folder = try BundleFolder()
    try folder.app(
      "C.app",
      "com.example.C",
      schemes: ["clowntown", "file"],
      more: "TodayNeedsTerminal = YES;"
    )
    try folder.app("D.app", "com.example.D", schemes: ["graphical"])
    try folder.app(
      "E.app",
      "com.example.E",
      schemes: ["hidden"],
      more: "TodayNeedsTerminal = YES; LSBackgroundOnly = YES;"
    )
    router = URLRouter(environment: ["PATH": "\(folder.path)/none"], clock: VirtualClock())
    router.registry = SchemeRegistry(
      apps: try ["C", "D", "E"].map { try AppBundle(path: "\(folder.path)/\($0).app") }
    )
  }

  @Test func `a URL goes to the app that registered its scheme, which takes the screen`() {
    var programs = 0
    router.handover = { _ in programs += 1 }
    router.open("ClownTown://post/7") { _ in }
    #expect(programs == 1)
  }

  @Test(arguments: ["graphical:1", "hidden:1"])
  func `an app that does not need the terminal runs on its own`(text: String) {
    var answers: [URLRefusal?] = []
    router.handover = { _ in Issue.record("it was given the terminal") }
    router.open(text) { answers.append($0) }
    #expect(answers == [nil])
  }

  @Test(arguments: [
    ("file:///etc/passwd", URLRefusal.noDesktop(scheme: "file")),
    ("JavaScript:alert(1)", .forbiddenScheme("javascript")),
    ("data:text/html,x", .forbiddenScheme("data")), ("about:blank", .forbiddenScheme("about")),
    ("unknown:1", .noHandler(scheme: "unknown")),
    ("no URL", .notURL("no URL")),
    ("https://example.com/", .noDesktop(scheme: "https")),
    ("a:" + String(repeating: "x", count: 2_047), .tooLong(bytes: 2_049, limit: 2_048)),
  ])
  func `a URL that cannot be opened is refused with the reason`(text: String, reason: URLRefusal) {
    var answers: [URLRefusal?] = []
    router.handover = { _ in answers.append(nil) }
    router.open(text) { answers.append($0) }
    #expect(answers == [reason])
  }

  @Test func `without a screen nothing is opened`() {
    var answers: [URLRefusal?] = []
    router.open("clowntown:1") { answers.append($0) }
    #expect(answers == [.noScreen])
  }
}
