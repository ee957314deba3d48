/// When the number of a script is worth a notification: `>90`, `<=5`.
package struct ScriptAlert: Hashable, Sendable {
  /// How the number is compared.
  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case more = ">"
    case less = "<"
  }

  package var comparison: Comparison
  package var limit: Double

  /// Reads a comparison and a number; nil if the text is none.
  package init?(_ text: some StringProtocol) {
    guard let comparison = Comparison.allCases.first(where: { text.hasPrefix($0.rawValue) }),
      let limit = Double(
        String(text.dropFirst(comparison.rawValue.count).filter { !$0.isWhitespace })
      ),
      limit.isFinite
    else { return nil }
    self.comparison = comparison
    self.limit = limit
  }

  /// Whether a number is worth a notification; no number that is not finite is.
  package func includes(_ number: Double) -> Bool {
    guard number.isFinite else { return false }
    return switch comparison {
    case .atLeast: number >= limit
    case .atMost: number <= limit
    case .more: number > limit
    case .less: number < limit
    }
  }
}

extension GaugeThreshold {
  /// The most thresholds of a script.
  private static let countLimit = 16

  /// Reads `70:orange,90:red`; nil if a number or a colour cannot be read.
  package static func list(_ text: some StringProtocol) -> [GaugeThreshold]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= countLimit else { return nil }
    var thresholds: [GaugeThreshold] = []
    for part in parts {
      let pair = part.split(separator: ":", maxSplits: 1).map { String($0.filter { $0 != " " }) }
      guard pair.count == 2, let at = Double(pair[0]), at.isFinite,
        let color = SemanticColor(rawValue: pair[1]).map(Color.semantic) ?? Color(hex: pair[1])
      else { return nil }
      thresholds.append(GaugeThreshold(at: at, foreground: color))
    }
    return thresholds.sorted { $0.at < $1.at }
  }
}
