import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Limits on bundles and URLs: one below, at, and one above each.
@Suite struct InstallationLimitTests {
  @Test("a property list has at most 64 KiB", arguments: [-1, 0, 1])
  func propertyList(offset: Int) throws {
    let folder = try BundleFolder()
    try folder.widget("A.widget", "com.example.A")
    let path = "\(folder.path)/A.widget/Info.plist"
    let list = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let padding = 65_536 + offset - list.utf8.count - "/**/".utf8.count
    let padded = list + "/*" + String(repeating: "x", count: padding) + "*/"
    try padded.write(toFile: path, atomically: true, encoding: .utf8)
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let catalog = BundleCatalog.scan(paths)
    #expect(catalog.widgets.count == (offset > 0 ? 0 : 1))
    #expect(
      catalog.problems.map(\.description)
        == (offset > 0 ? ["A.widget/Info.plist is 65537 bytes long; expected at most 65536"] : [])
    )
    var limits = BundleLimits()
    limits.propertyListBytes = 70_000
    #expect(BundleCatalog.scan(paths, limits: limits).widgets.count == 1)
  }

  @Test("the number of widgets is limited", arguments: [3, 4, 5])
  func widgets(count: Int) throws {
    let folder = try BundleFolder()
    for number in 0..<count {
      try folder.widget("W\(number).widget", "com.example.W\(number)")
    }
    var limits = BundleLimits()
    limits.widgets = 4
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let catalog = BundleCatalog.scan(paths, limits: limits)
    #expect(catalog.widgets.count == min(count, 4))
    #expect(catalog.problems.isEmpty == (count <= 4))
  }

  @Test("a URL is passed on by handlers at most 3 times", arguments: [2, 3, 4])
  func hops(count: Int) {
    let router = URLRouter(environment: ["TODAY_URL_HOPS": "\(count)"], clock: VirtualClock())
    #expect(router.isAtHopLimit == (count >= 3))
    router.hopLimit = 9
    #expect(!router.isAtHopLimit)
  }

  @Test("a container is counted as the disk counts it, and links are not followed")
  func container() throws {
    let folder = try BundleFolder()
    let box = "\(folder.path)/box"
    try FileManager.default.createDirectory(
      atPath: "\(box)/deep/deeper",
      withIntermediateDirectories: true
    )
    let empty = ContainerStorage.bytes(below: [box])
    try Data(repeating: 1, count: 1 << 20).write(to: URL(filePath: "\(box)/deep/deeper/file"))
    try FileManager.default.createSymbolicLink(atPath: "\(box)/loop", withDestinationPath: "..")
    let full = ContainerStorage.bytes(below: [box])
    #expect(full >= empty + 1 << 20)
    #expect(full < empty + 2 << 20)
    #expect(ContainerStorage.bytes(below: ["\(box)/missing"]) == 0)
  }
}
