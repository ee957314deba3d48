import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// How often each line of the palette was chosen, the last times counting most.
struct PaletteUses {
  private static let byteLimit = 64 * 1024
  /// The most lines of which something is known; those that count least go.
  static let countLimit = 200
  /// What is left of a count with each later use of another line.
  private static let fading = 0.97

  private let path: String
  private var counts: [String: Double]

  /// Reads what is known; a file that cannot be used counts as missing.
  init(environment: [String: String]) {
    path = StateFolders(environment: environment).paletteUses
    let bytes = DurableFile.read(path, byteLimit: Self.byteLimit) ?? []
    let read = try? JSONDecoder().decode([String: Double].self, from: Data(bytes))
    counts = (read ?? [:]).filter { $0.value > 0 && $0.value.isFinite }
  }

  /// The lines with those first that were used, and the others in their order.
  func sorted(_ items: [Palette.Item]) -> [Palette.Item] {
    let used = items.map { item -> Palette.Item in
      var item = item
      item.use = item.action.name.flatMap { counts[$0] } ?? 0
      return item
    }
    return used.enumerated().sorted { ($1.element.use, $0.offset) < ($0.element.use, $1.offset) }
      .map(\.element)
  }

  /// Notes that a line was chosen now.
  ///
  /// - Throws: ``HostError`` with the file and the reason.
  static func note(_ name: String, environment: [String: String]) throws(HostError) {
    var known = PaletteUses(environment: environment)
    known.counts = known.counts.mapValues { $0 * fading }
    known.counts[name, default: 0] += 1
    for (other, _) in known.counts.sorted(by: { $0.value > $1.value }).dropFirst(countLimit) {
      known.counts[other] = nil
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(known.counts) else { return }
    try DurableFile.write(Array(data), to: known.path)
  }
}
