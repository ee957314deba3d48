import FoundationEssentials
import Testing

@testable import System

struct GraphicsTests {
  @Test func `each line of nvidia-smi is a processor, without what is not known`() {
    let found = GraphicsProcessor.all(
      printed: """
        NVIDIA GeForce RTX 3080, 37, 2048, 10240, 61
        Tesla, 8 GB, [N/A], 10, 100, [Not Supported]
        NVIDIA-SMI has failed because it could not communicate with the driver.
        x, 5000, -1, abc, 99999999999999999999
        , 1, 2, 3, 4

        """
    )
    #expect(found.map(\.name) == ["NVIDIA GeForce RTX 3080", "Tesla, 8 GB"])
    #expect(found.map(\.usage) == [0.37, nil])
    #expect(found.map(\.degrees) == [61, nil])
    #expect(found[0].memory?.total == 10240 << 20 && found[1].memory?.used == 10 << 20)
  }

  @Test func `amdgpu is read from sysfs, and a card without its files is none`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, text) in [
      "card0/device/gpu_busy_percent": "42\n", "card0/device/mem_info_vram_used": "1073741824\n",
      "card0/device/mem_info_vram_total": "8589934592\n",
      "card0/device/hwmon/hwmon3/temp1_input": "55000\n",
      "card0-DP-1/device/gpu_busy_percent": "1\n", "card1/device/vendor": "0x8086\n",
      "card2/device/gpu_busy_percent": "101\n",
    ] {
      let file = root.appending(path: "class/drm/" + name)
      let folder = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let found = GraphicsProcessor.all(in: KernelFolder(path: root.path))
    #expect(found.map(\.usage) == [0.42] && found.map(\.degrees) == [55])
    #expect(found.first?.memory?.total == 8 << 30)
  }

  @Test func `the program is asked by its name, and one that is missing says nothing`() {
    #expect(NvidiaQuery(program: "echo").answer().hasPrefix("--query-gpu=name"))
    #expect(NvidiaQuery(program: "no-such-program-here").answer().isEmpty)
  }
}
