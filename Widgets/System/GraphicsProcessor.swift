/// A graphics processor: its use, its memory and its temperature, as far as its driver says them.
struct GraphicsProcessor: Hashable, Sendable {
  /// More are left out.
  static let limit = 4

  /// What the driver calls it.
  var name: String
  /// Its use, 0 to 1.
  var usage: Double?
  /// The bytes of its memory that are used, and all of them.
  var memory: (used: UInt64, total: UInt64)? {
    guard let used, let total, total > 0 else { return nil }
    return (min(used, total), total)
  }
  /// Whole degrees Celsius.
  var degrees: Int?
  var used: UInt64?
  var total: UInt64?

  private static let possibleDegrees = -50...200

  /// Those whose driver has files in `/sys/class/drm`, as amdgpu has (Documentation/gpu/amdgpu of Linux).
  static func all(in sys: KernelFolder) -> [GraphicsProcessor] {
    let cards = sys.names(in: "class/drm", prefix: "card").filter { !$0.contains("-") }
    return Array(cards.compactMap { card(at: "class/drm/\($0)/device", in: sys) }.prefix(limit))
  }

  private static func card(at folder: String, in sys: KernelFolder) -> GraphicsProcessor? {
    guard let busy = sys.line(of: folder + "/gpu_busy_percent"), let percent = Int(busy),
      (0...100).contains(percent)
    else { return nil }
    let sensor = sys.names(in: folder + "/hwmon", prefix: "hwmon").first
    let degrees = sensor.map { "\(folder)/hwmon/\($0)/temp1_" }
      .flatMap { sys.line(of: $0 + "fault") == "1" ? nil : sys.line(of: $0 + "input") }
      .flatMap { Int($0) }.map { $0 / 1000 }.flatMap { possibleDegrees.contains($0) ? $0 : nil }
    return GraphicsProcessor(
      name: sys.line(of: folder + "/product_name") ?? "amdgpu",
      usage: Double(percent) / 100,
      degrees: degrees,
      used: sys.line(of: folder + "/mem_info_vram_used").flatMap { UInt64($0) },
      total: sys.line(of: folder + "/mem_info_vram_total").flatMap { UInt64($0) }
    )
  }

  /// Returns the processors that `nvidia-smi` prints for ``query``, a line each.
  ///
  /// A value that it does not know, `[N/A]`, and a line that is no processor are left out.
  static func all(printed text: String) -> [GraphicsProcessor] {
    let lines = text.lines.compactMap { line -> GraphicsProcessor? in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.words.joined(separator: " ")
      }
      guard fields.count >= 5 else { return nil }
      // A name can have a comma, a number has none.
      let numbers = fields.suffix(4).map { Int($0) }
      let percent = numbers[0].flatMap { (0...100).contains($0) ? $0 : nil }
      let name = fields.dropLast(4).joined(separator: ", ")
      let degrees = numbers[3].flatMap { possibleDegrees.contains($0) ? $0 : nil }
      guard !name.isEmpty, percent != nil || numbers[2] != nil || degrees != nil else {
        return nil
      }
      return GraphicsProcessor(
        name: name,
        usage: percent.map { Double($0) / 100 },
        degrees: degrees,
        used: numbers[1].flatMap(mebibytes),
        total: numbers[2].flatMap(mebibytes)
      )
    }
    return Array(lines.prefix(limit))
  }

  private static func mebibytes(_ count: Int) -> UInt64? {
    (0...1 << 30).contains(count) ? UInt64(count) << 20 : nil
  }

  /// What `nvidia-smi` is asked.
  static let query = [
    "--query-gpu=name,utilization.gpu,memory.used,memory.total,temperature.gpu",
    "--format=csv,noheader,nounits",
  ]
}
