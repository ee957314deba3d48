import FoundationEssentials
import WidgetTestSupport

/// Interesting inputs, by target: `view-clock.json` is for `view`.
struct Corpus {
  private var inputs: [FuzzTarget: [[UInt8]]] = [:]

  init(folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() {
      guard let target = FuzzTarget(rawValue: String(name.prefix { $0 != "-" })),
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
      else { continue }
      inputs[target, default: []].append([UInt8](data))
    }
  }

  /// One of the inputs for a target, with changes.
  func input(for target: FuzzTarget, _ random: inout SeededGenerator) -> [UInt8]? {
    guard let known = inputs[target], !known.isEmpty else { return nil }
    return Mutation.mutate(random.one(of: known), &random)
  }
}
