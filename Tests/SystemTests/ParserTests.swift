import Testing

@testable import System

struct ProcessorStatisticsTests {
  @Test func `busy time is everything except idle and iowait`() throws {
    let before = try parse("cpu  100 0 50 800 50 0 0 0 10 0\ncpu0 100 0 50 800 50 0 0 0 10 0\n")
    let after = try parse("cpu  150 0 100 850 100 0 0 0 10 0\ncpu0 150 0 100 850 100 0 0 0 10 0\n")
    #expect(before.total == ProcessorTimes(busy: 150, total: 1000))
    #expect(before.cores.count == 1)
    #expect(after.total.usage(since: before.total) == 0.5)
    #expect(before.total.usage(since: before.total) == nil)
    #expect(before.total.usage(since: after.total) == nil)
  }

  @Test func `decreasing iowait gives no negative usage`() {
    let before = ProcessorTimes(busy: 10, total: 100)
    #expect(ProcessorTimes(busy: 8, total: 110).usage(since: before) == 0)
  }

  @Test func `four numbers of old kernels are read`() throws {
    #expect(try parse("cpu 1 2 3 4\n").total == ProcessorTimes(busy: 6, total: 10))
  }

  @Test(arguments: ["", "intr 1 2\n", "cpu\n", "cpu 1 2 x 4\n", "cpu 1 2 3\n"])
  func `a missing line is named in the error`(text: String) {
    #expect(throws: SourceError.self) { try parse(text) }
  }

  private func parse(_ text: String) throws -> ProcessorStatistics {
    try ProcessorStatistics(parsing: text, path: "/proc/stat")
  }
}

struct MemoryInfoTests {
  @Test func `used memory is everything except available memory`() throws {
    let text = "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\n"
    let memory = try MemoryInfo(parsing: text, path: "/proc/meminfo")
    #expect(memory.total == 1_024_000)
    #expect(memory.used == 600 * 1024)
    #expect(memory.usedShare == 0.6)
  }

  @Test func `without MemAvailable, free memory and caches are added`() throws {
    let text = "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 250 kB\n"
    #expect(try MemoryInfo(parsing: text, path: "").available == 400 * 1024)
  }

  @Test func `extreme values do not overflow`() throws {
    let text = "MemTotal: 0 kB\nMemAvailable: 18446744073709551615 kB\n"
    #expect(try MemoryInfo(parsing: text, path: "").usedShare == 0)
  }

  @Test func `a missing line is named`() {
    let error = #expect(throws: SourceError.self) {
      try MemoryInfo(parsing: "MemFree: 1 kB\n", path: "/proc/meminfo")
    }
    #expect(error?.description == "/proc/meminfo has no line “MemTotal”")
  }
}

struct LoadAverageTests {
  @Test func `three load averages are read`() throws {
    let load = try LoadAverage(parsing: "0.42 1.31 12.25 1/312 4242\n", path: "")
    #expect(load.words == "0.42  1.31  12.25")
  }

  @Test(arguments: ["", "0.1 0.2", "a b c"])
  func `fewer load averages are an error`(text: String) {
    #expect(throws: SourceError.self) { try LoadAverage(parsing: text, path: "") }
  }
}

struct MountTests {
  @Test func `each disk is listed once, and virtual file systems are omitted`() throws {
    let text = """
      22 27 0:21 / /proc rw - proc proc rw
      27 1 0:50 / / rw,relatime - overlay overlay rw
      30 27 8:1 /var/a/hosts /etc/hosts rw master:1 - ext4 /dev/sda1 rw
      31 27 8:1 / /data rw shared:1 - ext4 /dev/sda1 rw
      32 27 7:3 / /snap/core ro - squashfs /dev/loop3 ro
      33 27 0:51 / /home rw - nfs4 server:/home rw
      34 27 8:17 / /media/My\\040Disk rw - vfat /dev/sdb1 rw
      35 27 0:52 / /tank rw - zfs tank/x rw
      36 27 0:53 / /far rw - fuse.far /dev/fuse rw
      37 27 odd
      """
    let mounts = try Mount.disks(parsing: text, path: "")
    #expect(mounts.map(\.point) == ["/", "/data", "/tank", "/media/My Disk"])
    #expect(mounts[1].others == ["/etc/hosts"])
  }

