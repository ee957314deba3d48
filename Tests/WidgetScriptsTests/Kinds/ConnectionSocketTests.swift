import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetPlatform
@testable import WidgetScripts

@Suite("Sockets of connections to other machines")
struct ConnectionSocketTests {
  private let world: TestWorld
  private let folders: StateFolders

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
    #expect(StateFolders.make(folders.runtime))
  }

  /// Makes a socket; returns its descriptor, at which somebody listens until it is closed.
  private func listen(_ name: String) throws -> Int32 {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folders.runtime)/\(name)".utf8)
    try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && Glibc.listen(number, 1) == 0)
    return number
  }

  @Test func `of programs that are gone are removed, and no others`() throws {
    // A process that has ended and was collected.
    let process = Process()
    process.executableURL = URL(filePath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    let gone = process.processIdentifier
    let name = ConnectionSocket.name(of: try #require(RemoteDestination("server")))
    #expect(name.hasPrefix("ssh-\(getpid())-"))
    for stale in ["ssh-\(gone)-abc", "ssh-\(gone)-abc.Xy12", "ssh-old", name] {
      close(try listen(stale))
    }
    let present = try listen("ssh-\(gone)-other")
    defer { close(present) }
    close(try listen("bus"))
    try world.write("text", to: "\(folders.runtime)/ssh-\(gone)-file")

    ConnectionSocket.removeStale(in: folders)
    let names = try FileManager.default.contentsOfDirectory(atPath: folders.runtime).sorted()
    #expect(names == ["bus", name, "ssh-\(gone)-file", "ssh-\(gone)-other"].sorted())
  }
}
