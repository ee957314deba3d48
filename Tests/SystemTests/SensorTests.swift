import FoundationEssentials
import Testing

@testable import System

struct SensorTests {
  /// A copy of `/sys` with some files.
  private final class Sys {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init(_ files: [String: String]) throws {
      for (name, text) in files {
        let file = root.appending(path: name)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    var folder: KernelFolder { KernelFolder(path: root.path) }
  }

  @Test func `the warmest sensor of each chip is shown, the warmest chip first`() throws {
    let sys = try Sys([
      "class/hwmon/hwmon0/name": "acpitz\n", "class/hwmon/hwmon0/temp1_input": "27800\n",
      "class/hwmon/hwmon1/name": "coretemp\n", "class/hwmon/hwmon1/temp1_input": "54000\n",
      "class/hwmon/hwmon1/temp1_label": "Package id 0\n",
      "class/hwmon/hwmon1/temp1_crit": "100000\n",
      "class/hwmon/hwmon1/temp2_input": "51000\n", "class/hwmon/hwmon1/temp2_label": "Core 0\n",
      "class/hwmon/hwmon1/fan1_input": "90000\n",
      "class/hwmon/hwmon2/name": "nvme\n", "class/hwmon/hwmon2/temp1_input": "84850\n",
      "class/hwmon/hwmon2/temp1_crit": "84850\n",
      "class/hwmon/hwmon3/name": "BAT0\n", "class/hwmon/hwmon3/in0_input": "12000\n",
      "class/hwmon/hwmon4/name": "iwlwifi\n", "class/hwmon/hwmon4/temp1_input": "20000\n",
      "class/thermal/thermal_zone0/type": "x86_pkg_temp\n",
      "class/thermal/thermal_zone0/temp": "99000\n",
    ])
    let found = Temperature.all(in: sys.folder)
    #expect(found.map(\.name) == ["nvme", "coretemp Package id 0", "acpitz", "iwlwifi"])
    #expect(found.map(\.degrees) == [85, 54, 28, 20])
    #expect(found.map(\.isHigh) == [true, false, false, false])
  }

  @Test func `a sensor that says that it is broken is left out`() throws {
    let sys = try Sys([
      "class/hwmon/hwmon0/name": "nct6775\n", "class/hwmon/hwmon0/temp1_input": "127875\n",
      "class/hwmon/hwmon0/temp1_fault": "1\n", "class/hwmon/hwmon0/temp2_input": "41000\n",
      "class/hwmon/hwmon0/temp2_fault": "0\n",
    ])
    #expect(
      Temperature.all(in: sys.folder) == [Temperature(name: "nct6775", thousandths: 41_000)]
    )
  }

  @Test func `without chips the thermal zones are shown`() throws {
    let sys = try Sys([
      "class/thermal/thermal_zone0/type": "cpu-thermal\n",
      "class/thermal/thermal_zone0/temp": "48312\n",
      "class/thermal/cooling_device0/type": "Fan\n",
    ])
    #expect(
      Temperature.all(in: sys.folder) == [Temperature(name: "cpu-thermal", thousandths: 48_312)]
    )
  }

  @Test(arguments: ["", "\n", "warm", "-128000", "999999", "99999999999999999999", "1e3", "0x30"])
  func `a number that no sensor has is left out`(text: String) throws {
    let sys = try Sys(["class/hwmon/hwmon0/temp1_input": text])
    #expect(Temperature.all(in: sys.folder).isEmpty)
  }

