import Testing

@testable import WidgetExtensions

@Suite struct DesktopEntryTests {
  private func entry(_ exec: String, more: String = "") -> DesktopEntry? {
    DesktopEntry("[Desktop Entry]\nName=Web\nExec=\(exec)\n\(more)\n", path: "/a/web.desktop")
  }

  @Test(arguments: [
    ("web %u", ["web", "https://a/"]), ("web %U --x", ["web", "https://a/", "--x"]),
    ("web", ["web", "https://a/"]),
    ("web %i --name=%c %%", ["web", "--name=Web", "%", "https://a/"]),
    ("web --url=%u", ["web", "--url=https://a/"]), ("web %f", ["web", "https://a/"]),
    (
      #""/opt/my web/web" "a \\$b \\" c" %k"#,
      ["/opt/my web/web", #"a $b " c"#, "/a/web.desktop", "https://a/"]
    ),
    ("web %z %d x", ["web", "", "", "x", "https://a/"]), (#"a\sb %u"#, ["a", "b", "https://a/"]),
  ])
  func `a command gets the URL in its place, without a shell`(
    exec: String,
    command: [String]
  ) throws {
    let url = try #require(CheckedURL("https://a/"))
    #expect(try #require(entry(exec)).command(for: url) == command)
  }

  @Test(arguments: [
    ("web \"\u{301}a b\" %u", ["web", "\u{301}a b", "https://a/"]),
    ("web \u{301}a %u", ["web", "\u{301}a", "https://a/"]),
    ("web x%u\u{301}", ["web", "xhttps://a/\u{301}"]),
    ("web x%%\u{301} %u", ["web", "x%\u{301}", "https://a/"]),
    ("web a\\s\u{301} %u", ["web", "a", "\u{301}", "https://a/"]),
    ("web \"a\\\\\"\u{301} b\" %u", ["web", "a\"\u{301} b", "https://a/"]),
    ("=\u{338}web %u", ["=\u{338}web", "https://a/"]),
  ])
  func `signs count also where a mark is behind them`(exec: String, command: [String]) throws {
    let url = try #require(CheckedURL("https://a/"))
    let found = try #require(entry(exec)).command(for: url)
    #expect(found.map { Array($0.utf8) } == command.map { Array($0.utf8) })
  }

  @Test func `an entry is read with the line ends of Windows, and by scalar values`() throws {
    let url = try #require(CheckedURL("https://a/"))
    let lines = ["[Desktop Entry]", "Name=\u{338}Web\u{2028}x", "Exec=web %u", "Terminal=true", ""]
    let entry = DesktopEntry(lines.joined(separator: "\r\n"), path: "/a")
    #expect(entry?.name.unicodeScalars.elementsEqual("\u{338}Web\u{2028}x".unicodeScalars) == true)
    #expect(entry?.command(for: url) == ["web", "https://a/"])
    #expect(entry?.needsTerminal == true)
  }

  @Test func `a path stands for a file URL`() throws {
    let url = try #require(CheckedURL("file:///a%20b"))
    #expect(try #require(entry("cat %f")).command(for: url) == ["cat", "/a b"])
  }

  @Test(arguments: ["", "   ", #""unfinished"#])
  func `an entry without a command starts nothing`(exec: String) {
    #expect(entry(exec) == nil)
  }

  @Test func `only the main group counts, and hidden entries do not`() {
    let text = """
      # a comment
      Exec=before
      [Desktop Action new]
      Exec=other
      [Desktop Entry]
      Name[de]=Netz
      Name = Web
      Exec=web %u
      Terminal=true
      [Desktop Action private]
      Exec=secret
      """
    let entry = DesktopEntry(text, path: "/a")
    #expect(entry?.name == "Web")
    #expect(entry?.needsTerminal == true)
    #expect(DesktopEntry(text + "\n[Desktop Entry]\nHidden=true", path: "/a") == nil)
    #expect(DesktopEntry("", path: "/a") == nil)
  }

  @Test(arguments: [
    ("firefox.desktop\n", "firefox.desktop"),
    (
      "Default application for “x-scheme-handler/https”: w3m.desktop\nRegistered applications:\n",
      "w3m.desktop"
    ),
    ("", nil), ("No default applications for “x-scheme-handler/a”\n", nil),
    ("../../etc/x.desktop", nil), ("a\nb.desktop", nil),
  ])
  func `the answers of xdg-mime and gio name a desktop file`(answer: String, name: String?) {
    #expect(DesktopApps.fileName(inAnswer: answer) == name)
  }
}
