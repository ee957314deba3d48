import Testing
import WidgetExtensions

struct `Search paths` {
  @Test
  func `are the folders of the XDG specification and the program's own`() {
    let paths = SearchPaths(environment: ["HOME": "/home/ida"], executable: "/opt/bin/today")
    #expect(
      paths.folders == [
        "/home/ida/.local/share/today/widgets",
        "/usr/local/share/today/widgets",
        "/usr/share/today/widgets",
        "/opt/lib/today/widgets",
      ]
    )
    #expect(!paths.areRequired)
  }

  @Test
  func `follow the environment and ignore relative paths`() {
    let paths = SearchPaths(
      environment: [
        "HOME": "/home/ida", "XDG_DATA_HOME": "/data/", "XDG_DATA_DIRS": "/a:relative:/b/:/a",
      ],
      executable: nil
    )
    #expect(
      paths.folders == ["/data/today/widgets", "/a/today/widgets", "/b/today/widgets"]
    )
    let odd = SearchPaths(
      environment: ["XDG_DATA_HOME": "data", "XDG_DATA_DIRS": ""],
      executable: "today"
    )
    #expect(odd.folders == ["/usr/local/share/today/widgets", "/usr/share/today/widgets"])
  }

  @Test
  func `are only those that the user names`() {
    let paths = SearchPaths(
      named: ["mine", "/theirs/", "./mine"],
      environment: ["HOME": "/home/ida"],
      executable: "/opt/bin/today",
      workingDirectory: "/work"
    )
    #expect(paths.folders == ["/work/mine", "/theirs"])
    #expect(paths.areRequired)
  }
}
