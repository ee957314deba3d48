import Testing

@testable import WidgetPlatform

/// Where the files of a user are.
struct BaseFoldersTests {
  @Test(arguments: [nil, "", "relative", "."])
  func `without a home nothing is below the root folder or the working folder`(home: String?) {
    let base = BaseFolders(home.map { ["HOME": $0] } ?? [:])
    for path in [base.configuration, base.data, base.state, base.cache] {
      #expect(path.hasPrefix("/dev/null/"))
    }
    #expect(!base.hasData && !base.hasConfiguration)
  }

  @Test func `variables with absolute paths are followed, with a home or without`() {
    let base = BaseFolders(["XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "c", "HOME": "/h"])
    #expect(base.state == "/s")
    #expect(base.cache == "/h/.cache")
    #expect(BaseFolders(["XDG_DATA_HOME": "/d"]).hasData)
  }
}
