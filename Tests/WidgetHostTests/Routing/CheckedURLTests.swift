import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

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
    "http://a b", "http://a\nb", "http://a\u{1b}[2J", "http://a\"b", "http://a`id`",
    "http://a|b", "http://{a}", "http://<a>", "http://a\\b", "http://a^b", "http://a\u{7f}",
  ])
  func `text with unsafe characters is not a URL`(text: String) {
    #expect(CheckedURL(text) == nil)
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
    router = URLRouter(environment: ["PATH": "\(folder.path)/none"])
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
    ("file:///etc/passwd", URLRefusal.noHandler(scheme: "file")),
    ("javascript:alert(1)", .noHandler(scheme: "javascript")),
    ("data:text/html,x", .noHandler(scheme: "data")), ("unknown:1", .noHandler(scheme: "unknown")),
    ("no URL", .notURL("no URL")),
    ("https://example.com/", .didNotStart(handler: "xdg-open")),
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
