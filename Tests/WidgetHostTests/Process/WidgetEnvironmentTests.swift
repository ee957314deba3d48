import Testing
import WidgetKitCore

@testable import WidgetHost

@Suite struct WidgetEnvironmentTests {
  private func made(_ user: [String: String]) -> [String: String] {
    WidgetEnvironment.make(
      from: user,
      bundle: "/bundle",
      containers: Containers(data: "/data", cache: "/cache")
    )
  }

  @Test func `a widget gets a usable environment from an empty one`() {
    #expect(
      made([:]) == [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/", "LANG": "C.UTF-8",
        "TODAY_BUNDLE": "/bundle", "TODAY_DATA": "/data", "TODAY_CACHE": "/cache",
      ]
    )
  }

  @Test(arguments: [
    "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "TERM",
    "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "BASH_ENV", "ENV", "IFS", "SHELL", "PWD",
    "http_proxy", "LC", "XLC_ALL", "MY_TODAY_X",
  ])
  func `other variables of the user are not passed on`(name: String) {
    #expect(made([name: "secret"])[name] == nil)
  }

  @Test(arguments: ["HOME", "LANG", "TZ", "LC_TIME", "TODAY_CALENDARS", "XDG_CONFIG_HOME"])
  func `variables for the language are passed on`(name: String) {
    #expect(made([name: "value"])[name] == "value")
  }

  @Test func `the user cannot replace the variables of the host`() {
    let user = ["PATH": "/evil", "TODAY_BUNDLE": "/evil", "TODAY_DATA": "/evil"]
    let made = made(user)
    #expect(!made.values.contains("/evil"))
  }
}
