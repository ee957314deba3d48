import Testing
import WidgetKitCore

@testable import WidgetScripts

@Suite("Why a machine cannot be reached")
struct UnreachableMachineTests {
  @Test(
    arguments: [
      (["Host key verification failed.␍"], "its host key is not known yet"),
      (["x", "me@nas: Permission denied (publickey,password).␍"], "no login without a question"),
      (["ssh: connect to host nas port 22: No route to host"], "connect to host nas port 22"),
      (["WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!", "x"], "its host key has changed"),
      ([], "it did not answer in time"),
    ]
  )
  func `is said in words`(_ lines: [String], _ words: String) {
    let reason = RemoteHost.reason(lines.map { SafeText($0) })
    #expect(reason.hasPrefix(words), "\(reason)")
  }
}
