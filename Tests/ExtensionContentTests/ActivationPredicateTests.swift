import Testing
import WidgetKitCore

@testable import ExtensionContent

/// Activation rules in the form of a predicate.
@Suite struct ActivationPredicateTests {
  private func content(_ items: [[[String]]]) -> [ExtensionItem] {
    items.map { attachments in
      ExtensionItem(
        attachments: attachments.enumerated().map { index, types in
          ItemAttachment(id: "a\(index + 1)", types: types.map { UniformType($0) })
        }
      )
    }
  }

  private func isOffered(_ text: String, _ items: [[[String]]]) throws -> Bool {
    try ActivationRule(.string(text)).verdict(on: content(items), .standard).isOffered
  }

  // MARK: - As they occur

  /// The predicate of Apple's guide for one item all of whose attachments are PDF files.
  private static let pdfs = """
    SUBQUERY (
        extensionItems,
        $extensionItem,
        SUBQUERY (
            $extensionItem.attachments,
            $attachment,
            ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "com.adobe.pdf"
        ).@count == $extensionItem.attachments.@count
    ).@count == 1
    """

  @Test func `the predicate of the guide accepts one item with nothing but PDF files`() throws {
    #expect(try isOffered(Self.pdfs, [[["com.adobe.pdf"]]]))
    #expect(try isOffered(Self.pdfs, [[["com.adobe.pdf"], ["com.adobe.pdf", "public.data"]]]))
    #expect(try !isOffered(Self.pdfs, [[["com.adobe.pdf"], ["public.png"]]]))
    #expect(try !isOffered(Self.pdfs, [[["com.adobe.pdf"]], [["com.adobe.pdf"]]]))
    #expect(try !isOffered(Self.pdfs, []))
  }

  @Test(arguments: [
    ("extensionItems.@count == 1", true), ("extensionItems.@count = 1", true),
    ("extensionItems.@count != 1", false), ("extensionItems.@count <> 1", false),
    ("1 <= extensionItems.@count", true), ("extensionItems.@count =< 0", false),
    ("extensionItems.@count > 0", true), ("extensionItems.@count >= 2", false),
    ("extensionItems.@count < 9223372036854775808", true), ("extensionItems.@count > -5", true),
    ("extensionItems.attachments.@count == 2", true),
    ("extensionItems.attachments.registeredTypeIdentifiers.@count == 3", true),
    (
      "ANY extensionItems.attachments.registeredTypeIdentifiers UTI-CONFORMS-TO 'public.image'",
      true
    ),
    ("any extensionItems.attachments.registeredTypeIdentifiers uti-equals \"PUBLIC.PNG\"", true),
    ("ANY extensionItems.attachments.registeredTypeIdentifiers UTI-EQUALS \"public.image\"", false),
    ("ANY extensionItems.attachments.registeredTypeIdentifiers == \"public.png\"", true),
    ("TRUEPREDICATE", true), ("falsepredicate", false), ("NOT FALSEPREDICATE", true),
    ("!TRUEPREDICATE || TRUEPREDICATE", true), ("NOT TRUEPREDICATE OR TRUEPREDICATE", true),
    ("TRUEPREDICATE OR TRUEPREDICATE AND FALSEPREDICATE", true),
    ("(TRUEPREDICATE OR TRUEPREDICATE) AND FALSEPREDICATE", false),
    ("not (FALSEPREDICATE and TRUEPREDICATE)", true), ("TRUEPREDICATE && !FALSEPREDICATE", true),
    (
      "SUBQUERY(extensionItems.attachments, $a, SUBQUERY($a.registeredTypeIdentifiers, $t, TRUEPREDICATE).@count > 1).@count == 1",
      true
    ),
  ])
  func `the parts of the language mean what they mean to NSPredicate`(text: String, expected: Bool)
    throws
  {
    #expect(try isOffered(text, [[["public.png", "public.data"], ["public.json"]]]) == expected)
  }

  @Test func `a variable means the innermost element of its name`() throws {
    let text = """
      SUBQUERY(extensionItems, $x, SUBQUERY($x.attachments, $x, ANY $x.registeredTypeIdentifiers \
      UTI-EQUALS "public.png").@count == 1 AND $x.attachments.@count == 2).@count == 1
      """
    #expect(try isOffered(text, [[["public.png"], ["public.json"]]]))
  }

  // MARK: - Reasons

