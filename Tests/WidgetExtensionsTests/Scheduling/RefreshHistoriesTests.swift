import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite struct RefreshHistoriesTests {
  private let folder: BundleFolder
  private let id = ExtensionIdentity("com.example.A")
  private let name = "com.example.A.json"

  init() throws {
    folder = try BundleFolder()
  }

  /// The histories as a host of their own has them.
  private func host() -> RefreshHistories {
    RefreshHistories(StateFolders(environment: ["HOME": folder.path]))
  }

  private func picture(_ seconds: Double) -> RefreshHistory.Picture {
    RefreshHistory.Picture(key: "a", made: Date(timeIntervalSince1970: seconds))
  }

  @Test func `what a host has written is no news for it, also with another picture`() {
    let (own, other) = (host(), host())
    own.write(RefreshHistory(), of: id)
    #expect(own.wroteLast(name) && !other.wroteLast(name))
    own.announce(picture(1), of: id)
    #expect(own.wroteLast(name) && !other.wroteLast(name))
    #expect(other.read(id).picture == picture(1))
  }

  @Test func `the update of another host stays news when a picture is added`() {
    let (own, other) = (host(), host())
    own.write(RefreshHistory(), of: id)
    other.write(RefreshHistory(), of: id)
    #expect(!own.wroteLast(name))
    own.announce(picture(1), of: id)
    #expect(!own.wroteLast(name) && !other.wroteLast(name))
    own.announce(picture(2), of: id)
    #expect(!own.wroteLast(name))
  }
}
