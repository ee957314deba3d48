import Testing

@testable import WidgetTesting

/// The package with the library that a new package in Swift depends on.
@Suite struct WidgetDependencyTests {
  @Test(
    arguments: [
      (
        "https://example.com/a/today.git",
        #".package(url: "https://example.com/a/today.git", branch: "main")"#, "today"
      ),
      (
        "https://example.com/a/today/#1.2.0",
        #".package(url: "https://example.com/a/today/", exact: "1.2.0")"#, "today"
      ),
      (
        "ssh://me@example.com/today#v1.2.0",
        #".package(url: "ssh://me@example.com/today", exact: "1.2.0")"#, "today"
      ),
      (
        "git@example.com:today.git#feature/1.2",
        #".package(url: "git@example.com:today.git", branch: "feature/1.2")"#, "today"
      ),
      ("file:///srv/kit.git", #".package(url: "file:///srv/kit.git", branch: "main")"#, "kit"),
      ("/srv/kit.git", #".package(path: "/srv/kit.git")"#, "kit"),
      (
        ##"/srv/my "kit"\1"##, ##".package(path: "/srv/my \"kit\"\\1")"##, ##"my "kit"\1"##
      ),
      ("/srv/me@host:kit", #".package(path: "/srv/me@host:kit")"#, "me@host:kit"),
    ]
  )
  func `a place is written as package managers expect it`(
    place: String,
    words: String,
    package: String
  ) {
    let dependency = WidgetDependency(place)
    #expect(dependency.words == words)
    #expect(dependency.package == package)
  }

  @Test(
    arguments: [
      ("https://example.com/today", true), ("file:///today.git", true), ("https://", false),
      ("https://example.com", false), ("git@example.com:today.git", true),
      ("git@example.com:", false),
      ("https://example.com/#main", false), ("https://example.com/to day", false),
      ("file:///srv/today.git#main", true),
    ]
  )
  func `a URL of a repository has a name`(url: String, hasName: Bool) {
    #expect(WidgetDependency.isURL(url))
    #expect(WidgetDependency.namesRepository(url) == hasName)
  }
}
