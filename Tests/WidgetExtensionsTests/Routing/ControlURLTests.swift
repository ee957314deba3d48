import Testing

@testable import WidgetExtensions

/// URLs with which plugins of xbar and SwiftBar control the program that shows them.
@Suite struct ControlURLTests {
  private func read(_ text: String) throws -> ControlURL {
    try ControlURL(try #require(CheckedURL(text)))
  }

  @Test(
    arguments: [
      ("xbar://app.xbarapp.com/refreshAllPlugins", .refreshAll),
      ("swiftbar://refreshallplugins", .refreshAll), ("SwiftBar://RefreshAllPlugins/", .refreshAll),
      ("xbar://app.xbarapp.com/refreshPlugin?path=a/b.5s.sh", .refresh(script: "a/b.5s.sh")),
      ("swiftbar://refreshplugin?name=my%20load", .refresh(script: "my load")),
      ("swiftbar:refreshplugin?plugin=x&name=y", .refresh(script: "y")),
      ("swiftbar://refreshplugin?name=&path=%2Fa%2Fb.sh#rest", .refresh(script: "/a/b.sh")),
      ("xbar://app.xbarapp.com/openPlugin?path=b.sh", .show(script: "b.sh")),
      ("swiftbar://enableplugin?name=b", .setShown(script: "b", true)),
      ("swiftbar://disableplugin?name=b", .setShown(script: "b", false)),
      ("swiftbar://toggleplugin?name=b", .setShown(script: "b", nil)),
      (
        "swiftbar://notify?plugin=b&title=T&subtitle=S&body=B%3Db&silent=TRUE",
        .notify(.init(script: "b", title: "T", lines: ["S", "B=b"], isSilent: true))
      ),
      ("swiftbar://notify?body=x", .notify(.init(lines: ["x"]))),
    ] as [(String, ControlURL)]
  )
  func `a command and its values are read`(text: String, expected: ControlURL) throws {
    #expect(try read(text) == expected)
  }

  @Test(arguments: [
    ("swiftbar://refreshplugin", "needs the name"),
    ("swiftbar://refreshplugin?name=", "needs the name"),
    ("swiftbar://refreshplugin?name=%00", "needs the name"),
    ("swiftbar://refreshplugin?name=%FF", "needs the name"),
    ("swiftbar://notify", "a title or a body"), ("swiftbar://notify?title=", "a title or a body"),
    ("swiftbar://addplugin?src=https://x/y.sh", "not downloaded"),
    ("swiftbar://setephemeralplugin?name=a&content=b", "belongs to a script"),
    ("swiftbar://", "is not a command"), ("xbar:", "is not a command"),
    ("xbar://app.xbarapp.com/quit?now", "is not a command"),
  ])
  func `what cannot be done says so`(text: String, words: String) throws {
    let url = try #require(CheckedURL(text))
    let refusal = #expect(throws: URLRefusal.self) { try ControlURL(url) }
    #expect(refusal?.description.contains(words) == true, "\(refusal?.description ?? "")")
  }
}
