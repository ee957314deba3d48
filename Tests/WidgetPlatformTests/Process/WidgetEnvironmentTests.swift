import Testing
import WidgetKitCore

@testable import WidgetPlatform

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

  @Test func `a widget and its app find their groups by name in one folder`() {
    let groups = ["group.a": "/data/today/groups/group.a", "group.b": "/data/today/groups/group.b"]
    let containers = Containers(data: "/data", cache: "/cache", groups: groups)
    let widget = WidgetEnvironment.make(from: [:], bundle: "/bundle", containers: containers)
    #expect(widget["TODAY_GROUPS"] == "/data/today/groups")
    let app = WidgetEnvironment.make(forAppFrom: ["DISPLAY": ":0"], containers: containers)
    #expect(
      app == [
        "DISPLAY": ":0", "TODAY_DATA": "/data", "TODAY_CACHE": "/cache",
        "TODAY_GROUPS": "/data/today/groups",
      ]
    )
    #expect(made(["TODAY_GROUPS": "/evil"])["TODAY_GROUPS"] == nil)
  }

  @Test func `the user cannot replace the variables of the host`() {
    let user = ["PATH": "/evil", "TODAY_BUNDLE": "/evil", "TODAY_DATA": "/evil"]
    let made = made(user)
    #expect(!made.values.contains("/evil"))
  }
}
