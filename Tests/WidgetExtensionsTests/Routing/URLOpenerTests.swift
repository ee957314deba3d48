import Testing

@testable import WidgetExtensions

@Suite struct URLOpenerTests {
  @Test(arguments: [
    (["w3m"], ["a:b"]), (["w3m", "-T"], ["-T", "a:b"]), (["w3m", "{url}", "-x"], ["a:b", "-x"]),
    (["sh", "--open={url}", "{url}"], ["--open=a:b", "a:b"]), (["{url}"], ["a:b"]),
  ])
  func `the URL takes its place among the arguments`(command: [String], arguments: [String]) {
    #expect(URLOpener(command).command(for: "a:b") == command.prefix(1) + arguments)
  }

  @Test(arguments: [
    ("https", true), ("x-a+b.c", true), ("", false), ("9p", false), ("HTTP", false), ("a b", false),
    ("a:b", false),
  ])
  func `a scheme is in lower case, with the characters of RFC 3986`(name: String, isScheme: Bool) {
    #expect(URLOpener.isScheme(name) == isScheme)
  }
}
