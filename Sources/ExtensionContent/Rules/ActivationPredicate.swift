/// An activation rule in the form of a predicate, such as `SUBQUERY(extensionItems, $item, …).@count == 1`.
///
/// The language is the part of NSPredicate's that such rules use: whole numbers, strings, key paths, SUBQUERY, ANY,
/// UTI-CONFORMS-TO, UTI-EQUALS, comparisons, NOT, AND and OR in this order of precedence, and parentheses.
package struct ActivationPredicate: Hashable, Sendable {
  /// The text as it was written.
  package let text: String
  let root: PredicateNode
  /// Where an AND stands beside an OR without parentheses.
  let mixedParts: [String]

  /// The largest predicate, in bytes.
  static let byteLimit = 8 * 1024
  /// The most comparisons for one content.
  static let comparisonLimit = 100_000

  /// - Throws: ``ActivationRuleError`` with the place of the mistake.
  package init(_ text: String) throws(ActivationRuleError) {
    guard text.utf8.count <= Self.byteLimit else {
      throw ActivationRuleError("the predicate is longer than \(Self.byteLimit / 1024) KiB", at: 1)
    }
    self.text = text
    var parser = try PredicateParser(text)
    root = try parser.parse()
    mixedParts = parser.mixedParts
  }

  var remarks: [ActivationRemark] {
    let isStub = root.kind == .constant(true)
    return (isStub ? [.truePredicate] : []) + mixedParts.map { .mixedPrecedence($0) }
  }

  /// The types that it names, in their order.
  var types: [UniformType] { root.types }

  func verdict(on items: [ExtensionItem], _ table: TypeTable) -> ActivationVerdict {
    var evaluation = PredicateEvaluation(items: items, table: table)
    do throws(PredicateEvaluation.TooCostly) {
      guard let part = try evaluation.falsePart(of: root) else { return .offered }
      return .refused("not true: \(excerpt(part))")
    } catch {
      return .refused("its rule takes more than \(Self.comparisonLimit) comparisons")
    }
  }

  /// The text of a part, shortened in the middle.
  private func excerpt(_ node: PredicateNode) -> String {
    let part = String(
      text.unicodeScalars.dropFirst(node.range.lowerBound).prefix(node.range.count)
    )
    let words = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count <= 120 ? words : "\(words.prefix(80)) … \(words.suffix(38))"
  }
}
