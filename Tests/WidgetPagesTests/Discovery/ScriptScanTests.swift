import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import PageRecords
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

@Suite struct `A folder of scripts` {
  private static let text = "#!/bin/sh\necho\n"

  private func found(_ scripts: ScriptWorld) -> [String] {
    scripts.catalog.widgets.map { "\($0.bundleIdentifier) \($0.displayName)" }
  }

  @Test func `has a widget for each executable file, and for no other`() throws {
    let scripts = try ScriptWorld([
      "b.5s.sh": "#!/bin/sh\n# today: title='The second' lines=2\n", "a.py": Self.text,
      "off.sh.off": Self.text, ".hidden": Self.text, "copy.sh~": Self.text, "plain.txt": "text",
    ])
    #expect(unsafe chmod("\(scripts.folder)/plain.txt", 0o644) == 0)
    #expect(unsafe mkfifo("\(scripts.folder)/pipe.sh", 0o755) == 0)
    #expect(unsafe mkdir("\(scripts.folder)/folder.sh", 0o755) == 0)
    #expect(unsafe symlink("/nowhere", "\(scripts.folder)/broken.sh") == 0)
    #expect(found(scripts) == ["script.a a", "script.b The second"])
    #expect(scripts.catalog.problems.isEmpty)
    let widget = try #require(scripts.catalog.widget(withIdentifier: "script.b"))
    #expect(widget.infoPlist.widgetExtension?.refreshInterval == 5)
    #expect(widget.script?.lines == 2)
    #expect(widget.path == "\(scripts.folder)/b.5s.sh")
  }

  @Test func `names a file whose name is not UTF-8, and has a widget for each other one`() throws {
    let scripts = try ScriptWorld(["a.sh": Self.text])
    let name = Array("\(scripts.folder)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)]
    let path = name + Array(".sh".utf8CString)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o755)
    try #require(descriptor >= 0)
    close(descriptor)
    #expect(found(scripts) == ["script.a a"])
    #expect(
      scripts.catalog.problems.map(\.description) == [
        "\(scripts.folder)/caf\\xE9.sh is named in bytes that are not UTF-8; expected a name in UTF-8; rename the file"
      ]
    )
  }

  @Test func `says which file begins as a script and is not executable`() throws {
    let scripts = try ScriptWorld([
      "a.sh": Self.text, "b.sh": Self.text, "c.sh.off": Self.text, "notes.txt": "text",
      "a.5s.sh.vars.json": "{}", "empty": "",
    ])
    for name in ["b.sh", "c.sh.off", "notes.txt", "a.5s.sh.vars.json", "empty"] {
      #expect(unsafe chmod("\(scripts.folder)/\(name)", 0o644) == 0)
    }
    #expect(found(scripts) == ["script.a a"])
    #expect(
      scripts.catalog.problems.map(\.description) == [
        "b.sh is not executable; expected an executable script (chmod +x)"
      ]
    )
    #expect(unsafe chmod("\(scripts.folder)/b.sh", 0o755) == 0)
    #expect(scripts.catalog.problems.isEmpty)
  }

  @Test func `reports values that cannot be used, and shows the script`() throws {
    let scripts = try ScriptWorld(["a.sh": "# today: lines=many\n"])
    #expect(found(scripts) == ["script.a a"])
    let problem = try #require(scripts.catalog.problems.first?.description)
    #expect(problem.hasPrefix("a.sh: today: lines is \"many\"; expected 1 to 100"), "\(problem)")
  }

  @Test func `keeps the first of two names that differ in interval and ending`() throws {
    let scripts = try ScriptWorld(["a.10s.sh": Self.text, "a.5m.py": Self.text])
    #expect(scripts.catalog.widgets.map(\.path) == ["\(scripts.folder)/a.10s.sh"])
    let problem = try #require(scripts.catalog.problems.first?.description)
    #expect(problem.contains("a.5m.py is called script.a as \(scripts.folder)/a.10s.sh is"))
  }

  @Test func `has no script that every user can change`() throws {
    let scripts = try ScriptWorld(["a.sh": Self.text, "b.sh": Self.text])
    #expect(unsafe chmod("\(scripts.folder)/a.sh", 0o757) == 0)
    #expect(found(scripts) == ["script.b b"])
    #expect(scripts.catalog.problems.map(\.code) == [.notTrusted])
    #expect(unsafe chmod(scripts.folder, 0o777) == 0)
    #expect(found(scripts) == [])
    #expect(scripts.catalog.problems.map(\.bundlePath) == [scripts.folder])
  }

  @Test func `may have links, whose targets are in no folder that every user can change`() throws {
    let scripts = try ScriptWorld()
    let other = "\(scripts.world.path)/other"
    #expect(unsafe mkdir(other, 0o755) == 0)
    try scripts.world.write(Self.text, to: "\(other)/x")
    #expect(unsafe chmod("\(other)/x", 0o755) == 0)
    #expect(unsafe symlink("\(other)/x", "\(scripts.folder)/linked.sh") == 0)
    #expect(found(scripts) == ["script.linked linked"])
    #expect(unsafe chmod(other, 0o777) == 0)
    #expect(found(scripts) == [])
    #expect(scripts.catalog.problems.map(\.code) == [.notTrusted])
  }

  @Test func `is left out where folders of widgets are named`() throws {
    let scripts = try ScriptWorld(["a.sh": Self.text])
    let named = SearchPaths(
      named: [scripts.world.widgets],
      environment: scripts.world.environment(),
      executable: nil
    )
    #expect(BundleCatalog.scan(named).widgets.isEmpty)
  }

  @Test func `is at the end of the first page, but for those that are only announced`() throws {
    let scripts = try ScriptWorld(["a.sh": Self.text, "b.sh": "# today: show=false\n"])
    func words(_ record: PageRecord?, _ declared: [DeclaredPage] = []) -> [[String]] {
      let members = PageMembers(
        scripts.catalog,
        record: record,
        paths: scripts.paths,
        declared: declared
      )
      return [members.shown, members.new, members.removed].map { $0.map(\.id.bundleIdentifier) }
    }
    #expect(words(nil) == [["script.a"], ["script.b"], []])
    #expect(words(PageRecord()) == [["script.a"], ["script.b"], []])
    let page = DeclaredPage(name: .home, cards: [.init(ExtensionIdentity("script.b"))])
    #expect(words(PageRecord(), [page]) == [["script.b", "script.a"], [], []])
    let bundle = try #require(scripts.catalog.widget(withIdentifier: "script.a"))
    let removed = PageRecord(removed: [PageRecord.Entry(bundle, ExtensionIdentity("script.a"))])
    #expect(words(removed) == [[], ["script.b"], ["script.a"]])
  }
}
