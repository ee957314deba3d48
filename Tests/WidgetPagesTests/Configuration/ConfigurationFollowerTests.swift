import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetPages
@testable import WidgetPlatform

/// The configuration is read again when its file is saved, whatever way that is done.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationFollowerTests {
  /// A follower of a file in a folder of its own, with a clock that the test advances.
  private final class World {
    let folder: BundleFolder
    let clock = VirtualClock()
    let path: String
    private let follower: ConfigurationFollower
    /// What was in force at first, and what was heard since.
    private(set) var heard: [UserConfiguration]

    init(_ text: String?, prepare: (BundleFolder) throws -> Void = { _ in }) throws {
      folder = try BundleFolder()
      path = "\(folder.path)/config/today/config.json"
      try prepare(folder)
      if let text {
        try Self.makeFolder("\(folder.path)/config/today")
        try Data(text.utf8).write(to: URL(filePath: path))
      }
      let environment = ["XDG_CONFIG_HOME": "\(folder.path)/config"]
      let configuration = UserConfiguration(
        environment: environment,
        commands: ["refreshAll"]
      )
      heard = [configuration]
      follower = ConfigurationFollower(
        configuration,
        environment: environment,
        clock: clock
      )
      follower.onChange = { [weak self] in self?.heard.append($0) }
      follower.start()
    }

    static func makeFolder(_ path: String) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Writes a file beside it and renames it, as editors do.
    func save(_ text: String, to place: String? = nil) throws {
      let place = place ?? path
      try Self.makeFolder(String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)]))
      try Data(text.utf8).write(to: URL(filePath: place + ".new"))
      #expect(rename(place + ".new", place) == 0)
    }

    /// Waits until what was heard last is as expected.
    func hear(
      _ what: String,
      _ location: SourceLocation = #_sourceLocation,
      _ condition: (UserConfiguration) -> Bool
    ) async {
      await eventually(what, sourceLocation: location) {
        clock.advance(by: .milliseconds(100))
        return heard.last.map(condition) ?? false
      }
    }

    func hear(hops: Int, _ location: SourceLocation = #_sourceLocation) async {
      await hear("\(hops) hops", location) {
        $0.settings.limits.urlHops == hops && $0.problems.isEmpty
      }
    }

    /// The limit that was heard last.
    var hops: Int? { heard.last?.settings.limits.urlHops }
  }

  private func hops(_ count: Int) -> String { "{ limits: { urlHops: \(count) } }" }

  @Test func `the names of commands are checked again when the file is saved`() async throws {
    let file = try World("{ keys: { w: 'refreshAll' } }")
    #expect(file.heard.last?.problems.isEmpty == true)
    try file.save("{ keys: { w: 'refreshal' } }")
    await file.hear("the wrong name") { $0.problems.count == 1 }
  }

  @Test func `a file that is replaced, written in place, removed or made is read again`()
    async throws
  {
    let world = try World(hops(4))
    await world.hear(hops: 4)
    try world.save(hops(5))
    await world.hear(hops: 5)
    try Data(hops(6).utf8).write(to: URL(filePath: world.path))
    await world.hear(hops: 6)
    #expect(unlink(world.path) == 0)
    await world.hear(hops: 3)
    try world.save(hops(7))
    await world.hear(hops: 7)
  }

  @Test func `while the file is wrong, the old values are in force and the problem is named`()
    async throws
  {
    let world = try World(hops(4))
    await world.hear(hops: 4)
    try world.save("{\n limits: { urlHops: 6, urlBytes: 99 },\n")
    await world.hear("the position") {
      $0.problems.map(\.string) == [
        "\(world.path):3:1: expected a member's name; the file is ignored"
      ]
    }
    #expect(world.hops == 4)
    #expect(world.heard.last?.settings.limits.urlBytes == 2048)
    try world.save("{\n limits: { urlHops: 0, urlBytes: 99 } }")
    await world.hear("the setting") {
      $0.problems.map(\.string) == [
        "\(world.path):2:21: limits.urlHops: expected a whole number from 1 to 100, found 0"
      ]
    }
    #expect(world.hops == 4)
    #expect(world.heard.last?.settings.limits.urlBytes == 99)
    try world.save(hops(5))
    await world.hear(hops: 5)
    #expect(world.heard.last?.settings.limits.urlBytes == 2048)
  }

  @Test func `the folder of the file may be made, removed and moved`() async throws {
    let world = try World(nil)
    await world.hear(hops: 3)
    try world.save(hops(4))
    await world.hear(hops: 4)
    try FileManager.default.removeItem(atPath: "\(world.folder.path)/config")
    await world.hear(hops: 3)
    try world.save(hops(5))
    await world.hear(hops: 5)
    #expect(rename("\(world.folder.path)/config/today", "\(world.folder.path)/elsewhere") == 0)
    await world.hear(hops: 3)
  }

  @Test func `links to the file and to its folder are followed`() async throws {
    let world = try World(nil) { folder in
      try World.makeFolder("\(folder.path)/dotfiles/a")
      try World.makeFolder("\(folder.path)/dotfiles/b")
      try World.makeFolder("\(folder.path)/config")
      #expect(symlink("../dotfiles/a", "\(folder.path)/config/today") == 0)
      #expect(symlink("../b/real.json", "\(folder.path)/dotfiles/a/config.json") == 0)
    }
    await world.hear("the broken link") {
      $0.problems.first?.string.contains("broken link") == true
    }
    let dotfiles = "\(world.folder.path)/dotfiles"
    try world.save(hops(4), to: "\(dotfiles)/b/real.json")
    await world.hear(hops: 4)
    try world.save(hops(5), to: "\(dotfiles)/b/real.json")
    await world.hear(hops: 5)
    // Another link takes the place of the one to the file, and then of the one to the folder.
    try world.save(hops(6), to: "\(dotfiles)/other.json")
    #expect(symlink("\(dotfiles)/other.json", "\(dotfiles)/a/new") == 0)
    #expect(rename("\(dotfiles)/a/new", "\(dotfiles)/a/config.json") == 0)
    await world.hear(hops: 6)
    try world.save(hops(7), to: "\(dotfiles)/b/config.json")
    #expect(unlink("\(world.folder.path)/config/today") == 0)
    #expect(symlink("../dotfiles/b", "\(world.folder.path)/config/today") == 0)
    await world.hear(hops: 7)
  }

  @Test(arguments: OddFile.allCases)
  func `what is no file leaves the old values in force`(odd: OddFile) async throws {
    let world = try World(hops(4))
    await world.hear(hops: 4)
    let stranger = "\(world.folder.path)/stranger.json"
    try Data(hops(5).utf8).write(to: URL(filePath: stranger))
    #expect(unlink(world.path) == 0)
    guard try odd.make(at: world.path, stranger: stranger) else { return }
    if odd == .linkElsewhere || odd == .hardLink {
      await world.hear(hops: 5)
    } else {
      await world.hear("the problem") {
        $0.problems.first?.string.hasPrefix("\(world.path) cannot be read: ") == true
      }
      #expect(world.hops == 4)
    }
  }

  @Test func `a huge file leaves the old values in force`() async throws {
    let world = try World(hops(4))
    await world.hear(hops: 4)
    try world.save(hops(5) + String(repeating: " ", count: 256 * 1024))
    await world.hear("the size") {
      $0.problems.first?.string.contains("bytes, more than 262144") == true
    }
    #expect(world.hops == 4)
    try world.save(hops(5))
    await world.hear(hops: 5)
  }

  @Test func `a file that is saved unchanged, and others beside it, change nothing`() async throws {
    let world = try World(hops(4))
    await world.hear(hops: 4)
    try world.save(hops(4))
    try world.save(hops(4) + " // The same.")
    try world.save("{", to: world.path + ".bak")
    try world.save(hops(5))
    await world.hear(hops: 5)
    try world.save(hops(5))
    try world.save(hops(6))
    await world.hear(hops: 6)
    #expect(world.heard.map(\.settings.limits.urlHops) == [4, 5, 6])
  }

  @Test func `a circle of links has an end`() throws {
    let folder = try BundleFolder()
    #expect(symlink("b", "\(folder.path)/a") == 0 && symlink("a", "\(folder.path)/b") == 0)
    let followed = FollowedPath("\(folder.path)/a/config.json")
    #expect(followed.names.isSuperset(of: ["a", "b"]))
    #expect(FollowedPath("/").folders.isEmpty)
    #expect(FollowedPath("/nowhere/at/all").folders == ["/"])
    #expect(FollowedPath("/nowhere/at/all").names == ["nowhere"])
  }
}
