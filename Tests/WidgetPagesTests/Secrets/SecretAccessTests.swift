import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct `Secrets of widgets` {
  private let world: TestWorld
  private let folders: StateFolders

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  private func access(_ groups: String...) -> SecretAccess {
    SecretAccess(groups: groups, SecretStorage(files: folders))
  }

  private func name(_ text: String) throws -> SecretName { try #require(SecretName(text)) }

  private func value(_ text: String) throws -> SecretValue { try #require(SecretValue(text)) }

  private func code(_ work: () throws -> Void) -> WireError.Code? {
    do {
      try work()
      return nil
    } catch {
      return (error as? SecretFault)?.code
    }
  }

  @Test func `a secret is found, replaced and deleted, over programs`() throws {
    let token = try name("token")
    try access("com.a").perform(SecretAddRequest(name: token, group: "com.a", value: value("one")))
    #expect(try access("com.a").perform(SecretFindRequest(name: token)).value?.text == "one")
    try access("com.a").perform(SecretUpdateRequest(name: token, value: value("two")))
    #expect(try access("com.a").perform(SecretFindRequest(name: token)).value?.text == "two")
    try access("com.a").perform(SecretDeleteRequest(name: token))
    #expect(try access("com.a").perform(SecretFindRequest(name: token)).value == nil)
  }

  @Test func `finding, updating and deleting search all groups, adding needs one`() throws {
    let both = access("com.a", "group.a")
    let token = try name("token")
    try both.perform(SecretAddRequest(name: token, group: "group.a", value: value("shared")))
    #expect(try access("group.a").perform(SecretFindRequest(name: token)).value?.text == "shared")
    #expect(try both.perform(SecretFindRequest(name: token)).value?.text == "shared")
    #expect(try both.perform(SecretFindRequest(name: token, group: "com.a")).value == nil)
    try both.perform(SecretAddRequest(name: token, group: "com.a", value: value("own")))
    // The widget's own group is the first.
    #expect(try both.perform(SecretFindRequest(name: token)).value?.text == "own")
    try both.perform(SecretDeleteRequest(name: token))
    #expect(try both.perform(SecretFindRequest(name: token)).value?.text == "shared")
  }

  @Test func `another app sees nothing`() throws {
    let token = try name("token")
    try access("com.a").perform(SecretAddRequest(name: token, group: "com.a", value: value("one")))
    #expect(try access("com.b").perform(SecretFindRequest(name: token)).value == nil)
    #expect(
      code { _ = try access("com.b").perform(SecretFindRequest(name: token, group: "com.a")) }
        == .notPermitted
    )
    #expect(
      code {
        let request = SecretAddRequest(name: token, group: "com.a", value: try value("x"))
        try access("com.b").perform(request)
      } == .notPermitted
    )
    #expect(code { try access("com.b").perform(SecretDeleteRequest(name: token)) } == .notFound)
    #expect(try access("com.a").perform(SecretFindRequest(name: token)).value?.text == "one")
  }

  @Test func `a secret that exists is not replaced by adding`() throws {
    let token = try name("token")
    let one = SecretAddRequest(name: token, group: "com.a", value: try value("one"))
    try access("com.a").perform(one)
    #expect(code { try access("com.a").perform(one) } == .invalidParams)
    let other = SecretUpdateRequest(name: try name("other"), value: try value("x"))
    #expect(code { try access("com.a").perform(other) } == .notFound)
  }

  @Test func `a group has at most 200`() throws {
    for number in 0..<200 {
      let name = try name("\(number)")
      try access("com.a").perform(SecretAddRequest(name: name, group: "com.a", value: value("")))
    }
    let request = SecretAddRequest(name: try name("more"), group: "com.a", value: try value("x"))
    #expect(code { try access("com.a").perform(request) } == .overLimit)
  }

  @Test func `only the user can read the file`() throws {
    let request = SecretAddRequest(name: try name("token"), group: "com.a", value: try value("x"))
    try access("com.a").perform(request)
    let files = try FileManager.default.contentsOfDirectory(atPath: folders.secrets)
    #expect(files.count == 1)
    for path in [folders.secrets, "\(folders.secrets)/\(files[0])"] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(try #require(mode) & 0o077 == 0, "\(path)")
    }
  }

  @Test(arguments: ["not JSON", "[1]", #"{"token":3}"#])
  func `a file that is not one of secrets is left as it is`(text: String) throws {
    let request = SecretAddRequest(name: try name("token"), group: "com.a", value: try value("x"))
    try access("com.a").perform(request)
    let file = try FileManager.default.contentsOfDirectory(atPath: folders.secrets)[0]
    let path = "\(folders.secrets)/\(file)"
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(code { try access("com.a").perform(request) } == .internalError)
    let find = SecretFindRequest(name: try name("token"))
    #expect(code { _ = try access("com.a").perform(find) } == .internalError)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
  }

  @Test(arguments: ["", "a\nb", "\u{1b}[2J", String(repeating: "a", count: 256)])
  func `names that are none are refused`(text: String) throws {
    #expect(SecretName(text) == nil)
    let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(SecretFindRequest.self, from: Data(#"{"name":\#(quoted)}"#.utf8))
    }
  }

  @Test func `a value is in no description`() throws {
    let request = SecretAddRequest(name: try name("token"), group: "a", value: try value("hunter2"))
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!"\(request) \(String(reflecting: request)) \(dumped)".contains("hunter2"))
    #expect(SecretValue(String(repeating: "a", count: 16 * 1024 + 1)) == nil)
  }
}

@Suite struct SecretMaskTests {
  private func recorded(_ text: String) throws -> String {
    String(decoding: SecretMask.recorded(try IncomingLine(ArraySlice(text.utf8))), as: UTF8.self)
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"method":"secretAdd","params":{"name":"n","group":"g","value":"hunter2"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"secretUpdate","params":{"value":["hunter2"],"name":"n"}}"#,
    #"{"jsonrpc":"2.0","method":"secretAdd","params":{"name":"n","value":"hunter2"},"value":"hunter2"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"\u0073ecretAdd","params":{"name":"n","value":"hunter2"}}"#,
  ])
  func `values of requests are not recorded`(line: String) throws {
    let shown = try recorded(line)
    #expect(!shown.contains("hunter2"))
    #expect(shown.contains("secret"))
    #expect(throws: Never.self) { try IncomingLine(ArraySlice(shown.utf8)) }
  }

  @Test(arguments: ["downloadInBackground", "uploadInBackground"])
  func `fields that a transfer sends are not recorded`(method: String) throws {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"identifier":"n","#
      + #""url":"https://example.com/a","sharedContainer":"group.a","method":"PUT","file":"a","#
      + #""headers":{"Authorization":"hunter2"}}}"#
    let shown = try recorded(line)
    #expect(!shown.contains("hunter2"))
    #expect(shown.contains("Authorization"))
    #expect(shown.contains("https://example.com/a"))
    // Where something else is wrong, nothing of it is recorded.
    let wrong = try recorded(line.replacing(#""identifier":"n""#, with: #""identifier":7"#))
    #expect(!wrong.contains("hunter2"))
  }

  @Test func `other messages are recorded as they are`() throws {
    let line = #"{"jsonrpc":"2.0","method":"log","params":{"message":"secret value"}}"#
    #expect(try recorded(line) == line)
  }

  @Test func `a line that cannot be read is not recorded if it is about secrets`() throws {
    let line = ArraySlice(#"{"method":"secretAdd","params":{"value":"hunter2}"#.utf8)
    let error = WireError.parseError("near “hunter2”")
    let shown = SecretMask.recorded(line, error)
    #expect(!String(decoding: shown.line, as: UTF8.self).contains("hunter2"))
    #expect(!shown.error.message.contains("hunter2"))
    #expect(shown.error.code == .parseError)
  }
}

@Suite struct `Secrets in a session` {
  @Test func `a secret reaches the widget, and neither trace, log nor inspector`() throws {
    let trace = "\(try BundleFolder().path).trace"
    defer { try? FileManager.default.removeItem(atPath: trace) }
    let world = try EngineWorld([:]) { $0.tracePath = trace }
    let widget = try world.open()
    let own = EngineWorld.id.bundleIdentifier
    func ask(_ id: String, _ method: String, _ params: String) {
      widget.say(#"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)","params":\#(params)}"#)
      world.settle()
    }
    ask("1", "secretAdd", #"{"name":"token","group":"\#(own)","value":"hunter2"}"#)
    #expect(try widget.result(NoMembers.self, of: .string("1")) != nil)
    ask("2", "secretFind", #"{"name":"token"}"#)
    let found = try widget.result(SecretFindRequest.Reply.self, of: .string("2"))
    #expect(found?.value?.text == "hunter2")
    ask("3", "secretFind", #"{"name":"token","group":"com.example.other"}"#)
    // What the widget makes of it is no less a secret.
    widget.say(
      #"{"jsonrpc":"2.0","method":"setView","params":{"view":{"type":"text","text":"is hunter2!"}}}"#
    )
    ask("6", "openURL", #"{"url":"https://example.com/?token=hunter2"}"#)
    ask("7", "defaultsWrite", #"{"group":"none","values":{"k":"hu\u006eter2"}}"#)
    ask("8", "secretAdd", #"{"name":"odd","group":"\#(own)","value":"a b/\"c"}"#)
    ask("9", "openURL", #"{"url":"https://example.com/?token=a%20b%2F%22c"}"#)
    ask("10", "unknown", #"{"text":"a b\/\"c","a b/\"c":1}"#)
    ask("4", "secretUpdate", #"{"name":"none","value":"hunter2"}"#)
    widget.say(#"{"jsonrpc":"2.0","id":"5","method":"secretAdd","params":{"value":"hunter2}"#)
    world.settle()

    var recorded = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(recorded.contains("secretAdd") && recorded.contains("<secret>"))
    recorded +=
      world.center.inspection(of: EngineWorld.id).map {
        $0.messages.map(\.text.string).joined()
      } ?? ""
    recorded += world.center.folders.readLog(of: EngineWorld.id) ?? ""
    #expect(recorded.contains("refused"))
    #expect(!recorded.contains("hunter2") && !recorded.contains("hu\\u006eter2"))
    #expect(!recorded.contains("a%20b") && !recorded.contains("a b"))
    #expect(recorded.contains(#""text":"is <secret>!""#))
  }
}

@Suite struct GivenSecretsTests {
  private func masked(_ line: String, _ secrets: String..., isJSON: Bool = true) -> String {
    var given = GivenSecrets()
    for secret in secrets { given.add(secret) }
    return String(decoding: given.masked(ArraySlice(line.utf8), isJSON: isJSON), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"a":"x token y","b":["token",1]}"#, #"{"a":"x <secret> y","b":["<secret>",1]}"#),
    (#"{"token":1}"#, #"{"<secret>":1}"#),
    (#"{"a":"\"token\"","b":"\\"}"#, #"{"a":"\"<secret>\"","b":"\\"}"#),
    (#"{"a":"\u0074oken"}"#, #"{"a":"<secret>"}"#),
    (#"{"a":"toke","b":""}"#, #"{"a":"toke","b":""}"#),
  ])
  func `a secret is left out of every string`(line: String, shown: String) {
    #expect(masked(line, "token") == shown)
  }

  @Test func `a short secret stands for itself, and an empty one for nothing`() {
    #expect(masked(#"{"a":"1","b":"12"}"#, "1", "") == #"{"a":"<secret>","b":"12"}"#)
    #expect(masked("no JSON: token", "token", isJSON: false) == "no JSON: <secret>")
    #expect(masked("no JSON: other", "token", isJSON: false) == "no JSON: other")
  }
}
