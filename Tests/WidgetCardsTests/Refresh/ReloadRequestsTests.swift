import Testing

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

@Suite struct ReloadRequestsTests {
  private func folders(_ folder: BundleFolder) -> StateFolders {
    StateFolders(environment: ["HOME": folder.path])
  }

  @Test("a request waits until one host takes it")
  func takenOnce() throws {
    let folder = try BundleFolder()
    let requests = ReloadRequests(folders(folder))
    let id = ExtensionIdentity("com.example.A", instance: InstanceName(rawValue: "2"))
    #expect(!requests.isPending(id))
    try requests.ask(id)
    try requests.ask(id)
    #expect(requests.isPending(id))
    #expect(!requests.isPending(CardID("com.example.A")))
    #expect(requests.take(id))
    #expect(!requests.take(id))
    #expect(!requests.isPending(id))
  }

  @Test("a lock is held by one host and free when it is released")
  func lock() throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/locks/A.lock"
    var first: RefreshLock?
    guard case .held(let lock) = RefreshLock.attempt(path) else {
      Issue.record("a lock that nobody has was not given")
      return
    }
    first = lock
    guard case .busy = RefreshLock.attempt(path) else {
      Issue.record("a lock was given twice")
      return
    }
    #expect(first != nil)
    first = nil
  }
}
