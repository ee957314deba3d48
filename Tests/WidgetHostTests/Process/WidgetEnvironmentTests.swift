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

  @Test func `an empty environment still makes one to work in`() {
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
  func `what is the user's own is not passed on`(name: String) {
    #expect(made([name: "secret"])[name] == nil)
  }

  @Test(arguments: ["HOME", "LANG", "TZ", "LC_TIME", "TODAY_CALENDARS", "XDG_CONFIG_HOME"])
  func `what a widget needs to speak the user's language is`(name: String) {
    #expect(made([name: "value"])[name] == "value")
  }

  @Test func `no user's value takes the place of the host's`() {
    let user = ["PATH": "/evil", "TODAY_BUNDLE": "/evil", "TODAY_DATA": "/evil"]
    let made = made(user)
    #expect(!made.values.contains("/evil"))
  }
}
