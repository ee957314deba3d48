import Testing

@testable import WidgetKitCore

/// The home folder, for which `~` stands.
struct HomeFolderTests {
  @Test(arguments: [
    ("~/notes", "/home/a/notes"), ("/~/notes", "/~/notes"), ("~b/notes", "~b/notes"), ("~", "~"),
    ("notes/~/x", "notes/~/x"), ("", ""),
  ])
  func `it stands at the beginning of a path alone`(path: String, expanded: String) {
    #expect(HomeFolder(["HOME": "/home/a"]).expanded(path) == expanded)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "home/a"]])
  func `without an absolute home there is nothing below it`(environment: [String: String]) {
    let home = HomeFolder(environment)
    #expect(home.path == nil)
    #expect(home.expanded("~/notes") == "/dev/null/notes")
    #expect(home.expanded("/notes") == "/notes")
  }
}
