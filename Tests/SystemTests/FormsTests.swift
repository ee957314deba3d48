import Testing
import WidgetKitCore
import WidgetTesting

@testable import System

/// What the card shows compact and expanded.
@MainActor struct FormsTests {
  private static func state(cores: Int = 4, disks: [DiskUsage]? = nil, warm: Bool = false) throws
    -> SystemState
  {
    let meminfo = """
      MemTotal: 16384000 kB
      MemFree: 1228800 kB
      MemAvailable: 8192000 kB
      Buffers: 512000 kB
      Cached: 6144000 kB
      Shmem: 256000 kB
      Dirty: 2048 kB
      SwapTotal: 4096000 kB
      SwapFree: 3072000 kB
      """
    let root = DiskUsage(
      mountPoint: "/",
      blockSize: 4096,
      blocks: 25_000_000,
      free: 15_000_000,
      available: 15_000_000
    )
    let home = DiskUsage(
      mountPoint: "/home",
      blockSize: 4096,
      blocks: 25_000_000,
      free: 1_000_000,
      available: 1_000_000
    )
    return SystemState(
      processor: .success(
        SystemState.Processor(
          usage: 0.42,
          cores: (0..<cores).map { Double($0 % 10) / 10 },
          history: (0..<60).map { Double($0) / 60 }
        )
      ),
      memory: .success(try MemoryInfo(parsing: meminfo, path: "")),
      load: .success(try LoadAverage(parsing: "0.42 0.31 0.25 2/312 4242", path: "")),
      disks: .success(disks ?? [root, home]),
      network: .success([
        SystemState.Interface(
          name: "eth0",
          received: 1_250_000,
          sent: 42_000,
          total: (4_000_000_000, 300_000_000)
        ),
        SystemState.Interface(name: "wlan0", received: 250_000, sent: nil, total: (1_000, 999)),
      ]),
      temperatures: [
        Temperature(
          name: "coretemp Package id 0",
          thousandths: warm ? 101_000 : 54_000,
          critical: 100_000
        )
      ],
      batteries: [Battery(percent: 62, state: "charging")]
    )
  }