  @Test(arguments: [
    (["8:1 /share /b ext4 /dev/sda1", "8:1 / /media/disk ext4 /dev/sda1"], ["/media/disk"]),
    (["8:1 / /media/disk ext4 /dev/sda1", "8:1 / /s ext4 /dev/sda1"], ["/media/disk"]),
    (["8:1 / /sysroot ext4 /dev/root", "8:1 / / ext4 /dev/sda1"], ["/"]),
    (
      [
        "0:4 /@home /home btrfs /dev/sda2", "0:4 /a/@ / btrfs /dev/sda2",
        "0:4 / /m btrfs /dev/sdb1",
      ],
      ["/"]
    ),
    (["8:1 / /data ext4 /dev/sda1", "0:6 / /data tmpfs tmpfs", "8:2 / / ext4 /dev/sda2"], ["/"]),
  ])
  func `a disk has the name of its own place`(lines: [String], points: [String]) throws {
    let text = lines.map { line in
      let words = line.split(separator: " ")
      return "1 1 \(words[0]) \(words[1]) \(words[2]) rw - \(words[3]) \(words[4]) rw\n"
    }
    let mounts = try Mount.disks(parsing: text.joined(), path: "")
    #expect(mounts.map(\.point) == points)
  }

  @Test func `a disk of which single files are mounted has the name of another folder, if any`() {
    let folder = Mount(device: "/dev/x", point: "/etc/passwd", others: ["/etc/group", "/tmp"])
    #expect(DiskUsage(asking: folder)?.mountPoint == "/tmp")
    let files = Mount(device: "/dev/x", point: "/etc/passwd", others: ["/etc/group"])
    #expect(DiskUsage(asking: files) == nil)
  }

  @Test(arguments: ["1 1 0:1 / /proc rw - proc proc rw", "", "overlay / overlay rw 0 0"])
  func `a mount table without disks is an error`(text: String) {
    #expect(throws: SourceError.self) { try Mount.disks(parsing: text, path: "") }
  }

  @Test func `a full disk counts as df does`() {
    let disk = DiskUsage(mountPoint: "/", blockSize: 10, blocks: 100, free: 30, available: 20)
    #expect(disk.used == 700)
    #expect(disk.total == 900)
    let huge = DiskUsage(
      mountPoint: "/",
      blockSize: .max,
      blocks: .max,
      free: 0,
      available: .max
    )
    #expect(huge.usedShare >= 0)
  }

  @Test func `a missing mount point is reported with the reason`() throws {
    let usage = try #require(DiskUsage(asking: Mount(device: "/dev/x", point: "/nowhere/at/all")))
    #expect(usage.trouble == "cannot be read (No such file or directory)")
    #expect(DiskUsage(asking: Mount(device: "/dev/x", point: "/etc/passwd")) == nil)
  }
}

struct NetworkCountersTests {
  private let heading = """
    Inter-|   Receive                                                |  Transmit
     face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs

    """

  @Test func `all interfaces except the loopback are read, also with a colon in the name`() throws {
    let text =
      heading + "    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n"
      + "  eth0:1000 2 0 0 0 0 0 0 500 3 0 0 0 0 0 0\neth0:1: 1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n"
    let interfaces = try NetworkCounters.interfaces(parsing: text, path: "")
    #expect(
      interfaces == [
        NetworkCounters(
          name: "eth0",
          received: 1000,
          sent: 500,
          packetsReceived: 2,
          packetsSent: 3
        ),
        NetworkCounters(name: "eth0:1", received: 1, sent: 2),
      ]
    )
    let broken = try NetworkCounters.interfaces(parsing: text + "eth1: many 2\n", path: "")
    #expect(broken == interfaces)
  }

  @Test func `bytes that are counted with 32 bits go on while packets do`() {
    let before = NetworkCounters(
      name: "eth0",
      received: (1 << 32) - 1000,
      sent: 5,
      packetsReceived: 10
    )
    var after = NetworkCounters(name: "eth0", received: 1000, sent: 5, packetsReceived: 12)
    #expect(after.rates(since: before, seconds: 2)?.received == 1000)
    after.packetsReceived = 2
    #expect(after.rates(since: before, seconds: 2) == nil)
  }

  @Test func `rates are differences over time, and missing after a reset of the counters`() {
    let before = NetworkCounters(name: "eth0", received: 1000, sent: 500)
    let after = NetworkCounters(name: "eth0", received: 3000, sent: 600)
    #expect(after.rates(since: before, seconds: 2)?.received == 1000)
    #expect(after.rates(since: before, seconds: 2)?.sent == 50)
    #expect(before.rates(since: after, seconds: 2) == nil)
    #expect(after.rates(since: before, seconds: 0) == nil)
  }

  @Test func `only a loopback is no error, no line is an error`() throws {
    let lone = heading + "lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n"
    #expect(try NetworkCounters.interfaces(parsing: lone, path: "").isEmpty)
    #expect(throws: SourceError.self) {
      try NetworkCounters.interfaces(parsing: heading, path: "")
    }
    #expect(throws: SourceError.self) {
      try NetworkCounters.interfaces(parsing: heading + "eth0: 1 2\n", path: "")
    }
    #expect(throws: SourceError.self) {
      try NetworkCounters.interfaces(parsing: lone + "eth0: 1 2\n", path: "")
    }
  }
}
