import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// `org.today.sockets` grants sockets, and nothing else that has such a path.
@Suite(.timeLimit(.minutes(5))) struct SandboxedSocketTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  private var folders: StateFolders { StateFolders(environment: world.environment()) }

  private func profile(_ paths: [String]) -> SandboxProfile {
    var profile = SandboxProfile(folder: "/", environment: world.environment(), folders)
    profile.add(EntitlementRequest(.sockets, items: paths), environment: world.environment())
    return profile
  }

  private func shown(_ paths: [String], bindsDescriptors: Bool = true) -> [String] {
    let command = BubblewrapCommand(
      "/bin/true",
      [],
      in: profile(paths),
      SystemView(),
      bindsDescriptors: bindsDescriptors
    )
    let options = command.inputs[0].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let bound = options.indices.filter {
      options[$0] == (bindsDescriptors ? "--ro-bind-fd" : "--ro-bind-try")
    }.map { options[$0 + 2] }
    return paths.filter(bound.contains)
  }

  private func listen(_ path: String) throws -> Int32 {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: Array(path.utf8) + [0])
    }
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && Glibc.listen(number, 1) == 0)
    return number
  }

  @Test(arguments: [true, false])
  func `folders, files, pipes and links to them are not shown`(bindsDescriptors: Bool) throws {
    let socket = "\(world.path)/s"
    let descriptor = try listen(socket)
    defer { close(descriptor) }
    try world.write("x", to: "\(world.path)/file")
    #expect(unsafe mkfifo("\(world.path)/fifo", 0o600) == 0)
    for (link, target) in [
      ("to-home", "home"), ("to-file", "file"), ("to-socket", "s"), ("loop", "loop"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(world.path)/\(link)",
        withDestinationPath: target
      )
    }
    let names = ["s", "home", "file", "fifo", "to-home", "to-file", "to-socket", "loop", "none"]
    let found = shown(names.map { "\(world.path)/\($0)" }, bindsDescriptors: bindsDescriptors)
    #expect(found == ["s", "to-socket"].map { "\(world.path)/\($0)" })
    #expect(shown(["/", "/etc/passwd", "/dev/null"], bindsDescriptors: bindsDescriptors) == [])
  }

  @Test func `a socket of the program itself is not shown`() throws {
    StateFolders.make(folders.runtime)
    let descriptor = try listen("\(folders.runtime)/s")
    defer { close(descriptor) }
    #expect(shown(["\(folders.runtime)/s"]) == [])
    // Nor are its files, by the permission for files in the home folder.
    var environment = world.environment()
    environment["HOME"] = world.path
    var profile = SandboxProfile(folder: "/", environment: environment, folders)
    let request = EntitlementRequest(.homeFiles, items: ["data/today/secrets", "data/other"])
    profile.add(request, environment: environment)
    #expect(profile.readableIfThere == ["\(world.path)/data/other"])
  }

  @Test func `what takes the place of a socket later is not shown in its place`() throws {
    let path = "\(world.path)/s"
    let descriptor = try listen(path)
    defer { close(descriptor) }
    let file = try #require(SocketFile(path))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "home")
    #expect(SocketFile(path) == nil)
    let copy = file.copy()
    defer { close(copy) }
    var status = stat()
    #expect(unsafe fstat(copy, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
  }

  @Test func `this bwrap can show what a descriptor is of`() throws {
    let path = try #require(ToolSearch.path(of: "bwrap", in: world.environment()))
    #expect(SandboxProbe.bindsDescriptors(path))
    #expect(!SandboxProbe.bindsDescriptors("/bin/true"))
  }
}
