import FoundationEssentials
import Glibc
import Testing

@testable import System

/// `nvidia-smi`, from outputs as they were recorded, and as a program that does not answer.
@Suite(.timeLimit(.minutes(1))) struct NvidiaQueryTests {
  /// A folder with a program that stands in for `nvidia-smi`, and with a driver.
  private final class StandIn {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    var driver: String { root.appending(path: "driver").path }
    var program: String { root.appending(path: "nvidia-smi").path }

    init(_ script: String) throws {
      try FileManager.default.createDirectory(
        at: root.appending(path: "driver"),
        withIntermediateDirectories: true
      )
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
      #expect(chmod(program, 0o755) == 0)
    }

    deinit { try? FileManager.default.removeItem(at: root) }
  }

  private func found(_ printed: String, exit code: Int = 0) throws -> [GraphicsProcessor] {
    let standIn = try StandIn("cat <<'END'\n\(printed)\nEND\nexit \(code)")
    return GraphicsProcessor.all(printed: NvidiaQuery(program: standIn.program).answer())
  }

  @Test func `a card of a desktop, one that is asleep, and a part of one are read`() throws {
    // Driver 535 with a desktop card, a laptop card in D3, and an A100 that is divided.
    let all = try found(
      """
      NVIDIA GeForce RTX 3060, 12, 1043, 12288, 47
      NVIDIA GeForce MX150, [Not Supported], 0, 2002, [N/A]
      NVIDIA A100-SXM4-40GB, [N/A], [N/A], [N/A], 34
      Quadro K620, [Unknown Error], [GPU requires reset], 2048, 51
      """
    )
    #expect(all.map(\.usage) == [0.12, nil, nil, nil])
    #expect(all.map(\.degrees) == [47, nil, 34, 51])
    #expect(all.map { $0.memory?.total } == [12_288 << 20, 2_002 << 20, nil, nil])
  }

  @Test(arguments: [
    "No devices were found", "",
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that "
      + "the latest NVIDIA driver is installed and running.",
    "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.183",
    "Unable to determine the device handle for GPU 0000:01:00.0: Unknown Error",
    "ERROR: Option --query-gpu=name,utilization.gpu,memory.used is not recognized, a, b, c, d",
  ])
  func `without a card that can be asked there is none`(printed: String) throws {
    #expect(try found(printed, exit: 9).isEmpty)
  }

  @Test func `a program that hangs, and does not end when it is told to, is killed`() throws {
    let standIn = try StandIn("trap '' TERM\necho 'NVIDIA X, 1, 2, 3, 4'\nexec sleep 1000")
    let begin = ContinuousClock.now
    let answer = NvidiaQuery(program: standIn.program, seconds: 1).answer()
    #expect(begin.duration(to: .now) < .seconds(20))
    #expect(answer.isEmpty || answer.hasPrefix("NVIDIA X"))
  }

  @Test func `while it hangs nothing is asked again, and what it said before is shown no longer`()
    async throws
  {
    let standIn = try StandIn(
      """
      echo asked >> "$0.log"
      [ -e "$0.hang" ] && exec sleep 1000
      echo 'NVIDIA X, 1, 2, 3, 4'
      """
    )
    let query = NvidiaQuery(driver: standIn.driver, program: standIn.program, seconds: 5)
    let start = ContinuousClock.now
    query.ask(at: start)
    while query.found(at: start).isEmpty { await Task.yield() }
    try Data().write(to: URL(filePath: standIn.program + ".hang"))
    query.ask(at: start)
    query.ask(at: start)
    #expect(query.found(at: start).map(\.name) == ["NVIDIA X"])
    #expect(query.found(at: start + .seconds(120)).isEmpty)
    // The first one, and the one that hangs.
    let log = standIn.program + ".log"
    func count() -> Int {
      let bytes = FileManager.default.contents(atPath: log) ?? Data()
      return bytes.count { $0 == UInt8(ascii: "\n") }
    }
    while count() < 2 { await Task.yield() }
    #expect(count() == 2)
  }

  @Test func `without the driver nothing is started`() throws {
    let standIn = try StandIn("touch \"$0.log\"")
    let query = NvidiaQuery(driver: standIn.root.path + "/no-driver", program: standIn.program)
    query.ask(at: .now)
    #expect(query.found(at: .now).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: standIn.program + ".log"))
  }
}
