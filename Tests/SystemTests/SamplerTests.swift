import FoundationEssentials
import Testing

@testable import System

struct SamplerTests {
  @Test func `a missing source is named, and the others are shown`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("0.1 0.2 0.3 1/2 3\n".utf8).write(to: folder.appending(path: "loadavg"))
    var sampler = SystemSampler(
      proc: KernelFolder(path: folder.path),
      sys: KernelFolder(path: "/nowhere")
    )
    sampler.sample()
    #expect(try sampler.state.load.get().words == "0.1  0.2  0.3")
    let error = #expect(throws: SourceError.self) { try sampler.state.network.get() }
    #expect(
      error?.description == "\(folder.path)/net/dev cannot be read (No such file or directory)"
    )
  }

  @Test func `the second sample has rates, and a long pause leaves a gap`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ stat: String) throws {
      try Data(stat.utf8).write(to: folder.appending(path: "stat"))
    }
    var sampler = SystemSampler(
      proc: KernelFolder(path: folder.path),
      sys: KernelFolder(path: "/nowhere")
    )
    try write("cpu 0 0 0 100\ncpu0 0 0 0 50\ncpu1 0 0 0 50\n")
    sampler.resume()
    sampler.sample()
    #expect(!sampler.hasRates)
    try write("cpu 50 0 0 150\ncpu0 50 0 0 50\ncpu1 0 0 0 100\n")
    sampler.sample()
    let processor = try sampler.state.processor.get()
    #expect(processor.usage == 0.5)
    #expect(processor.cores == [1, 0])
    #expect(processor.coreWords == "100 %  0 %")
    // In the same tick nothing can be said, which is no gap.
    sampler.sample()
    sampler.resume()
    sampler.sample()
    #expect(try sampler.state.processor.get().history == [0.5])
    sampler.resume(at: Date().addingTimeInterval(60))
    sampler.sample()
    #expect(try sampler.state.processor.get().history == [0.5, nil])
  }

  @Test func `only the disks and interfaces of the settings are shown, in their order`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let net = folder.appending(path: "net")
    try FileManager.default.createDirectory(at: net, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let line = "1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0"
    let interfaces = ["lo", "eth0", "wlan0", "tun0"].map { "\($0): \(line)\n" }.joined()
    try Data(interfaces.utf8).write(to: net.appending(path: "dev"))
    let own = folder.appending(path: "self")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    try Data("27 1 0:50 / / rw - overlay overlay rw\n".utf8)
      .write(to: own.appending(path: "mountinfo"))
    var sampler = SystemSampler(
      proc: KernelFolder(path: folder.path),
      sys: KernelFolder(path: "/nowhere")
    )
    sampler.sample()
    #expect(try sampler.state.network.get().map(\.name) == ["eth0", "wlan0", "tun0"])
    sampler.interfaces = ["tun0", "none", "eth0"]
    sampler.disks = ["/nowhere", "/"]
    sampler.sample()
    #expect(try sampler.state.network.get().map(\.name) == ["tun0", "eth0"])
    let disks = try sampler.state.disks.get()
    #expect(disks.map(\.mountPoint) == ["/nowhere", "/"])
    #expect(disks.map(\.trouble) == ["no disk is mounted there", nil])
  }
}