  @Test func `batteries of the machine are shown, and those of devices are not`() throws {
    let sys = try Sys([
      "class/power_supply/AC/type": "Mains\n", "class/power_supply/AC/online": "1\n",
      "class/power_supply/BAT0/type": "Battery\n", "class/power_supply/BAT0/capacity": "83\n",
      "class/power_supply/BAT0/status": "Charging\n", "class/power_supply/BAT0/present": "1\n",
      "class/power_supply/BAT1/type": "Battery\n", "class/power_supply/BAT1/capacity": "104\n",
      "class/power_supply/BAT1/status": "Discharging\n",
      "class/power_supply/BAT2/type": "Battery\n", "class/power_supply/BAT2/present": "0\n",
      "class/power_supply/BAT2/capacity": "0\n",
      "class/power_supply/hid/type": "Battery\n", "class/power_supply/hid/scope": "Device\n",
      "class/power_supply/hid/capacity": "5\n",
    ])
    let found = Battery.all(in: sys.folder)
    #expect(found == [Battery(percent: 83, state: "charging"), Battery(percent: 100)])
    for text in ["", "-1", "full", "9999999999999999999999"] {
      let broken = try Sys([
        "class/power_supply/B/type": "Battery", "class/power_supply/B/capacity": text,
      ])
      #expect(Battery.all(in: broken.folder).isEmpty, "\(text)")
    }
  }

  @Test(arguments: [
    (["capacity": "60", "status": "Not charging"], Battery(percent: 60, state: "not charging")),
    (["capacity": "80", "status": "Full"], Battery(percent: 80, state: "not charging")),
    (["capacity": "97", "status": "Full"], Battery(percent: 97, state: "full")),
    (["charge_now": "1500", "charge_full": "2000"], Battery(percent: 75)),
    (["energy_now": "1", "energy_full": "", "energy_full_design": "3"], Battery(percent: 33)),
    (["energy_now": "9223372036854775807", "energy_full": "1"], Battery(percent: 100)),
    (["energy_now": "1", "energy_full": "0"], nil),
    (
      ["energy_now": "-1", "energy_full": "5", "charge_now": "1", "charge_full": "2"],
      Battery(percent: 50)
    ),
    (["capacity": "50", "present": "0"], nil),
  ])
  func `a battery says only what it knows`(files: [String: String], battery: Battery?) throws {
    var all = ["class/power_supply/B/type": "Battery"]
    for (name, text) in files { all["class/power_supply/B/" + name] = text + "\n" }
    let sys = try Sys(all)
    #expect(Battery.all(in: sys.folder) == [battery].compactMap { $0 })
  }

  @Test func `a machine without any has none, and a sampler shows what there is`() throws {
    #expect(Temperature.all(in: KernelFolder(path: "/nowhere")).isEmpty)
    #expect(Battery.all(in: KernelFolder(path: "/nowhere")).isEmpty)
    let sys = try Sys([
      "class/hwmon/hwmon0/temp1_input": "40000", "class/power_supply/BAT0/type": "Battery",
      "class/power_supply/BAT0/capacity": "50",
    ])
    var sampler = SystemSampler(proc: KernelFolder(path: "/nowhere"), sys: sys.folder)
    sampler.sample()
    #expect(sampler.state.temperatures.map(\.name) == ["sensor"])
    #expect(sampler.state.batteries.map(\.percent) == [50])
  }

  @Test func `swap is read, and is none where the kernel has none`() throws {
    let text = "MemTotal: 100 kB\nMemAvailable: 50 kB\nSwapTotal: 40 kB\nSwapFree: 30 kB\n"
    let memory = try MemoryInfo(parsing: text, path: "meminfo")
    #expect([memory.swapTotal, memory.swapUsed] == [40_960, 10_240])
    #expect(memory.swapUsedShare == 0.25)
    let none = try MemoryInfo(parsing: "MemTotal: 1 kB\nMemAvailable: 1 kB\n", path: "meminfo")
    #expect([none.swapTotal, none.swapUsed] == [0, 0])
    #expect(none.swapUsedShare == 0)
    let odd = try MemoryInfo(
      parsing: "MemTotal: 1 kB\nMemAvailable: 1 kB\nSwapTotal: 1 kB\nSwapFree: 9 kB\n",
      path: "meminfo"
    )
    #expect(odd.swapUsed == 0)
  }
}