  @Test(arguments: [34, 36, 58, 78])
  func `compact it has the essence in four rows`(columns: Int) throws {
    let rows = CompactRows(state: try Self.state()).rows(width: columns)
    #expect(rows.count == 4)
    #expect(rows[0].hasPrefix("CPU") && rows[0].hasSuffix("42 %"))
    #expect(rows[1].hasPrefix("Memory") && rows[1].hasSuffix("7.8 of 16 GiB"))
    // The fullest disk, and the traffic of all interfaces.
    #expect(rows[2].hasPrefix("/home") && rows[2].hasSuffix("92 of 95 GiB"), "\(rows[2])")
    #expect(
      rows[3].hasPrefix("Network") && rows[3].contains("↓ 1.5 MB/s")
        && rows[3].contains("↑ 42 kB/s")
    )
    #expect(!rows.joined().contains("…"))
    // The bar has all that the words leave.
    #expect(rows[1].count { "━╾─".contains($0) } == columns - 7 - 15 - 2)
  }

  @Test func `what is too warm, and what cannot be read, is in the compact form`() throws {
    let warm = CompactRows(state: try Self.state(warm: true)).rows(width: 40)
    #expect(warm.count == 4 && warm[3].contains("101 °C") && warm[3].contains("too warm"))
    let gone = DiskUsage(mountPoint: "/backup", trouble: "no disk is mounted there")
    let disks = try #require(try Self.state().disks.get().first)
    let rows = CompactRows(state: try Self.state(disks: [disks, gone])).rows(width: 60)
    #expect(rows[2] == "Disk /backup: no disk is mounted there")
    var state = try Self.state()
    state.memory = .failure(.missing("line “MemTotal”", in: "/proc/meminfo"))
    #expect(CompactRows(state: state).rows(width: 30).count == 4)
  }

  private func expanded(_ state: SystemState, _ columns: Int, load: [Double?] = [0.5, nil, 2])
    -> [String]
  {
    ExpandedRows(state: state, load: load, chosenInterfaces: [], columns: columns).rows(
      width: columns
    )
  }

  @Test(arguments: [34, 58, 78])
  func `expanded it has everything, and nothing is cut`(columns: Int) throws {
    let rows = expanded(try Self.state(), columns)
    // What is wrapped goes on in the next row.
    let text = rows.joined(separator: " ").split(separator: " ").joined(separator: " ")
    for part in [
      "free 1.2 GiB", "cache 6.1 GiB", "shared 250 MiB", "to be written 2.0 MiB", "Swap", "24 h",
      "0.42 0.31 0.25", "54 °C", "charging 62 %", "Disk /", "/home", "eth0", "wlan0", "↓ 4.0 GB",
      "↑ 300 MB", "↑ – B/s",
    ] {
      #expect(text.contains(part), "\(part) in\n\(text)")
    }
    #expect(!text.contains("…"), "\(text)")
  }

  @Test(arguments: [1, 2, 3, 8, 32, 33, 256], [20, 34, 58, 78])
  func `each core has a bar, and very many have one column each`(cores: Int, columns: Int) throws {
    let rows = expanded(try Self.state(cores: cores), columns)
    let bars = rows.filter { $0.contains(" 0 0 %") || $0.hasPrefix(" 0 ") }
    switch cores {
    case 1: #expect(!rows.contains { $0.hasPrefix("Cores") })
    case 2...32:
      let perRow = max(1, min(columns / 17, 4, cores))
      let last = try #require(rows.firstIndex { $0.hasPrefix("Memory") })
      let first = try #require(rows.firstIndex { $0.hasPrefix(" 0 ") }, "\(rows)")
      #expect(last - first == (cores + perRow - 1) / perRow, "\(rows.joined(separator: "\n"))")
    default:
      #expect(rows.contains { $0.hasPrefix("Cores") })
      #expect(bars.isEmpty)
    }
  }

  @Test(arguments: [0, 1, 7, 12])
  func `a card without room does no harm`(columns: Int) throws {
    _ = expanded(try Self.state(cores: 16), columns)
    _ = CompactRows(state: try Self.state()).rows(width: columns)
  }

  @Test(
    arguments: [
      ([], 0, 100), ([nil], 0, 100), ([0.0312, nil, 0.0487], 0, 5), ([0.4, nil, 0.6], 0, 60),
      ([0.5], 0, 50), ([0, 1], 0, 100), ([0.61], 0, 80), ([0], 0, 5),
    ] as [([Double?], Double, Double)]
  )
  func `the graph of the memory begins with nothing, and ends with a round number`(
    shares: [Double?],
    lower: Double,
    upper: Double
  ) {
    let scale = ExpandedRows.scale(of: shares)
    #expect(
      abs(scale.lowerBound - lower) < 0.01 && abs(scale.upperBound - upper) < 0.01,
      "\(scale)"
    )
  }

  @Test func `a sum has what is known`() {
    #expect(CompactRows.sum([]) == nil && CompactRows.sum([nil]) == nil)
    #expect(CompactRows.sum([1, nil, 2]) == 3)
  }

  @Test(arguments: [
    ("MemTotal: 100 kB\nMemAvailable: 50 kB\n", 0, 0),
    (
      "MemTotal: 100 kB\nMemAvailable: 50 kB\nCached: 10 kB\nShmem: 30 kB\nMemFree: 999 kB\n", 0,
      100
    ),
    (
      "MemTotal: 100 kB\nMemAvailable: 50 kB\nCached: 40 kB\nSReclaimable: 5 kB\nShmem: 30 kB\nMemFree: 9 kB\n",
      15, 9
    ),
  ])
  func `parts of the memory are never more than there is`(text: String, cache: UInt64, free: UInt64)
    throws
  {
    let memory = try MemoryInfo(parsing: text, path: "")
    #expect(memory.cache == cache * 1024 && memory.free == free * 1024)
  }

  @Test(arguments: [
    ("0 0 0 2/312 7", 312), ("0 0 0", nil), ("0 0 0 2 7", nil), ("0 0 0 -1/2 7", nil),
  ])
  func `the number of tasks need not be there`(text: String, all: Int?) throws {
    #expect(try LoadAverage(parsing: text, path: "").tasks?.all == all)
  }

  @Test(arguments: [
    ("4.00 9.00 9.00 1/312 4242", 4, Color.label), ("4.10 0.00 0.00 1/312 4242", 4, .orange),
    ("8.10 0.00 0.00 1/312 4242", 4, .red), ("8.10 0.00 0.00 1/312 4242", 0, .label),
  ])
  func `the load has the colour of what the processors can do`(
    text: String,
    cores: Int,
    color: Color
  ) throws {
    let average = try LoadAverage(parsing: text, path: "")
    #expect(ExpandedRows.loadColor(average, cores: cores) == color)
  }
}