  @Test func `the part that is not true is named`() throws {
    let rule = try ActivationRule(
      .string("extensionItems.@count == 1  AND (extensionItems.attachments.@count\n == 1)")
    )
    #expect(
      rule.verdict(on: content([[["public.png"], ["public.png"]]]), .standard)
        == .refused("not true: (extensionItems.attachments.@count == 1)")
    )
  }

  @Test(arguments: [
    ("", "character 1: expected extensionItems or a variable, found the end"),
    (
      "extensionItems.@count == ",
      "character 26: expected extensionItems or a variable, found the end"
    ),
    ("extensionItems == 1", "character 16: expected @count at the end of the path, found “==”"),
    ("extensionItems.@count ~ 1", "character 23: unexpected “~”"),
    (
      "extensionItems.title.@count == 1",
      "character 16: expected attachments, registeredTypeIdentifiers or @count, found “title”"
    ),
    (
      "extensionItems.registeredTypeIdentifiers.@count == 1",
      "character 16: an item has no registeredTypeIdentifiers"
    ),
    (
      "ANY extensionItems UTI-CONFORMS-TO \"public.png\"",
      "character 20: ANY needs types, and the path leads to an item"
    ),
    (
      "ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO \"x\"", "character 5: unknown variable “$a”"
    ),
    (
      "ANY extensionItems.attachments.registeredTypeIdentifiers UTI-CONFORMS-TO \"a b\"",
      "character 74: “a b” is not a type identifier"
    ),
    (
      "ANY extensionItems.attachments.registeredTypeIdentifiers UTI-CONFORMS-TO \"a",
      "character 74: a string has no end"
    ),
    (
      "TRUEPREDICATE TRUEPREDICATE",
      "character 15: expected AND, OR or the end, found “TRUEPREDICATE”"
    ),
    ("(TRUEPREDICATE", "character 15: expected “)”, found the end"),
    (
      "SUBQUERY(extensionItems, x, TRUEPREDICATE).@count == 1",
      "character 26: expected a variable such as $item, found “x”"
    ),
    ("SUBQUERY(extensionItems, $x, TRUEPREDICATE) == 1", "character 45: expected “.”, found “==”"),
  ])
  func `a mistake is named with its place`(text: String, words: String) {
    let error = #expect(throws: ActivationRuleError.self) { try ActivationPredicate(text) }
    #expect(error?.description == words)
  }

  // MARK: - Limits

  @Test func `a predicate is at most 8 KiB long`() {
    let text = "TRUEPREDICATE" + String(repeating: " ", count: 8 * 1024 - 13)
    #expect(throws: Never.self) { try ActivationPredicate(text) }
    let error = #expect(throws: ActivationRuleError.self) { try ActivationPredicate(text + " ") }
    #expect(error?.description == "character 1: the predicate is longer than 8 KiB")
  }

  @Test func `a predicate has at most 256 parts`() {
    // One more for the OR.
    let text = Array(repeating: "TRUEPREDICATE", count: 255).joined(separator: " OR ")
    #expect(throws: Never.self) { try ActivationPredicate(text) }
    #expect(throws: ActivationRuleError.self) {
      try ActivationPredicate(text + " OR TRUEPREDICATE")
    }
  }

  @Test(arguments: ["(", "NOT ", "SUBQUERY(extensionItems, $x, "])
  func `at most 16 parts are within each other`(opening: String) {
    let closing = ["(": ")", "NOT ": ""][opening] ?? ").@count == 1"
    func text(_ depth: Int) -> String {
      String(repeating: opening, count: depth) + "TRUEPREDICATE"
        + String(repeating: closing, count: depth)
    }
    #expect(throws: Never.self) { try ActivationPredicate(text(16)) }
    let error = #expect(throws: ActivationRuleError.self) { try ActivationPredicate(text(17)) }
    #expect(error?.message == "more than 16 parts within each other")
    #expect(throws: ActivationRuleError.self) { try ActivationPredicate(text(400)) }
  }

  @Test func `a predicate that takes for ever is not offered, with the reason`() throws {
    var text = "TRUEPREDICATE"
    for level in 0..<16 { text = "SUBQUERY(extensionItems, $v\(level), \(text)).@count == 1" }
    let items = content(Array(repeating: [["public.png"]], count: 100))
    #expect(
      try ActivationRule(.string(text)).verdict(on: items, .standard)
        == .refused("its rule takes more than 100000 comparisons")
    )
  }

  // MARK: - Remarks

  @Test(arguments: [
    ("TRUEPREDICATE", [ActivationRemark.truePredicate]), ("(truepredicate)", [.truePredicate]),
    ("extensionItems.@count == 1", []),
    (
      "TRUEPREDICATE OR FALSEPREDICATE AND NOT TRUEPREDICATE",
      [.mixedPrecedence("TRUEPREDICATE OR FALSEPREDICATE AND NOT TRUEPREDICATE")]
    ), ("TRUEPREDICATE OR (FALSEPREDICATE AND NOT TRUEPREDICATE)", []),
    ("(TRUEPREDICATE OR FALSEPREDICATE) AND NOT TRUEPREDICATE", []),
  ])
  func `what an author probably did not mean is remarked on`(
    text: String,
    expected: [ActivationRemark]
  ) throws {
    #expect(try ActivationRule(.string(text)).remarks == expected)
  }

  @Test func `a rule is a predicate or a dictionary`() {
    #expect(throws: ActivationRuleError.self) { try ActivationRule(.number(1)) }
  }
}
